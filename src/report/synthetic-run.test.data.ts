import type { CheckResult, RunFooter, RunHeader, RunRecord } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { commandFor } from './journal.ts';
import { judgeRun } from './outcome.ts';

/** Made-up requirements, so that the reports are tested on every level and side without the real catalogue. */
export const someRequirements: readonly Requirement[] = [
  {
    id: 'DIG-01',
    statement: 'A request with a body carries a Digest header over its exact bytes.',
    section: ['Signing', 'Digest'],
    level: 'must',
    side: 'bank',
    profiles: ['core'],
  },
  {
    id: 'DIG-02',
    statement: 'A request whose digest does not match its body is refused.',
    section: ['Signing', 'Digest'],
    level: 'must',
    side: 'bank',
    profiles: ['core'],
    interpretation: 'digestAlgorithms',
  },
  {
    id: 'AMT-01',
    statement: 'An amount with more fraction digits than its currency has is refused.',
    section: ['Payments', 'Credit transfers', 'Amounts'],
    level: 'must',
    side: 'bank',
    profiles: ['domestic-payments'],
  },
  {
    id: 'ERR-01',
    statement: 'An error answer should carry a text for people.',
    section: ['Errors'],
    level: 'should',
    side: 'bank',
    profiles: ['core'],
  },
  {
    id: 'SEC-01',
    statement: 'Keys are kept in a hardware module.',
    section: ['Security'],
    level: 'must',
    side: 'bank',
    profiles: ['core'],
    unobservable: 'It happens inside the bank.',
  },
  {
    id: 'TPP-01',
    statement: 'A TPP sends its own X-Request-ID.',
    section: ['Headers'],
    level: 'must',
    side: 'tpp',
    profiles: ['core'],
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

const aHeader: RunHeader = {
  tool: { name: 'xs2a-conformance', version: '1.2.3' },
  catalogue: '2026-03',
  target: { name: 'My bank, sandbox', baseUrl: 'https://bank.example/psd2', environment: 'sandbox' },
  interpretations: { digestAlgorithms: 'sha-256-and-512', amountFractionDigits: 'exact' },
  knownDeviations: [],
  seed: 7,
  runs: 100,
  startedAt: '2026-03-01T10:00:00.000Z',
  planned: [],
};

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
    reproduce: commandFor(changes.id ?? 'DIG-01', aHeader),
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
    header: { ...aHeader, planned: results.map(({ id }) => id), ...header },
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

export const failing = aRun({ results: passingExcept({ 'AMT-01': brokenAmount }) });

export const judge = (run: RunRecord = aRun()) => judgeRun(run, someRequirements);

const { request } = anExchange();
const psu = (number: number) => ['PSU-ID', `[psu-id#${number}, redacted]`] as const;

/** A run with a bit of everything: two causes, a known deviation, a gap, a warning, readings and remarks. */
export const manifold = aRun({
  results: [
    ...passingExcept({
      'AMT-01': {
        ...brokenAmount,
        counterexample: {
          value: '{"instructedAmount":{"currency":"NOK","amount":"1.001"}}',
          control: '{"instructedAmount":{"currency":"NOK","amount":"1.00"}}',
          path: '3:1:0',
          changed: ['instructedAmount.amount'],
        },
      },
      'DIG-01': { verdict: 'inconclusive', reason: 'The control was refused with 503.' },
      'DIG-02': {
        verdict: 'fail',
        reason: 'It was accepted.',
        exchanges: [
          anExchange({ purpose: 'control', request: { ...request, headers: [psu(1)] } }),
          anExchange({ request: { ...request, headers: [psu(2)] } }),
        ],
      },
    }),
    aResult({ id: 'DIG-02-held', requirements: ['DIG-02'], title: 'a digest of another body is refused' }),
    aResult({ id: 'DIG-02-known', requirements: ['ERR-01'], verdict: 'fail', level: 'should' }),
    aResult({ id: 'AMT-01-advice', verdict: 'warning', level: 'advisory', reason: 'It repeats one.' }),
  ],
  header: {
    remarks: ['baseUrl: <plain> http'],
    knownDeviations: [
      { requirement: 'ERR-01', reason: 'ticket 4711', until: '2027-01-31' },
      { requirement: 'SEC-01', reason: 'ticket 4712' },
    ],
  },
});

const suites = [
  { id: 'signing/digest', title: 'Digest', section: ['Signing', 'Digest'] },
  { id: 'payments/amounts', title: 'Amounts', section: ['Payments', 'Credit transfers', 'Amounts'] },
  { id: 'errors/texts', title: 'Error texts', section: ['Errors'] },
];

/** A run as large as a real one, whose bank answers with everything that can hurt a report. */
export function aNastyRun(count: number): RunRecord {
  const page =
    '<script>document.title = "owned"; window.owned = true</script><img src="https://evil.example/x.png">';
  const results = Array.from({ length: count }, (_, index): CheckResult => {
    const suite = suites[index % suites.length] ?? { id: 'x', title: 'X', section: [] };
    const requirement = ['DIG-02', 'AMT-01', 'ERR-01'][index % 3] ?? 'DIG-01';
    const startedAt = new Date(Date.parse('2026-03-01T10:00:00.000Z') + index * 7).toISOString();
    const nasty = anExchange({
      startedAt,
      response: {
        status: 201,
        headers: [
          ['Content-Type', 'text/html'],
          ['X-Odd', '\u0000\u001b[31m'],
        ],
        body: `${page}\u0000\u0007${index === 1 ? 'long '.repeat(100_000) : ''}`,
      },
    });
    const base = aResult({
      id: `${requirement}.${index}`,
      title: `case ${index} of ${suite.title.toLowerCase()} is refused`,
      suite,
      requirements: [requirement],
      level: requirement === 'ERR-01' ? 'should' : 'must',
      startedAt,
      exchanges: [
        anExchange({ purpose: 'control', startedAt }),
        nasty,
        anExchange({ startedAt, attempt: 2 }),
      ],
    });
    if (index === 1) {
      return {
        ...base,
        ...brokenAmount,
        title: `<b>bold</b> & [link](https://evil.example) ${page}`,
        reason: `The bank said ${page}`,
        actual: `201 Created ${page}`,
        notes: [page, 'plain note'],
        counterexample: {
          value: `{"currency":"NOK","amount":"0.001","text":${JSON.stringify(page)}}`,
          path: '3:1:0',
        },
        exchanges: base.exchanges,
      };
    }
    if (index === 2) return { ...base, verdict: 'warning', reason: 'The error answer has no text.' };
    if (index === 3) return { ...base, verdict: 'inconclusive', reason: 'The control was refused with 503.' };
    if (index === 4) return { ...base, verdict: 'error', reason: 'TypeError: x is not a function' };
    if (index === 5) {
      return {
        ...base,
        verdict: 'not-applicable',
        reason: 'The target file names no card account.',
        exchanges: [],
      };
    }
    if (index === 6)
      return { ...base, notes: ['The answer points at debtorAccount.'], pointsElsewhere: true };
    return base;
  });
  return aRun({ results });
}
