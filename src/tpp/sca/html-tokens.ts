/** HTML as far as forms need it: tags with their attributes, and text. Anything else is passed over. */
export type HtmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

const comment = /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>/y;
const tag = /<(\/?)([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/iy;
const plainText = /[^<]+|</y;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Elements whose content is no markup. Scripts and styles are not shown; the others are. */
const rawElements: Readonly<Record<string, 'hidden' | 'shown'>> = {
  script: 'hidden',
  style: 'hidden',
  textarea: 'shown',
  title: 'shown',
};

export function* htmlTokens(html: string): Generator<HtmlToken> {
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(html);
    if (match !== null) position += match[0].length;
    return match;
  };
  while (position < html.length) {
    if (take(comment) !== null) continue;
    const [, slash, tagName, rest = ''] = take(tag) ?? [];
    if (tagName === undefined) {
      yield { kind: 'text', text: decoded(take(plainText)?.[0] ?? '') };
      continue;
    }
    const name = tagName.toLowerCase();
    if (slash === '/') {
      yield { kind: 'close', name };
      continue;
    }
    yield { kind: 'open', name, attributes: attributesIn(rest) };
    const raw = rawElements[name];
    if (raw === undefined) continue;
    const content = take(new RegExp(`[\\s\\S]*?(?=</${name}|$)`, 'iy'))?.[0] ?? '';
    if (raw === 'shown') yield { kind: 'text', text: decoded(content) };
  }
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(attribute)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decoded(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

/** The named references that forms in English and Norwegian use; the others stay as they are. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  aelig: 'æ',
  oslash: 'ø',
  aring: 'å',
  AElig: 'Æ',
  Oslash: 'Ø',
  Aring: 'Å',
};

const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (reference, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? reference;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : reference;
  });
