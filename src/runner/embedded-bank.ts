import {
  type Bank,
  createBank,
  type Environment,
  type ListenOptions,
  type SeededSession,
  seedSession,
} from '../bank/bank.ts';
import type { BankDesign } from '../bank/design/design.ts';
import type { AnsweredRequest, RequestLine } from '../bank/http/dispatch.ts';
import type { SeededPayments } from '../bank/payments/seed-payments.ts';
import { initialiseSandbox } from '../bank/sandbox/routes.ts';
import { tppIdOf } from '../bank/sca/identify-psu.ts';
import type { Clock } from '../bank/state/clock.ts';
import { nameUuid } from '../bank/state/initial-data-set.ts';
import type { KeyIdentity } from '../signing/identity.ts';
import { privateKeyPem } from '../signing/signature.ts';
import {
  contextAt,
  describeAccounts,
  describePsu,
  seedNamed,
  sessionList,
  sessionsOf,
} from './named-customers.ts';
import { createSandboxPki, type SandboxPki } from './sandbox-pki.ts';

/** The reference bank as a target: it runs in this process and describes itself as a target file would. */
export interface EmbeddedBank {
  readonly bank: Bank;
  readonly baseUrl: string;
  readonly pki: SandboxPki;
  /** The data of a target file, with keys and certificates as PEM text in their places. */
  readonly description: TargetDescription;
  readonly targetText: string;
  /** SCA holds for an hour: whoever runs the bank for longer calls this now and then. `isLeft` keeps some as they are. */
  renewSessions(isLeft?: (sessionId: string) => boolean): void;
  /** Back to what it remembered at its start; payments that the target file names have the same ids. */
  reset(): void;
  close(): Promise<void>;
}

export interface EmbeddedBankOptions {
  readonly design?: BankDesign;
  /** Production has no sandbox operations, and says so in the target file. */
  readonly environment?: Environment;
  readonly pki?: SandboxPki;
  /** PEM certificates of further authorities to trust for TPP certificates. */
  readonly trust?: readonly string[];
  readonly listen?: Pick<ListenOptions, 'host' | 'port'>;
  /** Path before /v1, such as `/psd2`. */
  readonly prefix?: string;
  /** Where the bank is reached from outside, prefix included; by default where it listens. */
  readonly publicUrl?: string;
  /** Names in the server certificate. */
  readonly hostnames?: readonly string[];
  readonly onRequest?: (line: RequestLine) => void;
  /** Is told every request with its answer, before the answer is sent. */
  readonly onAnswer?: (answered: AnsweredRequest) => void;
  readonly clock?: Clock;
  readonly signsResponses?: boolean;
}

export type TargetDescription = ReturnType<typeof describe> & {
  readonly psu: ReturnType<typeof describePsu>;
  readonly accounts: ReturnType<typeof describeAccounts>;
  readonly payments: ReturnType<typeof describePayments>;
};

export async function startEmbeddedBank(options: EmbeddedBankOptions = {}): Promise<EmbeddedBank> {
  const {
    design,
    environment = 'sandbox',
    prefix,
    publicUrl,
    onRequest,
    hostnames = ['localhost'],
  } = options;
  const pki = options.pki ?? (await createSandboxPki());
  const server = await pki.ca.issueServer(hostnames);
  const { certificate } = pki.tpp;
  // Derived, so that a bank that is started again with the same keys knows the same sessions.
  const sessionIds = {
    private: nameUuid('private session', certificate.fingerprint256),
    corporate: nameUuid('corporate session', certificate.fingerprint256),
    expired: nameUuid('expired session', certificate.fingerprint256),
  };
  const bank = await createBank({
    trustedAuthorities: [pki.ca.certificatePem, pki.oddAuthority, ...(options.trust ?? [])],
    environment,
    ...(design === undefined ? {} : { design }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(onRequest === undefined ? {} : { onRequest }),
    ...(options.onAnswer === undefined ? {} : { onAnswer: options.onAnswer }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.signsResponses === true
      ? { signResponsesWith: await pki.ca.issueTpp({ commonName: 'Reference bank', roles: ['PSP_AS'] }) }
      : {}),
  });
  const context = contextAt(bank);
  const sessions = sessionsOf(bank, certificate, sessionIds, context);
  const payments = seedNamed(bank, sessions);
  const listening = await bank.listen({
    ...options.listen,
    tls: { cert: server.certificatePem, key: server.privateKeyPem },
  });
  const baseUrl = publicUrl ?? listening.baseUrl;
  const description = {
    ...describe(baseUrl, environment, pki),
    psu: describePsu(bank, sessions),
    accounts: describeAccounts(bank, environment, context),
    payments: describePayments(payments),
  };
  return {
    bank,
    baseUrl,
    pki,
    description,
    targetText: JSON.stringify(description),
    renewSessions: (isLeft = () => false) =>
      renew(
        bank,
        sessionList(sessions).filter(({ sessionId }) => !isLeft(sessionId)),
      ),
    reset: () => {
      initialiseSandbox(bank.state);
      seedNamed(bank, sessions, payments);
    },
    close: () => bank.close(),
  };
}

/** Never over the head of a customer who has passed SCA in another session since, nor one that is to have expired. */
function renew({ state }: Bank, sessions: readonly SeededSession[]): void {
  for (const session of sessions.filter(({ secondsAgo }) => secondsAgo === undefined)) {
    const latest = state.sessions.latest(tppIdOf({ certificate: session.tpp }), session.customerNumber);
    if (latest !== undefined && latest.sessionId !== session.sessionId) continue;
    seedSession(state, session);
  }
}

const pemPair = ({ certificate, privateKey }: KeyIdentity) => ({
  certificate: certificate.x509.toString(),
  privateKey: privateKeyPem(privateKey),
});

const describe = (baseUrl: string, environment: Environment, pki: SandboxPki) => ({
  name: 'Reference bank',
  baseUrl,
  environment,
  tls: { ca: pki.ca.certificatePem },
  signing: {
    ...pemPair(pki.tpp),
    testCa: { certificate: pki.ca.certificatePem, privateKey: pki.ca.privateKeyPem },
    identities: { oddIssuer: pemPair(pki.oddIssuer) },
  },
  limits: { spendUnattendedCalls: true },
  ...(environment === 'sandbox' ? { sandbox: { allowChanges: true, initialDataSet: true } } : {}),
  pace: { concurrency: 32, requestsPerSecond: 0 },
});

const describePayments = ({ bulk, periodic, pending, unfunded, rejected, approved }: SeededPayments) => ({
  bulk: [bulk],
  periodic: [periodic],
  pending: [pending],
  unfunded: [unfunded],
  rejected: [rejected],
  approved: [approved],
});
