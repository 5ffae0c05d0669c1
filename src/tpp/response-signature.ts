import { CertificateError, readCertificate } from '../signing/certificate.ts';
import { verifyDigest } from '../signing/digest.ts';
import { verifyText } from '../signing/signature.ts';
import { parseSignatureHeader, SignatureFormatError } from '../signing/signature-header.ts';
import { MissingSignedHeaderError, signingString } from '../signing/signing-string.ts';
import type { Answer } from './answer.ts';

/** Whether a response is signed, and if so whether the signature holds. */
export type ResponseSignature =
  | { readonly state: 'unsigned' | 'verified' }
  /** Signed by a key that the response does not show: nothing can be said. */
  | { readonly state: 'unknown-key' }
  | { readonly state: 'broken'; readonly problem: string };

/** Headers in which banks send the certificate of their signature; the specification names none for responses. */
const certificateHeaders = [
  'TPP-Signature-Certificate',
  'ASPSP-Signature-Certificate',
  'Signature-Certificate',
];

/** Authentication, Transport and signing, 5: responses may be signed; a TPP should verify it. */
export function verifyResponse({ headers, wireBytes, cut }: Answer): ResponseSignature {
  const value = headers.get('Signature');
  if (value === undefined) return { state: 'unsigned' };
  const digest = headers.get('Digest');
  if (digest !== undefined && cut === undefined && !verifyDigest(digest, wireBytes).ok) {
    return { state: 'broken', problem: 'the Digest is not that of the body' };
  }
  const sent = certificateHeaders.map((name) => headers.get(name)).find((text) => text !== undefined);
  if (sent === undefined) return { state: 'unknown-key' };
  try {
    const { headers: names, signature } = parseSignatureHeader(value);
    const text = signingString(names, (name) => headers.get(name));
    return verifyText(text, signature, readCertificate(sent).publicKey)
      ? { state: 'verified' }
      : { state: 'broken', problem: 'the signature does not verify with the certificate sent' };
  } catch (error) {
    const isExpected =
      error instanceof SignatureFormatError ||
      error instanceof MissingSignedHeaderError ||
      error instanceof CertificateError;
    if (!isExpected) throw error;
    return { state: 'broken', problem: error.message };
  }
}
