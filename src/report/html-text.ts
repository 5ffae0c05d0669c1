const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for the content of an element or an attribute in quotes. Nothing of a bank reaches a page without it. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character] ?? '');
}
