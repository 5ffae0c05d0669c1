import { isUpperCaseHex, sameSerialNumber } from '../../signing/certificate.ts';
import { decodeWord, EncodedWordError } from '../../signing/encoded-word.ts';
import { parseKeyId } from '../../signing/signature-header.ts';
import type { BankDesign } from '../design/design.ts';
import { type BankRequest, oncePerRequest, type Rule, rule } from '../design/route.ts';
import type { SignatureVerdict } from '../design/signing-design.ts';

/** A Signature header as far as it can be read: each rule judges one side of it (Signature header). */
interface SignatureParts {
  /** Undefined when the header is no list of quoted parts. */
  readonly order: readonly string[] | undefined;
  readonly keyId: string | undefined;
  readonly algorithm: string | undefined;
  /** As written, so that the form of the list can be judged. */
  readonly headersText: string | undefined;
  readonly headers: readonly string[] | undefined;
  readonly signature: string | undefined;
}

const unreadable: SignatureParts = {
  order: undefined,
  keyId: undefined,
  algorithm: undefined,
  headersText: undefined,
  headers: undefined,
  signature: undefined,
};

const partNames = ['keyId', 'algorithm', 'headers', 'signature'] as const;

/** Undefined when the request has no Signature header. */
function signaturePartsOf(request: BankRequest): SignatureParts | undefined {
  const value = request.header('signature');
  if (value === undefined) return undefined;
  const parts = quotedParts(value);
  if (parts === undefined) return unreadable;
  const headersText = parts.get('headers');
  return {
    order: [...parts.keys()],
    keyId: parts.get('keyId') || undefined,
    algorithm: parts.get('algorithm') || undefined,
    headersText: headersText || undefined,
    headers: headersText?.trim() ? headersText.trim().split(/\s+/) : undefined,
    signature: parts.get('signature') || undefined,
  };
}

function quotedParts(value: string): ReadonlyMap<string, string> | undefined {
  const text = decoded(value);
  if (text === undefined) return undefined;
  const parts = new Map<string, string>();
  const part = /[ \t]*([A-Za-z]+)="((?:[^"\\]|\\.)*)"[ \t]*(,|$)/suy;
  for (let more = true; more; ) {
    const [, name, content, separator] = part.exec(text) ?? [];
    if (name === undefined || content === undefined || parts.has(name)) return undefined;
    if (!partNames.some((known) => known === name)) return undefined;
    parts.set(name, content);
    more = separator === ',';
  }
  return parts;
}

function decoded(value: string): string | undefined {
  try {
    return decodeWord(value);
  } catch (error) {
    if (error instanceof EncodedWordError) return undefined;
    throw error;
  }
}

type PartsOf = (request: BankRequest) => SignatureParts | undefined;

const atSignature = (text: string) => ({ text, path: 'Signature' });

/** The header is a list of four parts in order (Signature header). */
function formRules(partsOf: PartsOf): readonly Rule[] {
  const part = (requirement: string, name: (typeof partNames)[number]): Rule =>
    rule(requirement, `Signature has its ${name} part`, 'signature', (request) => {
      const parts = partsOf(request);
      return parts?.order !== undefined && parts[name] === undefined
        ? atSignature(`The Signature header has no part "${name}".`)
        : undefined;
    });
  return [
    rule('SGH-12', 'Signature is a list of quoted parts', 'signature', (request) => {
      const parts = partsOf(request);
      return parts !== undefined && parts.order === undefined
        ? atSignature('The Signature header is not keyId="…",algorithm="…",headers="…",signature="…".')
        : undefined;
    }),
    part('SGH-05', 'keyId'),
    part('SGH-06', 'algorithm'),
    part('SGH-07', 'headers'),
    part('SGH-08', 'signature'),
    rule('SGH-04', 'the parts of Signature stand in order', 'signature', (request) => {
      const order = partsOf(request)?.order;
      const expected = partNames.filter((name) => order?.includes(name));
      return order !== undefined && order.join() !== expected.join()
        ? atSignature(`The parts of the Signature header do not stand in the order ${partNames.join(', ')}.`)
        : undefined;
    }),
    rule('SGH-13', 'signed names are in lower case, separated by one space', 'signature', (request) => {
      const text = partsOf(request)?.headersText;
      return text !== undefined && !/^[^\sA-Z]+(?: [^\sA-Z]+)*$/.test(text)
        ? atSignature(
            'The names in the part "headers" are not in lower case with a single space between them.',
          )
        : undefined;
    }),
  ];
}

/** keyId and algorithm are those of the certificate (Signature header). */
function keyIdRules(design: BankDesign, partsOf: PartsOf): readonly Rule[] {
  const keyIdOf = oncePerRequest((request) => {
    const text = partsOf(request)?.keyId;
    return text === undefined ? undefined : { text, keyId: parseKeyId(text) };
  });
  return [
    rule(
      'SGH-01',
      'keyId is SN=<serial>,CA=<issuer>',
      'signature',
      (request) => {
        const written = keyIdOf(request);
        return written !== undefined && written.keyId === undefined
          ? atSignature('The keyId is not SN=<serial>,CA=<issuer>.')
          : undefined;
      },
      { also: ['SGH-02'] },
    ),
    rule('SGH-03', 'SN is in upper-case hexadecimal', 'signature', (request) => {
      const serialNumber = keyIdOf(request)?.keyId?.serialNumber;
      return serialNumber !== undefined &&
        !isUpperCaseHex(serialNumber) &&
        isUpperCaseHex(serialNumber.toUpperCase())
        ? atSignature('The SN of the keyId is not written in upper-case hexadecimal.')
        : undefined;
    }),
    rule('SGH-01', 'SN is the serial number of the certificate', 'signature', (request) => {
      const { certificate } = request;
      const serialNumber = keyIdOf(request)?.keyId?.serialNumber;
      return serialNumber !== undefined &&
        certificate !== undefined &&
        !sameSerialNumber(serialNumber.toUpperCase(), certificate.serialNumber)
        ? atSignature(
            `The SN of the keyId is not the certificate's serial number ${certificate.serialNumber}.`,
          )
        : undefined;
    }),
    rule('SGH-02', 'CA is the issuer of the certificate', 'signature', (request) => {
      const { certificate } = request;
      const keyId = keyIdOf(request)?.keyId;
      return keyId !== undefined &&
        certificate !== undefined &&
        !design.signing.sameIssuer(keyId.issuer, certificate)
        ? atSignature(`The CA of the keyId is not the certificate's issuer ${certificate.issuer}.`)
        : undefined;
    }),
    rule('SGH-09', 'algorithm is that of the certificate', 'signature', (request) => {
      const algorithm = partsOf(request)?.algorithm;
      return algorithm !== undefined && !design.signing.algorithms.includes(algorithm)
        ? atSignature(`The algorithm is not ${design.signing.algorithms.join(' or ')}.`)
        : undefined;
    }),
  ];
}

