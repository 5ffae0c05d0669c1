import { type Bank, createBank, type Environment } from '../../bank/bank.ts';
import type { BankDesign } from '../../bank/design/design.ts';
import type { WayTo } from '../../bank/dialects/index.ts';
import type { SeededPayments } from '../../bank/payments/seed-payments.ts';
import type { RunContext } from '../../checks/context.ts';
import { type PlacedCheck, runChecks } from '../../checks/engine.ts';
import type { CheckResult } from '../../checks/verdict.ts';
import {
  contextAt,
  describeAccounts,
  describePsu,
  payingOnly,
  seedNamed,
  sessionsOf,
} from '../../runner/named-customers.ts';
import { createRunContext } from '../../runner/run-context.ts';
import {
  createCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
  type TestPki,
  type TestPkiOptions,
} from '../../signing/certificate-authority.ts';
import type { SigningIdentity } from '../../signing/identity.ts';
import type { Readings } from '../../spec/interpretations.ts';
import { defaultProduct } from '../../spec/products.ts';
import type { ProfileId } from '../../spec/profiles.ts';
import type { Creditors } from '../../target/creditors.ts';
import { identitiesOf } from '../../target/identities.ts';
import type { NotOffered } from '../../target/not-offered.ts';
import type { PsuContext } from '../../target/psu.ts';
import { createTarget, type Target } from '../../target/target.ts';
import type { Transport } from '../../tpp/transport.ts';
import { injectTransport } from '../inject-transport.ts';
import { NothingHidden } from '../nothing-hidden.ts';
import { quickKey } from '../quick-key.ts';
import { modulusLength, shortestModulusLength, signingAtOnce } from '../short-keys.ts';
import { tlsKeys } from '../tls-keys.ts';

/** Keys and certificates that all banks of a process share: making them costs more than a bank. */
export interface BankKeys {
  readonly pki: Pick<TestPki, 'ca' | 'tpp'>;
  /** Minted when they are first needed, for all banks. */
  readonly identities: Target['identities'];
  readonly authorities: readonly string[];
  /** Signs the responses of banks that do so. */
  readonly bankIdentity: SigningIdentity;
}

export async function createBankKeys(
  options: Pick<TestPkiOptions, 'subject' | 'modulusLength'> = {},
): Promise<BankKeys> {
  const lengths = { modulusLength, ...options };
  const [ca, oddAuthority] = await Promise.all([
    createCertificateAuthority(lengths),
    createCertificateAuthority({ ...lengths, subject: subjectWithCommaAndNorwegianLetters }),
  ]);
  const key = quickKey(lengths.modulusLength);
  const pki = { ca, tpp: signingAtOnce(await ca.issueTpp({ key })) };
  const oddIssuer = await oddAuthority.issueAgain(pki.tpp);
  return {
    pki,
    identities: identitiesOf(pki.tpp, { oddIssuer }, pki.ca),
    authorities: [pki.ca.certificatePem, oddAuthority.certificatePem],
    bankIdentity: signingAtOnce(await ca.issueTpp({ key, commonName: 'Reference bank' })),
  };
}

let shortest: Promise<BankKeys> | undefined;

/** Their checks alone sign with SHA-512, which the shortest keys are too short for. */
const signedWithLongHashes: readonly string[] = ['SGH-09', 'SGH-14'];

/** The quickest keys that will do. */
export function keysFor(checks: readonly PlacedCheck[], keys: BankKeys): Promise<BankKeys> {
  if (checks.some(({ check }) => signedWithLongHashes.includes(check.requirement)))
    return Promise.resolve(keys);
  shortest ??= createBankKeys({ modulusLength: shortestModulusLength });
  return shortest;
}

/** Values tried of a long list, such as all countries: each bank meets others, and hundreds meet them all. */
export const sampleOfTwists = 2;

/** What is unusual about the way to a bank, next to its design. */
export interface Surroundings {
  /** Path before /v1. */
  readonly prefix?: string;
  readonly signsResponses?: boolean;
  /** The sandbox is no longer as initialisation leaves it, and its target file does not say so. */
  readonly changedData?: boolean;
  /** Puts itself between the TPP and the bank. */
  readonly wrapTransport?: (transport: Transport) => Transport;
}

export interface RunContextParts extends Surroundings {
  readonly seed?: number;
  readonly runs?: number;
  readonly mostTwists?: number;
  /** As a run with a small budget has it. */
  readonly oneContextEach?: boolean;
  /** Where the target file chooses others than the default ones. */
  readonly readings?: Partial<Readings>;
  readonly notOffered?: readonly NotOffered[];
  /** All accounts that can be paid, where the bank pays no others. */
  readonly creditors?: Creditors;
  /** What it says of the way to the bank. */
  readonly way?: WayTo;
  /** That of the account abroad which it names. */
  readonly currencyAbroad?: string;
  /** What the target file declares; all that bind the environment otherwise. */
  readonly profiles?: readonly ProfileId[];
  readonly environment?: Environment;
  /** In which context the target file lets its PSU act; the usual one of such a bank unless given. */
  readonly psuContext?: PsuContext;
  /** SCA is left to the run, as in the target file of a bank that is served: who the PSUs are is yet to be found out. */
  readonly leavesSca?: boolean;
  /** A control that went through once need not go again. */
  readonly remembersControls?: boolean;
  /** Only the verdicts count, and nobody looks at exchanges. */
  readonly verdictsOnly?: boolean;
  /** That of another commit. */
  readonly createBank?: typeof createBank;
}

