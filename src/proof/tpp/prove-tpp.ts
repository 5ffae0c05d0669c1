import { journeys } from '../../certification/journeys.ts';
import { journeyCheckId, judgeSession } from '../../certification/judge-session.ts';
import type { TppCheck } from '../../certification/tpp-check.ts';
import type { LoadedSuite } from '../../checks/check.ts';
import type { CheckResult } from '../../checks/verdict.ts';
import { NothingHidden } from '../nothing-hidden.ts';
import { blamedBesides, type DeviationResult, type DialectResult } from '../verdict-of-proof.ts';
import { certifyInProcess, type TppKeys } from './certify.ts';
import type { Certified, TppDeviation, TppDialect } from './deviation.ts';

type Suites = readonly LoadedSuite<TppCheck>[];

/** Sends a TPP that breaks one requirement through all journeys, and judges what it did by all checks. */
export async function proveTppDeviation(
  deviation: TppDeviation,
  suites: Suites,
  keys: TppKeys,
): Promise<DeviationResult> {
  const { id, requirement, title } = deviation;
  const found = complaints(await judged(await certified(deviation, keys), suites));
  const isCiting = ({ requirements, verdict }: CheckResult): boolean =>
    requirements.includes(requirement) && verdict !== 'error';
  const blamedBy = found.filter(isCiting).map((result) => result.id);
  const others = found.filter((result) => !isCiting(result));
  return {
    side: 'tpp',
    id,
    requirement,
    title,
    ...(deviation.condition === undefined ? {} : { condition: deviation.condition }),
    ...(deviation.hasShown?.() === false ? { isIdle: true as const } : {}),
    killed: found.length > 0,
    blamed: blamedBy.length > 0,
    blamedBy,
    others: others.map((result) => result.id),
    besides: blamedBesides(found, [requirement]),
    all: true,
    said: others.map(told),
  };
}

/** Judges a TPP that is unusual and right: no check may complain, and its journeys have to be seen. */
export async function proveTppDialect(
  dialect: TppDialect,
  suites: Suites,
  keys: TppKeys,
): Promise<DialectResult> {
  const session = await certified(dialect, keys);
  const results = await judged(session, suites);
  const passed = new Set(results.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  const skipped = 'skipped' in session ? session.skipped : undefined;
  const missed =
    skipped === undefined
      ? journeys
          .filter(({ id }) => dialect.journeys?.includes(id) ?? true)
          .map(journeyCheckId)
          .filter((id) => !passed.has(id))
      : [];
  return {
    side: 'tpp',
    ids: [dialect.id],
    alarms: [...complaints(results).map(told), ...missed.map((id) => `${id}: the journey was not seen`)],
    warnings: [],
    inconclusive: [],
    passed: passed.size,
    ...(skipped === undefined ? {} : { skipped }),
  };
}

const certified = async (
  { certify, change }: TppDeviation | TppDialect,
  keys: TppKeys,
): Promise<Certified> =>
  certify === undefined ? (await certifyInProcess(keys, change(keys))).session : certify();

const judged = async (session: Certified, suites: Suites): Promise<readonly CheckResult[]> =>
  'skipped' in session ? [] : judgeSession(session, suites, '', new NothingHidden());

const complaints = (results: readonly CheckResult[]): readonly CheckResult[] =>
  results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning' || verdict === 'error');

const told = ({ id, reason = '' }: CheckResult): string => `${id}: ${reason}`;
