import type { CheckResult } from '../checks/verdict.ts';
import { requirementById } from '../spec/catalogue.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { remedies as named, type Remedy } from '../spec/remedies.ts';
import type { Requirement } from '../spec/requirement.ts';
import { controlExchange } from './exchange-text.ts';

/** What is looked at to tell what a failure has in common with others. */
export type Failure = Pick<CheckResult, 'id' | 'requirements' | 'expected' | 'actual'>;

/** One thing that is wrong, however many checks fail for it. */
export interface Cause {
  /** The requirement broken first, which no other cause has. */
  readonly id: string;
  /** What is wrong, as one sentence. */
  readonly sentence: string;
  /** All that are broken by it, by the number of failures. */
  readonly requirements: readonly Requirement[];
  /** The failed checks, in the order of the specification. */
  readonly checks: readonly CheckResult[];
  /** The failure that shows it most plainly. */
  readonly leading: CheckResult;
  /** What typically leads to it, the likeliest first. */
  readonly remedies: readonly Remedy[];
}

/**
 * Failures that say the same about the target, as one. Two of them belong together if they break the same requirement
 * first, or if one and the same wrong answer came in place of the same expected one: a bank that answers all wrong
 * signatures with 422 breaks a dozen requirements in one place. That something was accepted is no such answer, since all
 * faults that go unnoticed look alike. A failure that fits nowhere is a cause by itself. The one of most checks comes first.
 */
export function causesOf(
  failures: readonly CheckResult[],
  requirements: readonly Requirement[],
): readonly Cause[] {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const position = new Map(failures.map((failure, index) => [failure, index]));
  const placeOf = (failure: CheckResult): number => position.get(failure) ?? 0;
  return grouped(failures)
    .map((group) =>
      causeOf(
        group.toSorted((one, other) => placeOf(one) - placeOf(other)),
        byId,
      ),
    )
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

/** How many causes these failures have. */
export const numberOfCauses = (failures: readonly Failure[]): number => grouped(failures).length;

/** Failures that have a likeness in common with one another, or with one of the others of their group. */
function grouped<F extends Failure>(failures: readonly F[]): readonly (readonly F[])[] {
  const sharing = [
    ...groupedBy(
      failures.flatMap((failure) => likenessesOf(failure).map((likeness) => ({ failure, likeness }))),
      ({ likeness }) => likeness,
    ).values(),
  ];
  const groupOf = new Map<F, Set<F>>(failures.map((failure) => [failure, new Set([failure])]));
  for (const [first, ...others] of sharing) {
    for (const { failure } of others) {
      const [group, joining] = [groupOf.get(first?.failure ?? failure), groupOf.get(failure)];
      if (group === undefined || joining === undefined || group === joining) continue;
      for (const member of joining) {
        group.add(member);
        groupOf.set(member, group);
      }
    }
  }
  return [...new Set(groupOf.values())].map((group) => [...group]);
}

const caseOf = (id: string): string | undefined => requirementById.get(id)?.caseOf;

/** What two failures of the same fault have in common, a text for each way. */
function likenessesOf({ id, requirements: [own = id], expected, actual }: Failure): readonly string[] {
  const areas = [own, caseOf(own) ?? own];
  if (!expected || !actual) return areas;
  const came = withoutNumbers(actual);
  const isAccepted = /^2\d\d\b/.test(actual);
  // A status alone says little: unlike faults of one area are refused with it.
  const isBare = /^\d{3}(?:,\s[A-Z_]+)?$/.test(actual);
  return [
    ...areas,
    // The same fault, at another operation.
    ...(/ when /.test(expected) ? [withoutNumbers(expected)] : []),
    ...(isAccepted ? [] : [`${isBare ? `${own.split('-')[0]}: ` : ''}${demanded(expected)} / ${came}`]),
    // A wrong value is the same wherever it is looked at.
    ...(/^"[^"]{3,}"$/.test(actual) ? [came] : []),
  ];
}

/** What was to come, without the circumstances: `status 400` of `status 400 when the Signature header is missing`. */
const demanded = (expected: string): string =>
  expected.replace(/ (?:when|while|after|before|for|at|of)\b.*$/s, '');

/** Ids, amounts and times differ from failure to failure. */
const withoutNumbers = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4,}[\d.,:TZ-]*|https?:\/\/\S+/gi, '…');

function causeOf(checks: readonly CheckResult[], byId: ReadonlyMap<string, Requirement>): Cause {
  const leading = checks.toSorted((one, other) => plainness(one) - plainness(other))[0] ?? checks[0];
  if (leading === undefined) throw new Error('A cause has a failure.');
  const broken = [...groupedBy(checks, ({ requirements: [own] }) => own)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([id]) => id);
  const ids = [...new Set([...broken, ...checks.flatMap(({ requirements }) => requirements)])];
  const requirements = ids.flatMap((id) => (id === undefined ? [] : (byId.get(id) ?? [])));
  const [first] = requirements;
  return {
    id: first?.id ?? leading.requirements[0] ?? leading.id,
    sentence: sentenceOf(leading, first),
    requirements,
    checks,
    leading,
    remedies: likeliestFirst(first?.remedies ?? [], leading),
  };
}

/** Who answers another refusal than the one that is demanded has noticed the fault. */
function likeliestFirst(
  remedies: readonly Remedy[],
  { actual = '', expected = '' }: CheckResult,
): readonly Remedy[] {
  const { otherStatusThan400: first } = named;
  return remedies.includes(first) && actual.startsWith('4') && expected.startsWith('status 400')
    ? [first, ...remedies.filter((remedy) => remedy !== first)]
    : remedies;
}

/** What came in place of what should have, where it is short. */
const mostShown = 40;

/** What happened, and the rule that it breaks. */
function sentenceOf({ title, expected = '', actual = '' }: CheckResult, requirement?: Requirement): string {
  const seen = seenIn(expected, actual);
  const rule = requirement?.statement ?? title;
  return seen === undefined ? `Broken rule: ${rule}` : `${seen}. Rule: ${rule}`;
}

function seenIn(expected: string, actual: string): string | undefined {
  const [, status] = /^([1-5]\d\d)\b/.exec(actual) ?? [];
  const [, wanted] = /^status (\d\d\d)\b/.exec(expected) ?? [];
  if (status === undefined) {
    const isTold = !['', 'nothing'].includes(actual) && actual.length <= mostShown;
    return isTold ? `Found ${actual.replace(/[.:]$/, '')}` : undefined;
  }
  if (status.startsWith('2') && /refus|4xx|^status 4/.test(expected)) return `Accepted with ${status}`;
  if (status.startsWith('4') && wanted === undefined) return `Refused with ${status}`;
  return `Answered ${status}${wanted === undefined || status.startsWith('5') ? '' : `, not ${wanted}`}`;
}

/** The smaller, the better it is understood: one changed place, a control beside it, NOK, and little text. */
function plainness(failure: CheckResult): number {
  const { counterexample, exchanges } = failure;
  const sent = counterexample?.value ?? exchanges.at(-1)?.request.body ?? '';
  return (
    (counterexample?.changed?.length === 1 ? 0 : 4_000) +
    (controlExchange(failure) === undefined ? 8_000 : 0) +
    (/"currency":\s*"(?!NOK)/.test(sent) ? 1_000 : 0) +
    Math.min(sent.length, 999)
  );
}
