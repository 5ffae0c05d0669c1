import type { RunHeader, RunRecord } from '../checks/verdict.ts';
import type { Side } from '../spec/profiles.ts';
import { oneShortLine } from './harmless-text.ts';

/** What a version of this tool judges by, when it judges the whole. */
export interface WholeOfVersion {
  readonly version: string;
  /** The ids of all checks on a bank, and of all on a TPP. */
  readonly checks: Readonly<Record<Side, readonly string[]>>;
}

/**
 * Why a run that calls itself whole is none: it leaves out checks that the version which judged it has. Another build
 * may have had fewer, and a journal can be edited. A part says itself what it leaves out, and of another version nobody
 * here knows.
 */
export function whyNotWhole(
  { tool, side = 'bank', selection, planned }: RunHeader,
  whole: WholeOfVersion | undefined,
): string | undefined {
  if (whole === undefined || selection !== undefined) return undefined;
  if (tool.version !== whole.version) return undefined;
  const known = new Set(planned);
  const missing = whole.checks[side].filter((id) => !known.has(id));
  if (missing.length === 0) return undefined;
  const shown = missing.slice(0, 8).join(', ');
  return `the run leaves out ${missing.length} ${missing.length === 1 ? 'check' : 'checks'} of version ${whole.version} (${missing.length > 8 ? `${shown} and ${missing.length - 8} more` : shown}): judge the ${side === 'tpp' ? 'TPP' : 'bank'} again`;
}

/** Why nobody here can sign for a run: whether another version has judged the whole, this one does not know. */
export function whyNotOurs({ tool }: RunHeader, { version }: WholeOfVersion): string | undefined {
  return tool.version === version
    ? undefined
    : `The run was judged by version ${oneShortLine(tool.version, 40)}, and whether it is whole, version ${version} cannot tell. Sign it with the version that judged it.`;
}

/** A run with what stands against it as a whole. */
export function heldToWhole(run: RunRecord, whole: WholeOfVersion | undefined): RunRecord {
  const why = whyNotWhole(run.header, whole);
  return why === undefined ? run : notWhole(run, `${why.charAt(0).toUpperCase()}${why.slice(1)}.`);
}

export const notWhole = (run: RunRecord, why: string): RunRecord => ({
  ...run,
  header: { ...run.header, incomplete: [...(run.header.incomplete ?? []), why] },
});
