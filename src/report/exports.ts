import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { type Exchange, type HeaderLine, headerValue } from '../tpp/exchange.ts';
import type { Cause } from './causes.ts';
import { oneShortLine, terminalJson, withoutLinks } from './harmless-text.ts';
import { runDuration } from './journal.ts';
import type { Outcome } from './outcome.ts';
import { effortOf } from './run-times.ts';
import { changeLines } from './shown-changes.ts';

/** The requirement matrix for spreadsheets (RFC 4180): one row for each requirement. */
export function matrixCsv({ requirements, excused }: Outcome): string {
  const rows = requirements.map(({ requirement, verdict, checks }) => {
    const showing = checks.find((check) => check.verdict === verdict && check.verdict !== 'pass');
    const failing = checks.filter((check) => check.verdict === 'fail');
    return [
      requirement.id,
      requirement.section.join(' / '),
      requirement.level,
      requirement.profiles.join(' '),
      requirement.statement,
      verdict,
      failing.length > 0 && failing.every(({ id }) => excused.has(id)) ? 'yes' : 'no',
      checks.map(({ id }) => id).join(' '),
      showing?.expected ?? '',
      showing?.actual ?? '',
      showing?.reason ?? requirement.unobservable ?? '',
    ];
  });
  return [headings, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

const headings = [
  'requirement',
  'section',
  'level',
  'profiles',
  'statement',
  'verdict',
  'known deviation',
  'checks',
  'expected',
  'actual',
  'reason',
];

/** Longer ones are in the journal; a spreadsheet has no use for them. */
const longest = 4_000;

/**
 * In quotes throughout. What begins like a formula is kept from being one: a bank's answer must not run anything in the
 * spreadsheet of whoever opens it. Some read the wide signs of East Asian keyboards as well, and skip white space.
 */
const cell = (text: string): string =>
  `"${oneShortLine(text, longest)
    .replace(/^(?=[\s\p{C}]*[=+\-@＝＋－＠])/u, "'")
    .replaceAll('"', '""')}"`;

/**
 * The evidence of a run as an HTTP archive (HAR 1.2), which browsers and proxies open. Each check is a page, its
 * exchanges are the entries of that page.
 */
export function harOf({ header, results }: RunRecord): string {
  const shown = results.filter(({ exchanges }) => exchanges.length > 0);
  const har = {
    log: {
      version: '1.2',
      creator: { name: header.tool.name, version: header.tool.version },
      pages: shown.map(({ id, title, startedAt, verdict }) => ({
        id,
        title: `${id} ${verdict}: ${title}`,
        startedDateTime: startedAt,
        pageTimings: {},
      })),
      entries: shown.flatMap((result) => result.exchanges.map((exchange) => entryOf(result, exchange))),
    },
  };
  return `${terminalJson(har, 1)}\n`;
}

function entryOf({ id }: CheckResult, exchange: Exchange): object {
  const { request, response, startedAt, durationMs, purpose, attempt, trouble } = exchange;
  const remarks = [
    purpose,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(trouble === undefined ? [] : [trouble.message]),
  ];
  return {
    pageref: id,
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      method: request.method,
      url: asUri(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: request.headers.map(pairOf),
      queryString: queryOf(request.url),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body),
      ...(request.body === '' ? {} : { postData: { mimeType: typeOf(request.headers), text: request.body } }),
    },
    // Without an answer the status is 0, as browsers have it.
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: (response?.headers ?? []).map(pairOf),
      content: {
        size: Buffer.byteLength(response?.body ?? ''),
        mimeType: typeOf(response?.headers ?? []),
        text: response?.body ?? '',
      },
      redirectURL: headerValue(response?.headers ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: response === undefined ? -1 : Buffer.byteLength(response.body),
    },
    cache: {},
    // Only the whole is known: it is told as waiting.
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: remarks.filter((remark) => remark !== '').join(', '),
  };
}

/** Pseudonyms in a query hold spaces and brackets, and a fault may hold anything; a URI does not (RFC 3986). */
const asUri = (url: string): string =>
  url
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/%(?![0-9a-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/giu, (sign) => encodeURIComponent(sign));

const pairOf = ([name, value]: HeaderLine): object => ({ name, value });

const typeOf = (headers: readonly HeaderLine[]): string =>
  headerValue(headers, 'content-type') ?? 'application/octet-stream';

const queryOf = (url: string): readonly object[] =>
  URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];

/**
 * What keeps a run from being conformant, and its warnings, as SARIF 2.1.0 for code hosts. `location` is the file that
 * they are shown at, which code hosts demand: the target file of the bank.
 */
export function sarifOf(run: RunRecord, outcome: Outcome, location: string): string {
  const { header, results } = run;
  const shown = results.filter(({ verdict }) => verdict in kinds);
  const rules = outcome.requirements.filter(({ requirement }) =>
    shown.some(({ requirements: [own] }) => own === requirement.id),
  );
  const started = Date.parse(header.startedAt);
  const end = Number.isNaN(started) ? undefined : new Date(started + runDuration(run)).toISOString();
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: header.tool.name,
            version: header.tool.version,
            rules: rules.map(
              ({ requirement: { id, statement, level, section, profiles, remedies = [] } }) => ({
                id,
                shortDescription: { text: statement },
                ...(remedies.length === 0
                  ? {}
                  : { help: { text: remedies.map(({ cause, remedy }) => `${cause} ${remedy}`).join('\n') } }),
                defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
                properties: { level, section: section.join(' / '), tags: [...profiles] },
              }),
            ),
          },
        },
        automationDetails: { id: `${header.target.name}/` },
        invocations: [
          {
            executionSuccessful: outcome.counts.error === 0 && !outcome.interrupted,
            exitCode: outcome.exitCode,
            startTimeUtc: header.startedAt,
            ...(end === undefined ? {} : { endTimeUtc: end }),
            toolExecutionNotifications: results
              .filter(({ verdict }) => verdict === 'error')
              .map(({ id, reason = '' }) => ({
                level: 'error',
                message: { text: withoutLinks(oneShortLine(`${id}: ${reason}`, 2_000)) },
              })),
          },
        ],
        results: shown.map((result) =>
          resultOf(
            result,
            rules.findIndex(({ requirement }) => requirement.id === result.requirements[0]),
            outcome,
            location,
          ),
        ),
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
  return `${terminalJson(sarif)}\n`;
}

