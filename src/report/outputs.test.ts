import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { type CheckResult, defaultRuns, type RunRecord } from '../checks/verdict.ts';
import { allureFiles } from './allure-results.ts';
import { badge, certificatePage, whyNoCertificate } from './certificate.ts';
import { compareRuns } from './compare-runs.ts';
import { comparisonHtml, comparisonText } from './comparison-report.ts';
import { renderRun } from './console.ts';
import { renderFailures } from './console-failures.ts';
import { harOf, matrixCsv, sarifOf, stepSummary } from './exports.ts';
import { githubAnnotations } from './github-annotations.ts';
import { junitXml } from './junit.ts';
import type { Outcome } from './outcome.ts';
import { summarize, summaryText } from './summary.ts';
import {
  aNastyRun,
  anExchange,
  aResult,
  aRun,
  brokenAmount,
  failing,
  judge,
  manifold,
  passing,
  passingExcept,
} from './synthetic-run.test.data.ts';

const { request } = anExchange();
const small = '{"instructedAmount":{"currency":"NOK","amount":"1.00"}}';
const control = anExchange({ purpose: 'control', request: { ...request, body: small } });
const withAddress = { ...request, headers: [...request.headers, ['PSU-IP-Address', '192.0.2.1'] as const] };
const answering = (status: number, headers: readonly (readonly [string, string])[], body: string) => ({
  verdict: 'fail' as const,
  exchanges: [anExchange({ purpose: 'SCA page', response: { status, headers, body } })],
});
const { response: _, ...unanswered } = anExchange({
  attempt: 3,
  trouble: { kind: 'timeout', message: 'No answer within 10 s.' },
});
const unjudged = { verdict: 'not-applicable', requirements: [] } as const;
const card = { verdict: 'not-applicable', reason: 'add accounts.card to the target file' } as const;
const page = (id: string): string => `The SCA page https://bank.example/v1/sca/${id} is gone.`;

const killed = aRun({
  header: { selection: '--shard 1/3', knownDeviations: [{ requirement: 'DIG-02', reason: '' }] },
});

