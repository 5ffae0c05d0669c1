import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { summarize, summaryText } from './summary.ts';
import {
  anExchange,
  aResult,
  aRun,
  brokenAmount,
  failing,
  judge,
  passingExcept,
} from './synthetic-run.test.data.ts';

const schema: object = JSON.parse(
  readFileSync(new URL('../../schemas/summary.schema.json', import.meta.url), 'utf8'),
);
const validate = new Ajv({ allErrors: true, strict: true, formats: { 'date-time': true } }).compile(schema);

const summaryOf = (run = aRun()) => summarize(run, judge(run));

describe('the summary', () => {
  test('of a run with everything in it follows the published schema', () => {
    const trouble = anExchange({ trouble: { kind: 'timeout', message: 'no answer within 10 s' } });
    const { response: _, ...unanswered } = trouble;
    const run = aRun({
      results: [
        ...passingExcept({ 'AMT-01': brokenAmount }),
        aResult({ id: 'DIG-03', verdict: 'inconclusive', exchanges: [unanswered] }),
      ],
      header: {
        selection: '--shard 1/3',
        remarks: ['tls.insecure: Any server certificate is accepted.'],
        knownDeviations: [
          { requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' },
          { requirement: 'DIG-02', reason: '' },
        ],
      },
    });
    const summary: unknown = JSON.parse(JSON.stringify(summaryOf(run)));
    validate(summary);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('of a killed run follows it, too', () => {
    const { header, results } = aRun();
    const summary = summaryOf({ header, results });
    expect(validate(JSON.parse(JSON.stringify(summary)))).toBe(true);
    expect(summary).toMatchObject({ interrupted: true, durationMs: 1020, requests: 3 });
  });

  test('says whose failure it is, what was expected, and how to see it again', () => {
    const run = failing;
    const check = summaryOf(run).checks.find(({ id }) => id === 'AMT-01');
    expect(check).toMatchObject({
      suite: 'payments/amounts',
      verdict: 'fail',
      excused: false,
      expected: 'any 4xx',
      actual: '201 Created',
      counterexample: { path: '3:1:0' },
      reproduce: 'npx xs2a-conformance run --target <your target file> --runs 100 --only AMT-01 --seed 7',
    });
    expect(check?.evidence).toBe(2);
  });

  test('names the checks of a requirement, and why one cannot be observed', () => {
    const { requirements } = summaryOf();
    expect(requirements.find(({ id }) => id === 'DIG-02')).toMatchObject({
      verdict: 'pass',
      checks: ['DIG-02'],
    });
    expect(requirements.find(({ id }) => id === 'SEC-01')).toMatchObject({
      verdict: 'not-tested',
      unobservable: 'It happens inside the bank.',
    });
  });

  test('is written with a line for each check and requirement', () => {
    const summary = summaryOf();
    const text = summaryText(summary);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(summary)));
    const rows = text.split('\n').filter((line) => line.startsWith('    {"id":'));
    expect(rows.length).toBe(summary.checks.length + summary.requirements.length + summary.profiles.length);
  });
});
