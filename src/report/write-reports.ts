import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { KillScores } from '../checks/proof-findings.ts';
import type { CheckResult, RunHeader, RunRecord } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import { type AllureFile, allureFiles, writeAllureResults } from './allure-results.ts';
import { type Attesting, attestedBy } from './attestation.ts';
import { readRun } from './attested-run.ts';
import { badge, certificatePage, whyNoCertificate } from './certificate.ts';
import { junitXml } from './junit.ts';
import { requirementMatrix } from './matrix.ts';
import type { Language } from './matrix-words.ts';
import { judgeRun, type Outcome } from './outcome.ts';
import { reportPage } from './report-page.ts';
import { type HistoryPoint, pointOf, readEarlierRuns, rememberRun } from './run-history.ts';
import { summarize, summaryText } from './summary.ts';
import { type WholeOfVersion, whyNotOurs } from './whole-run.ts';
import { writeWhole } from './write-files.ts';

export interface ReportOptions {
  readonly requirements: readonly Requirement[];
  /** Given where a run may come from anybody: one that leaves out a check of its version is no whole. */
  readonly whole?: WholeOfVersion;
  /** Whether to write `report.html`, and `allure.html` with it; everything else is always written. */
  readonly html: boolean;
  /** Whether to write `allure.html`, which takes longer than all the rest: of a whole run unless told otherwise. */
  readonly allure?: boolean;
  readonly killScores?: KillScores;
  /** Is told the verdict as soon as what programs wait for is written; the page takes its time. */
  readonly onVerdict?: (run: RunRecord, outcome: Outcome, paths: { readonly summary: string }) => void;
  /** Where the earlier runs of the same target are kept; next to the run folder when absent. */
  readonly history?: string;
  /** False where nothing is written outside the folder of the run: the earlier runs are read, and this one is not added. */
  readonly remembers?: false;
  /** Whether to leave the results for Allure servers as well: thousands of files. */
  readonly allureResults?: boolean;
  /** The language of the fixed words of `requirements.html`; English unless given. */
  readonly language?: Language;
  /** Given when the run is attested right after this: by whose key, if any. The pages tell it. */
  readonly attestation?: Attesting;
  /** How a check is run again, told by whoever has just run it: a folder of others does not say what to type. */
  readonly commandFor?: (id: string, header: RunHeader) => string;
}

export interface ReportPaths {
  readonly journal: string;
  readonly summary: string;
  readonly junit: string;
  readonly matrix: string;
  /** Absent when they were not asked for. */
  readonly allureResults?: string;
  /** Absent when it was not asked for. */
  readonly html?: string;
  /** Absent when it was not asked for, or could not be generated. */
  readonly allure?: string;
  /** Only of a conformant run of the whole, as is the badge. */
  readonly certificate?: string;
  readonly badge?: string;
}

export interface WrittenReports {
  readonly run: RunRecord;
  readonly outcome: Outcome;
  readonly paths: ReportPaths;
  /** Why there is no certificate, as a part of a sentence. */
  readonly notCertified?: string;
  /** Why there is no page of Allure, as a sentence; the other reports stand. */
  readonly allureProblem?: string;
  /** Why the run is not in the history of its target, as a sentence. */
  readonly historyProblem?: string;
}

