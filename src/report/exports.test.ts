import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { harOf, matrixCsv, sarifOf, stepSummary } from './exports.ts';
import { junitXml } from './junit.ts';
import {
  aNastyRun,
  anExchange,
  aResult,
  aRun,
  brokenAmount,
  failing,
  judge,
  passingExcept,
} from './synthetic-run.test.data.ts';

const nasty = aNastyRun(60);

const readPublished = createRequire(import.meta.url);

/** A schema that others published, from their package. */
function validatorOf(schema: object, parts: readonly object[] = []): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  ajv.addMetaSchema(readPublished('ajv/dist/refs/json-schema-draft-06.json'));
  for (const part of parts) ajv.addSchema(part);
  return ajv.compile(schema);
}

const errorsIn = (validate: ValidateFunction, text: string): readonly unknown[] => {
  validate(JSON.parse(text));
  return validate.errors ?? [];
};

describe('HAR', () => {
  const { har, ...parts } = readPublished('har-schema') as Record<string, object>;
  const validate = validatorOf(har ?? {}, Object.values(parts));

  it.each([failing, nasty])('keeps to the public schema of HAR 1.2', (run) => {
    expect(errorsIn(validate, harOf(run))).toEqual([]);
  });

  it('has addresses that are such, whatever stands in a query', () => {
    const queries = ['limit=[parameter#3 of 2 characters, redacted]&x=1', 'name=Bjørk Å', '%zz', '\ud800'];
    const exchanges = queries.map((query) =>
      anExchange({ request: { ...anExchange().request, url: `https://bank.example/v1/accounts?${query}` } }),
    );
    const har = harOf(aRun({ results: [aResult({ exchanges })] }));
    const addresses = JSON.parse(har).log.entries.map(
      ({ request }: { request: { url: string } }) => request.url,
    );
    expect(addresses).toEqual([
      'https://bank.example/v1/accounts?limit=%5Bparameter%233%20of%202%20characters,%20redacted%5D&x=1',
      'https://bank.example/v1/accounts?name=Bj%C3%B8rk%20%C3%85',
      'https://bank.example/v1/accounts?%25zz',
      'https://bank.example/v1/accounts?%EF%BF%BD',
    ]);
    expect(errorsIn(validate, har)).toEqual([]);
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
  // Draft 04, which differs in nothing that the schema uses but the name of its id.
  const {
    $schema: _,
    id: __,
    ...schema
  } = readPublished('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Record<string, unknown>;
  const validate = validatorOf(schema);

  it.each([failing, nasty])(
    'keeps to the public schema of SARIF 2.1.0, and has a level for failures alone',
    (run) => {
      const sarif = sarifOf(run, judge(run), 'my targets/bank.yaml');
      expect(errorsIn(validate, sarif)).toEqual([]);
      const [{ tool, results }] = JSON.parse(sarif).runs;
      for (const { ruleId, ruleIndex, kind, level } of results) {
        expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
        // Section 3.27.10 of the standard; the schema does not say it.
        expect(level === 'none').toBe(kind !== 'fail');
      }
    },
  );

  it('has a result for what failed and none for what passed', () => {
    const [{ results }] = JSON.parse(sarifOf(failing, judge(failing), 'bank.yaml')).runs;
    expect(results).toMatchObject([
      { ruleId: 'AMT-01', kind: 'fail', level: 'error', partialFingerprints: { 'checkId/v1': 'AMT-01' } },
    ]);
    expect(results[0].message.text).toContain('Expected any 4xx, actual: 201 Created.');
  });

  it('lets no text of a bank become a link', () => {
    const result = failing.results.find(({ verdict }) => verdict === 'fail');
    if (result === undefined) throw new Error('nothing fails');
    const run = aRun({ ...failing, results: [{ ...result, actual: '400 [Sign in](https://evil.example)' }] });
    const [{ results }] = JSON.parse(sarifOf(run, judge(run), 'bank.yaml')).runs;
    expect(results[0].message.text).toContain('[Sign in] (https: //evil.example)');
    expect(junitXml(run, judge(run))).toContain('[Sign in] (https: //evil.example)');
  });

  it('suppresses what is a known deviation, with its reason', () => {
    const knownDeviations = [{ requirement: 'AMT-01', reason: 'ticket 4711' }];
    const run = aRun({ ...failing, header: { knownDeviations }, results: failing.results });
    const [{ results }] = JSON.parse(sarifOf(run, judge(run), 'bank.yaml')).runs;
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
    const [headings = [], ...rows] = rowsOf(matrixCsv(judge(failing)));
    expect(rows.map(([id]) => id)).toEqual(['DIG-01', 'DIG-02', 'AMT-01', 'ERR-01', 'SEC-01']);
    for (const row of rows) expect(row).toHaveLength(headings.length);
    expect(rows[2]).toEqual(expect.arrayContaining(['fail', 'any 4xx', '201 Created']));
  });

  it.each([
    '=HYPERLINK("http://evil.example")',
    '+1+cmd|x',
    '-2+3',
    '@SUM(A1)',
    '\t=1+1',
    '\r\n=1+1',
    ' =1+1',
    '\u0000=1+1',
    '\u200b=1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
  ])('never begins a cell like a formula: %j', (actual) => {
    const run = aRun({ results: passingExcept({ 'AMT-01': { ...brokenAmount, actual } }) });
    const cells = rowsOf(matrixCsv(judge(run))).flat();
    expect(cells.filter((cell) => /^[\s\p{C}]*[=+\-@＝＋－＠]/u.test(cell))).toEqual([]);
    // What stood there is still to be read.
    expect(cells.some((cell) => cell.endsWith(actual.slice(-3)))).toBe(true);
  });
});

describe('the summary of a job', () => {
  it('tells verdict, profiles and causes as plain lines, for a terminal and for a ticket', () => {
    const text = stepSummary(failing, judge(failing));
    expect(text).toContain('## ❌ My bank, sandbox: non-conformant\n');
    expect(text).toContain('\n- domestic-payments 1.0: non-conformant, 3 of 3 requirements judged\n');
    expect(text).toMatch(
      /^\*\*Accepted with 201. Rule: An amount .*\*\*\n\n- Breaks: AMT-01\n- Fails: AMT-01\n- Expected: any 4xx\n- Actual: 201 Created$/m,
    );
    expect(text).not.toMatch(/&#|\|/);
  });

  it('shows hostile text as it is, without markup, links or mentions', () => {
    const hostile =
      '<img src=x> [a](https://evil.example) @team | `x` ![y](z) ``` **b** www.evil.example :x: a&b "q" $x$ #1 \\';
    const run = aRun({
      results: [
        aResult({
          id: '*F*',
          verdict: 'fail',
          requirements: ['X'],
          title: hostile,
          actual: `seen: ${hostile}`,
        }),
      ],
    });
    const text = stepSummary(run, judge(run));
    // What is between as many backticks is code.
    const outside = text.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
    expect(outside.replaceAll(/^\*\*(.*)\*\*$/gm, '$1')).not.toMatch(/[<>[\]@`*!|&"$\\]|\/\/|www|:x:|#1/);
    expect(text).toContain('- Fails: `*F*`');
    expect(text).toContain('![y] (z)');
  });

  it('stays small however much failed', () => {
    const run = aRun({
      results: Array.from({ length: 900 }, (_, index) =>
        aResult({ id: `F-${index}`, requirements: [`F-${index}`], verdict: 'fail' }),
      ),
    });
    const text = stepSummary(run, judge(run));
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain('875 more causes are in the report.');
  });
});
