import { createHash } from 'node:crypto';
import type { JsonObject } from '../payloads/json.ts';
import { createTestPki } from '../signing/certificate-authority.ts';
import type { KeyIdentity } from '../signing/identity.ts';
import type { Readings } from '../spec/interpretations.ts';
import { createTarget, type TargetParts } from '../target/target.ts';
import { usualAppearance } from '../tpp/call.ts';
import { TppClient } from '../tpp/client.ts';
import { type FakeTransport, fakeTransport, responseOf } from '../tpp/fake-transport.test.data.ts';
import { Pace } from '../tpp/pace.ts';
import { Redactor } from '../tpp/redaction.ts';
import type { WireRequest, WireResponse } from '../tpp/transport.ts';
import { type Check, type CheckDefinition, check, type LoadedSuite } from './check.ts';
import { CheckContext, type RunContext } from './context.ts';
import { placeChecks, runChecks } from './engine.ts';
import { Observations } from './observations.ts';
import type { CheckResult } from './verdict.ts';

export interface FakeRequest {
  readonly body: JsonObject;
  readonly wire: WireRequest;
  /** Counts from one. */
  readonly number: number;
}

/** A bank that is a function: it answers whatever it is told to answer. */
export type FakeBank = (request: FakeRequest) => WireResponse | Promise<WireResponse>;

export interface FakeRunContext extends RunContext {
  readonly transport: FakeTransport;
}

export interface FakeRunContextOptions {
  readonly seed?: number;
  readonly runs?: number;
  readonly retries?: number;
  readonly readings?: Partial<Readings>;
  readonly target?: Partial<TargetParts>;
  readonly repeatsPayments?: boolean;
  readonly shard?: NonNullable<RunContext['shard']>;
}

const { tpp } = await createTestPki({ modulusLength: 512 });

/** Who signs in every fake run: at once, and with a hash, for nobody verifies it. */
const identity: KeyIdentity = {
  ...tpp,
  sign: async (data) => createHash('sha512').update(data).digest(),
};

/** Everything that checks need, without sockets. */
export function fakeRunContext(
  bank: FakeBank = () => created(),
  options: FakeRunContextOptions = {},
): FakeRunContext {
  const transport = fakeTransport((wire, number) => bank({ body: jsonOf(wire), wire, number }));
  const target = createTarget({
    baseUrl: 'https://bank.example',
    environment: 'sandbox',
    identity,
    accounts: {
      debtor: { bban: '95360573002', currency: 'NOK' },
      creditor: { bban: '86011117947', currency: 'NOK' },
    },
    psu: { id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c', nationalId: '01819010001' },
    ...(options.readings === undefined ? {} : { readings: options.readings }),
    ...options.target,
  });
  const client = new TppClient({
    transport,
    pace: new Pace({ concurrency: 8, patienceMs: 1 }),
    identity,
    psu: { ...usualAppearance, ...target.psu },
    addressing: { prefix: '', paths: {}, customHeaders: target.customHeaders, host: 'bank.example' },
    origin: target.baseUrl,
    timeoutMs: 1000,
    retries: options.retries ?? 1,
    patienceMs: 1,
  });
  const noPages = () => Promise.reject(new Error('The fake bank has no pages.'));
  return {
    target,
    client,
    transport,
    pages: { send: noPages, close: async () => {} },
    walker: { pass: noPages, abort: noPages },
    seed: options.seed ?? 7,
    runs: options.runs ?? 5,
    ...(options.shard === undefined ? {} : { shard: options.shard }),
    observations: new Observations(),
    repeatsPayments: options.repeatsPayments ?? false,
    command: 'xs2a-conformance run',
    redactor: new Redactor(target),
    contextFor(id, place) {
      return new CheckContext(this, id, place);
    },
    close: async () => {},
  };
}

const jsonOf = ({ body }: WireRequest): JsonObject => {
  try {
    return JSON.parse(body?.toString('utf8') ?? '{}');
  } catch {
    return {};
  }
};

export const created = (body: unknown = { paymentId: 'p1', transactionStatus: 'RCVD' }): WireResponse =>
  responseOf(201, body);
export const refusal = (path?: string): WireResponse =>
  responseOf(400, {
    tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', ...(path === undefined ? {} : { path }) }],
  });
export const scaWanted = (): WireResponse =>
  responseOf(401, { _links: { scaRedirect: { href: 'https://bank.example/sca', verbs: ['GET'] } } });

/** Some check, which passes. */
export const aCheck = (changes: Partial<CheckDefinition> = {}): Check =>
  check({ id: 'TRN-01', requirement: 'TRN-01', title: 'a sentence', run: async () => {}, ...changes });

export const throwing = (error: unknown, changes: Partial<CheckDefinition> = {}): Check =>
  aCheck({ run: () => Promise.reject(error), ...changes });

export const suiteOf = (...checks: readonly Check[]): LoadedSuite => ({
  id: 'area/suite',
  title: 'Suite',
  section: ['Endpoints'],
  checks,
});

/** The verdict of one check; `verdictAt` says at which bank, and is enough where the run itself is not looked at. */
export async function verdictOn(one: Check, runContext: RunContext): Promise<CheckResult> {
  const [result] = await runChecks(placeChecks([suiteOf(one)]), runContext);
  if (result === undefined) throw new Error('The check was not judged.');
  return result;
}

export const verdictAt = (
  bank: FakeBank | undefined,
  one: Check,
  options: FakeRunContextOptions = {},
): Promise<CheckResult> => verdictOn(one, fakeRunContext(bank, options));
