import { type Bank, createBank, type ListenOptions } from '../bank/bank.ts';
import type { BankDesign } from '../bank/design.ts';
import type { RequestLine } from '../bank/http/dispatch.ts';
import { nameUuid } from '../bank/sandbox/name-uuid.ts';
import { tppIdOf } from '../bank/sca/tpp.ts';
import { type SeededSession, seedSession } from '../bank/seed-session.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { privateKeyPem } from '../signing/rsa-key.ts';
import { createSandboxPki, type SandboxPki } from './sandbox-pki.ts';

/** The reference bank as a target: it runs in this process and describes itself as a target file would. */
export interface EmbeddedBank {
  readonly bank: Bank;
  readonly baseUrl: string;
  readonly pki: SandboxPki;
  /** The data of a target file, with keys and certificates as PEM text in their places. */
  readonly description: TargetDescription;
  readonly targetText: string;
  /** SCA holds for an hour: whoever runs the bank for longer calls this now and then. */
  renewSessions(): void;
  close(): Promise<void>;
}

export interface EmbeddedBankOptions {
  readonly design?: BankDesign;
  readonly pki?: SandboxPki;
  readonly listen?: Pick<ListenOptions, 'host' | 'port'>;
  /** Path before /v1, such as `/psd2`. */
  readonly prefix?: string;
  /** Where the bank is reached from outside, prefix included; by default where it listens. */
  readonly publicUrl?: string;
  /** Names in the server certificate. */
  readonly hostnames?: readonly string[];
  readonly onRequest?: (line: RequestLine) => void;
}

export type TargetDescription = ReturnType<typeof describe>;

const customers = { private: '01819010001', corporate: '05829210160' } as const;
const debtor = { bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' } as const;

export async function startEmbeddedBank(options: EmbeddedBankOptions = {}): Promise<EmbeddedBank> {
  const { design, prefix, publicUrl, onRequest, hostnames = ['localhost'] } = options;
  const pki = options.pki ?? (await createSandboxPki());
  const server = await pki.ca.issueServer(hostnames);
  const { certificate } = pki.tpp;
  // Derived, so that a bank that is started again with the same keys knows the same sessions.
  const sessionIds = {
    private: nameUuid('private session', certificate.fingerprint256),
    corporate: nameUuid('corporate session', certificate.fingerprint256),
  };
  const sessions = [{ tpp: certificate, customerNumber: customers.private, sessionId: sessionIds.private }];
  const bank = await createBank({
    trustedAuthorities: [pki.ca.certificatePem, pki.oddAuthority],
    ...(design === undefined ? {} : { design }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(onRequest === undefined ? {} : { onRequest }),
    sessions,
  });
  const listening = await bank.listen({
    ...options.listen,
    tls: { cert: server.certificatePem, key: server.privateKeyPem },
  });
  const baseUrl = publicUrl ?? listening.baseUrl;
  const psuId = bank.psuIdOf(certificate, customers.private);
  const description = describe(baseUrl, pki, psuId, sessionIds);
  return {
    bank,
    baseUrl,
    pki,
    description,
    targetText: JSON.stringify(description),
    renewSessions: () => renew(bank, sessions),
    close: () => bank.close(),
  };
}

/** Never over the head of a customer who has passed SCA in another session since. */
function renew({ state }: Bank, sessions: readonly SeededSession[]): void {
  for (const session of sessions) {
    const latest = state.sessions.latest(tppIdOf({ certificate: session.tpp }), session.customerNumber);
    if (latest !== undefined && latest.sessionId !== session.sessionId) continue;
    seedSession(state, session);
  }
}

const pemPair = ({ certificate, privateKey }: SigningIdentity) => ({
  certificate: certificate.x509.toString(),
  privateKey: privateKeyPem(privateKey),
});

function describe(
  baseUrl: string,
  pki: SandboxPki,
  psuId: string,
  sessionIds: { readonly private: string; readonly corporate: string },
) {
  return {
    name: 'Reference bank',
    baseUrl,
    environment: 'sandbox',
    tls: { ca: pki.ca.certificatePem },
    signing: {
      ...pemPair(pki.tpp),
      testCa: { certificate: pki.ca.certificatePem, privateKey: pki.ca.privateKeyPem },
      identities: { oddIssuer: pemPair(pki.oddIssuer) },
    },
    psu: { sca: 'form', id: psuId, sessionId: sessionIds.private, nationalId: customers.private },
    accounts: { debtor },
    pace: { concurrency: 32, requestsPerSecond: 0 },
  };
}
