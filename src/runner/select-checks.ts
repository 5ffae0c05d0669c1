import { type Check, type CheckDescription, requirementsOf } from '../checks/check.ts';
import type { PlacedCheck } from '../checks/engine.ts';
import { partOfOrder, withinBudget } from '../checks/proof-findings.ts';
import { selectionText } from '../report/merge-journals.ts';
import type { Shard } from '../report/shard.ts';
import { requirementById } from '../spec/catalogue.ts';
import { interpretationList } from '../spec/interpretations.ts';
import { profileIds } from '../spec/profiles.ts';
import { nearest } from '../target/nearest.ts';
import type { Pace } from '../target/pace.ts';
import type { Budget } from '../tpp/pace.ts';
import { catchOrder } from './package.ts';

export interface Selection<Checks extends CheckDescription = Check> {
  readonly planned: readonly PlacedCheck<Checks>[];
  /** How the run names its choice; absent when it judges everything. */
  readonly selection?: string;
  /** Each fault is tried in one of its contexts only, for a small budget; never of a run that judges everything. */
  readonly oneContextEach?: true;
}

/** An id that means nothing here; the message says which one was perhaps meant. */
class UnknownIdError extends Error {
  override readonly name = 'UnknownIdError';
}

/**
 * The checks that `--only`, `--exclude`, `--budget` and `--shard` leave. An id names a check, a requirement, a suite, or all ids that begin
 * with it (`AMT`, `signing/`).
 */
export function selectChecks<Checks extends CheckDescription>(
  all: readonly PlacedCheck<Checks>[],
  {
    only,
    exclude = [],
    budget,
    shard,
  }: {
    readonly only?: readonly string[];
    readonly exclude?: readonly string[];
    readonly budget?: Budget;
    readonly shard?: Shard;
  },
): Selection<Checks> {
  const meant = (id: string): readonly PlacedCheck<Checks>[] => {
    const matching = all.filter(({ check, suite }) =>
      matchesId(id, [check.id, ...requirementsMeantBy(check)], suite.id),
    );
    if (matching.length === 0) throw new UnknownIdError(unknownCheck(id, all));
    return matching;
  };
  const wanted = new Set(only === undefined ? all : only.flatMap(meant));
  const unwanted = new Set(exclude.flatMap(meant));
  const named = all.filter((entry) => wanted.has(entry) && !unwanted.has(entry));
  if (named.length === 0)
    throw new UnknownIdError('Nothing is left to judge: --exclude takes away all that was chosen.');
  const { chosen, words } =
    budget === undefined ? { chosen: named, words: undefined } : affordable(named, all.length, budget);
  const planned =
    shard === undefined ? chosen : chosen.filter((_, index) => index % shard.count === shard.index - 1);
  const selection = selectionText({
    only: only ?? [],
    exclude,
    ...(words === undefined ? {} : { budget: words }),
    ...(shard === undefined ? {} : { shard }),
  });
  return {
    planned,
    ...(selection === undefined ? {} : { selection }),
    ...(budget === undefined ? {} : { oneContextEach: true as const }),
  };
}

const requirementsMeantBy = (check: CheckDescription): readonly string[] =>
  check.isOnlyMeantByName === true ? [check.requirement] : requirementsOf(check);

/** Of a budget, to make sure of what fails. */
const keptForFailures = 0.1;

/** What catches most for its requests, as the proof has shown, and how much such a part would have caught. */
function affordable<Checks extends CheckDescription>(
  named: readonly PlacedCheck<Checks>[],
  all: number,
  { asked, requests }: Budget,
): { readonly chosen: readonly PlacedCheck<Checks>[]; readonly words: string } {
  const order = catchOrder() ?? { banks: 0, preparation: 0, checks: [] };
  const ofThese = partOfOrder(order, new Set(named.map(({ check }) => check.id)));
  const { ids: affordableIds, share } = withinBudget(ofThese, requests * (1 - keptForFailures));
  const chosen = named.filter(({ check }) => affordableIds.has(check.id));
  if (chosen.length === 0)
    throw new UnknownIdError(`No check fits into --budget ${asked}. Allow more, such as --budget 300.`);
  const percent = Math.floor(share * 100);
  return {
    chosen,
    words: `${asked}: up to ${chosen.length} of ${all} checks, which notice up to ${percent} % of the ${order.banks} broken banks of the proof`,
  };
}

/** Whether an id as people type it means one of these: itself, all that begin with it (`AMT`), a suite or its area. */
export function matchesId(typed: string, ids: readonly string[], suite = ''): boolean {
  const wanted = typed.toLowerCase();
  const place = suite.toLowerCase();
  return (
    ids.some((id) => id.toLowerCase() === wanted || id.toLowerCase().startsWith(`${wanted}-`)) ||
    (place !== '' && (place === wanted || place.startsWith(`${wanted.replace(/\/$/, '')}/`)))
  );
}

/** What to say of an id that nothing has, with the one that was perhaps meant. */
export function unknownIdMessage(id: string, known: Iterable<string>): string {
  const suggestion = nearest(id, [
    ...known,
    ...requirementById.keys(),
    ...interpretationList.map((interpretation) => interpretation.id),
    ...profileIds,
  ]);
  const meant = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return `Nothing is called "${id}".${meant} See: xs2a-conformance list`;
}

function unknownCheck(id: string, all: readonly PlacedCheck<CheckDescription>[]): string {
  if (requirementById.has(id)) return `No check judges ${id}. See: npx xs2a-conformance explain ${id}`;
  return unknownIdMessage(
    id,
    all.flatMap(({ check, suite }) => [check.id, suite.id]),
  );
}

/** Requests of a check with the usual number of cases, controls included: what a whole run sends, by its checks. */
export const requestsOfACheck = 4.2;
const usualRuns = 10;

/** What is taken where nothing limits the pace: a bank on the same machine answers about so many a second. */
const unlimitedPerSecond = 150;

/** How long a run takes that sends as much as that, roughly. */
interface RunEstimate {
  readonly requests: number;
  readonly seconds: number;
}

/** A property sends one request for each case that goes beyond the usual ones. */
export function estimateRun(
  planned: readonly PlacedCheck[],
  runs: number,
  { requestsPerSecond = unlimitedPerSecond }: Pick<Pace, 'requestsPerSecond'>,
): RunEstimate {
  const properties = planned.filter(({ check }) => check.isProperty === true).length;
  const requests = Math.round(planned.length * requestsOfACheck + properties * Math.max(0, runs - usualRuns));
  return { requests, seconds: requests / requestsPerSecond };
}
