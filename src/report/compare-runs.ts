import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { verdicts } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import { flag, listOf, mapOf, members, number, oneOf, optional, text } from '../spec/shape.ts';
import { Redactor } from '../tpp/redaction.ts';
import { JournalError, journalFile, readJournal } from './journal.ts';
import { judgeRun } from './outcome.ts';
import type { RequirementVerdict } from './requirement-results.ts';
import { type Summary, type SummaryCheck, type SummaryRequirement, summarize } from './summary.ts';

/** No summary of a run is larger. */
const mostBytes = 256 * 1024 * 1024;

/** The summary of a run: of a file, or of a run folder, made of its journal where the folder has none yet. */
export function readSummary(place: string, requirements: readonly Requirement[]): Summary {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) throw unusable(place, 'there is nothing of that name');
  if (found.isFile()) return parsed(place);
  const file = join(place, 'summary.json');
  if (existsSync(file)) return parsed(file);
  if (!existsSync(join(place, journalFile))) throw unusable(place, 'it holds no run');
  const run = readJournal(place);
  return summarize(run, judgeRun(run, requirements));
}

function parsed(file: string): Summary {
  const found = statSync(file);
  if (!found.isFile() || found.size > mostBytes) throw unusable(file, 'it is no summary of a run');
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    // It may come from anybody, and be shown to anybody.
    if (isSummary(value)) return new Redactor().value(value);
  } catch (cause) {
    throw unusable(file, 'it is not JSON', { cause });
  }
  throw unusable(file, 'it is no summary of a run');
}

const unusable = (place: string, why: string, options?: ErrorOptions): JournalError =>
  new JournalError(
    place,
    `${place} cannot be read: ${why}. Give a run folder, or its summary.json.`,
    options,
  );

const verdict = oneOf('not-tested', ...verdicts);

/** What a comparison relies on. Runs of earlier versions are compared as well, and lack what came later. */
const hasShape = members({
  tool: members({ name: optional(text), version: optional(text) }),
  catalogue: text,
  target: members({ name: text, baseUrl: text, environment: optional(text) }),
  verdict: text,
  startedAt: text,
  seed: optional(number),
  runs: optional(number),
  selection: optional(text),
  interrupted: optional(flag),
  interpretations: optional(mapOf(text)),
  profiles: optional(listOf(members({ id: text, version: text }))),
  checks: listOf(
    members({
      id: text,
      verdict,
      requirements: listOf(text),
      excused: optional(flag),
      expected: optional(text),
      actual: optional(text),
      reason: optional(text),
    }),
  ),
  requirements: listOf(members({ id: text, statement: text, verdict })),
});

const isSummary = (value: unknown): value is Summary => hasShape(value);

/** What became of a requirement from one run to the next, worst first. */
export const changes = [
  'broke',
  'excused',
  'still-broken',
  'became-unjudged',
  'warns-now',
  'healed',
  'warns-no-longer',
  'became-judged',
  'never-exercised',
] as const;
export type Change = (typeof changes)[number];

/** What each of them means, as a heading. */
export const changeTitles: Readonly<Record<Change, string>> = {
  broke: 'Broke: fails now and did not before',
  excused: 'Fails now as a known deviation',
  'still-broken': 'Still broken: fails in both',
  'became-unjudged': 'Became unjudged: was judged before and is not any more',
  'warns-now': 'Warns now',
  healed: 'Healed: failed before and holds now',
  'warns-no-longer': 'Warns no longer',
  'became-judged': 'Became judged: holds, and was not judged before',
  'never-exercised': 'Never exercised: judged in neither run',
};

export interface RequirementChange {
  readonly id: string;
  readonly statement: string;
  readonly change: Change;
  readonly before: RequirementVerdict;
  readonly after: RequirementVerdict;
  /** The checks of the later run that show it. */
  readonly checks: readonly ShowingCheck[];
}

export interface ShowingCheck {
  readonly id: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly reason?: string;
}

/** One of the two runs, as a comparison names it. */
export interface ComparedRun {
  readonly name: string;
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly verdict: Summary['verdict'];
  readonly tool: Summary['tool'];
  readonly catalogue: string;
  /** What the cases were drawn from; a certification draws none. */
  readonly seed?: number;
  readonly selection?: string;
}

export interface Comparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** Whether something broke that no known deviation excuses. */
  readonly broke: boolean;
  /** What else differs between the runs, so that a change need not be the bank's; a sentence each. */
  readonly differences: readonly string[];
  readonly counts: Readonly<Record<Change, number>>;
  readonly requirements: readonly RequirementChange[];
}

