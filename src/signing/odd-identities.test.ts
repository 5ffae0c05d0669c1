import { expect, it } from 'vitest';
import { isIssuedBy } from './certificate.ts';
import { createCertificateAuthority } from './certificate-authority.ts';
import { oddIdentities } from './odd-identities.ts';

const now = new Date('2031-05-17T10:00:00Z');
const ca = await createCertificateAuthority({ modulusLength: 512, now });
const { expired, notYetValid, untrustedTwin, aispOnly, pispOnly } = await oddIdentities(ca);

it('are outside their validity where their name says so, and inside it otherwise', () => {
  expect(expired.certificate.notAfter < now).toBe(true);
  expect(notYetValid.certificate.notBefore > now).toBe(true);
  for (const { certificate } of [untrustedTwin, aispOnly, pispOnly]) {
    expect(certificate.notBefore < now && now < certificate.notAfter).toBe(true);
  }
});

it('are issued by the authority, but for the untrusted twin, which only claims so', () => {
  for (const { certificate } of [expired, notYetValid, aispOnly, pispOnly]) {
    expect(isIssuedBy(certificate, ca.certificate)).toBe(true);
  }
  expect(untrustedTwin.certificate.issuer).toBe(ca.certificate.subject);
  expect(isIssuedBy(untrustedTwin.certificate, ca.certificate)).toBe(false);
});

it('hold both roles, but for those that hold one', () => {
  expect(aispOnly.certificate.roles).toEqual(['PSP_AI']);
  expect(pispOnly.certificate.roles).toEqual(['PSP_PI']);
  for (const { certificate } of [expired, notYetValid, untrustedTwin]) {
    expect(certificate.roles).toEqual(['PSP_PI', 'PSP_AI']);
  }
});

it('use a key that is handed over', async () => {
  const { privateKey: key } = await ca.issueTpp();
  expect((await oddIdentities(ca, { key })).expired.privateKey).toBe(key);
});