/** UUIDs, as TPPs have them: a bank may want no others. */
const sessionIds = {
  private: '5e551017-0001-4000-8000-000000000001',
  corporate: '5e551017-0002-4000-8000-000000000002',
  expired: '5e551017-0003-4000-8000-000000000003',
} as const;

/** A bank of that design, and a TPP who knows everything of it that a target file can tell. */
export async function createBankRunContext(
  keys: BankKeys,
  design: BankDesign,
  parts: RunContextParts = {},
): Promise<{ readonly bank: Bank; readonly runContext: RunContext }> {
  const {
    prefix = '',
    signsResponses,
    wrapTransport,
    seed = 1,
    runs = 1,
    mostTwists,
    oneContextEach,
    readings = {},
    remembersControls,
    verdictsOnly,
  } = parts;
  const baseUrl = `http://bank.example${prefix}`;
  const { certificate } = keys.pki.tpp;
  const bank = await (parts.createBank ?? createBank)({
    trustedAuthorities: keys.authorities,
    design,
    environment: parts.environment ?? 'sandbox',
    prefix,
    publicUrl: baseUrl,
    ...(signsResponses ? { signResponsesWith: keys.bankIdentity } : {}),
  });
  const context = parts.psuContext ?? contextAt(bank);
  const sessions = sessionsOf(bank, certificate, sessionIds, context);
  const seeded = seedNamed(bank, sessions);
  const described = describe(keys, bank, baseUrl, { psu: describePsu(bank, sessions), seeded }, parts);
  const target = { ...described, readings: { ...described.readings, ...readings } };
  const transport = wrapTransport?.(injectTransport(bank)) ?? injectTransport(bank);
  const runContext = createRunContext({
    target,
    seed,
    runs,
    transport,
    patienceMs: 1,
    shrinkingBudget: 1,
    ...(mostTwists === undefined ? {} : { mostTwists }),
    ...(oneContextEach === undefined ? {} : { oneContextEach }),
    ...(remembersControls ? { answersLastMs: Number.POSITIVE_INFINITY } : {}),
    ...(verdictsOnly ? { keepsEvidence: false, redactor: new NothingHidden() } : {}),
  });
  return { bank, runContext };
}

function describe(
  keys: BankKeys,
  bank: Bank,
  baseUrl: string,
  { psu, seeded }: { readonly psu: ReturnType<typeof describePsu>; readonly seeded: SeededPayments },
  parts: RunContextParts,
): Target {
  const { environment = 'sandbox', profiles } = parts;
  const { pki, identities } = keys;
  const reference = (id: string) => ({ product: defaultProduct.path, id });
  const known = <Ids extends object>(ids: Ids): Partial<Ids> => (parts.leavesSca === true ? {} : ids);
  const { id, corporateId, corporate, ...person } = psu;
  const target = createTarget({
    name: 'bank under test',
    baseUrl,
    environment,
    allowProductionPayments: true,
    ...(profiles === undefined ? {} : { profiles }),
    identity: pki.tpp,
    testCa: pki.ca,
    psu: {
      ...person,
      ...known({ id, ...(corporateId === undefined ? {} : { corporateId }) }),
      ...(corporate === undefined
        ? {}
        : { corporate: parts.leavesSca === true ? withoutIds(corporate) : corporate }),
    },
    accounts: payingOnly(describeAccounts(bank, environment, parts.psuContext ?? contextAt(bank)), parts),
    permissions: {
      spendUnattendedCalls: true,
      allowChanges: true,
      initialDataSet: parts.changedData !== true,
    },
    payments: {
      bulk: [seeded.bulk],
      periodic: [seeded.periodic],
      pending: [reference(seeded.pending)],
      unfunded: [reference(seeded.unfunded)],
      rejected: [reference(seeded.rejected)],
      approved: [reference(seeded.approved)],
    },
    ...parts.way,
    notOffered: [...withoutSocket, ...(parts.notOffered ?? [])],
    pace: { concurrency: 64, timeoutMs: 5000, retries: 3, outageSeconds: 20 },
  });
  return { ...target, identities };
}

/** As the target file of a bank that is served has them. */
const withoutIds = ({
  id: _,
  corporateId: __,
  ...rest
}: NonNullable<ReturnType<typeof describePsu>['corporate']>) => rest;

/** Banks of this process are reached without TLS; deviations from it are proved on a socket. */
const withoutSocket = ['TLS-01', 'TLS-02'].map((what) => ({ what, reason: 'It is reached in process.' }));

/** The same over a socket with TLS, for what shows nowhere else. */
export async function runOnSocket(
  checks: readonly PlacedCheck[],
  design: BankDesign,
): Promise<readonly CheckResult[]> {
  const { ca, server, tpp } = await tlsKeys();
  const bank = await createBank({ trustedAuthorities: [ca.certificatePem], design });
  try {
    const { baseUrl } = await bank.listen({
      tls: { cert: server.certificatePem, key: server.privateKeyPem },
    });
    const target = createTarget({
      baseUrl,
      environment: 'sandbox',
      identity: tpp,
      tls: { ca: ca.certificatePem },
      accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
      pace: { concurrency: 8, timeoutMs: 5000, retries: 1, outageSeconds: 20 },
    });
    const runContext = createRunContext({ target, seed: 1, runs: 1 });
    const results = await runChecks(checks, runContext);
    await runContext.client.options.transport.close();
    return results;
  } finally {
    await bank.close();
  }
}