/** What SARIF calls our verdicts. Where the kind is not `fail`, its level has to be `none`. */
const kinds: Readonly<Record<string, { readonly kind: string; readonly level: string }>> = {
  fail: { kind: 'fail', level: 'error' },
  warning: { kind: 'fail', level: 'warning' },
  inconclusive: { kind: 'open', level: 'none' },
};

function resultOf(result: CheckResult, ruleIndex: number, outcome: Outcome, location: string): object {
  const { id, title, requirements, reason, expected, actual, reproduce, verdict } = result;
  const [own = id] = requirements;
  const told =
    expected === undefined ? (reason ?? verdict) : `Expected ${expected}, actual: ${actual ?? 'nothing'}.`;
  const known = outcome.knownDeviations.find(({ requirement }) => requirement === own);
  return {
    ruleId: own,
    ...(ruleIndex < 0 ? {} : { ruleIndex }),
    ...kinds[verdict],
    message: {
      text: `${withoutLinks(`${oneShortLine(title, 400)}. ${oneShortLine(told, 1_000)}`)}\n${oneShortLine(reproduce, 1_000).replaceAll('](', '] (')}`,
    },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: encodeURI(location) }, region: { startLine: 1 } },
        logicalLocations: [{ name: id, fullyQualifiedName: `${result.suite.id}/${id}`, kind: 'member' }],
      },
    ],
    // The same failure of the next run is the same alert.
    partialFingerprints: { 'checkId/v1': id },
    ...(outcome.excused.has(id)
      ? {
          suppressions: [
            { kind: 'external', justification: oneShortLine(known?.reason ?? 'known deviation', 400) },
          ],
        }
      : {}),
  };
}

/** A code host takes a megabyte of summary; nobody reads more causes than these. */
const mostCauses = 25;

/**
 * A run in Markdown, for the summary page that a code host shows of a job, for a ticket, and for the terminal: lists and no
 * tables, whose cells nobody can read there.
 */
