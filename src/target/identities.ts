import type { CertificateAuthority, TppCertificateOptions } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { once } from './once.ts';
import { subjectOf } from './subject-of.ts';
import type { FurtherIdentityName, IdentitySource, TargetIdentities } from './target.ts';
import { mintUnknownTpp, mintUntrustedTwin } from './untrusted-identities.ts';

export type GivenIdentities = Readonly<Partial<Record<FurtherIdentityName, SigningIdentity>>>;

/** An authority cannot issue under another name than its own, so `oddIssuer` is not among them. */
type MintableName = Exclude<FurtherIdentityName, 'oddIssuer'>;

/** Those handed over come first; the test CA mints the missing ones when they are first asked for. */
export function identitiesOf(
  main: SigningIdentity,
  given: GivenIdentities = {},
  testCa?: CertificateAuthority,
): TargetIdentities {
  const handedOver = Object.fromEntries(
    Object.entries(given).map(([name, identity]) => [name, async () => identity]),
  );
  return {
    main,
    untrustedTwin: once(() => mintUntrustedTwin(main)),
    unknownTpp: once(() => mintUnknownTpp(main)),
    ...(testCa === undefined ? {} : minted(main, testCa)),
    ...handedOver,
  };
}

// All but `second` repeat the main identity in subject and key: one thing alone may be odd about each.
function minted(
  main: SigningIdentity,
  testCa: CertificateAuthority,
): Readonly<Record<MintableName, IdentitySource>> {
  const day = 24 * 60 * 60 * 1000;
  const inDays = (days: number) => new Date(testCa.currentTime().getTime() + days * day);
  const oddly = (name: string, oddity: () => TppCertificateOptions): IdentitySource =>
    once(() =>
      testCa.issueTpp({
        ...subjectOf(main),
        roles: main.certificate.roles,
        key: main.privateKey,
        name,
        ...oddity(),
      }),
    );
  return {
    aispOnly: oddly('AISP only', () => ({ roles: ['PSP_AI'] })),
    pispOnly: oddly('PISP only', () => ({ roles: ['PSP_PI'] })),
    roleless: oddly('without a role', () => ({ roles: [] })),
    expired: oddly('expired', () => ({ notBefore: inDays(-60), notAfter: inDays(-2) })),
    notYetValid: oddly('not yet valid', () => ({ notBefore: inDays(2), notAfter: inDays(60) })),
    second: once(() =>
      testCa.issueTpp({
        name: 'second TPP',
        commonName: 'Second Test TPP',
        organisation: 'Second Test TPP AS',
        authorisationNumber: 'PSDNO-FSA-654321',
      }),
    ),
  };
}
