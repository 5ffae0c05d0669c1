import { decodeWord, EncodedWordError } from '../../signing/encoded-word.ts';
import { parseKeyId } from '../../signing/key-id.ts';
import { isUpperCaseHex, sameSerialNumber } from '../../signing/serial-number.ts';
import type { BankDesign } from '../design/design.ts';
import type { BankRequest, Rule } from '../design/route.ts';
import { oncePerRequest, rule } from '../design/rule.ts';

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
export function signaturePartsOf(request: BankRequest): SignatureParts | undefined {
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

export type PartsOf = (request: BankRequest) => SignatureParts | undefined;

export const atSignature = (text: string) => ({ text, path: 'Signature' });

/** The header is a list of four parts in order (Signature header). */
export function formRules(partsOf: PartsOf): readonly Rule[] {
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
        ? atSignature(`The parts of the Signature header stand in the order ${partNames.join(', ')}.`)
        : undefined;
    }),
    rule('SGH-13', 'signed names are in lower case, separated by one space', 'signature', (request) => {
      const text = partsOf(request)?.headersText;
      return text !== undefined && !/^[^\sA-Z]+(?: [^\sA-Z]+)*$/.test(text)
        ? atSignature('The names in the part "headers" are in lower case and separated by a single space.')
        : undefined;
    }),
  ];
}

/** keyId and algorithm are those of the certificate (Signature header). */
export function keyIdRules(design: BankDesign, partsOf: PartsOf): readonly Rule[] {
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
        ? atSignature('The SN of the keyId is written in upper-case hexadecimal.')
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
        ? atSignature(`The algorithm is ${design.signing.algorithms.join(' or ')}.`)
        : undefined;
    }),
  ];
}
