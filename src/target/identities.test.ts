import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Asn1Value,
  childrenOf,
  encode,
  encoded,
  objectIdentifier,
  octetString,
  sequence,
} from '../signing/asn1.ts';
import { isIssuedBy, readCertificate, readCertificateFields } from '../signing/certificate.ts';
import { createTestPki, type TestPki } from '../signing/certificate-authority.ts';
import { buildCertificate, encodeName } from '../signing/certificate-builder.ts';
import type { KeyIdentity } from '../signing/identity.ts';
import { qcStatementsOid, qcStatementsWith } from '../signing/psp-roles.ts';
import { dayMs } from '../spec/days.ts';
import { identitiesOf } from './identities.ts';

let pki: TestPki;
beforeAll(async () => {
  pki = await createTestPki({ modulusLength: 1024 });
});

const policiesOid = '2.5.29.32';
/** QcCompliance of ETSI EN 319 412-5. */
const compliance = encode(sequence(objectIdentifier('0.4.0.1862.1.1')));

/** Another certificate for the key, as authorities issue them: with more in its subject, and with policies. */
async function withPolicies(holder: KeyIdentity): Promise<KeyIdentity> {
  const { publicKey, x509, roles } = holder.certificate;
  const policies = sequence(sequence(objectIdentifier('0.4.0.194112.1.3')));
  const statements = sequence(...childrenOf(qcStatementsWith(roles)), encoded(compliance));
  const extension = (oid: string, value: Asn1Value): Asn1Value =>
    sequence(objectIdentifier(oid), octetString(encode(value)));
  const pem = await buildCertificate(
    {
      serialNumber: '1A2B',
      issuerDer: readCertificateFields(x509.raw).issuerDer,
      subjectDer: encodeName([
        [{ type: 'C', value: 'NO' }],
        [{ type: 'L', value: 'Oslo' }],
        [{ type: 'CN', value: 'TPP' }],
      ]),
      publicKey,
      notBefore: new Date(Date.now() - dayMs),
      notAfter: new Date(Date.now() + dayMs),
      extensions: [extension(policiesOid, policies), extension(qcStatementsOid, statements)],
    },
    holder.sign,
  );
  return { ...holder, certificate: readCertificate(pem) };
}

