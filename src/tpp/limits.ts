/**
 * What is kept of an answer, whatever is sent. Each is far above what the interface needs: nothing that a bank may
 * rightly say is lost, and a bank that sends without end can fill neither memory nor disk.
 */
export const limits = {
  /** Bytes read of one body, and bytes that it may become when it is unpacked. */
  bodyBytes: 4 * 1024 * 1024,
  /** Bytes above which a body counts as large. */
  largeBytes: 64 * 1024,
  /** Bytes of all large bodies of a run together; after that they are kept only as far as small ones are. */
  largeBytesOfARun: 96 * 1024 * 1024,
  /** Characters of one text in JSON: longer than every limit of the specification. */
  jsonText: 16 * 1024,
  jsonDepth: 64,
  /** Items of a list, which may be every customer of a sandbox; members of an object, which are never many. */
  jsonItems: 20_000,
  jsonMembers: 1_000,
  /** Characters of a body that are shown in reports and kept in the journal. */
  shownBody: 16 * 1024,
  /** Characters of a header value that are shown. */
  shownHeader: 8 * 1024,
  /** Characters of one sentence, note or counterexample in a report. */
  shownText: 8 * 1024,
} as const;

/** Text that was cut says so itself, wherever it is shown. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = beginningOf(text, most);
  return `${kept}… [cut: ${kept.length} of ${text.length} characters are shown]`;
}

/** As long as what is known to be secret, however it is written; of keys and certificates the beginning is enough. */
const longestPiece = 400;

/**
 * The first characters of a text, before anything in it is hidden. Half a secret is not known for one: what is cut
 * in two goes altogether, and so do digits before it.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most);
  const tail = kept.slice(-longestPiece);
  let whole = withoutLastPiece(tail);
  // A number may be written in groups.
  while (/(?:^|[^\w\\%#])\d+$/.test(whole)) whole = withoutLastPiece(whole);
  const before = kept.slice(0, kept.length - tail.length);
  if (whole !== '') return before + whole;
  // A long address has no such ends, but parts: the cut goes between two of them, further ahead than a secret reaches.
  const part = tail.search(/[/?&=#]/);
  return part < 0 ? kept : before + tail.slice(0, part);
}

const withoutLastPiece = (text: string): string => text.replace(/[^\s"',;<>{}()[\]]*$/, '').trimEnd();
