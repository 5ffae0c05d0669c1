import { constants, hash as hashOf, type KeyObject, verify } from 'node:crypto';
import {
  fewerLines,
  type Mistake,
  moreLines,
  otherOrders,
  otherValues,
  type SignedLine,
  type Variant,
} from './line-mistakes.ts';
import type { HashName, OpenedSignature } from './opened-signature.ts';
import type { ReceivedRequest } from './received-request.ts';

type LineForm = (line: SignedLine) => string;
type Joint = (lines: readonly string[]) => string;
type Encoding = (text: string) => Buffer | undefined;

const rightForm: LineForm = ([name, value]) => `${name}: ${value}`;
const rightJoint: Joint = (lines) => lines.join('\n');
const rightEncoding: Encoding = (text) => Buffer.from(text, 'utf8');

const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const lineRemedy = 'Write each line as the header name in lower case, a colon, one space and the value.';

const form = (id: string, mistake: string, made: LineForm): Variant<LineForm> => ({
  id,
  mistake,
  remedy: lineRemedy,
  made,
});

/** How one line is written. `namesAsSent` gives the name as it stands in the request. */
const lineForms = (namesAsSent: ReadonlyMap<string, string>): readonly Variant<LineForm>[] => [
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

const joints: readonly Variant<Joint>[] = [
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

const sha256 = (text: string): Buffer => hashOf('sha256', text, 'buffer');

/** How the text becomes the bytes that are signed. */
const encodings: readonly Variant<Encoding>[] = [
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

/** A text that the signature fits, and how it differs from the right one. */
export interface FittingText {
  readonly text: string;
  readonly mistakes: readonly Mistake[];
}

export interface Search {
  readonly found: FittingText | undefined;
  /** How many texts were tried. */
  readonly tried: number;
}

/** So that nobody can keep us busy with a request of many long headers. */
const most = { texts: 150_000, bytes: 64 * 1024 * 1024, pssTexts: 400 } as const;

/** A text as it came about. */
interface Attempt {
  readonly lines: readonly SignedLine[];
  readonly form: LineForm;
  readonly joint: Joint;
  readonly encoding: Encoding;
  readonly mistakes: readonly Mistake[];
}

/** Looks for the text that was signed: first without a mistake, then with one, then with two of different kinds. */
export function findSignedText(
  lines: readonly SignedLine[],
  request: ReceivedRequest,
  opened: OpenedSignature,
  key: KeyObject,
  signature: Buffer,
): Search {
  const fits = fitter(opened, key, signature);
  let tried = 0;
  let bytes = 0;
  for (const attempt of attempts(lines, request)) {
    const text = attempt.joint(attempt.lines.map(attempt.form));
    const signed = attempt.encoding(text);
    if (signed === undefined) continue;
    tried += 1;
    bytes += signed.length;
    if (fits.test(signed))
      return { found: { text, mistakes: [...attempt.mistakes, ...fits.mistakes] }, tried };
    if (tried >= fits.most || bytes >= most.bytes) break;
  }
  return { found: undefined, tried };
}

interface Fitter {
  test(signed: Buffer): boolean;
  /** What is wrong with the signature itself, whatever the text. */
  readonly mistakes: readonly Mistake[];
  readonly most: number;
}

const hashed = (hash: HashName, bytes: Buffer): Buffer => hashOf(hash, bytes, 'buffer');

const hashWords: Readonly<Record<HashName, string>> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha224: 'SHA-224',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

function fitter(opened: OpenedSignature, key: KeyObject, signature: Buffer): Fitter {
  if (opened.kind === 'hash') {
    const { hash, digest } = opened;
    const wanted = digest.toString('hex');
    return {
      // A text of it costs less than half of what its bytes cost, and thousands are tried.
      test: (signed) => hashOf(hash, signed, 'hex') === wanted,
      mistakes:
        hash === 'sha256'
          ? []
          : [
              {
                id: 'other-hash',
                mistake: `it is verified with RSA-${hashWords[hash].replace('-', '')} in place of RSA-SHA256`,
                remedy: `Sign with SHA-256; ${hashWords[hash]} was used. The hash of the Digest header is another matter.`,
              },
            ],
      most: most.texts,
    };
  }
  if (opened.kind === 'bare') {
    return {
      test: (signed) => opened.content.equals(hashed('sha256', signed)) || opened.content.equals(signed),
      mistakes: [
        {
          id: 'no-digest-info',
          mistake: 'it is read as bare RSA over the hash, without the name of the hash inside',
          remedy:
            'Sign with RSA-SHA256 in one step. With OpenSSL: dgst -sha256 -sign, or pkeyutl with -pkeyopt digest:sha256; in Java SHA256withRSA, not NONEwithRSA.',
        },
      ],
      most: most.texts,
    };
  }
  if (opened.kind === 'pss') {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const saltLength = constants.RSA_PSS_SALTLEN_AUTO;
    return {
      test: (signed) => verify('sha256', signed, { key, padding, saltLength }, signature),
      mistakes: [
        {
          id: 'pss-padding',
          mistake: 'it is verified with the padding PSS in place of PKCS #1 v1.5',
          remedy:
            'Sign with the padding of PKCS #1 v1.5, which rsa-sha256 stands for: SHA256withRSA, RSASSA-PKCS1-v1_5.',
        },
      ],
      most: most.pssTexts,
    };
  }
  return { test: () => false, mistakes: [], most: 1 };
}

/** Values that differ from second to second are tried alone: with other mistakes they would be too many. */
const isOfManyTimes = ({ id }: Mistake): boolean => id === 'date-other-time' || id === 'date-other-zone';

function* attempts(lines: readonly SignedLine[], request: ReceivedRequest): Generator<Attempt> {
  const right: Attempt = {
    lines,
    form: rightForm,
    joint: rightJoint,
    encoding: rightEncoding,
    mistakes: [],
  };
  const changing =
    <Key extends 'lines' | 'form' | 'joint' | 'encoding'>(key: Key) =>
    ({ made, ...mistake }: Variant<Attempt[Key]>) =>
    (attempt: Attempt): Attempt => ({ ...attempt, [key]: made, mistakes: [...attempt.mistakes, mistake] });
  const holding =
    ({ made, ...mistake }: Variant<SignedLine>) =>
    (attempt: Attempt): Attempt => ({
      ...attempt,
      lines: attempt.lines.map((line) => (line[0] === made[0] ? made : line)),
      mistakes: [...attempt.mistakes, mistake],
    });
  const namesAsSent = new Map(request.headers.map(([name]) => [name.toLowerCase(), name]));
  const forms = lineForms(namesAsSent).map(changing('form'));
  const joined = joints.map(changing('joint'));
  const encoded = encodings.map(changing('encoding'));
  const fewer = fewerLines(lines).map(changing('lines'));
  const orders = otherOrders(lines).map(changing('lines'));
  const moreAtEnds = moreLines(lines, request, 'at the ends').map(changing('lines'));
  const values = otherValues(lines, request);
  const fewValues = values.filter((value) => !isOfManyTimes(value)).map(holding);

  yield right;
  const ofText = [...joined, ...forms, ...encoded];
  const alone = [
    ...ofText,
    ...fewer,
    ...moreLines(lines, request, 'everywhere').map(changing('lines')),
    ...values.map(holding),
    ...orders,
  ];
  for (const change of alone) yield change(right);
  const pairs: readonly (readonly [readonly Change[], readonly Change[]])[] = [
    [forms, [...joined, ...encoded]],
    [joined, encoded],
    [[...fewValues, ...fewer, ...moreAtEnds, ...orders], ofText],
    [[...fewer, ...moreAtEnds, ...orders], fewValues],
  ];
  for (const [first, second] of pairs) {
    for (const change of first) for (const other of second) yield other(change(right));
  }
}

type Change = (attempt: Attempt) => Attempt;
