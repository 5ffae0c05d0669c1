import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestResult } from 'allure-js-commons';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compliantDesign } from '../bank/compliant-design.ts';
import { allOf } from '../bank/design/design-changes.ts';
import { deviationById } from '../bank/deviations/index.ts';
import { placeChecks, runChecks } from '../checks/engine.ts';
import { allureFiles } from '../report/allure-results.ts';
import { judgeRun } from '../report/outcome.ts';
import { type EmbeddedBank, startEmbeddedBank } from '../runner/embedded-bank.ts';
import { embeddedPki } from '../runner/embedded-pki.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { openTarget } from '../runner/open-target.ts';
import { prepareRun } from '../runner/prepare-run.ts';
import { headerOf } from '../runner/run.ts';
import { requirements } from '../spec/catalogue.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const seed = 7;

/** Its cases are the requests of a run. A slow run has more of them: checks share a control for some seconds only. */
const observer = 'ERR-06';
/** One check for each way in which a check can end, and one that observes the others. */
const checkIds = ['DIG-01', 'DIG-03', 'DIG-06', 'SGH-03', 'NDC-63-any-pair', observer];
const deviations = ['DIG-03/unchecked', 'DIG-06/unchecked', 'SGH-03/unchecked'];

let bank: EmbeddedBank;
let folder: string;
let target: string;
beforeAll(async () => {
  const changes = deviations.flatMap((id) => deviationById.get(id)?.apply ?? []);
  bank = await startEmbeddedBank({
    pki: await embeddedPki(),
    design: allOf(...changes)(compliantDesign),
  });
  folder = await mkdtemp(join(tmpdir(), 'xs2a-vitest-'));
  target = join(folder, 'target.json');
  const knownDeviations = [{ requirement: 'DIG-06', reason: 'ticket 4711' }];
  await writeFile(target, JSON.stringify({ ...bank.description, knownDeviations }));
});
afterAll(async () => {
  await bank.close();
  await rm(folder, { recursive: true, force: true });
});

/** What our own reports say of these checks. */
async function resultsOfOurs(): Promise<readonly TestResult[]> {
  const opened = await openTarget(target, {});
  const planned = placeChecks(await loadSuites()).filter(({ check }) => checkIds.includes(check.id));
  const settings = { seed, runs: 10, repeatsPayments: true, command: 'npx xs2a-conformance run' };
  const { runContext } = await prepareRun(opened.target, settings);
  const results = await runChecks(planned, runContext);
  await runContext.close();
  const run = { header: headerOf(opened, { ...settings, planned }), results };
  const files = new Map(allureFiles(run, judgeRun(run, requirements)));
  return [...files].filter(([name]) => name.endsWith('-result.json')).map(([, text]) => JSON.parse(text));
}

interface VitestRun {
  readonly exitCode: number;
  readonly told: string;
  readonly results: readonly TestResult[];
}

/** A line for each of hundreds of checks that were left out would bury why a test of ours failed. */
const withoutSkipped = (told: string): string => told.replaceAll(/^ *↓ .*\n/gmu, '');

/** What a developer sees who runs the same checks with Vitest. */
async function runWithVitest(): Promise<VitestRun> {
  const { CI: _, ...environment } = process.env;
  const { exitCode, told } = await new Promise<Pick<VitestRun, 'exitCode' | 'told'>>((resolve) => {
    const child = execFile(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        ...['run', '--root', root, '--config', join(root, 'vitest.config.ts'), '--no-color'],
        ...['--project', 'conformance', '--testNamePattern', `(?:${checkIds.join('|')}) `],
      ],
      { cwd: folder, env: { ...environment, XS2A_TARGET: target, XS2A_SEED: String(seed) } },
      (_error, out, err) => resolve({ exitCode: child.exitCode ?? -1, told: withoutSkipped(out + err) }),
    );
  });
  const allure = join(folder, 'reports/conformance/allure-results');
  const names = (await readdir(allure)).filter((name) => name.endsWith('-result.json'));
  const results = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(allure, name), 'utf8')) as TestResult),
  );
  // Those that the pattern leaves out are skipped without ever being judged.
  return { exitCode, told, results: results.filter(({ testCaseId }) => testCaseId !== undefined) };
}

/** What has to be the same in both reports. */
const comparable = (results: readonly TestResult[], names: ReadonlySet<string>): object =>
  Object.fromEntries(
    results
      .map(({ testCaseId, historyId, name, status, statusDetails, labels, links, parameters }) => [
        testCaseId,
        {
          historyId,
          name,
          status,
          opening: statusDetails.message?.split('\n')[0],
          labels: labels
            .filter((label) => names.has(label.name))
            .map((label) => `${label.name}: ${label.value}`)
            .toSorted(),
          links,
          parameters: parameters
            .filter((parameter) => testCaseId !== observer || parameter.name !== 'cases')
            .map((parameter) => `${parameter.name}: ${parameter.value}`),
        },
      ])
      .toSorted(),
  );

describe('the suites as tests of Vitest', () => {
  it('give the verdicts, labels, links and ids of a run', { timeout: 300_000 }, async () => {
    const ours = await resultsOfOurs();
    const { exitCode, told, results } = await runWithVitest();
    const labelNames = new Set(ours.flatMap(({ labels }) => labels.map(({ name }) => name)));
    // Where and at which time a check ran is another matter in Vitest.
    for (const name of ['host', 'thread']) labelNames.delete(name);
    expect(ours.map(({ testCaseId }) => testCaseId).toSorted(), told).toEqual(checkIds.toSorted());
    expect(comparable(results, labelNames), told).toEqual(comparable(ours, labelNames));
    // One broken requirement fails; the declared one, the warning and what does not apply do not.
    expect(exitCode, told).toBe(1);
    expect(told).toMatch(/1 failed \| 3 passed \| \d+ skipped/);
    expect(told).toMatch(/Expected: .*a refusal \(4xx\).*\n.*Received: .*201/);
  });
});