const runs: Readonly<Record<string, RunRecord>> = {
  passing: aRun({
    results: passing.map((result) => ({ ...result, durationMs: 3000 })),
    header: {
      notOffered: [{ what: 'listAgreements', reason: 'private customers only' }],
      fingerprints: { 'TLS of the bank': 'AB:CD' },
    },
  }),
  failing: aRun({
    results: [
      ...passingExcept({
        'AMT-01': {
          ...brokenAmount,
          counterexample: {
            value: request.body,
            control: small,
            path: '3:1:0',
            changed: ['instructedAmount.amount'],
          },
          exchanges: [control, anExchange()],
        },
        'DIG-02': {
          title: 'a digest, wrong: refused',
          verdict: 'fail',
          reason: 'Expected 4xx,\nbut got 100% 201',
          expected: 'any 4xx',
          actual: '201',
        },
      }),
      aResult({
        ...brokenAmount,
        id: 'AMT-01-address',
        requirements: ['AMT-01'],
        counterexample: { value: '{}', path: '0', control: '{}', changed: ['PSU-IP-Address'] },
        exchanges: [anExchange({ purpose: 'control', request: withAddress }), anExchange()],
      }),
      aResult({ ...brokenAmount, id: 'AMT-01-whole', requirements: ['AMT-01'] }),
      aResult({ id: 'SCA-01-page', ...answering(200, [], ' <html>Kari</html>') }),
      aResult({
        id: 'SCA-01-redirect',
        ...answering(303, [['location', 'https://tpp.example/?code=1']], ''),
      }),
    ],
    header: {
      runs: 5,
      remarks: ['baseUrl: "plain" http', 'slow'],
      interpretations: { digestAlgorithms: 'sha-256-only' },
    },
  }),
  'of everything': aRun({
    header: manifold.header,
    results: [
      ...manifold.results,
      aResult({ id: 'ERR-01-own', verdict: 'error', reason: 'TypeError: x is not a function' }),
      aResult({ id: 'ERR-01-silent', verdict: 'inconclusive', exchanges: [anExchange(), unanswered] }),
      aResult({ id: 'OPEN-01', ...unjudged, leftOpen: true, reason: 'A reading leaves it open.' }),
      aResult({ id: 'OPEN-03', ...unjudged, reason: 'The target file names no card account.' }),
      aResult({ id: 'OPEN-02', ...unjudged, notOffered: true, reason: 'It is not offered.' }),
      aResult({ id: 'NOTE-01', notes: ['The answer points at debtorAccount.'], pointsElsewhere: true }),
      aResult({ id: 'NOTE-02', notes: ['The answer came late.'] }),
      aResult({
        id: 'SUITE-01',
        requirements: ['DIG-02', 'AMT-01'],
        suite: { id: 's', title: 'Encoded words', section: ['Signing'] },
        exchanges: [control, anExchange()],
      }),
    ],
  }),
  excused: aRun({
    results: passingExcept({ 'AMT-01': brokenAmount }),
    header: { knownDeviations: [{ requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' }] },
  }),
  'with gaps': aRun({
    results: [
      ...passingExcept({ 'AMT-01': card }),
      aResult({ ...card, id: 'AMT-01-more', requirements: [] }),
      aResult({ ...unjudged, id: 'X-1', reason: 'Not judged under the readings.' }),
      aResult({ id: 'a1', verdict: 'inconclusive', reason: page('a1') }),
      aResult({ id: 'b2', verdict: 'inconclusive', reason: page('b2') }),
      aResult({ id: 'c3', verdict: 'inconclusive', reason: 'https://bank.example/v1/consents/c3 is late.' }),
    ],
  }),
  interrupted: aRun({ footer: { interrupted: true } }),
  insecure: aRun({ header: { insecure: true } }),
  blocked: aRun({ results: [], footer: { blocker: 'It cannot be reached.' } }),
  partial: aRun({ header: { selection: '--only DIG' }, results: passing.slice(0, 2) }),
  killed: { header: killed.header, results: killed.results },
  'of a TPP': aRun({
    header: { side: 'tpp', seed: 0 },
    results: [
      ...passing,
      ...(['accounts', 'domestic-payments'] as const).map((profile) =>
        aResult({
          id: `JRN-${profile}`,
          verdict: 'not-applicable',
          reason: 'Not seen: Pay abroad. Requests: POST …',
          journey: { id: profile, mandatoryIn: [profile] },
        }),
      ),
    ],
  }),
};

const plain = { colour: false, width: 80 };
const commands = {
  replay: (id: string) => `npx xs2a-conformance replay reports/bank ${id} --target bank.yaml`,
  everyFailure: 'npx xs2a-conformance report reports/bank',
};
const summaryOf = (run: RunRecord) => summarize(run, judge(run));
const changesSince = (run: RunRecord) =>
  compareRuns(
    summaryOf(aRun(run.header.side === 'tpp' ? { header: { side: 'tpp', seed: 0 } } : {})),
    summaryOf(run),
  );
const attested = { statement: 'abc123', keyFingerprint: 'def456' };
const withoutStyle = (html: string): string => html.replace(/<style>.*?<\/style>/s, '');

/** Each output, and the runs that show all that it can say where these are not all of them. */
const outputs: readonly (readonly [
  name: string,
  write: (run: RunRecord, outcome: Outcome) => string,
  shown?: readonly string[],
])[] = [
  ['junit', junitXml],
  ['csv', (_, outcome) => matrixCsv(outcome), ['failing', 'excused']],
  ['har', harOf, ['of everything']],
  [
    'sarif',
    (run, outcome) => sarifOf(run, outcome, 'my targets/bank.yaml').replaceAll('},{', '},\n{'),
    ['failing', 'of everything', 'excused', 'blocked'],
  ],
  ['markdown', stepSummary],
  ['annotations', (run, outcome) => githubAnnotations(run, outcome).join('\n')],
  ['console', (run, outcome) => renderRun(run, outcome, plain)],
  ['failures', (run, outcome) => renderFailures(run, outcome, { ...plain, everyFailure: true, commands })],
  ['certification', (run, outcome) => whyNoCertificate(run, outcome) ?? 'It can be certified.'],
  [
    'certificate',
    (run, outcome) => withoutStyle(certificatePage(run, outcome, attested)),
    ['passing', 'excused', 'of a TPP'],
  ],
  ['badge', badge, ['passing', 'of a TPP']],
  ['summary', (run, outcome) => summaryText(summarize(run, outcome)), ['failing', 'of everything', 'killed']],
  ['comparison', (run) => comparisonText(changesSince(run), plain)],
  ['comparison-page', (run) => withoutStyle(comparisonHtml(changesSince(run))), ['failing', 'of a TPP']],
  [
    'allure',
    (run, outcome) => [...allureFiles(run, outcome)].map((file) => file.join('\n')).join('\n'),
    ['of everything', 'excused', 'of a TPP'],
  ],
];

test.each(outputs.map(([name, write, shown = Object.keys(runs)]) => ({ name, write, shown })))(
  '$name says of each run what it said before',
  async ({ name, write, shown }) => {
    const sections = Object.entries(runs)
      .filter(([of]) => shown.includes(of))
      .map(([of, run]) => `===== A run ${of} =====\n${write(run, judge(run)).trimEnd()}\n`);
    await expect(sections.join('\n')).toMatchFileSnapshot(`../../fixtures/pages/outputs/${name}.txt`);
  },
);

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

const { har = {}, ...partsOfHar } = readPublished('har-schema') as Record<string, object>;
// Draft 04, which differs in nothing that the schema uses but the name of its id.
const {
  $schema: _draft,
  id: _id,
  ...sarif
} = readPublished('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Record<string, unknown>;
const summarySchema = new URL('../../schemas/summary.schema.json', import.meta.url);
const schemas = {
  har: validatorOf(har, Object.values(partsOfHar)),
  sarif: validatorOf(sarif),
  summary: new Ajv({ allErrors: true, strict: true, formats: { 'date-time': true } }).compile(
    JSON.parse(readFileSync(summarySchema, 'utf8')),
  ),
};

test.each([...Object.entries(runs), ['with nasty answers', aNastyRun(60)] as const])(
  'HAR, SARIF and summary of a run %s keep to their public schemas',
  (_, run) => {
    const outcome = judge(run);
    expect(errorsIn(schemas.har, harOf(run))).toEqual([]);
    const summary = summarize(run, outcome);
    expect(errorsIn(schemas.summary, summaryText(summary))).toEqual([]);
    expect(JSON.parse(summaryText(summary))).toEqual(JSON.parse(JSON.stringify(summary)));
    const shown = sarifOf(run, outcome, 'my targets/bank.yaml');
    expect(errorsIn(schemas.sarif, shown)).toEqual([]);
    const [{ tool, results }] = JSON.parse(shown).runs;
    for (const { ruleId, ruleIndex, kind, level } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      // Section 3.27.10 of the standard; the schema does not say it.
      expect(level === 'none').toBe(kind !== 'fail');
    }
  },
);

describe('whatever a bank or a target says', () => {
  const annotationsOf = (results: readonly CheckResult[]): readonly string[] => {
    const run = aRun({ results });
    return githubAnnotations(run, judge(run));
  };

  test('a HAR has addresses that are such, whatever stands in a query', () => {
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
    expect(errorsIn(schemas.har, har)).toEqual([]);
  });

  test('no text of a bank becomes a link in SARIF and JUnit', () => {
    const result = failing.results.find(({ verdict }) => verdict === 'fail');
    if (result === undefined) throw new Error('nothing fails');
    const run = aRun({ ...failing, results: [{ ...result, actual: '400 [Sign in](https://evil.example)' }] });
    const [{ results }] = JSON.parse(sarifOf(run, judge(run), 'bank.yaml')).runs;
    expect(results[0].message.text).toContain('[Sign in] (https: //evil.example)');
    expect(junitXml(run, judge(run))).toContain('[Sign in] (https: //evil.example)');
  });

  test('JUnit stays well-formed whatever the bank says', () => {
    const nasty = 'a\u0000b\u001bc\uD800d\uFFFEe ]]> <script>"x"&\n\t';
    const result = aResult({
      id: 'X',
      title: nasty,
      verdict: 'fail',
      reason: nasty,
      actual: nasty,
      notes: [nasty],
    });
    const run = aRun({ results: [result] });
    const xml = junitXml(run, judge(run));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML forbids
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uD800-\uDFFF\uFFFE\uFFFF]/);
    expect(xml).not.toContain('<script>');
    expect(xml).not.toContain(']]>');
    expect(xml).toContain(
      'a\\u{0}b\\u{1b}c\\u{d800}d\\u{fffe}e ]]&gt; &lt;script&gt;&quot;x&quot;&amp;&#10;&#9;',
    );
  });

  test('a summary in Markdown shows hostile text as it is, without markup, links or mentions', () => {
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

  test('a summary in Markdown stays small however much failed', () => {
    const run = aRun({
      results: Array.from({ length: 900 }, (_, index) =>
        aResult({ id: `F-${index}`, requirements: [`F-${index}`], verdict: 'fail' }),
      ),
    });
    const text = stepSummary(run, judge(run));
    expect(text.length).toBeLessThan(200_000);
    expect(text).toContain('875 more causes are in the report.');
  });

  test('annotations are no more than GitHub shows', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      aResult({ id: `X-${index}`, requirements: [`X-${index}`], verdict: 'fail' }),
    );
    expect(annotationsOf(many)).toHaveLength(10);
  });

  test('annotations cannot be forged by an answer of the bank', () => {
    const forged = aResult({ verdict: 'fail', reason: 'x\n::error title=y::forged' });
    expect(
      annotationsOf([forged])
        .join('\n')
        .split('\n')
        .filter((line) => line.includes('title=y')),
    ).toEqual([expect.stringMatching(/^::error title=(?!y)/)]);
  });

  test('a certificate and its badge hold nothing of a target as markup', () => {
    const { target } = aRun().header;
    const run = aRun({ header: { target: { ...target, name: '"><script>alert(1)</script>' } } });
    expect(certificatePage(run, judge(run), attested)).not.toContain('<script');
    expect(badge(run, judge(run))).not.toContain('<script');
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

  test('has a row for each requirement, of as many cells as the first', () => {
    const [headings = [], ...rows] = rowsOf(matrixCsv(judge(failing)));
    expect(rows.map(([id]) => id)).toEqual(['DIG-01', 'DIG-02', 'AMT-01', 'ERR-01', 'SEC-01']);
    for (const row of rows) expect(row).toHaveLength(headings.length);
    expect(rows[2]).toEqual(expect.arrayContaining(['fail', 'any 4xx', '201 Created']));
  });

  test.each([
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

test('a certificate is not there for fewer cases than a run takes by default, and says why', () => {
  const few = aRun({ header: { runs: defaultRuns - 1 } });
  expect(whyNoCertificate(few, judge(few))).toBe(
    'each property got 9 cases, and a certification takes 10 or more (--runs)',
  );
  expect(whyNoCertificate(aRun({ header: { runs: defaultRuns } }), judge())).toBeUndefined();
});

test('a badge loads and runs nothing', () => {
  expect(badge(aRun(), judge(aRun()))).not.toMatch(/href|url\(|<style|<script/);
});
