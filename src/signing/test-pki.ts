import {
  type AuthoritySubject,
  type CertificateAuthority,
  createCertificateAuthority,
  type ServerCertificate,
} from './certificate-authority.ts';
import type { KeyIdentity } from './identity.ts';

export interface TestPki {
  readonly ca: CertificateAuthority;
  readonly server: ServerCertificate;
  /** A TPP with both roles. */
  readonly tpp: KeyIdentity;
}

export interface TestPkiOptions {
  /** 2048 by default. 512 makes proofs fast that stay in one process; TLS refuses such keys. */
  readonly modulusLength?: number;
  readonly now?: Date;
  readonly hostnames?: readonly string[];
  /** The name of the authority. */
  readonly subject?: AuthoritySubject;
}

/** All that a bank and a TPP need to talk to each other, made anew so that nothing expires in a repository. */
export async function createTestPki(options: TestPkiOptions = {}): Promise<TestPki> {
  const ca = await createCertificateAuthority(options);
  const [server, tpp] = await Promise.all([ca.issueServer(options.hostnames), ca.issueTpp()]);
  return { ca, server, tpp };
}
