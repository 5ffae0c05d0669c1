import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Globals, LabelName } from 'allure-js-commons';
import { stringifyEnvInfo } from 'allure-js-commons/sdk/reporter';
import type { RunHeader, RunRecord } from '../checks/verdict.ts';
import { modeOfRun } from '../target/bounded-file.ts';
import { allCategories, allureResult } from './allure-result.ts';
import { shortened } from './exchange-text.ts';
import type { Outcome } from './outcome.ts';
import { profileText } from './profile-results.ts';
import { sharesOfTime, slotsOf } from './run-times.ts';
import { asWriteError } from './write-files.ts';

/** One body in the report is never longer, and all of them together not much more than the second. */
const attachmentLimit = 64_000;
const attachmentBudget = 40_000_000;

/**
 * Writes the files to a folder, for Allure servers. It is emptied first: Allure would show what an earlier run left
 * there as retries. Files are written plainly: the SDK's own writer flushes each to the disk, which for thousands of
 * attachments takes longer than the run, and all of it can be made again from the journal.
 */
export function writeAllureResults(files: Iterable<AllureFile>, dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    for (const [name, content] of files) writeFileSync(join(dir, name), content, { mode: modeOfRun });
  } catch (error) {
    throw asWriteError(error);
  }
}

/** A file for Allure. */
export type AllureFile = readonly [name: string, content: string];

/** The run as Allure results, one file after the other: all together they would be as large as the run itself. */
export function* allureFiles(run: RunRecord, outcome: Outcome): Generator<AllureFile> {
  const limit = limitFor(run);
  const shares = sharesOfTime(run.results);
  const slots = slotsOf(run.results);
  for (const [index, result] of run.results.entries()) {
    const attachments: AllureFile[] = [];
    const attach = (text: string): string => {
      const name = `${index}-${attachments.length + 1}-attachment.txt`;
      attachments.push([name, shortened(text, limit)]);
      return name;
    };
    const converted = allureResult(result, run.header, outcome, attach);
    const { start = 0 } = converted;
    converted.stop = start + Math.round(shares.get(result.id) ?? 0);
    converted.labels.push(
      // Not the name of this machine, which concerns nobody.
      { name: LabelName.HOST, value: run.header.tool.name },
      { name: LabelName.THREAD, value: `slot ${String(slots.get(result.id) ?? 1).padStart(2, '0')}` },
    );
    yield* attachments;
    yield [`${index}-${converted.uuid}-result.json`, JSON.stringify(converted)];
  }
  yield ['run-globals.json', JSON.stringify(globalsOf(run, outcome))];
  yield ['environment.properties', stringifyEnvInfo(environmentOf(run.header, outcome))];
  yield ['categories.json', JSON.stringify(categoryDefinitions())];
}

/** What concerns the whole run stands in Allure's global errors. */
function globalsOf({ header }: RunRecord, { problems }: Outcome): Globals {
  const timestamp = Date.parse(header.startedAt);
  return { attachments: [], errors: problems.map((message) => ({ message, timestamp })) };
}

/** For Allure servers that read the results; our own page has the categories from its configuration. */
function categoryDefinitions(): readonly object[] {
  return allCategories.map(({ name, status, opening }) => ({
    name,
    matchedStatuses: [status],
    messageRegex: `^${opening}[\\s\\S]*`,
  }));
}

/** What the verdict depends on besides the bank, for the page's environment table. */
function environmentOf(
  header: RunHeader,
  { verdict, profiles, notBinding }: Outcome,
): Record<string, string> {
  const readings = Object.entries(header.interpretations).map(
    ([id, value]) => [`Interpretation ${id}`, value] as const,
  );
  return {
    Verdict: verdict,
    ...(header.insecure === true ? { 'TLS of the bank': 'not verified (tls.insecure)' } : {}),
    Target: header.target.name,
    'Base URL': header.target.baseUrl,
    Environment: header.target.environment,
    Tool: `${header.tool.name} ${header.tool.version}`,
    Catalogue: header.catalogue,
    // A certification judges what a TPP sent, and draws nothing.
    ...(header.side === 'tpp'
      ? {}
      : { Seed: String(header.seed), 'Cases per property': String(header.runs) }),
    Started: header.startedAt,
    ...(header.selection === undefined ? {} : { Selection: header.selection }),
    ...(header.remarks === undefined ? {} : { Remarks: header.remarks.join(' ') }),
    ...Object.fromEntries(profiles.map((profile) => [`Profile ${profile.id}`, profileText(profile)])),
    ...Object.fromEntries(notBinding.map(({ what, why }) => [`Not binding ${what}`, why])),
    ...Object.fromEntries(readings),
  };
}

function limitFor({ results }: RunRecord): number {
  const attachments = results.reduce((sum, { exchanges }) => sum + 2 * exchanges.length, 0);
  return Math.max(1_000, Math.min(attachmentLimit, Math.floor(attachmentBudget / Math.max(1, attachments))));
}