export function stepSummary(run: RunRecord, outcome: Outcome): string {
  const { header } = run;
  const { causes, excused } = outcome;
  // What is a known deviation, and what is an error of this tool.
  const others = run.results.filter(({ id, verdict }) => verdict === 'error' || excused.has(id));
  const counts = Object.entries(outcome.counts).filter(([, count]) => count > 0);
  return [
    `## ${marks[outcome.verdict]} ${plain(header.target.name, 200)}: ${outcome.verdict}`,
    `${counts.map(([verdict, count]) => `${count} ${verdict.replace('-', ' ')}`).join(', ') || 'no check was judged'} (${effortOf(run)})`,
    ...(outcome.part === undefined
      ? []
      : [`Only a part was judged (${plain(outcome.part, 200)}): it says nothing about the rest.`]),
    ...listOf(outcome.problems.map((problem) => plain(problem, 600))),
    '### Profiles',
    ...listOf(
      outcome.profiles.map(
        ({ id, version, verdict, judged, binding }) =>
          `${plain(`${id} ${version}`, 80)}: ${verdict}, ${judged} of ${binding} requirements judged`,
      ),
    ),
    ...(causes.length === 0 ? [] : ['### Causes']),
    ...causes.slice(0, mostCauses).flatMap(causeOf),
    ...(causes.length > mostCauses ? [`${causes.length - mostCauses} more causes are in the report.`] : []),
    ...(others.length === 0 ? [] : ['### Other failures']),
    ...others.slice(0, mostCauses).flatMap((result) => failureOf(result, outcome)),
  ]
    .join('\n\n')
    .concat('\n');
}

const listOf = (items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [items.map((item) => `- ${item}`).join('\n')];

const marks: Readonly<Record<Outcome['verdict'], string>> = {
  conformant: '✅',
  'non-conformant': '❌',
  incomplete: '⚠️',
  partial: '➖',
};

function causeOf({ sentence, requirements, checks, leading, remedies }: Cause): readonly string[] {
  const ids = (all: readonly { readonly id: string }[]): string =>
    `${all
      .slice(0, 8)
      .map(({ id }) => plain(id, 80))
      .join(', ')}${all.length > 8 ? ` and ${all.length - 8} more` : ''}`;
  return [
    `**${plain(sentence, 400)}**`,
    ...listOf([
      `Breaks: ${ids(requirements)}`,
      `Fails: ${ids([leading, ...checks.filter((check) => check !== leading)])}`,
      ...toldOf(leading),
      ...remedies.slice(0, 1).map(({ remedy }) => `Remedy: ${plain(remedy, 400)}`),
    ]),
  ];
}

function failureOf(result: CheckResult, { excused }: Outcome): readonly string[] {
  const known = excused.has(result.id) ? ' (known deviation)' : '';
  return [`**${plain(result.id, 80)}** ${plain(result.title, 300)}${known}`, ...listOf(toldOf(result))];
}

const toldOf = (result: CheckResult): readonly string[] => [
  ...(result.expected === undefined ? [] : [`Expected: ${plain(result.expected, 300)}`]),
  `Actual: ${plain(result.actual ?? result.reason ?? 'nothing', 300)}`,
  ...changeLines(result, 120).map((line) => `Changed: ${plain(line, 500)}`),
];

/**
 * Text of anybody: words that could be markup, a link or a mention stand as code, in which nothing is. The others are read as
 * they are.
 */
const plain = (text: string, limit: number): string =>
  withoutLinks(
    oneShortLine(text, limit).replace(
      /\S*(?:[\\`*_{}[\]<>|~#!@&$"]|:\/\/|www\.|:\w+:)\S*(?: \S*(?:[\\`*_{}[\]<>|~#!@&$"]|:\/\/|www\.|:\w+:)\S*)*/gi,
      (words) => {
        const longest = Math.max(0, ...(words.match(/`+/g) ?? []).map((run) => run.length));
        const ticks = '`'.repeat(longest + 1);
        return longest === 0 ? `${ticks}${words}${ticks}` : `${ticks} ${words} ${ticks}`;
      },
    ),
  );