/** Authentication, Signature header and signing string: the form first, then what was signed. */
export function signatureRules(design: BankDesign): readonly Rule[] {
  const partsOf = oncePerRequest(signaturePartsOf);
  return [
    ...formRules(partsOf),
    ...keyIdRules(design, partsOf),
    ...coverageRules(design, partsOf),
    ...verificationRules(design, partsOf),
  ];
}

/** What is signed is there, and what is there is signed (Signing string rules). */
function coverageRules(design: BankDesign, partsOf: PartsOf): readonly Rule[] {
  const unsigned = (request: BankRequest, names: readonly string[]): string | undefined => {
    const signed = partsOf(request)?.headers?.map((name) => name.toLowerCase());
    if (signed === undefined) return undefined;
    return names.find((name) => request.header(name) !== undefined && !signed.includes(name));
  };
  const coverage = (requirement: string, name: string, headers: readonly string[]): Rule =>
    rule(requirement, name, 'signature', (request) => {
      const missing = unsigned(request, headers);
      return missing === undefined
        ? undefined
        : atSignature(`The header "${missing}" is present and not signed.`);
    });
  return [
    coverage(
      'SGS-07',
      'a Digest is signed',
      design.signing.candidates.filter((name) => name === 'digest'),
    ),
    coverage(
      'SGS-08',
      'every candidate header is signed',
      design.signing.candidates.filter((name) => name !== 'digest'),
    ),
    rule('SGS-09', 'every signed header is present', 'signature', (request) => {
      const missing = partsOf(request)?.headers?.find(
        (name) => design.signing.valueIn(request, name.toLowerCase()) === undefined,
      );
      return missing === undefined
        ? undefined
        : atSignature(`The signature covers the header "${missing}", which the request lacks.`);
    }),
  ];
}

/** The signature verifies; each way to fail has a rule. */
function verificationRules(design: BankDesign, partsOf: PartsOf): readonly Rule[] {
  const verdictOn = oncePerRequest((request): SignatureVerdict | 'other-target' => {
    const parts = partsOf(request);
    const { certificate } = request;
    // What cannot be verified at all has been judged by the rules above.
    if (parts?.signature === undefined || certificate === undefined) return 'verified';
    const names = (parts.headers ?? presentCandidates(design, request)).map((name) => name.toLowerCase());
    const verdict = design.signing.judge(request, names, parts.signature, certificate);
    return verdict === 'other-text' && names.includes('(request-target)') ? 'other-target' : verdict;
  });
  const step = (
    requirement: string,
    name: string,
    verdict: SignatureVerdict | 'other-target',
    text: string,
    also: readonly string[],
  ): Rule =>
    rule(
      requirement,
      name,
      'signature',
      (request) =>
        verdictOn(request) === verdict ? atSignature(`The signature does not verify: ${text}`) : undefined,
      { also },
    );
  return [
    step('SIG-02', 'signature is Base64', 'not-base64', 'it is not Base64.', []),
    step(
      'CRT-07',
      'signature is made with the key of the certificate',
      'other-key',
      'it was not made with the key of the certificate.',
      ['SIG-02'],
    ),
    step('SGH-14', 'signature is RSA-SHA256', 'other-hash', 'it was made with another hash than SHA-256.', [
      'SIG-02',
    ]),
    step(
      'SGS-11',
      'lines are signed in the order of the headers part',
      'other-order',
      'the lines were signed in another order than the part "headers" gives.',
      ['SIG-02'],
    ),
    step(
      'SGS-14',
      'lines are joined by a newline alone',
      'other-joint',
      'the lines of the signing string are joined by a single newline, with none at the end.',
      ['SIG-02'],
    ),
    step(
      'SGS-15',
      'a line is name, colon, space and value',
      'other-line-form',
      'a line of the signing string is the lower-case name, a colon, a space and the value.',
      ['SIG-02'],
    ),
    step(
      'SGS-13',
      '(request-target) is that of the request',
      'other-target',
      'the text that was signed is not that of this request; (request-target) is the method in lower case, a space, the path and query.',
      ['SIG-02'],
    ),
    step(
      'SIG-02',
      'signature is over the signing string of this request',
      'other-text',
      'the text that was signed is not that of this request.',
      ['SGS-01', 'SGS-02', 'SGS-03', 'SGS-04', 'SGS-05', 'SGS-06'],
    ),
  ];
}

/** Without a headers part a bank can only guess that the candidates were signed. */
const presentCandidates = (design: BankDesign, request: BankRequest): readonly string[] =>
  design.signing.candidates.filter((name) => request.header(name) !== undefined);
