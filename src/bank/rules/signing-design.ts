import type { TppCertificate } from '../../signing/certificate.ts';
import { sameDistinguishedName } from '../../signing/distinguished-name.ts';
import { requestTarget } from '../../signing/signing-string.ts';
import { candidateHeaders } from '../../spec/code-lists.ts';
import type { BankRequest } from '../route.ts';
import { judgeSignature, type SignatureVerdict, type SignedLine } from './signature-verdict.ts';

/** How signatures are verified, every step replaceable. */
export interface SigningDesign {
  /** Headers that are signed when the request carries them. */
  readonly candidates: readonly string[];
  readonly algorithms: readonly string[];
  /** The value of a header, or of `(request-target)`, in the signing string; undefined when the request lacks it. */
  valueIn(this: void, request: BankRequest, name: string): string | undefined;
  /** What the signature has to cover, from the lines of the signing string. */
  textOf(this: void, lines: readonly SignedLine[]): string;
  judge(
    this: void,
    request: BankRequest,
    names: readonly string[],
    signature: string,
    certificate: TppCertificate,
  ): SignatureVerdict;
  sameIssuer(this: void, issuer: string, certificate: TppCertificate): boolean;
}

/** Authentication, Signature header: lines `name: value`, joined by a newline. */
export const compliantSigning: SigningDesign = signingOf({
  candidates: candidateHeaders,
  algorithms: ['rsa-sha256'],
  valueIn: (request, name) =>
    name === '(request-target)' ? requestTarget(request.method, request.target) : request.header(name),
  textOf: (lines) => lines.map(([name, value]) => `${name}: ${value}`).join('\n'),
  sameIssuer: (issuer, certificate) =>
    // Most clients write it as we do, and then nothing needs to be taken apart.
    issuer === certificate.issuer ||
    sameDistinguishedName(issuer, certificate.issuer) ||
    // RFC 7230 section 3.2.6: a careful client escapes backslashes and quotes inside a quoted part once more.
    sameDistinguishedName(issuer.replace(/\\(["\\])/g, '$1'), certificate.issuer),
});

/** A signing design whose judge follows from its other parts. */
export function signingOf(parts: Omit<SigningDesign, 'judge'>): SigningDesign {
  return {
    ...parts,
    judge(request, names, signature, certificate) {
      const lines = linesOf(names, (name) => parts.valueIn(request, name));
      // A header that is listed and absent has its own rule; there is no text to verify.
      if (lines === undefined) return 'verified';
      return judgeSignature(lines, parts.textOf(lines), signature, certificate);
    },
  };
}

function linesOf(
  names: readonly string[],
  valueFor: (name: string) => string | undefined,
): readonly SignedLine[] | undefined {
  const lines: SignedLine[] = [];
  for (const name of names) {
    const value = valueFor(name);
    if (value === undefined) return undefined;
    lines.push([name, value]);
  }
  return lines;
}
