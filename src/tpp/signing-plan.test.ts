import { beforeAll, describe, expect, it } from 'vitest';
import { readCertificate } from '../signing/certificate.ts';
import {
  createCertificateAuthority,
  createTestPki,
  subjectWithCommaAndNorwegianLetters,
  type TestPki,
} from '../signing/certificate-authority.ts';
import { verifyDigest } from '../signing/digest.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { verifyText } from '../signing/signature.ts';
import { formatKeyId, parseSignatureHeader } from '../signing/signature-header.ts';
import { requestTarget, signingString } from '../signing/signing-string.ts';
import { type Call, draftOf } from './call.ts';
import { type RequestDraft, type SigningPlan, signDraft } from './signing-plan.ts';

let pki: TestPki;
beforeAll(async () => {
  pki = await createTestPki({ modulusLength: 512 });
});

const psu = {
  id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c',
  corporateId: 'agreement-1',
  sessionId: 'session-1',
  ipAddress: '192.0.2.10',
  redirectUri: 'https://tpp.example/redirect',
};
const payment: Call = { operation: 'createDomesticPayment', body: { creditorName: 'Ås' } };

const unsigned = (call: Call): RequestDraft =>
  draftOf(call, psu, new Date(), { prefix: '', paths: {}, customHeaders: {}, host: 'bank.example' });

async function signed(call: Call = payment, plan: SigningPlan = {}, identity: SigningIdentity = pki.tpp) {
  const draft = unsigned(call);
  await signDraft(draft, identity, plan);
  return draft;
}

/** As a bank reads it: everything is taken from the request alone. */
function verified(draft: RequestDraft): boolean {
  const { headers } = draft;
  const parts = parseSignatureHeader(headers.get('Signature') ?? '');
  const certificate = readCertificate(headers.get('TPP-Signature-Certificate') ?? '');
  const text = signingString(parts.headers, (name) =>
    name === '(request-target)' ? requestTarget(draft.method, draft.target) : headers.get(name),
  );
  return parts.keyId === formatKeyId(certificate) && verifyText(text, parts.signature, certificate.publicKey);
}

const coveredBy = (draft: RequestDraft): readonly string[] =>
  parseSignatureHeader(draft.headers.get('Signature') ?? '').headers;

describe('a request that is signed', () => {
  it.each<Call>([
    payment,
    { operation: 'createCrossBorderPayment', body: {} },
    { operation: 'createSigningBasket', body: { paymentIds: [] } },
    { operation: 'listSandboxCustomers', query: { withAccounts: 'true' } },
    { operation: 'listAccounts' },
  ])('verifies: $operation', async (call) => {
    expect(verified(await signed(call))).toBe(true);
  });

  it('covers the candidates that it carries, in the usual order', async () => {
    expect(coveredBy(await signed())).toEqual([
      'date',
      'digest',
      'x-request-id',
      'psu-id',
      'psu-corporate-id',
      'tpp-redirect-uri',
    ]);
    expect(coveredBy(await signed({ operation: 'listSandboxCustomers' }))).toEqual(['date', 'x-request-id']);
  });

  it('has a digest of the exact bytes where one is required, and none elsewhere', async () => {
    const { headers, body } = await signed();
    expect(verifyDigest(headers.get('Digest') ?? '', body ?? Buffer.alloc(0))).toMatchObject({ ok: true });
    expect((await signed({ operation: 'createSigningBasket', body: {} })).headers.has('Digest')).toBe(false);
  });

  it('does not verify any more when what is covered changes', async () => {
    for (const name of ['Date', 'Digest', 'X-Request-ID', 'PSU-ID', 'PSU-Corporate-ID', 'TPP-Redirect-URI']) {
      const draft = await signed();
      draft.headers.set(name, `${draft.headers.get(name)}x`);
      expect(verified(draft), name).toBe(false);
    }
  });

  it('is MIME-encoded as a whole when its issuer is not ASCII', async () => {
    const authority = await createCertificateAuthority({
      subject: subjectWithCommaAndNorwegianLetters,
      modulusLength: 512,
    });
    const draft = await signed(payment, {}, await authority.issueTpp());
    expect(draft.headers.get('Signature')).toMatch(/^=\?utf-8\?B\?[A-Za-z0-9+/=]+\?=$/i);
    expect(verified(draft)).toBe(true);
  });
});

describe('a step done differently', () => {
  it('signs as another TPP', async () => {
    const other = await pki.ca.issueTpp({ commonName: 'Other TPP' });
    const draft = await signed(payment, { identity: other });
    expect(draft.headers.get('TPP-Signature-Certificate')).toBe(other.certificate.base64);
    expect(verified(draft)).toBe(true);
  });

  it('leaves the digest out, and what is then covered', async () => {
    const draft = await signed(payment, { digest: () => undefined });
    expect(draft.headers.has('Digest')).toBe(false);
    expect(coveredBy(draft)).not.toContain('digest');
    expect(verified(draft)).toBe(true);
  });

  it('adds a digest where none is required', async () => {
    const draft = await signed({ operation: 'createSigningBasket', body: {} }, { digest: () => 'SHA-256=x' });
    expect(draft.headers.get('Digest')).toBe('SHA-256=x');
    expect(coveredBy(draft)).toContain('digest');
  });

  it('covers other headers in another order, (request-target) among them', async () => {
    const covered = ['(request-target)', 'x-request-id', 'date'];
    const draft = await signed({ operation: 'listAccounts' }, { covered: () => covered });
    expect(coveredBy(draft)).toEqual(covered);
    expect(verified(draft)).toBe(true);
    draft.target = '/v1/other';
    expect(verified(draft)).toBe(false);
  });

  it('signs another text, or with another function', async () => {
    expect(verified(await signed(payment, { text: () => 'another text' }))).toBe(false);
    expect(verified(await signed(payment, { sign: async () => 'AAAA' }))).toBe(false);
  });

  it('changes the parts, or leaves the header out', async () => {
    const changed = await signed(payment, { parts: (parts) => ({ ...parts, algorithm: 'rsa-sha1' }) });
    expect(parseSignatureHeader(changed.headers.get('Signature') ?? '').algorithm).toBe('rsa-sha1');
    expect((await signed(payment, { format: () => undefined })).headers.has('Signature')).toBe(false);
  });

  it('keeps a certificate and a digest that were put there before', async () => {
    const draft = unsigned(payment);
    draft.headers.set('TPP-Signature-Certificate', 'odd');
    draft.headers.set('Digest', 'odd');
    await signDraft(draft, pki.tpp, {});
    expect([draft.headers.get('TPP-Signature-Certificate'), draft.headers.get('Digest')]).toEqual([
      'odd',
      'odd',
    ]);
  });
});
