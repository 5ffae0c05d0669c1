import {
  type CertificateAuthority,
  createCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
} from '../signing/certificate-authority.ts';
import type { KeyIdentity } from '../signing/identity.ts';

/** The keys and certificates between the reference bank and a TPP. */
export interface SandboxPki {
  /** Issues the bank's server certificate and the TPP's; checks mint further identities with it. */
  readonly ca: CertificateAuthority;
  /** A TPP with both roles. */
  readonly tpp: KeyIdentity;
  /** The certificate of another authority that the bank trusts, with a name that tools print differently. */
  readonly oddAuthority: string;
  /** The same TPP, certified by that authority. */
  readonly oddIssuer: KeyIdentity;
}

export async function createSandboxPki(): Promise<SandboxPki> {
  const [ca, odd] = await Promise.all([
    createCertificateAuthority(),
    createCertificateAuthority({ subject: subjectWithCommaAndNorwegianLetters }),
  ]);
  const tpp = await ca.issueTpp();
  const oddIssuer = await odd.issueTpp({ key: tpp.privateKey });
  return { ca, tpp, oddAuthority: odd.certificatePem, oddIssuer };
}
