import {
  isUpperCaseHex,
  readCertificateFields,
  sameSerialNumber,
  type TppCertificate,
} from '../certificate.ts';
import {
  formatDistinguishedName,
  formatDistinguishedNameHexEscaped,
  sameDistinguishedName,
} from '../distinguished-name.ts';
import { decodeWord, EncodedWordError, isEncodedWord } from '../encoded-word.ts';
import { formatKeyId, parseKeyId, parseSignatureHeader, SignatureFormatError } from '../signature-header.ts';

/** Something that is wrong, and what to do about it. */
export interface SignatureFinding {
  readonly id: string;
  /** The requirement by which a bank refuses it. */
  readonly requirement: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A finding about the Signature header itself. */
export const form = (
  requirement: string,
  id: string,
  problem: string,
  remedy?: string,
): SignatureFinding => ({
  id,
  requirement,
  problem,
  remedy:
    remedy ?? 'Write keyId="SN=…,CA=…",algorithm="rsa-sha256",headers="…",signature="…", in this order.',
});

/** A Signature header as far as it can be read. */
export interface WrittenParts {
  /** Decoded, where it was an encoded word. */
  readonly text: string;
  readonly wasEncoded: boolean;
  readonly keyId: string | undefined;
  readonly algorithm: string | undefined;
  readonly headers: string | undefined;
  readonly signature: string | undefined;
  /** Why it is not as the specification has it; undefined when it is. */
  readonly problem: string | undefined;
  readonly isOutOfOrder: boolean;
}

/** Strictly first; what is not in form is read as far as anybody can guess it, so that more can be said. */
export function readSignatureParts(value: string): WrittenParts {
  const wasEncoded = isEncodedWord(value);
  const text = decoded(value);
  const part = (name: string): string | undefined =>
    new RegExp(`(?:^|[,;\\s])${name}\\s?=\\s?"((?:[^"\\\\]|\\\\.)*)"`, 'isu').exec(text)?.[1] ??
    new RegExp(`(?:^|[,;\\s])${name}\\s?=\\s?'?([^"',;\\s]+)`, 'isu').exec(text)?.[1];
  return {
    text,
    wasEncoded,
    keyId: part('keyId'),
    algorithm: part('algorithm'),
    headers: part('headers'),
    signature: part('signature'),
    ...problemOf(value),
  };
}

function decoded(value: string): string {
  try {
    return decodeWord(value);
  } catch (error) {
    if (error instanceof EncodedWordError) return value;
    throw error;
  }
}

const rightOrder = 'keyId, algorithm, headers, signature';

function problemOf(value: string): Pick<WrittenParts, 'problem' | 'isOutOfOrder'> {
  try {
    const order = parseSignatureHeader(value).partOrder.join(', ');
    if (order === rightOrder) return { problem: undefined, isOutOfOrder: false };
    return { problem: `The parts of the Signature header stand in the order ${order}.`, isOutOfOrder: true };
  } catch (error) {
    if (error instanceof SignatureFormatError) return { problem: error.problem, isOutOfOrder: false };
    throw error;
  }
}

export interface KeyFacts {
  readonly subject: string;
  readonly serialHex: string;
  readonly serialDecimal: string;
  /** The issuer as RFC 2253 has it and as common tools print it. */
  readonly issuer: { readonly rfc2253: string; readonly openssl: string; readonly java: string };
  readonly keyBits: number | undefined;
  readonly notAfter: string;
  /** What a right keyId is. */
  readonly keyId: string;
}

export function keyIdFindings(parts: WrittenParts, certificate: TppCertificate): readonly SignatureFinding[] {
  if (!parts.keyId) return [];
  const right = `Write keyId="${formatKeyId(certificate)}".`;
  const keyId = parseKeyId(parts.keyId);
  if (keyId === undefined) {
    return [form('SGH-01', 'key-id-form', 'The keyId is not SN=<serial>,CA=<issuer>.', right)];
  }
  const serial = serialProblem(keyId.serialNumber, certificate.serialNumber);
  const issuer = issuerProblem(keyId.issuer, certificate);
  return [
    ...(serial === undefined ? [] : [form(serial.requirement, 'key-id-serial', serial.problem, right)]),
    ...(issuer === undefined ? [] : [form('SGH-02', 'key-id-issuer', issuer, right)]),
  ];
}

function serialProblem(
  written: string,
  serialNumber: string,
): { readonly requirement: string; readonly problem: string } | undefined {
  if (sameSerialNumber(written, serialNumber)) return undefined;
  const plain = written.replace(/^0x/i, '').replace(/[:\s]/g, '');
  const hint = ` The certificate has ${serialNumber}.`;
  if (isUpperCaseHex(plain.toUpperCase()) && sameSerialNumber(plain.toUpperCase(), serialNumber)) {
    return {
      requirement: 'SGH-03',
      problem: `The SN of the keyId is the right number, but not written in upper-case hexadecimal alone.${hint}`,
    };
  }
  if (/^\d{1,60}$/.test(written) && BigInt(written) === BigInt(`0x${serialNumber}`)) {
    return {
      requirement: 'SGH-03',
      problem: `The SN of the keyId is the serial number in decimal; it is written in hexadecimal.${hint}`,
    };
  }
  return {
    requirement: 'SGH-01',
    problem: `The SN of the keyId is the serial number of another certificate.${hint}`,
  };
}

function issuerProblem(written: string, certificate: TppCertificate): string | undefined {
  const unquoted = written.replace(/\\(["\\])/g, '$1');
  const isRight = (name: string): boolean =>
    [written, unquoted].some((text) => sameDistinguishedName(text, name));
  if (isRight(certificate.issuer)) return undefined;
  const hint = ` The issuer is ${certificate.issuer}.`;
  const { issuer, subject } = readCertificateFields(certificate.x509.raw);
  if (isRight(formatDistinguishedName(issuer.toReversed()))) {
    return `The CA of the keyId is written in the order of the certificate; RFC 2253 puts the most specific name first.${hint}`;
  }
  if (isRight(formatDistinguishedName(subject))) {
    return `The CA of the keyId is the subject of the certificate, not its issuer.${hint}`;
  }
  const plain = written.replaceAll('\\', '');
  return issuer.flat().every(({ value }) => plain.includes(value))
    ? `The CA of the keyId holds the right names, but not in the form of RFC 2253.${hint}`
    : `The CA of the keyId is not the issuer of the certificate.${hint}`;
}

export function keyFacts(certificate: TppCertificate): KeyFacts {
  const { issuer } = readCertificateFields(certificate.x509.raw);
  return {
    subject: certificate.subject,
    serialHex: certificate.serialNumber,
    serialDecimal: BigInt(`0x${certificate.serialNumber}`).toString(),
    issuer: {
      rfc2253: certificate.issuer,
      openssl: formatDistinguishedNameHexEscaped(issuer),
      java: javaName(issuer),
    },
    keyBits: certificate.publicKey.asymmetricKeyDetails?.modulusLength,
    notAfter: certificate.notAfter.toISOString(),
    keyId: formatKeyId(certificate),
  };
}

/** X500Principal.toString(): a space after each comma, quotes in place of backslashes, and names that RFC 2253 lacks. */
function javaName(names: Parameters<typeof formatDistinguishedName>[0]): string {
  const keys: Readonly<Record<string, string>> = {
    '1.2.840.113549.1.9.1': 'EMAILADDRESS',
    '2.5.4.5': 'SERIALNUMBER',
  };
  return names
    .map((rdn) =>
      rdn
        .map(({ type, value }) => {
          const key = keys[type] ?? (/^\d/.test(type) ? `OID.${type}` : type);
          return `${key}=${/[,+"\\<>;=]|^[# ]| $/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value}`;
        })
        .join(' + '),
    )
    .reverse()
    .join(', ');
}
