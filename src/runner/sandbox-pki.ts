import type { KeyObject } from 'node:crypto';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
} from '../signing/certificate-authority.ts';
import type { KeyIdentity } from '../signing/identity.ts';
import { generateRsaKey } from '../signing/signature.ts';

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

/** The keys of a sandbox, where there are some already. */
export interface SandboxKeys {
  readonly ca: KeyObject;
  readonly oddAuthority: KeyObject;
  readonly tpp: KeyObject;
}

/** Certificates are always new; keys as well, unless some are handed over: each takes a few tenths of a second. */
export async function createSandboxPki(keys?: SandboxKeys): Promise<SandboxPki> {
  const { ca: caKey, oddAuthority, tpp: tppKey } = keys ?? (await generateKeys());
  const [ca, odd] = await Promise.all([
    createCertificateAuthority({ key: caKey }),
    createCertificateAuthority({ key: oddAuthority, subject: subjectWithCommaAndNorwegianLetters }),
  ]);
  const tpp = await ca.issueTpp({ key: tppKey });
  const oddIssuer = await odd.issueTpp({ key: tpp.privateKey });
  return { ca, tpp, oddAuthority: odd.certificatePem, oddIssuer };
}

async function generateKeys(): Promise<SandboxKeys> {
  const [ca, oddAuthority, tpp] = await Promise.all([newKey(), newKey(), newKey()]);
  return { ca, oddAuthority, tpp };
}

const newKey = async (): Promise<KeyObject> => (await generateRsaKey(2048)).privateKey;
