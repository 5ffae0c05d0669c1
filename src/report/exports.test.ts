import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { matrixCsv } from './csv.ts';
import { harOf } from './har.ts';
import { judgeRun } from './outcome.ts';
import { sarifOf } from './sarif.ts';
import { stepSummary } from './step-summary.ts';
import {
  aNastyRun,
  anExchange,
  aResult,
  aRun,
  brokenAmount,
  passingExcept,
  someRequirements,
} from './synthetic-run.test.data.ts';

const failing = aRun({ results: passingExcept({ 'AMT-01': brokenAmount }) });
const outcomeOf = (run = failing) => judgeRun(run, someRequirements);
const nasty = aNastyRun(60);

const validates = (schema: object, text: string): readonly unknown[] => {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  validate(JSON.parse(text));
  return validate.errors ?? [];
};

const listOf = (items: object) => ({ type: 'array', items });
const object = (required: readonly string[], properties: object = {}) => ({
  type: 'object',
  required,
  properties,
});
const time = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
};

describe('HAR', () => {
  // http://www.softwareishard.com/blog/har-12-spec/: what is not optional there, and the types.
  const pair = object(['name', 'value'], { name: { type: 'string' }, value: { type: 'string' } });
  const message = {
    httpVersion: { type: 'string' },
    cookies: { type: 'array' },
    headers: listOf(pair),
    headersSize: { type: 'integer' },
    bodySize: { type: 'integer' },
  };
  const schema = object(['log'], {
    log: object(['version', 'creator', 'entries'], {
      version: { const: '1.2' },
      creator: object(['name', 'version']),
      pages: listOf(object(['startedDateTime', 'id', 'title', 'pageTimings'], { startedDateTime: time })),
      entries: listOf(
        object(['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'], {
          pageref: { type: 'string' },
          startedDateTime: time,
          time: { type: 'number', minimum: 0 },
          request: object(
            ['method', 'url', 'httpVersion', 'cookies', 'headers', 'queryString', 'headersSize', 'bodySize'],
            {
              ...message,
              queryString: listOf(pair),
              postData: object(['mimeType', 'text'], { mimeType: { type: 'string' } }),
            },
          ),
          response: object(
            [
              'status',
              'statusText',
              'httpVersion',
              'cookies',
              'headers',
              'content',
              'redirectURL',
              'headersSize',
              'bodySize',
            ],
            { ...message, status: { type: 'integer' }, content: object(['size', 'mimeType']) },
          ),
          timings: object(['send', 'wait', 'receive']),
        }),
      ),
    }),
  });

  it.each([failing, nasty])('keeps to the rules of its specification', (run) => {
    expect(validates(schema, harOf(run))).toEqual([]);
  });

  it('has a page for each check and an entry for each exchange, answered or not', () => {
    const trouble = { kind: 'timeout', message: 'No answer within 10 s.' } as const;
    const { response: _, ...request } = anExchange({ trouble });
    const har = JSON.parse(harOf(aRun({ results: [aResult({ exchanges: [anExchange(), request] })] })));
    expect(har.log.pages).toMatchObject([{ id: 'DIG-01' }]);
    expect(har.log.entries).toMatchObject([
      {
        pageref: 'DIG-01',
        response: { status: 201 },
        request: { postData: { mimeType: 'application/json' } },
      },
      { response: { status: 0 }, comment: 'with the fault, No answer within 10 s.' },
    ]);
  });
});