/** Builds every report of a run folder from its journal, whether the run ended, was interrupted or killed. */
export async function writeReports(dir: string, options: ReportOptions): Promise<WrittenReports> {
  const recorded = readRun(dir, options.whole);
  const { commandFor } = options;
  const inOrder = inSpecificationOrder(recorded, options.requirements);
  const run =
    commandFor === undefined
      ? inOrder
      : {
          ...inOrder,
          results: inOrder.results.map((result) => ({
            ...result,
            reproduce: commandFor(result.id, inOrder.header),
          })),
        };
  const outcome = judgeRun(run, options.requirements);
  const place = (name: string): string => resolve(dir, name);
  const paths = {
    journal: place('journal.ndjson'),
    summary: place('summary.json'),
    junit: place('junit.xml'),
    matrix: place('requirements.html'),
  };
  const page = place('report.html');
  const allurePage = place('allure.html');
  const allureResults = place('allure-results');
  const certification = { certificate: place('certificate.html'), badge: place('badge.svg') };
  // What an earlier run left here must not pass for the reports of this one.
  for (const path of [page, allurePage, ...Object.values(certification)]) await rm(path, { force: true });
  await rm(allureResults, { recursive: true, force: true });
  // First what programs wait for: should the process be killed now, a gate can still be decided.
  writeWhole(paths.summary, summaryText(summarize(run, outcome)));
  writeWhole(paths.junit, junitXml(run, outcome));
  options.onVerdict?.(run, outcome, paths);
  const history = options.history ?? historyPath(dir, run);
  const point = pointOf(run, outcome);
  // Whether a run of another version is whole, nobody here knows.
  const notOurs = options.whole === undefined ? undefined : whyNotOurs(run.header, options.whole);
  const notCertified = notOurs ?? whyNoCertificate(run, outcome);
  const certified = notCertified === undefined;
  const earlier = readEarlierRuns(history, point);
  const beside = {
    certified,
    ...(options.attestation === undefined
      ? {}
      : {
          attested: attestedBy(dir, recorded, options.requirements, options.attestation),
        }),
  };
  // Of a part, or of a run that never began, nobody waits for what takes seconds.
  const isWhole = run.header.selection === undefined && run.results.length > 0;
  const isAllureWanted = options.html && (options.allure ?? isWhole);
  if (options.html) writeWhole(page, reportPage(run, outcome, { ...beside, allure: isAllureWanted }));
  writeWhole(
    paths.matrix,
    requirementMatrix(run, outcome, {
      report: options.html,
      earlier,
      ...beside,
      ...(options.language === undefined ? {} : { language: options.language }),
      ...(options.killScores === undefined ? {} : { killScores: options.killScores }),
    }),
  );
  if (certified) {
    writeWhole(certification.certificate, certificatePage(run, outcome, beside.attested));
    writeWhole(certification.badge, badge(run, outcome));
  }
  const files = (): Iterable<AllureFile> => allureFiles(run, outcome);
  if (options.allureResults === true) writeAllureResults(files(), allureResults);
  // Last, for it takes longer than all the others together: who kills the process now has them.
  const allureProblem = isAllureWanted
    ? await writeAllurePage(run, outcome, files(), allurePage, earlier)
    : undefined;
  const hasAllure = isAllureWanted && allureProblem === undefined;
  if (allureProblem !== undefined) writeWhole(page, reportPage(run, outcome, beside));
  const historyProblem = options.remembers === false ? undefined : remember(history, point, outcome);
  return {
    run,
    outcome,
    paths: {
      ...paths,
      ...(options.allureResults === true ? { allureResults } : {}),
      ...(options.html ? { html: page } : {}),
      ...(hasAllure ? { allure: allurePage } : {}),
      ...(certified ? certification : {}),
    },
    ...(notCertified === undefined ? {} : { notCertified }),
    ...(allureProblem === undefined ? {} : { allureProblem }),
    ...(historyProblem === undefined ? {} : { historyProblem }),
  };
}

/** A part of the checks, or a run cut short, would draw a dent into the trend that the bank did not make. */
function remember(history: string, point: HistoryPoint, { part, interrupted }: Outcome): string | undefined {
  if (part !== undefined || interrupted) return undefined;
  try {
    rememberRun(history, point);
    return undefined;
  } catch (error) {
    return `The history of the target could not be written (${messageOf(error)}). The reports stand.`;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The history of a target, next to its run folders: `reports/history/my-bank-sandbox.jsonl`. */
export function historyPath(dir: string, { header }: RunRecord): string {
  const name = header.target.name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
  return join(dirname(resolve(dir)), 'history', `${name === '' ? 'target' : name}.jsonl`);
}

async function writeAllurePage(
  run: RunRecord,
  outcome: Outcome,
  files: Iterable<AllureFile>,
  page: string,
  earlier: readonly HistoryPoint[],
): Promise<string | undefined> {
  try {
    // Loaded only here: Allure's libraries take a while, and a run without them should not wait.
    const { writeAllureHtml } = await import('./allure-html.ts');
    await writeAllureHtml(run, outcome, files, page, earlier);
    return undefined;
  } catch (error) {
    await rm(page, { force: true });
    return `The page of Allure could not be generated (${messageOf(error)}). The other reports stand; build it again with the command report.`;
  }
}

const byIdNumber = new Intl.Collator('en', { numeric: true });

/**
 * Puts the results into the order of the specification: suites by their first requirement in the catalogue,
 * checks by id. Verdicts fall in any order, and shards in another; the reports must not differ for that.
 */
export function inSpecificationOrder(run: RunRecord, requirements: readonly Requirement[]): RunRecord {
  const position = new Map(requirements.map(({ id }, index) => [id, index]));
  const suitePosition = new Map<string, number>();
  for (const { suite, requirements: cited } of run.results) {
    const first = Math.min(...cited.map((id) => position.get(id) ?? Number.MAX_SAFE_INTEGER));
    suitePosition.set(suite.id, Math.min(first, suitePosition.get(suite.id) ?? Number.MAX_SAFE_INTEGER));
  }
  const rank = ({ suite }: CheckResult): number => suitePosition.get(suite.id) ?? Number.MAX_SAFE_INTEGER;
  const results = run.results.toSorted(
    (a, b) =>
      rank(a) - rank(b) || byIdNumber.compare(a.suite.id, b.suite.id) || byIdNumber.compare(a.id, b.id),
  );
  return { ...run, results };
}
