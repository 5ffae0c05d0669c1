import type { KeyObject } from 'node:crypto';
import { type CertificateAuthority, createTwinAuthority } from './certificate-authority.ts';
import type { SigningIdentity } from './identity.ts';
import { generateRsaKey } from './rsa-key.ts';

/** Identities that are correct but for one thing. */
export interface OddIdentities {
  readonly expired: SigningIdentity;
  readonly notYetValid: SigningIdentity;
  /** Issued by another authority of the same name. */
  readonly untrustedTwin: SigningIdentity;
  readonly aispOnly: SigningIdentity;
  readonly pispOnly: SigningIdentity;
}

const day = 24 * 60 * 60 * 1000;

/** All of them share one key, because making keys is what takes time; hand one over to make none. */
export async function oddIdentities(
  ca: CertificateAuthority,
  options: { readonly key?: KeyObject } = {},
): Promise<OddIdentities> {
  const modulusLength = ca.certificate.publicKey.asymmetricKeyDetails?.modulusLength ?? 2048;
  const [twin, key] = await Promise.all([
    createTwinAuthority(ca),
    options.key ?? generateRsaKey(modulusLength).then(({ privateKey }) => privateKey),
  ]);
  const now = ca.currentTime().getTime();
  const at = (days: number) => new Date(now + days * day);

  const [expired, notYetValid, untrustedTwin, aispOnly, pispOnly] = await Promise.all([
    ca.issueTpp({ key, name: 'expired', commonName: 'Expired TPP', notBefore: at(-60), notAfter: at(-2) }),
    ca.issueTpp({ key, name: 'not yet valid', commonName: 'Future TPP', notBefore: at(2), notAfter: at(60) }),
    twin.issueTpp({ key, name: 'untrusted twin', commonName: 'Untrusted TPP' }),
    ca.issueTpp({ key, name: 'AISP only', commonName: 'Account information TPP', roles: ['PSP_AI'] }),
    ca.issueTpp({ key, name: 'PISP only', commonName: 'Payment initiation TPP', roles: ['PSP_PI'] }),
  ]);
  return { expired, notYetValid, untrustedTwin, aispOnly, pispOnly };
}
