import type { SignatureParts } from '../../src/signing/signature-header.ts';

/** A signature of the right form that is another one. */
export function flippingOneBit(parts: SignatureParts): SignatureParts {
  const bytes = Buffer.from(parts.signature, 'base64');
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  return { ...parts, signature: bytes.toString('base64') };
}
