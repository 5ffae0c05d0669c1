import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../checks/verdict.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { allureFiles } from './allure-results.ts';
import { certificatePage } from './certificate.ts';
import { compareRuns, readSummary } from './compare-runs.ts';
import { comparisonHtml, comparisonText } from './comparison-report.ts';
import { renderRun } from './console.ts';
import { harOf, matrixCsv, sarifOf, stepSummary } from './exports.ts';
import { githubAnnotations } from './github-annotations.ts';
import { JournalError, journalFile, readJournal } from './journal.ts';
import { junitXml } from './junit.ts';
import { requirementMatrix } from './matrix.ts';
import { summarize, summaryText } from './summary.ts';
import { aRun, brokenAmount, judge, passingExcept, someRequirements } from './synthetic-run.test.data.ts';
import { inSpecificationOrder } from './write-reports.ts';

/** A run with everything that a journal can hold. */
const { header, results, footer } = aRun({
  header: {
    profiles: { core: '1.0' },
    knownDeviations: [{ requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' }],
    notOffered: [{ what: 'sandbox', reason: 'production only' }],
    remarks: ['the clock is off'],
    fingerprints: { 'TLS of the bank': 'ab' },
    targetFile: '../bank.yaml',
    selection: '--only AMT-01',
    missingShards: ['3/3'],
    side: 'bank',
  },
  // The last one fails.
  results: passingExcept({
    'AMT-01': {
      ...brokenAmount,
      counterexample: { value: '{}', path: '1', control: '{}', changed: ['instructedAmount.amount'] },
      profiles: ['core'],
      journey: { id: 'status', mandatoryIn: ['core'] },
      requests: 3,
    },
  }),
});
const whole: readonly unknown[] = [
  { kind: 'header', format: 1, value: header },
  ...results.map((value) => ({ kind: 'result', value })),
  { kind: 'footer', value: { ...footer, blocker: 'the bank is silent', failuresAllowed: 1 } },
];

type Path = readonly (string | number)[];

/** Every place in a value, from the outside to the inside. */
function places(value: unknown, above: Path = []): Path[] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) =>
          places(member, [...above, Array.isArray(value) ? Number(name) : name]),
        )
      : [];
  return [above, ...inside];
}

function changed(value: unknown, [first, ...rest]: Path, put: unknown): unknown {
  if (first === undefined) return put;
  const inside = (value as Readonly<Record<string | number, unknown>>)[first];
  const next = changed(inside, rest, put);
  return Array.isArray(value)
    ? value.toSpliced(Number(first), 1, next)
    : { ...(value as object), [first]: next };
}

/** Left out, and of every type that JSON has. */
const strangers: readonly unknown[] = [
  undefined,
  null,
  -1e308,
  true,
  'toString',
  '+275760-09-13T00:00:00.000Z',
  [null],
  {},
];

/** Colours, a link, letters that turn around and that nobody sees, and a command in a line of its own. */
const hostile = 'x\u001b[31m\u001b]8;;http://evil\u001b\\\u202e\u200b\n::error::y\n##vso[task]z';
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const commanding = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]|^::error::|##vso\[/m;

function everyReport(run: RunRecord): void {
  const ordered = inSpecificationOrder(run, someRequirements);
  const outcome = judge(ordered);
  summaryText(summarize(ordered, outcome));
  junitXml(ordered, outcome);
  requirementMatrix(ordered, outcome, { report: false, certified: false, earlier: [] });
  certificatePage(ordered, outcome, undefined);
  matrixCsv(outcome);
  harOf(ordered);
  sarifOf(ordered, outcome, 'journal.ndjson');
  stepSummary(ordered, outcome);
  renderRun(ordered, outcome, { colour: false, width: 80 });
  for (const [, content] of allureFiles(ordered, outcome)) expect(content).toBeTypeOf('string');
}

const dir = testFolder();

describe('a journal of a stranger', () => {
  const read = (lines: readonly unknown[]): RunRecord => {
    writeFileSync(join(dir, journalFile), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return readJournal(dir);
  };

  test.each([1, whole.length - 1, whole.length])(
    'is reported, or called damaged, whatever is changed in line %i of it',
    (number) => {
      const line = whole[number - 1];
      for (const place of places(line)) {
        for (const stranger of strangers) {
          const told = `${place.join('.')} = ${JSON.stringify(stranger)}`;
          try {
            const run = read(whole.toSpliced(number - 1, 1, changed(line, place, stranger)));
            // What is passed over says nothing in any report.
            if (run.damagedLines === undefined) everyReport(run);
          } catch (error) {
            expect(error, told).toBeInstanceOf(JournalError);
          }
        }
      }
    },
  );

  test.each([1, whole.length - 1, whole.length])(
    'commands neither a terminal nor a build server, whatever line %i of it says',
    (number) => {
      const line = whole[number - 1];
      for (const place of places(line)) {
        let run: RunRecord;
        try {
          run = read(whole.toSpliced(number - 1, 1, changed(line, place, hostile)));
        } catch {
          continue;
        }
        const outcome = judge(run);
        const annotations = githubAnnotations(run, outcome);
        const told = [renderRun(run, outcome, { colour: false, width: 80 }), stepSummary(run, outcome)];
        for (const text of [...told, ...annotations]) expect(text, place.join('.')).not.toMatch(commanding);
        for (const text of annotations) expect(text).toMatch(/^::(?:error|warning|notice) title=.*$/);
      }
    },
  );

  test('is called damaged where another one follows it in the same file', () => {
    const [first, ...rest] = whole;
    const killed = [first, rest[0]];
    expect(read([...killed, ...whole])).toMatchObject({ damagedLines: [3] });
    expect(read([...whole, ...rest])).toMatchObject({
      damagedLines: rest.map((_, index) => whole.length + index + 1),
    });
  });
});

describe('a summary of a stranger', () => {
  test('is compared, or called no summary, whatever is changed in it', () => {
    const run = aRun({ results: [...results] });
    const good = summarize(run, judge(run));
    const file = join(dir, 'summary.json');
    for (const place of places(good)) {
      for (const stranger of [...strangers, { toString: 1, valueOf: 1 }]) {
        writeFileSync(file, JSON.stringify(changed(good, place, stranger)) ?? '');
        try {
          const compared = compareRuns(readSummary(file, someRequirements), good);
          comparisonText(compared, { colour: false, width: 80 });
          comparisonHtml(compared);
        } catch (error) {
          expect(error, `${place.join('.')} = ${JSON.stringify(stranger)}`).toBeInstanceOf(JournalError);
        }
      }
    }
  });
});