describe('identities', () => {
  it('are missing when nothing was handed over and there is no test CA', () => {
    const { main, ...others } = identitiesOf(pki.tpp);
    expect(main).toBe(pki.tpp);
    // These need nobody's trust: they are made of the main one.
    expect(Object.keys(others).toSorted()).toEqual([
      'issuedByTpp',
      'selfSigned',
      'unknownTpp',
      'untrustedTwin',
    ]);
  });

  it('are minted from the test CA, each odd in one thing alone', async () => {
    const { aispOnly, pispOnly, expired, notYetValid, oddIssuer } = identitiesOf(pki.tpp, {}, pki.ca);
    expect(await aispOnly?.()).toBe(await aispOnly?.());
    const minted = await Promise.all([aispOnly?.(), pispOnly?.(), expired?.(), notYetValid?.()]);
    const now = Date.now();
    expect(
      minted.map((identity) => ({
        issued: identity !== undefined && isIssuedBy(identity.certificate, pki.ca.certificate),
        subject: identity?.certificate.subject,
        roles: identity?.certificate.roles,
        begun: Number(identity?.certificate.notBefore) < now,
        ended: Number(identity?.certificate.notAfter) < now,
      })),
    ).toEqual(
      [
        { roles: ['PSP_AI'], begun: true, ended: false },
        { roles: ['PSP_PI'], begun: true, ended: false },
        { roles: ['PSP_PI', 'PSP_AI'], begun: true, ended: true },
        { roles: ['PSP_PI', 'PSP_AI'], begun: false, ended: false },
      ].map((odd) => ({ ...odd, issued: true, subject: pki.tpp.certificate.subject })),
    );
    expect(oddIssuer).toBeUndefined();
  });

  it('say what the main one says beside roles, and nothing that is of one certificate alone', async () => {
    const main = await withPolicies(pki.tpp);
    const of = (der: Buffer) => readCertificateFields(der);
    const { subjectDer, wholeExtensions, extensions } = of(main.certificate.x509.raw);
    const { aispOnly, second, untrustedTwin, selfSigned, unknownTpp } = identitiesOf(main, {}, pki.ca);
    for (const source of [aispOnly, second, untrustedTwin, selfSigned, unknownTpp]) {
      const { x509, roles } = (await source?.())?.certificate ?? main.certificate;
      const minted = of(x509.raw);
      expect(minted.wholeExtensions.get(policiesOid)).toEqual(wholeExtensions.get(policiesOid));
      expect(minted.extensions.get(qcStatementsOid)?.includes(compliance)).toBe(true);
      expect(roles).toEqual(source === aispOnly ? ['PSP_AI'] : ['PSP_PI', 'PSP_AI']);
    }
    const again = of((await aispOnly?.())?.certificate.x509.raw ?? Buffer.alloc(0));
    expect(again.subjectDer).toEqual(subjectDer);
    expect(again.extensions.get('2.5.29.35')).toEqual(
      of(pki.tpp.certificate.x509.raw).extensions.get('2.5.29.35'),
    );
    expect(extensions.has('2.5.29.35')).toBe(false);
  });

  it('have keys as long as that of the main one, where they have keys of their own', async () => {
    const { second, further = [] } = identitiesOf(
      (await createTestPki({ modulusLength: 512 })).tpp,
      {},
      pki.ca,
    );
    for (const source of [second, ...further]) {
      const identity = await source?.();
      expect(identity?.certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(512);
    }
  });

  it('have expired, or are to come, by the time at the bank', async () => {
    const timeAtBank = new Date(Date.now() - 5 * dayMs);
    const { expired, notYetValid } = identitiesOf(pki.tpp, {}, pki.ca);
    const minutes = (from: Date | undefined, to: Date | undefined) => (Number(to) - Number(from)) / 60_000;
    // Whoever gives an hour of grace takes them; a clock that is a minute off says the same of them.
    expect(minutes((await expired?.(timeAtBank))?.certificate.notAfter, timeAtBank)).toBeCloseTo(30, 1);
    expect(minutes(timeAtBank, (await notYetValid?.(timeAtBank))?.certificate.notBefore)).toBeCloseTo(30, 1);
  });

  it('are minted anew when the time at the bank has moved on', async () => {
    const { notYetValid } = identitiesOf(pki.tpp, {}, pki.ca);
    const mintedIn = (minutes: number) => notYetValid?.(new Date(Date.now() + minutes * 60_000));
    const first = await mintedIn(0);
    expect(await mintedIn(2)).toBe(first);
    expect((await mintedIn(60))?.certificate.notBefore?.getTime()).toBeGreaterThan(Date.now() + 80 * 60_000);
  });

  it('are taken as handed over before any is minted', async () => {
    const given = await pki.ca.issueTpp({ name: 'given' });
    const { expired } = identitiesOf(pki.tpp, { expired: given }, pki.ca);
    expect(await expired?.()).toBe(given);
  });

  it('have a third and a fourth TPP next to the second, unless that was handed over', async () => {
    const { second, further = [] } = identitiesOf(pki.tpp, {}, pki.ca);
    const minted = await Promise.all([second, ...further].map((source) => source?.()));
    const numbers = [pki.tpp, ...minted].map((identity) => identity?.certificate.authorisationNumber);
    expect(new Set(numbers).size).toBe(4);
    expect(numbers).not.toContain(undefined);
    expect(minted[0]?.certificate.publicKey.equals(pki.tpp.certificate.publicKey)).toBe(false);
    expect(identitiesOf(pki.tpp, { second: pki.tpp }, pki.ca).further).toBeUndefined();
    expect(identitiesOf(pki.tpp).further).toBeUndefined();
  });

  it('have a twin that looks the same and that the authority never issued', async () => {
    const twin = (await identitiesOf(pki.tpp).untrustedTwin()).certificate;
    const { issuer, subject, serialNumber, roles } = pki.tpp.certificate;
    expect(twin).toMatchObject({ issuer, subject, serialNumber, roles });
    expect(isIssuedBy(twin, pki.ca.certificate)).toBe(false);
  });

  it('have a TPP of an unknown authority that nobody vouches for by name either', async () => {
    const unknownTpp = (await identitiesOf(pki.tpp).unknownTpp()).certificate;
    const { issuer, subject, roles } = pki.tpp.certificate;
    expect(unknownTpp).toMatchObject({ subject, roles });
    expect(unknownTpp.issuer).not.toBe(issuer);
    expect(isIssuedBy(unknownTpp, pki.ca.certificate)).toBe(false);
  });
});
