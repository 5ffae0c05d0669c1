import { NotApplicable } from '../../src/checks/outcomes.ts';
import type { Twist } from '../../src/checks/trial.ts';
import { sha512WithRsa } from '../../src/signing/certificate.ts';
import { encodeWord } from '../../src/signing/encoded-word.ts';
import type { SigningIdentity } from '../../src/signing/identity.ts';
import { type SignatureHash, signText } from '../../src/signing/signature.ts';
import { formatSignatureHeader, type SignatureParts } from '../../src/signing/signature-header.ts';
import type { SigningPlan } from '../../src/tpp/signing-plan.ts';

/** With RSA and another hash, where the program that holds the key does that. */
export const signedWithAnotherHash =
  (hash: SignatureHash) =>
  (text: string, identity: SigningIdentity): Promise<string> => {
    if (identity.hashes.includes(hash)) return signText(text, identity, hash);
    throw new NotApplicable(
      `The program of signing.command signs with ${identity.hashes.join(' and ')} only. Write {hash} in its place among its arguments.`,
    );
  };

export const otherAlgorithms: readonly Twist[] = [
  {
    label: 'algorithm is ecdsa-sha256',
    request: { signing: { parts: (parts) => ({ ...parts, algorithm: 'ecdsa-sha256' }) } },
  },
  // What is announced can be verified by whoever knows it; that it has to be refused is not said.
  {
    label: 'SHA-512 was used, and algorithm is rsa-sha512',
    // The algorithm is that of the certificate, which may be this one.
    under: (_, { identities: { main } }) =>
      main.hashes.includes('sha512') && main.certificate.signatureAlgorithm !== sha512WithRsa,
    request: {
      signing: {
        sign: signedWithAnotherHash('sha512'),
        parts: (parts) => ({ ...parts, algorithm: 'rsa-sha512' }),
      },
    },
    isOneOfMany: true,
  },
];

/** A signature of the right form that is another one. */
export function flippingOneBit(parts: SignatureParts): SignatureParts {
  const bytes = Buffer.from(parts.signature, 'base64');
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  return { ...parts, signature: bytes.toString('base64') };
}

/** A sound one of the right key, so that only who compares it with the text refuses it. */
export const overAnotherText: SigningPlan = { text: () => 'date: Thu, 01 Jan 1970 00:00:00 GMT' };

const partNames = ['keyId', 'algorithm', 'headers', 'signature'] as const;
export type SignaturePart = (typeof partNames)[number];

/** The parts written in an order of one's own, or with one left out. */
export const signatureOf = (parts: SignatureParts, names: readonly SignaturePart[]): string =>
  names.map((name) => `${name}="${[parts[name]].flat().join(' ')}"`).join(',');

export const signatureWithout =
  (missing: SignaturePart) =>
  (parts: SignatureParts): string =>
    signatureOf(
      parts,
      partNames.filter((name) => name !== missing),
    );

/** The name of an authority that issued none of the certificates. */
export const anotherIssuer = 'CN=Another Test CA,O=Another Trust Service,C=NO';

/** Encoded words of RFC 2047 that nobody can decode: whoever tries may break down. */
export const unreadableWords: readonly Twist[] = [
  {
    label: 'Signature is an encoded word in a charset that nobody knows',
    points: 'Signature',
    request: {
      signing: {
        format: (parts) => encodeWord(formatSignatureHeader(parts)).replace('utf-8', 'x-nowhere'),
      },
    },
    isOneOfMany: true,
  },
  {
    label: 'Signature is an encoded word whose Base64 is none',
    points: 'Signature',
    request: { signing: { format: () => '=?utf-8?B?%&*!?=' } },
    isOneOfMany: true,
  },
  {
    label: 'Signature is an encoded word that never ends',
    points: 'Signature',
    request: {
      signing: { format: (parts) => encodeWord(formatSignatureHeader(parts)).replace(/\?=$/, '') },
    },
    isOneOfMany: true,
  },
];

/** What the drafts of HTTP signatures take a list of headers for that is not there. */
export const overDateAlone: Twist = {
  label: 'the headers part is missing, and Date alone is signed',
  points: 'Signature',
  request: { signing: { covered: () => ['date'], format: signatureWithout('headers') } },
  isOneOfMany: true,
};
