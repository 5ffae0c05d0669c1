/** Whether a text can stand in a header at all (RFC 9110, 5.5): nothing else can be sent, not even to see it refused. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
