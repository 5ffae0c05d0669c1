import { requirementById } from '../spec/catalogue.ts';
import { isoDate } from '../spec/days.ts';
import { type JsonSchema, section, value } from './json-schema.ts';
import type { LoadContext } from './key-path.ts';
import { nearest } from './nearest.ts';

export const knownDeviationsSchema: JsonSchema = {
  description:
    'Failures that are known and agreed upon. They keep the run green and stay visible; one without a reason, past its date, or that no longer happens, fails the run',
  type: 'array',
  items: section(
    'One requirement that the bank does not meet yet',
    {
      requirement: value.text('id of the requirement; the command list shows them all', {
        examples: ['AMT-02'],
      }),
      reason: { description: 'why, with the ticket; the run fails without one', type: 'string' },
      until: {
        description: 'last day on which it is tolerated, as year-month-day',
        type: 'string',
        format: 'date',
        examples: ['2027-01-31'],
      },
    },
    { required: ['requirement'] },
  ),
  examples: [[{ requirement: 'AMT-02', reason: 'ticket 4711', until: '2027-01-31' }]],
};

export interface DeviationEntry {
  readonly requirement?: string;
  readonly reason?: string;
  readonly until?: string;
}

export interface KnownDeviation {
  readonly requirement: string;
  /** Empty where none is given: that fails the run. */
  readonly reason: string;
  /** The last day, as an ISO date. */
  readonly until?: string;
}

/** What fails a run whatever it finds, and what to do about it: without a reason, or past its last day. */
export function failingDeviation(
  { requirement, reason, until }: KnownDeviation,
  today: string,
): { readonly state: 'without-reason' | 'expired'; readonly problem: string } | undefined {
  const named = `The known deviation from ${requirement}`;
  if (reason.trim() === '')
    return { state: 'without-reason', problem: `${named} has no reason: state one in the target file.` };
  // ISO dates compare as text; the last day itself still counts.
  if (until === undefined || until.slice(0, 10) >= today) return undefined;
  return {
    state: 'expired',
    problem: `${named} ended on ${until}: remedy the bank, or agree on a new date.`,
  };
}

/** A missing reason or a date that has passed is no fault of the file's form: the run fails for it, and says so before. */
export function loadKnownDeviations(
  { complain, warn }: LoadContext,
  given: readonly (DeviationEntry | undefined)[] = [],
): readonly KnownDeviation[] {
  return given.flatMap((entry, index) => {
    if (entry?.requirement === undefined) return [];
    const { requirement, reason = '', until } = entry;
    const path = ['knownDeviations', index];
    const known = requirementById.get(requirement);
    if (known === undefined) complain([...path, 'requirement'], unknown(requirement));
    const deviation = { requirement, reason, ...(until === undefined ? {} : { until }) };
    const problem =
      known?.side === 'tpp'
        ? `${requirement} binds TPPs, and no bank: correct the id.`
        : failingDeviation(deviation, isoDate(new Date()))?.problem;
    if (problem !== undefined) warn(path, `${problem} Until then the run fails, whatever else it finds.`);
    return [deviation];
  });
}

function unknown(id: string): string {
  const meant = nearest(id, requirementById.keys());
  return meant === undefined
    ? `There is no requirement ${id}. The command list shows all ids.`
    : `There is no requirement ${id}. Did you mean ${meant}?`;
}
