import type { CheckResult, RunFooter, RunHeader, RunRecord } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import type { Exchange } from '../tpp/exchange.ts';

/** Made-up requirements, so that the reports are tested on every level and side without the real catalogue. */
export const someRequirements: readonly Requirement[] = [
  {
    id: 'DIG-01',
    statement: 'A request with a body carries a Digest header over its exact bytes.',
    section: ['Signing', 'Digest'],
    level: 'must',
    side: 'bank',
  },
  {
    id: 'DIG-02',
    statement: 'A request whose digest does not match its body is refused.',
    section: ['Signing', 'Digest'],
    level: 'must',
    side: 'bank',
    interpretation: 'digestAlgorithms',
  },
  {
    id: 'AMT-01',
    statement: 'An amount with more fraction digits than its currency has is refused.',
    section: ['Payments', 'Credit transfers', 'Amounts'],
    level: 'must',
    side: 'bank',
  },
  {
    id: 'ERR-01',
    statement: 'An error answer should carry a text for people.',
    section: ['Errors'],
    level: 'should',
    side: 'bank',
  },
  {
    id: 'SEC-01',
    statement: 'Keys are kept in a hardware module.',
    section: ['Security'],
    level: 'must',
    side: 'bank',
    unobservable: 'It happens inside the bank.',
  },
  {
    id: 'TPP-01',
    statement: 'A TPP sends its own X-Request-ID.',
    section: ['Headers'],
    level: 'must',
    side: 'tpp',
  },
];

export function anExchange(changes: Partial<Exchange> = {}): Exchange {
  return {
    id: 'x-1',
    purpose: 'with the fault',
    operation: 'createDomesticPayment',
    attempt: 1,
    startedAt: '2026-03-01T10:00:00.000Z',
    durationMs: 12,
    request: {
      method: 'POST',
      url: 'https://bank.example/psd2/v1/payments/norwegian-domestic-credit-transfers',
      headers: [
        ['Content-Type', 'application/json'],
        ['Digest', 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
      ],
      body: '{"instructedAmount":{"currency":"NOK","amount":"1.001"}}',
    },
    response: {
      status: 201,
      headers: [['Content-Type', 'application/json']],
      body: '{"transactionStatus":"RCVD"}',
    },
    ...changes,
  };
}

export function aResult(changes: Partial<CheckResult> = {}): CheckResult {
  return {
    id: 'DIG-01',
    title: 'a request without a digest is refused',
    suite: { id: 'signing/digest', title: 'Digest', section: ['Signing', 'Digest'] },
    requirements: ['DIG-01'],
    level: 'must',
    verdict: 'pass',
    notes: [],
    cases: 1,
    exchanges: [anExchange()],
    reproduce: 'npx xs2a-conformance run --only DIG-01 --seed 7',
    startedAt: '2026-03-01T10:00:01.000Z',
    durationMs: 20,
    ...changes,
  };
}

/** One passing check for each requirement that must be exercised. */
export const passing: readonly CheckResult[] = [
  aResult(),
  aResult({ id: 'DIG-02', requirements: ['DIG-02'], title: 'a body changed after its digest is refused' }),
  aResult({
    id: 'AMT-01',
    requirements: ['AMT-01'],
    title: 'an amount with too many fraction digits is refused',
    suite: { id: 'payments/amounts', title: 'Amounts', section: ['Payments', 'Credit transfers', 'Amounts'] },
    cases: 100,
    reproduce: 'npx xs2a-conformance run --only AMT-01 --seed 7',
  }),
];

/** The passing checks, with some of them changed by id. */
export function passingExcept(changes: Readonly<Record<string, Partial<CheckResult>>>): CheckResult[] {
  return passing.map((result) => ({ ...result, ...changes[result.id] }));
}

export interface RunChanges {
  readonly header?: Partial<RunHeader>;
  readonly results?: readonly CheckResult[];
  readonly footer?: Partial<RunFooter>;
}

export function aRun({ header = {}, results = passing, footer = {} }: RunChanges = {}): RunRecord {
  return {
    header: {
      tool: { name: 'xs2a-conformance', version: '1.2.3' },
      catalogue: '2026-03',
      target: { name: 'My bank, sandbox', baseUrl: 'https://bank.example/psd2', environment: 'sandbox' },
      interpretations: { digestAlgorithms: 'sha-256-and-512', amountFractionDigits: 'exact' },
      knownDeviations: [],
      seed: 7,
      runs: 100,
      startedAt: '2026-03-01T10:00:00.000Z',
      planned: results.map(({ id }) => id),
      ...header,
    },
    results,
    footer: { durationMs: 4200, requests: 321, interrupted: false, ...footer },
  };
}

/** A failing property as a bank engineer meets it, with everything that the reports must show. */
export const brokenAmount: Partial<CheckResult> = {
  verdict: 'fail',
  reason: 'The bank accepted an amount with three fraction digits.',
  expected: 'any 4xx',
  actual: '201 Created',
  notes: ['The control was refused once for another reason and accepted at the second attempt.'],
  counterexample: { value: '{"currency":"NOK","amount":"0.001"}', path: '3:1:0' },
  exchanges: [anExchange({ id: 'x-0', purpose: 'control' }), anExchange()],
};
