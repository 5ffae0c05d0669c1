import { isDeepStrictEqual } from 'node:util';
import type { CheckResult, RunHeader, RunRecord } from '../checks/verdict.ts';
import { requirementById } from '../spec/catalogue.ts';
import { dayMs } from '../spec/days.ts';
import { defaultReadings, interpretationList } from '../spec/interpretations.ts';
import { isProfileId, profileOf, type Side } from '../spec/profiles.ts';
import type { Level } from '../spec/requirement.ts';
import { oneShortLine } from './harmless-text.ts';

/** What a version of this tool judges by, when it judges the whole. */
export interface WholeOfVersion {
  readonly version: string;
  readonly catalogue: string;
  /** The ids of all checks on a bank, and of all on a TPP. */
  readonly checks: Readonly<Record<Side, readonly string[]>>;
  /** The ids of all places where the specification is read in one of several ways. */
  readonly readings: readonly string[];
  /** The ids of the requirements that each check judges. */
  readonly judges: ReadonlyMap<string, readonly string[]>;
  /** How binding each check is under the default readings. */
  readonly levels: Readonly<Partial<Record<string, Level>>>;
}

/**
 * Why a run that calls itself whole is none: it leaves out checks that the version which judged it has, or tells of that
 * version what is not so. Another build may have had fewer, and a journal can be edited. A part says itself what it leaves
 * out, and of another version nobody here knows.
 */
export function whyNotWhole(run: RunRecord, whole: WholeOfVersion | undefined): string | undefined {
  const { tool, selection, side } = run.header;
  if (whole === undefined || selection !== undefined) return undefined;
  if (tool.version !== whole.version) return undefined;
  const why = whyLacking(run.header, whole) ?? whyOtherwise(run, whole);
  return why === undefined ? undefined : `${why}: judge the ${side === 'tpp' ? 'TPP' : 'bank'} again`;
}

function whyLacking({ side = 'bank', planned }: RunHeader, whole: WholeOfVersion): string | undefined {
  const known = new Set(planned);
  const missing = whole.checks[side].filter((id) => !known.has(id));
  if (missing.length === 0) return undefined;
  const shown = missing.slice(0, 8).join(', ');
  return `the run leaves out ${missing.length} ${missing.length === 1 ? 'check' : 'checks'} of version ${whole.version} (${missing.length > 8 ? `${shown} and ${missing.length - 8} more` : shown})`;
}

/** Machines need not agree on the hour. Whoever sets a clock ahead finds nobody to vouch for what it says. */
const clockDifferenceMs = dayMs;

function whyOtherwise({ header, results }: RunRecord, whole: WholeOfVersion): string | undefined {
  const { catalogue, profiles = {}, interpretations, runs, side = 'bank' } = header;
  const { version } = whole;
  if (Date.parse(header.startedAt) > Date.now() + clockDifferenceMs)
    return `the run began on ${header.startedAt}, which is still to come by the clock of this machine`;
  if (catalogue !== whole.catalogue)
    return `the run names catalogue ${catalogue}, and that of version ${version} is ${whole.catalogue}`;
  const profile = Object.keys(profiles).find(
    (id) => !isProfileId(id) || profileOf(id).version !== profiles[id],
  );
  if (profile !== undefined)
    return `version ${version} has no profile ${oneShortLine(`${profile} ${profiles[profile]}`, 80)}`;
  if (header.profiles !== undefined && Object.keys(profiles).length === 0)
    return 'the run names no profile that it judges by';
  const unread = whole.readings.find((id) => !Object.hasOwn(interpretations, id));
  if (unread !== undefined) return `the run does not tell how it reads the specification (${unread})`;
  const odd = interpretationList.find(
    ({ id, values }) =>
      Object.hasOwn(interpretations, id) && !Object.hasOwn(values, interpretations[id] ?? ''),
  );
  if (odd !== undefined)
    return `version ${version} does not know the reading ${oneShortLine(`${odd.id}: ${interpretations[odd.id]}`, 80)}`;
  if (side === 'bank' && runs < 1) return 'the run tells of no case of any property';
  // A failure may be laid to one of them alone.
  const other = results.find(
    ({ id, verdict, requirements }) =>
      verdict === 'pass' && !isDeepStrictEqual(whole.judges.get(id) ?? requirements, requirements),
  );
  if (other !== undefined)
    return `${other.id} of version ${version} judges other requirements than the run tells`;
  const hinted = results.find(({ level, verdict }) => level === 'must' && verdict === 'warning');
  if (hinted !== undefined)
    return `${hinted.id} is of level must, and the run tells of no more than a warning`;
  const lowered = isReadByDefault(interpretations) ? resultOfOtherLevel(results, whole) : undefined;
  return lowered === undefined
    ? undefined
    : `${lowered.id} of version ${version} is of level ${whole.levels[lowered.id]}, and the run says ${lowered.level}`;
}

/** Under other readings some checks are of another level. */
const isReadByDefault = (interpretations: RunHeader['interpretations']): boolean =>
  Object.entries(defaultReadings).every(([id, value]) => (interpretations[id] ?? value) === value);

/** What must hold would only be a warning, and break nothing. */
const resultOfOtherLevel = (
  results: RunRecord['results'],
  { levels, judges }: WholeOfVersion,
): CheckResult | undefined =>
  results.find((result) => {
    const { id, level, verdict, requirements } = result;
    // A check of several requirements may have found broken what is only advised.
    const isOfAnother = (one: string): boolean =>
      judges.get(id)?.includes(one) === true && requirementById.get(one)?.level === level;
    const isExplained = verdict === 'warning' && requirements.every(isOfAnother);
    return Object.hasOwn(levels, id) && levels[id] !== level && !isExplained;
  });

/** Why nobody here can sign for a run: whether another version has judged the whole, this one does not know. */
export function whyNotOurs({ tool }: RunHeader, { version }: WholeOfVersion): string | undefined {
  return tool.version === version
    ? undefined
    : `The run was judged by version ${oneShortLine(tool.version, 40)}, and whether it is whole, version ${version} cannot tell. Sign it with the version that judged it.`;
}

/** A run with what stands against it as a whole. */
export function heldToWhole(run: RunRecord, whole: WholeOfVersion | undefined): RunRecord {
  const why = whyNotWhole(run, whole);
  return why === undefined ? run : notWhole(run, `${why.charAt(0).toUpperCase()}${why.slice(1)}.`);
}

export const notWhole = (run: RunRecord, why: string): RunRecord => ({
  ...run,
  header: { ...run.header, incomplete: [...(run.header.incomplete ?? []), why] },
});
