import { rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { AllureReport } from '@allurereport/core';
import AwesomePlugin, { type AwesomePluginOptions } from '@allurereport/plugin-awesome';
import type { RunRecord } from '../checks/verdict.ts';
import { modeOfRun } from '../target/bounded-file.ts';
import { allCategories, allureHistoryId, allureId, statusOf } from './allure-result.ts';
import type { AllureFile } from './allure-results.ts';
import type { Outcome } from './outcome.ts';
import { excusesOf } from './requirement-results.ts';
import { type HistoryPoint, linesOf } from './run-history.ts';
import { intervalOf } from './run-times.ts';
import { type AllureParts, sealedPage } from './sealed-html.ts';
import { writeWhole } from './write-files.ts';

/** Writes Allure's page of the run as one file that opens from the disk and asks for nothing but itself. */
export async function writeAllureHtml(
  run: RunRecord,
  outcome: Outcome,
  files: Iterable<AllureFile>,
  page: string,
  earlier: readonly HistoryPoint[],
): Promise<void> {
  const history = join(dirname(page), '.earlier-runs.jsonl');
  writeWhole(history, linesOf(allureHistory(earlier, run)));
  try {
    const parts = await generate(run, outcome, files, history, earlier.length === 0);
    // Removed, not emptied: it may be a link to anywhere.
    await rm(page, { force: true });
    await writeFile(page, sealedPage(parts, reportName(run, outcome)), { flag: 'wx', mode: modeOfRun });
  } finally {
    await rm(history, { force: true });
  }
}

/** The graphs that mean something here; a ring of passed checks does not, for one that failed is as good as many. */
const charts = [
  { type: 'statusDynamics', title: 'Trend over earlier runs of this target', limit: 20 },
  { type: 'testResultSeverities', title: 'By level: critical is must, normal is should, minor is advisory' },
  { type: 'successRateDistribution', title: 'By section of the specification' },
  // The names are an enum of a package that comes only with the plugin.
] as unknown as NonNullable<AwesomePluginOptions['charts']>;

/** The name of a report: what was judged, and how it ended. */
function reportName({ header }: RunRecord, { verdict, interrupted }: Outcome): string {
  const remark = interrupted ? ' (interrupted)' : '';
  return `${header.tool.name} — ${header.target.name}: ${verdict}${remark}`;
}

async function generate(
  run: RunRecord,
  outcome: Outcome,
  files: Iterable<AllureFile>,
  historyPath: string,
  isFirst: boolean,
): Promise<AllureParts> {
  const name = reportName(run, outcome);
  const options = {
    reportName: name,
    // Its files are caught in memory, and sealed.
    singleFile: false,
    // English, with dates as ISO 8601 writes them.
    reportLanguage: 'en-iso',
    groupBy: ['parentSuite', 'suite', 'subSuite'],
    theme: 'auto',
    charts,
    sections: ['charts', 'timeline'],
    // What failed first.
    defaultSortBy: 'status,asc',
  } satisfies AwesomePluginOptions;
  const written = new Map<string, string>();
  // Much is written twice, and kept once.
  const texts = new Map<string, string>();
  const once = (text: string): string => {
    if (!texts.has(text)) texts.set(text, text);
    return texts.get(text) ?? text;
  };
  const report = new AllureReport({
    name,
    // Nothing is written there.
    output: join(dirname(historyPath), '.allure-html'),
    open: false,
    port: undefined,
    reportFiles: {
      addFile: async (path, data) => {
        // Allure puts the id of the plugin before the paths that the page knows.
        written.set(path.replace(/^awesome\//, ''), once(data.toString('utf8')));
        return path;
      },
    },
    plugins: [
      { id: 'awesome', enabled: true, options, plugin: withoutPlace(new AwesomePlugin(options), name) },
    ],
    historyPath,
    appendHistory: false,
    // The same words as parentSuite, suite and subSuite; kept in the results for servers that group by them.
    hideLabels: ['epic', 'feature', 'story', 'host', 'thread'],
    resolutions: { rules: acceptedDeviations(run, outcome) },
    categories: {
      rules: allCategories.map(({ name: category, status, opening }) => ({
        name: category,
        matchers: { statuses: [status], message: new RegExp(`^${opening}\\b`) },
        groupByMessage: false,
        expand: true,
      })),
    },
  });
  await report.start();
  for (const [file, content] of files) await report.readResult(memoryFile(file, content));
  await refuseLoss(report, run);
  await forgetGuesses(report, isFirst);
  await report.done();
  written.set('widgets/timeline.json', timeline(run, written.get('widgets/timeline.json')));
  return partsOf(written);
}

/** Fonts of its own, packed already: a fifth of the page for letters that every system has. */
const fonts = /data:font\/woff2?;base64,[A-Za-z0-9+/=]+/g;

/** Takes what Allure wrote apart: its script, what the script is told, and the data. */
function partsOf(written: ReadonlyMap<string, string>): AllureParts {
  const app = [...written].find(([path]) => /(?:^|\/)app-[^/]*\.js$/.test(path))?.[1];
  const page = [...written].find(([path]) => path.endsWith('index.html'))?.[1] ?? '';
  const options = /window\.allureReportOptions = (.*)/.exec(page)?.[1];
  if (app === undefined || options === undefined) throw new Error('Allure generated no page.');
  // The script has the history of each check with the check, and asks for no whole runs.
  const data = [...written].filter(([path]) => /^(?:data\/(?!history\/)|widgets\/)/.test(path));
  return { app: app.replace(fonts, 'data:,'), options: JSON.parse(options), data: Object.fromEntries(data) };
}

/**
 * Of a first run Allure calls every check new, which says nothing; and flaky whatever had another verdict before, which is
 * the bank that changed and not the check.
 */
async function forgetGuesses({ store }: AllureReport, isFirst: boolean): Promise<void> {
  for (const result of await store.allTestResults({ includeRetries: true })) {
    result.flaky = false;
    if (isFirst) delete result.transition;
  }
}

type Plugin = InstanceType<typeof AwesomePlugin>;
type PluginContext = Parameters<NonNullable<Plugin['done']>>[0];

/**
 * Allure finds out in which job, repository and branch it runs, from a build server or from git, and would put their
 * names and addresses into a page that is handed to others.
 */
function withoutPlace(plugin: Plugin, reportName: string): Plugin {
  const placeless = ({ ci: _, ...context }: PluginContext): PluginContext => ({ ...context, reportName });
  const { start, done } = plugin;
  return Object.assign(plugin, {
    start: (context: PluginContext) => start(placeless(context)),
    done: (context: PluginContext, store: Parameters<typeof done>[1]) => done(placeless(context), store),
    info: async () => undefined,
  });
}

/** Allure passes over a file that it cannot read; a page that lacks a failure would look green. */
async function refuseLoss({ store }: AllureReport, { results }: RunRecord): Promise<void> {
  const shown = await store.allTestResults({ includeRetries: true });
  if (shown.length !== results.length) {
    throw new Error(`Allure read ${shown.length} of ${results.length} results`);
  }
}

/** Excused failures show as accepted, with the reason that the target file gives. */
const acceptedDeviations = ({ results }: RunRecord, outcome: Outcome) =>
  results
    .filter(({ id }) => outcome.excused.has(id))
    .map((result) => ({
      resolution: 'accepted' as const,
      testCaseId: [result.id],
      comment: excusesOf(result, outcome)
        .map(({ requirement, reason }) => `Known deviation from ${requirement}: ${reason}`)
        .join('; '),
    }));

/** A result file as Allure reads it. */
export type ResultFile = Parameters<AllureReport['readResult']>[0];

/** A result file that never was on the disk: reading thousands of small files back takes longer than all the rest. */
function memoryFile(name: string, text: string): ResultFile {
  const bytes = (): Buffer => Buffer.from(text, 'utf8');
  return {
    getOriginalFileName: () => name,
    getExtension: () => extname(name),
    getContentType: () => (name.endsWith('.json') ? 'application/json' : 'text/plain'),
    getContentLength: () => Buffer.byteLength(text),
    asJson: async () => JSON.parse(text),
    asUtf8String: async () => text,
    asBuffer: async () => bytes(),
    readContent: (transform) => transform(Readable.from(bytes())),
    writeTo: (path) => writeFile(path, text),
  };
}

/** The timeline shows when each check was under way; elsewhere its duration is its share of the run's time. */
function timeline({ header, results }: RunRecord, written = '[]'): string {
  const byId = new Map(results.map((result) => [allureId(header, result), intervalOf(result)]));
  const rows = JSON.parse(written) as { readonly id: string; readonly duration: number }[];
  return JSON.stringify(
    rows.map((row) => {
      const { start, stop } = byId.get(row.id) ?? { start: 0, stop: row.duration };
      return { ...row, duration: stop - start };
    }),
  );
}

/** The earlier runs as Allure reads them. What they are called comes from this run, so that none has to be kept. */
function allureHistory(earlier: readonly HistoryPoint[], { results }: RunRecord): readonly object[] {
  const names = new Map(results.map(({ id, title }) => [id, `${id} ${title}`]));
  return earlier.map(({ uuid, timestamp, verdict, checks }) => ({
    uuid,
    name: verdict,
    timestamp,
    knownTestCaseIds: [],
    metrics: {},
    url: '',
    testResults: Object.fromEntries(
      Object.entries(checks).map(([id, fell]) => {
        const historyId = allureHistoryId(id);
        const status = statusOf(fell);
        const name = names.get(id) ?? id;
        return [
          historyId,
          { id: historyId, historyId, name, status, start: timestamp, stop: timestamp, duration: 0, url: '' },
        ];
      }),
    ),
  }));
}
