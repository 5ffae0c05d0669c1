import type { CheckOf } from '../checks/check.ts';
import { ExpectationFailed, NotApplicable } from '../checks/outcomes.ts';
import { CheckRun } from '../checks/verdict.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import type { Redactor } from '../tpp/redaction.ts';
import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';

/** What the checks of one judgement share. */
export interface TppCheckSurroundings {
  readonly redactor: Redactor;
  readonly reproduce: string;
  readonly blamed: Set<SeenExchange>;
  /** Whether anybody will look at the exchanges of the results. */
  readonly keepsEvidence: boolean;
}

/** What one check on a TPP works with: everything that was recorded of it. */
export class TppCheckContext extends CheckRun {
  readonly session: Session;
  /** Exchanges that a check has found fault with, for those that run after it. All checks of a judgement share it. */
  readonly blamed: Set<SeenExchange>;
  override readonly reproduce: string;
  override readonly recordedAt: string;
  override readonly readings = defaultReadings;
  override readonly redactor: Redactor;
  readonly #keepsEvidence: boolean;

  constructor(session: Session, { redactor, reproduce, blamed, keepsEvidence }: TppCheckSurroundings) {
    super();
    this.session = session;
    this.blamed = blamed;
    this.redactor = redactor;
    this.#keepsEvidence = keepsEvidence;
    this.reproduce = reproduce;
    this.recordedAt = session.start.startedAt;
  }

  override get keepsEvidence(): boolean {
    return this.#keepsEvidence;
  }

  /** It waits for what a TPP does by itself, and needs nothing of a target. */
  override missing(): undefined {}

  /** Points at the exchanges that show the verdict. */
  show(exchanges: readonly SeenExchange[]): void {
    this.evidence = exchanges.map(({ answer }) => answer.exchange);
  }
}

/** A check on a TPP, which judges what was recorded. */
export interface TppCheck extends CheckOf<TppCheckContext> {
  readonly side: 'tpp';
}

/** What is found in what was recorded. */
export interface Finding {
  /** How many requests were looked at. */
  readonly looked: number;
  readonly evidence: readonly SeenExchange[];
  /** What came instead of what was expected; absent when nothing is wrong. */
  readonly actual?: string;
  readonly notes?: readonly string[];
  /** Every request that is wrong, also those that are not shown. */
  readonly faulty?: readonly SeenExchange[];
}

export interface TppCheckDefinition
  extends Pick<TppCheck, 'id' | 'title' | 'requirement' | 'others' | 'observes'> {
  /** Which part of the recording it judges; completes "Not seen: …". */
  readonly looksAt: string;
  /** Completes "Expected …". */
  readonly expected: string;
  /** Undefined when the TPP sent nothing that the check could look at. */
  readonly judge: (session: Session, blamed: ReadonlySet<SeenExchange>) => Finding | undefined;
}

/** A check that looks at more than single requests. */
export const tppCheck = ({ looksAt, judge, ...rest }: TppCheckDefinition): TppCheck => ({
  ...rest,
  side: 'tpp',
  needs: [],
  steps: [`Wait for ${looksAt}.`],
  async run(context) {
    const { expected } = rest;
    const finding = judge(context.session, context.blamed);
    context.expected = expected;
    if (finding === undefined) throw new NotApplicable(`Not seen: ${looksAt}.`);
    const { looked, evidence, actual, notes = [], faulty = [] } = finding;
    for (const exchange of faulty) context.blamed.add(exchange);
    context.cases = Math.max(1, looked);
    context.show(evidence);
    for (const note of notes) context.note(note);
    if (actual !== undefined) {
      throw new ExpectationFailed(expected, actual, `Expected ${expected}, but ${actual}`);
    }
  },
});

export interface EachDefinition extends Omit<TppCheckDefinition, 'judge'> {
  readonly of: (session: Session) => readonly SeenExchange[];
  /** What is wrong with one of them, as the end of a sentence; undefined when it is as it should be. */
  readonly fault: (exchange: SeenExchange, session: Session) => string | undefined;
  /** A sentence that helps to find the mistake. Looking for it may take a while, so only the first that is wrong gets one. */
  readonly hint?: (exchange: SeenExchange) => string | undefined;
}

/** A check that holds for each request of a kind. */
export const each = ({ of, fault, hint, ...rest }: EachDefinition): TppCheck =>
  tppCheck({
    ...rest,
    judge: (session) => {
      const looked = of(session);
      const faults = looked.flatMap((exchange) => {
        const problem = fault(exchange, session);
        return problem === undefined ? [] : [{ exchange, problem }];
      });
      const finding = findingOf(looked, faults);
      const [first] = faults;
      const told = first && hint?.(first.exchange);
      return finding === undefined || told === undefined ? finding : { ...finding, notes: [told] };
    },
  });

export interface Fault {
  readonly exchange: SeenExchange;
  readonly problem: string;
}

const shownFaults = 3;

/** A pass shown by the first request, or a failure shown by the first that are wrong; nothing where none was seen. */
export function findingOf(looked: readonly SeenExchange[], faults: readonly Fault[]): Finding | undefined {
  if (looked.length === 0) return undefined;
  const [first] = faults;
  if (first === undefined) return { looked: looked.length, evidence: looked.slice(0, 1) };
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more of ${looked.length} requests)` : '';
  return {
    looked: looked.length,
    faulty: faults.map(({ exchange }) => exchange),
    evidence: faults.slice(0, shownFaults).map(({ exchange }) => exchange),
    actual: `${first.exchange.name}: ${first.problem}${more}`,
  };
}
