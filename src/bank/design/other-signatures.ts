import { verify } from 'node:crypto';
import { decodeBase64 } from '../../signing/digest.ts';
import { decodeWord, EncodedWordError } from '../../signing/encoded-word.ts';
import type { DesignChange } from './design-changes.ts';
import type { BankRequest } from './route.ts';

/** A part of the Signature header as it was written; undefined where there is none. */
export function signaturePartOf(request: BankRequest, name: 'keyId' | 'algorithm' | 'headers' | 'signature') {
  try {
    const header = decodeWord(request.header('signature') ?? '');
    return new RegExp(`(?:^|,)[ \\t]*${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(header)?.[1];
  } catch (error) {
    if (error instanceof EncodedWordError) return undefined;
    throw error;
  }
}

/** A signature that verifies by another way than RSA-SHA256, over what the headers part lists. */
export const alsoVerifiedBy =
  (verifies: (text: Buffer, signature: Buffer, request: BankRequest) => boolean): DesignChange =>
  (design) => ({
    ...design,
    signing: {
      ...design.signing,
      judge: (request, names, signature, certificate) => {
        const verdict = design.signing.judge(request, names, signature, certificate);
        const bytes = decodeBase64(signature);
        if (verdict === 'verified' || bytes === undefined) return verdict;
        const lines = names.map((name) => `${name}: ${design.signing.valueIn(request, name) ?? ''}`);
        return verifies(Buffer.from(lines.join('\n')), bytes, request) ? 'verified' : verdict;
      },
    },
  });

/** Whatever the header names as its algorithm is what it is verified by. */
export const verifiedByItsName: DesignChange = (design) =>
  alsoVerifiedBy(
    (text, signature, request) =>
      signaturePartOf(request, 'algorithm') === 'rsa-sha512' &&
      request.certificate !== undefined &&
      verify('sha512', text, request.certificate.publicKey, signature),
  )({
    ...design,
    signing: { ...design.signing, algorithms: [...design.signing.algorithms, 'rsa-sha512'] },
  });
