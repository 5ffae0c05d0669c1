/** A header that the signature lists, and that the request or the response does not carry. */
export class MissingSignedHeaderError extends Error {
  override readonly name = 'MissingSignedHeaderError';
  readonly header: string;

  constructor(header: string) {
    super(`The signature covers the header "${header}", which was not sent.`);
    this.header = header;
  }
}

/**
 * The text that is signed: one `name: value` line per header, in the order of the `headers` part, joined by
 * a single newline with none at the end (specification, "Signature header").
 */
export function signingString(
  names: readonly string[],
  valueFor: (lowerCaseName: string) => string | undefined,
): string {
  return names
    .map((name) => {
      const lowerCaseName = name.toLowerCase();
      const value = valueFor(lowerCaseName);
      if (value === undefined) throw new MissingSignedHeaderError(lowerCaseName);
      return `${lowerCaseName}: ${withoutSurroundingWhitespace(value)}`;
    })
    .join('\n');
}

/** The value of the pseudo-header `(request-target)`. The path is taken as it stands on the request line. */
export function requestTarget(method: string, pathWithQuery: string): string {
  return `${method.toLowerCase()} ${pathWithQuery}`;
}

/**
 * Without the optional white space of RFC 7230 section 3.2.3 around it: `trim()` would also take a no-break space, which
 * is part of the value. By hand, because a pattern looks for the end from every space inside the value anew.
 */
export function withoutSurroundingWhitespace(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && isWhitespace(value.charCodeAt(start))) start += 1;
  while (end > start && isWhitespace(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

const isWhitespace = (code: number): boolean => code === 0x20 || code === 0x09;
