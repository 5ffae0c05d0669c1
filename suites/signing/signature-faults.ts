import type { SignatureParts } from '../../src/signing/signature-header.ts';

/** A signature of the right form that is another one. */
export function flippingOneBit(parts: SignatureParts): SignatureParts {
  const bytes = Buffer.from(parts.signature, 'base64');
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  return { ...parts, signature: bytes.toString('base64') };
}

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
