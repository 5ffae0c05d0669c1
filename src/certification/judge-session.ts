import { requirementsOf } from '../checks/check.ts';
import type { CheckResult, SuiteReference, Verdict } from '../checks/verdict.ts';
import type { Level } from '../spec/requirement.ts';
import type { Journey } from './journey.ts';
import { journeys } from './journeys.ts';
import { redactorFor } from './redacted-exchange.ts';
import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';
import { type Finding, type LoadedTppSuite, levelOfTppCheck, type TppCheck } from './tpp-check.ts';

/** The suite under which reports show the journeys. Those of level `must` decide about conformance. */
export const journeySuite: SuiteReference = {
  id: 'tpp/journeys',
  title: 'Journeys',
  section: ['Certification'],
};

/** Judges everything that was recorded: the journeys, then the checks. */
export function judgeSession(
  session: Session,
  suites: readonly LoadedTppSuite[],
  reproduce: string,
): readonly CheckResult[] {
  const frame = frameFor(session, reproduce);
  return [
    ...journeys.map((journey) => journeyResult(journey, session, frame)),
    ...suites.flatMap(({ checks, ...suite }) =>
      checks.map((check) =>
        checkResult(
          check,
          { id: suite.id, title: suite.title, section: suite.section },
          findingFor(check, session),
          frame,
        ),
      ),
    ),
  ];
}

/** What all results of a certification have in common. */
interface Frame {
  readonly reproduce: string;
  readonly startedAt: string;
  readonly redacted: (exchange: SeenExchange) => CheckResult['exchanges'][number];
}

function frameFor(session: Session, reproduce: string): Frame {
  return {
    reproduce,
    startedAt: session.start.startedAt,
    redacted: redactorFor(session),
  };
}

export const journeyResultId = ({ id }: Journey): string => `JRN-${id}`;

function journeyResult(journey: Journey, session: Session, frame: Frame): CheckResult {
  const evidence = journey.completedBy(session);
  return {
    id: journeyResultId(journey),
    title: journey.title,
    suite: journeySuite,
    requirements: journey.requirements,
    level: journey.mandatory ? 'must' : 'advisory',
    verdict: evidence === undefined ? 'not-applicable' : 'pass',
    ...(evidence === undefined
      ? { reason: `Not seen: ${journey.goal} Requests: ${journey.requests.join('; ')}.` }
      : {}),
    expected: journey.goal,
    notes: [],
    cases: 1,
    exchanges: (evidence ?? []).map(frame.redacted),
    reproduce: frame.reproduce,
    startedAt: frame.startedAt,
    durationMs: 0,
  };
}

type Judged = Finding | { readonly verdict: 'error'; readonly reason: string };

/** A bug of a check says nothing about the TPP. */
export function findingFor(check: TppCheck, session: Session): Judged {
  try {
    return check.judge(session);
  } catch (error) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { verdict: 'error', reason: `The check itself broke: ${told}` };
  }
}

function checkResult(check: TppCheck, suite: SuiteReference, finding: Judged, frame: Frame): CheckResult {
  const level = levelOfTppCheck(check);
  return {
    id: check.id,
    title: check.title,
    suite,
    requirements: requirementsOf(check),
    level,
    verdict: verdictOf(finding, level),
    ...toldBy(check, finding),
    notes: 'notes' in finding ? (finding.notes ?? []) : [],
    cases: 'looked' in finding ? Math.max(1, finding.looked) : 1,
    exchanges: 'evidence' in finding ? finding.evidence.map(frame.redacted) : [],
    reproduce: frame.reproduce,
    startedAt: frame.startedAt,
    durationMs: 0,
  };
}

function toldBy(
  { expected }: TppCheck,
  finding: Judged,
): Pick<CheckResult, 'reason' | 'expected' | 'actual'> {
  switch (finding.verdict) {
    case 'error':
      return { reason: finding.reason };
    case 'not-seen':
      return { reason: `Not seen: ${finding.missing}.`, expected };
    case 'fail':
      return {
        reason: `Expected ${expected}, but ${finding.actual}`,
        expected,
        actual: finding.actual,
      };
    case 'pass':
      return { expected };
  }
}

function verdictOf({ verdict }: Judged, level: Level): Verdict {
  if (verdict === 'not-seen') return 'not-applicable';
  return verdict === 'fail' && level !== 'must' ? 'warning' : verdict;
}