/** Compares two runs requirement by requirement. Those that hold in both are not listed. */
export function compareRuns(before: Summary, after: Summary): Comparison {
  const earlier = new Map(before.requirements.map((requirement) => [requirement.id, requirement]));
  const later = new Map(after.requirements.map((requirement) => [requirement.id, requirement]));
  const all = [...later.values(), ...before.requirements.filter(({ id }) => !later.has(id))];
  const requirements = all
    .flatMap((requirement) => changeOf(requirement, earlier, later, after.checks))
    .toSorted((one, other) => changes.indexOf(one.change) - changes.indexOf(other.change));
  const count = (wanted: Change): number => requirements.filter(({ change }) => change === wanted).length;
  return {
    before: comparedRun(before),
    after: comparedRun(after),
    broke: count('broke') > 0,
    differences: differencesOf(before, after),
    counts: Object.fromEntries(changes.map((change) => [change, count(change)])) as Record<Change, number>,
    requirements,
  };
}

const judged: readonly RequirementVerdict[] = ['pass', 'warning', 'fail'];

function changeOf(
  { id, statement, unobservable }: SummaryRequirement,
  earlier: ReadonlyMap<string, SummaryRequirement>,
  later: ReadonlyMap<string, SummaryRequirement>,
  checks: readonly SummaryCheck[],
): readonly RequirementChange[] {
  const before = earlier.get(id)?.verdict ?? 'not-tested';
  const after = later.get(id)?.verdict ?? 'not-tested';
  const own = checks.filter((check) => check.requirements.includes(id));
  const change = kindOf(before, after, own);
  if (change === undefined || (change === 'never-exercised' && unobservable !== undefined)) return [];
  const showing = own.filter(({ verdict }) => verdict === after && after !== 'pass').map(showingCheck);
  return [{ id, statement, change, before, after, checks: showing.slice(0, 20) }];
}

function kindOf(
  before: RequirementVerdict,
  after: RequirementVerdict,
  checks: readonly SummaryCheck[],
): Change | undefined {
  if (after === 'fail') {
    if (before === 'fail') return 'still-broken';
    const failing = checks.filter(({ verdict }) => verdict === 'fail');
    return failing.length > 0 && failing.every(({ excused }) => excused) ? 'excused' : 'broke';
  }
  const [wasJudged, isJudged] = [judged.includes(before), judged.includes(after)];
  if (!isJudged) return wasJudged ? 'became-unjudged' : 'never-exercised';
  if (before === 'fail') return 'healed';
  if (after === 'warning' && before !== 'warning') return 'warns-now';
  if (!wasJudged) return 'became-judged';
  return before === 'warning' && after === 'pass' ? 'warns-no-longer' : undefined;
}

const showingCheck = ({ id, expected, actual, reason }: SummaryCheck): ShowingCheck => ({
  id,
  ...(expected === undefined ? {} : { expected }),
  ...(actual === undefined ? {} : { actual }),
  ...(reason === undefined ? {} : { reason }),
});

const comparedRun = ({
  target,
  startedAt,
  verdict,
  tool,
  catalogue,
  seed,
  side,
  selection,
}: Summary): ComparedRun => ({
  name: target.name,
  baseUrl: target.baseUrl,
  startedAt,
  verdict,
  tool,
  catalogue,
  ...(side === 'tpp' ? {} : { seed }),
  ...(selection === undefined ? {} : { selection }),
});

/** A difference in what was asked may explain a difference in what was found. */
function differencesOf(before: Summary, after: Summary): readonly string[] {
  const facts: readonly (readonly [string, (summary: Summary) => unknown])[] = [
    ['name of the target', ({ target }) => target.name],
    ['address', ({ target }) => target.baseUrl],
    ['environment', ({ target }) => target.environment],
    ['version of the tool', ({ tool }) => tool.version],
    ['catalogue', ({ catalogue }) => catalogue],
    ['profiles', ({ profiles = [] }) => profiles.map(({ id, version }) => `${id} ${version}`).join(', ')],
    ['part that was judged', ({ selection }) => selection ?? 'everything'],
    ['cases of each property', ({ runs }) => runs],
    ['interrupted', ({ interrupted }) => (interrupted ? 'yes' : 'no')],
  ];
  const told = facts.flatMap(([name, of]) => {
    const [one, other] = [of(before), of(after)];
    return isDeepStrictEqual(one, other) ? [] : [`${name}: ${String(one)} before, ${String(other)} now`];
  });
  const readings = new Set([
    ...Object.keys(before.interpretations ?? {}),
    ...Object.keys(after.interpretations ?? {}),
  ]);
  return [
    ...told,
    ...[...readings].flatMap((id) => {
      const [one, other] = [before.interpretations?.[id], after.interpretations?.[id]];
      return one === other ? [] : [`reading ${id}: ${one ?? 'none'} before, ${other ?? 'none'} now`];
    }),
  ];
}
