import { randomUUID } from 'node:crypto';
import type { RawRequest } from '../bank/design/route.ts';
import { certificateIn } from '../signing/certificate.ts';
import { digestHeader } from '../signing/digest.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { formatHttpDate } from '../spec/http-date.ts';
import { type CurlConnection, curlCommand } from '../tpp/curl-command.ts';
import { HeaderList } from '../tpp/exchange.ts';
import { type RequestDraft, signDraft } from '../tpp/signing-plan.ts';

export const draftOf = ({ method, url, headers, body }: RawRequest): RequestDraft => ({
  operation: 'other',
  method,
  target: url,
  headers: new HeaderList(headers),
  body: body === undefined || body.length === 0 ? undefined : Buffer.from(body),
});

/** The request as it was, for curl. A body that no shell can hold is named as a file that the console hands out. */
export const curlOf = (draft: RequestDraft, connection: CurlConnection): string =>
  curlCommand(draft, connection, () => 'body.bin');

/** Why a request cannot be signed anew here; undefined where it can. */
export function replayProblem(
  { headers }: RawRequest,
  identity: SigningIdentity | undefined,
): string | undefined {
  if (identity === undefined) return 'The console has no key of a TPP to sign with.';
  const certificate = certificateIn(new HeaderList(headers).get('TPP-Signature-Certificate')?.trim());
  return certificate === undefined || certificate.fingerprint256 === identity.certificate.fingerprint256
    ? undefined
    : 'The TPP signs with a certificate of its own, whose key the console does not have.';
}

/** The same request with a new id, the time of now, its Digest made anew, and a right signature over all of it. */
export async function signedAnew(raw: RawRequest, identity: SigningIdentity, now: Date): Promise<RawRequest> {
  const draft = draftOf(raw);
  const { headers } = draft;
  const digest = headers.get('Digest');
  for (const name of ['Digest', 'Signature', 'TPP-Signature-Certificate']) headers.remove(name);
  headers.set('Date', formatHttpDate(now));
  headers.set('X-Request-ID', randomUUID());
  await signDraft(draft, identity, {
    digest: (body) =>
      digest === undefined
        ? undefined
        : digestHeader(body, /^sha-512=/i.test(digest.trim()) ? 'SHA-512' : 'SHA-256'),
  });
  return {
    method: draft.method,
    url: draft.target,
    headers: headers.lines(),
    ...(draft.body === undefined ? {} : { body: draft.body }),
  };
}
