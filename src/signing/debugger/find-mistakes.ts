import { constants, createHash, type KeyObject, verify } from 'node:crypto';
import { fewerLines, moreLines, otherOrders, otherValues } from './line-mistakes.ts';
import type { Mistake, SignedLine, Variant } from './mistake.ts';
import type { HashName, OpenedSignature } from './opened-signature.ts';
import type { ReceivedRequest } from './received-request.ts';
import {
  type Encoding,
  encodings,
  type Joint,
  joints,
  type LineForm,
  lineForms,
  rightEncoding,
  rightForm,
  rightJoint,
} from './text-mistakes.ts';

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

const hashed = (hash: HashName, bytes: Buffer): Buffer => createHash(hash).update(bytes).digest();

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
    return {
      test: (signed) => hashed(hash, signed).equals(digest),
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