describe('SARIF', () => {
  // https://docs.oasis-open.org/sarif/sarif/v2.1.0: what is required, and that only a failure has a level.
  const text = object(['text'], { text: { type: 'string', minLength: 1 } });
  const schema = object(['version', 'runs'], {
    version: { const: '2.1.0' },
    runs: listOf(
      object(['tool', 'results'], {
        tool: object(['driver'], {
          driver: object(['name'], { rules: listOf(object(['id'], { shortDescription: text })) }),
        }),
        invocations: listOf(object(['executionSuccessful'], { startTimeUtc: time, endTimeUtc: time })),
        results: listOf({
          ...object(['ruleId', 'message', 'locations'], {
            message: text,
            ruleIndex: { type: 'integer', minimum: 0 },
            kind: { enum: ['pass', 'open', 'informational', 'notApplicable', 'review', 'fail'] },
            level: { enum: ['none', 'note', 'warning', 'error'] },
            locations: listOf(
              object(['physicalLocation'], {
                physicalLocation: object(['artifactLocation'], {
                  artifactLocation: object(['uri'], { uri: { type: 'string', pattern: '^[^\\s\\\\]+$' } }),
                }),
              }),
            ),
            suppressions: listOf(object(['kind'], { kind: { enum: ['inSource', 'external'] } })),
          }),
          if: { properties: { kind: { const: 'fail' } } },
          else: { properties: { level: { const: 'none' } } },
        }),
      }),
    ),
  });

  it.each([failing, nasty])('keeps to the rules of its standard', (run) => {
    const sarif = sarifOf(run, outcomeOf(run), 'my targets/bank.yaml');
    expect(validates(schema, sarif)).toEqual([]);
    const [{ tool, results }] = JSON.parse(sarif).runs;
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  it('has a result for what failed and none for what passed', () => {
    const [{ results }] = JSON.parse(sarifOf(failing, outcomeOf(), 'bank.yaml')).runs;
    expect(results).toMatchObject([
      { ruleId: 'AMT-01', kind: 'fail', level: 'error', partialFingerprints: { 'checkId/v1': 'AMT-01' } },
    ]);
    expect(results[0].message.text).toContain('Expected any 4xx, actual: 201 Created.');
  });

  it('suppresses what is a known deviation, with its reason', () => {
    const knownDeviations = [{ requirement: 'AMT-01', reason: 'ticket 4711' }];
    const run = aRun({ ...failing, header: { knownDeviations }, results: failing.results });
    const [{ results }] = JSON.parse(sarifOf(run, outcomeOf(run), 'bank.yaml')).runs;
    expect(results[0].suppressions).toEqual([{ kind: 'external', justification: 'ticket 4711' }]);
  });
});

describe('CSV', () => {
  /** RFC 4180, as a spreadsheet reads it. */
  const rowsOf = (text: string): readonly (readonly string[])[] =>
    text
      .trimEnd()
      .split('\r\n')
      .map((row) =>
        [...row.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"')),
      );

  it('has a row for each requirement, of as many cells as the first', () => {
    const [headings = [], ...rows] = rowsOf(matrixCsv(outcomeOf()));
    expect(rows.map(([id]) => id)).toEqual(['DIG-01', 'DIG-02', 'AMT-01', 'ERR-01', 'SEC-01']);
    for (const row of rows) expect(row).toHaveLength(headings.length);
    expect(rows[2]).toEqual(expect.arrayContaining(['fail', 'any 4xx', '201 Created']));
  });

  it('never begins a cell like a formula', () => {
    const run = aRun({
      results: passingExcept({ 'AMT-01': { ...brokenAmount, actual: '=HYPERLINK("http://evil.example")' } }),
    });
    expect(matrixCsv(outcomeOf(run))).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  });
});

describe('the summary of a job', () => {
  it('tells verdict, profiles and failures', () => {
    const text = stepSummary(failing, outcomeOf());
    expect(text).toContain('## ❌ My bank, sandbox: non-conformant');
    expect(text).toContain('| domestic-payments 1.0 | non-conformant | 3 of 3 |');
    expect(text).toMatch(/^\| AMT&#45;01 an amount .* \| any 4xx \| 201 Created \|/m);
  });

  it('shows hostile text as it is, without markup, links or mentions', () => {
    const results = [
      aResult({
        verdict: 'fail',
        title: '<img src=x> [a](https://evil.example) @team | `x` ![y](z)',
        actual: '**b** | c',
      }),
    ];
    const run = aRun({ results });
    const row = stepSummary(run, outcomeOf(run))
      .split('\n')
      .find((line) => line.startsWith('| DIG'));
    expect(row?.replace(/&#\d+;/g, '')).not.toMatch(/[<>[\]@`*!]/);
    expect(row?.match(/ \| /g)).toHaveLength(3);
  });

  it('stays small however much failed', () => {
    const run = aRun({
      results: Array.from({ length: 900 }, (_, index) => aResult({ id: `F-${index}`, verdict: 'fail' })),
    });
    const text = stepSummary(run, outcomeOf(run));
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain('875 more failures are in the report.');
  });
});
