import { createHash } from 'node:crypto';
import type { SignedLine, Variant } from './mistake.ts';

export type LineForm = (line: SignedLine) => string;
export type Joint = (lines: readonly string[]) => string;
export type Encoding = (text: string) => Buffer | undefined;

export const rightForm: LineForm = ([name, value]) => `${name}: ${value}`;
export const rightJoint: Joint = (lines) => lines.join('\n');
export const rightEncoding: Encoding = (text) => Buffer.from(text, 'utf8');

const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const lineRemedy = 'Write each line as the header name in lower case, a colon, one space and the value.';

const form = (id: string, mistake: string, made: LineForm): Variant<LineForm> => ({
  id,
  mistake,
  remedy: lineRemedy,
  made,
});

/** How one line is written. `namesAsSent` gives the name as it stands in the request. */
export const lineForms = (namesAsSent: ReadonlyMap<string, string>): readonly Variant<LineForm>[] => [
  form(
    'names-as-sent',
    'the header names are written as in the request, such as Date for date',
    ([name, value]) => `${namesAsSent.get(name) ?? name}: ${value}`,
  ),
  form(
    'names-title-case',
    'the header names begin with capitals, such as Date for date',
    ([name, value]) => `${titleCase(name)}: ${value}`,
  ),
  form(
    'names-upper-case',
    'the header names are written in capitals',
    ([name, value]) => `${name.toUpperCase()}: ${value}`,
  ),
  form('space-missing', 'there is no space after the colon', ([name, value]) => `${name}:${value}`),
  form('space-twice', 'there are two spaces after the colon', ([name, value]) => `${name}:  ${value}`),
  form('space-before-colon', 'there is a space before the colon', ([name, value]) => `${name} : ${value}`),
  form('tab-after-colon', 'there is a tab after the colon', ([name, value]) => `${name}:\t${value}`),
  form('equals-sign', 'there is = in place of the colon', ([name, value]) => `${name}=${value}`),
  form('values-quoted', 'the values stand in quotes', ([name, value]) => `${name}: "${value}"`),
  form(
    'names-quoted',
    'the names stand in quotes, as RFC 9421 has it',
    ([name, value]) => `"${name}": ${value}`,
  ),
  form('values-alone', 'the values are signed without the names', ([, value]) => value),
  form('trailing-space', 'there is a space at the end of each line', ([name, value]) => `${name}: ${value} `),
];

const jointRemedy = 'Join the lines with a single newline (LF, \\n), and put none after the last line.';

const joint = (id: string, mistake: string, made: Joint): Variant<Joint> => ({
  id,
  mistake,
  remedy: jointRemedy,
  made,
});

export const joints: readonly Variant<Joint>[] = [
  joint('crlf', 'the lines are joined with CRLF', (lines) => lines.join('\r\n')),
  joint('trailing-newline', 'there is a newline after the last line', (lines) => `${lines.join('\n')}\n`),
  joint(
    'crlf-trailing',
    'every line ends with CRLF, the last one as well',
    (lines) => `${lines.join('\r\n')}\r\n`,
  ),
  joint('leading-newline', 'there is a newline before the first line', (lines) => `\n${lines.join('\n')}`),
  joint('cr-alone', 'the lines are joined with CR', (lines) => lines.join('\r')),
  joint('blank-lines', 'there is an empty line between the lines', (lines) => lines.join('\n\n')),
  joint('newline-escaped', 'the lines are joined with a backslash and the letter n', (lines) =>
    lines.join('\\n'),
  ),
  joint('joined-by-space', 'the lines are joined with a space', (lines) => lines.join(' ')),
  joint('joined-by-comma', 'the lines are joined with a comma', (lines) => lines.join(',')),
  joint('joined-by-comma-space', 'the lines are joined with a comma and a space', (lines) =>
    lines.join(', '),
  ),
  joint('joined-by-nothing', 'the lines are joined with nothing between them', (lines) => lines.join('')),
];

const encodingRemedy = 'Sign the bytes of the signing string in UTF-8.';
const onceRemedy =
  'Hand the signing string itself to RSA-SHA256: the function hashes by itself. With OpenSSL: openssl dgst -sha256 -sign.';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** How the text becomes the bytes that are signed. */
export const encodings: readonly Variant<Encoding>[] = [
  {
    id: 'latin1',
    mistake: 'letters outside ASCII are signed as the bytes that stand in the header (UTF-8 or ISO-8859-1)',
    remedy:
      'Headers are read as ISO-8859-1 and signed in UTF-8. Keep their values within ASCII: percent-encode addresses.',
    // Within ASCII there is no difference to see.
    made: (text) => (/[^\p{ASCII}]/u.test(text) ? Buffer.from(text, 'latin1') : undefined),
  },
  {
    id: 'utf16le',
    mistake: 'the signing string is encoded in UTF-16, as Encoding.Unicode of .NET does',
    remedy: encodingRemedy,
    made: (text) => Buffer.from(text, 'utf16le'),
  },
  {
    id: 'utf16be',
    mistake: 'the signing string is encoded in UTF-16, big-endian',
    remedy: encodingRemedy,
    made: (text) => Buffer.from(text, 'utf16le').swap16(),
  },
  {
    id: 'byte-order-mark',
    mistake: 'a byte order mark stands before the signing string',
    remedy: encodingRemedy,
    made: (text) => Buffer.from(`\ufeff${text}`, 'utf8'),
  },
  {
    id: 'signed-base64',
    mistake: 'the Base64 of the signing string is signed in place of the string',
    remedy: 'Sign the signing string itself; only the signature is written in Base64.',
    made: (text) => Buffer.from(Buffer.from(text, 'utf8').toString('base64')),
  },
  {
    id: 'hashed-twice',
    mistake: 'the signing string is hashed before it is signed, and so hashed twice',
    remedy: onceRemedy,
    made: sha256,
  },
  {
    id: 'signed-hex-hash',
    mistake: 'the hexadecimal hash of the signing string is signed in place of the string',
    remedy: onceRemedy,
    made: (text) => Buffer.from(sha256(text).toString('hex')),
  },
  {
    id: 'signed-upper-hex-hash',
    mistake: 'the hexadecimal hash of the signing string, in capitals, is signed in place of the string',
    remedy: onceRemedy,
    made: (text) => Buffer.from(sha256(text).toString('hex').toUpperCase()),
  },
  {
    id: 'signed-base64-hash',
    mistake: 'the Base64 of the hash of the signing string is signed in place of the string',
    remedy: onceRemedy,
    made: (text) => Buffer.from(sha256(text).toString('base64')),
  },
  {
    id: 'percent-encoded',
    mistake: 'the signing string is percent-encoded before it is signed',
    remedy: 'Sign the signing string as it is, without encoding it for an address.',
    made: (text) => Buffer.from(encodeURIComponent(text)),
  },
];
