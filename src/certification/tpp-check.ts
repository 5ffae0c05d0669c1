import { requirementsOf } from '../checks/check.ts';
import { requirementById } from '../spec/catalogue.ts';
import type { Level } from '../spec/requirement.ts';
import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';

/** What a check finds in what was recorded. */
export type Finding =
  | {
      readonly verdict: 'pass';
      /** How many requests were looked at. */
      readonly looked: number;
      readonly evidence: readonly SeenExchange[];
      readonly notes?: readonly string[];
    }
  | {
      readonly verdict: 'fail';
      readonly looked: number;
      readonly evidence: readonly SeenExchange[];
      /** What came instead of what was expected. */
      readonly actual: string;
      readonly notes?: readonly string[];
    }
  /** The TPP sent nothing that the check could look at; `missing` completes "Not seen: …". */
  | { readonly verdict: 'not-seen'; readonly missing: string };

/** A value that judges what a TPP has sent. It can be listed and explained without any recording. */
export interface TppCheck {
  readonly id: string;
  /** A sentence about the TPP. */
  readonly title: string;
  /** The requirement that it judges first of all; a failure is counted there. */
  readonly requirement: string;
  /** Further requirements that it touches. */
  readonly others?: readonly string[];
  /** Which part of the recording it judges. */
  readonly looksAt: string;
  /** Completes "Expected …". */
  readonly expected: string;
  judge(session: Session): Finding;
}

const levels: readonly Level[] = ['must', 'should', 'advisory'];

/** That of the strictest requirement it judges. */
export const levelOfTppCheck = (check: Pick<TppCheck, 'requirement' | 'others'>): Level =>
  levels.find((level) => requirementsOf(check).some((id) => requirementById.get(id)?.level === level)) ??
  'must';

export interface TppSuite {
  readonly title: string;
  readonly section: readonly string[];
  readonly checks: readonly TppCheck[];
}

export interface LoadedTppSuite extends TppSuite {
  readonly id: string;
}

export const tppSuite = (
  title: string,
  section: readonly string[],
  checks: readonly (TppCheck | readonly TppCheck[])[],
): TppSuite => ({ title, section, checks: checks.flat() });

/** A check of its own kind, which looks at more than single requests. */
export const tppCheck = (check: TppCheck): TppCheck => check;

export interface EachDefinition extends Omit<TppCheck, 'judge'> {
  readonly of: (session: Session) => readonly SeenExchange[];
  /** What is wrong with one of them, as the end of a sentence; undefined when it is as it should be. */
  readonly fault: (exchange: SeenExchange, session: Session) => string | undefined;
}

const shownFaults = 3;

/** A check that holds for each request of a kind. */
export function each({ of, fault, ...rest }: EachDefinition): TppCheck {
  return {
    ...rest,
    judge(session) {
      const looked = of(session);
      if (looked.length === 0) return { verdict: 'not-seen', missing: rest.looksAt };
      const faults = looked.flatMap((exchange) => {
        const problem = fault(exchange, session);
        return problem === undefined ? [] : [{ exchange, problem }];
      });
      return findingOf(looked, faults);
    },
  };
}

export interface Fault {
  readonly exchange: SeenExchange;
  readonly problem: string;
}

/** A pass shown by the first request, or a failure shown by the first that are wrong. */
export function findingOf(looked: readonly SeenExchange[], faults: readonly Fault[]): Finding {
  const [first] = faults;
  if (first === undefined) return { verdict: 'pass', looked: looked.length, evidence: looked.slice(0, 1) };
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more of ${looked.length} requests)` : '';
  return {
    verdict: 'fail',
    looked: looked.length,
    evidence: faults.slice(0, shownFaults).map(({ exchange }) => exchange),
    actual: `${first.exchange.name}: ${first.problem}${more}`,
  };
}
