import type { LoadedSuite } from '../../checks/check.ts';
import { type KillScores, killScoresFrom } from '../../checks/kill-score.ts';
import type { CheckResult } from '../../checks/verdict.ts';
import { journeys } from '../journeys.ts';
import { journeySuite, judgeSession } from '../judge-session.ts';
import type { Session } from '../session.ts';
import type { TppCheck } from '../tpp-check.ts';
import type { DeviantTpp, TppDialect } from './deviant.ts';
import { deviantTpps } from './deviants.ts';
import { tppDialects } from './dialects.ts';
import { type CertificationGround, certifyInProcess, createCertificationGround } from './in-process.ts';

/** What became of one TPP. */
export interface TppVerdict {
  readonly id: string;
  readonly title: string;
  /** Checks of the broken requirement that found it; for a dialect none is expected. */
  readonly foundBy: readonly string[];
  /** Checks that complained without reason. */
  readonly falseAlarms: readonly string[];
  /** Journeys that a dialect should have completed and did not. */
  readonly incomplete: readonly string[];
  readonly skipped?: string;
}

export interface TppProof {
  readonly deviants: readonly TppVerdict[];
  readonly dialects: readonly TppVerdict[];
  readonly durationMs: number;
}

/** Whether a deviant was found out and nothing else was blamed. */
export const isKilledAndBlamed = ({ foundBy, falseAlarms, skipped }: TppVerdict): boolean =>
  skipped !== undefined || (foundBy.length > 0 && falseAlarms.length === 0);

export const isLeftAlone = ({ foundBy, falseAlarms, incomplete }: TppVerdict): boolean =>
  foundBy.length + falseAlarms.length + incomplete.length === 0;

/**
 * Proves the checks on TPPs: every deviant is found out by a check of the requirement that it breaks and blamed for
 * nothing else, and no check complains about a TPP that is only unusual.
 */
export async function proveTpp(
  suites: readonly LoadedSuite<TppCheck>[],
  { deviants = deviantTpps, dialects = tppDialects }: ProofScope = {},
): Promise<TppProof> {
  const started = Date.now();
  const ground = await createCertificationGround();
  const judged = <Tpp extends DeviantTpp | TppDialect>(
    tpps: readonly Tpp[],
    verdict: (tpp: Tpp, results: readonly CheckResult[]) => TppVerdict,
  ) =>
    inTurn(tpps, async (tpp) => {
      const session = await sessionOf(tpp, ground);
      if ('skipped' in session) return { ...verdict(tpp, []), incomplete: [], skipped: session.skipped };
      return verdict(tpp, await judgeSession(session, suites, ''));
    });
  return {
    deviants: await judged(deviants, verdictOnDeviant),
    dialects: await judged(dialects, verdictOnDialect),
    durationMs: Date.now() - started,
  };
}

export interface ProofScope {
  readonly deviants?: readonly DeviantTpp[];
  readonly dialects?: readonly TppDialect[];
}

async function sessionOf(
  tpp: DeviantTpp | TppDialect,
  ground: CertificationGround,
): Promise<Session | { readonly skipped: string }> {
  if (tpp.certify !== undefined) return tpp.certify();
  const { session } = await certifyInProcess(ground, tpp.change(ground));
  return session;
}

const complaints = (results: readonly CheckResult[]): readonly CheckResult[] =>
  results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning' || verdict === 'error');

const told = ({ id, reason = '' }: CheckResult): string => `${id}: ${reason}`;

function verdictOnDeviant({ id, title, breaks }: DeviantTpp, results: readonly CheckResult[]): TppVerdict {
  const found = complaints(results);
  const matchesId = ({ requirements, verdict }: CheckResult): boolean =>
    requirements.includes(breaks) && verdict !== 'error';
  return {
    id,
    title,
    foundBy: found.filter(matchesId).map(({ id: check }) => check),
    falseAlarms: found.filter((result) => !matchesId(result)).map(told),
    incomplete: [],
  };
}

function verdictOnDialect(
  { id, title, journeys: own }: TppDialect,
  results: readonly CheckResult[],
): TppVerdict {
  const expected = own ?? journeys.map((journey) => journey.id);
  const complete = new Set(
    results
      .filter(({ suite, verdict }) => suite.id === journeySuite.id && verdict === 'pass')
      .map((result) => result.id),
  );
  return {
    id,
    title,
    foundBy: [],
    falseAlarms: complaints(results).map(told),
    incomplete: expected.filter((journey) => !complete.has(`JRN-${journey}`)),
  };
}

/** A few at once: they wait for the thread pool that signs. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, item] = next;
        results[index] = await work(item);
      }
    }),
  );
  return results;
}

/** The proof in a few lines, with everything that is wrong. */
export function describeTppProof({ deviants, dialects, durationMs }: TppProof): string {
  const survivors = deviants.filter((verdict) => !isKilledAndBlamed(verdict));
  const disturbed = dialects.filter((verdict) => !isLeftAlone(verdict));
  const skipped = [...deviants, ...dialects].filter((verdict) => verdict.skipped !== undefined);
  return [
    `TPP proof: ${deviants.length - survivors.length} of ${deviants.length} deviant TPPs killed and blamed, ${dialects.length - disturbed.length} of ${dialects.length} correct ones left alone (${(durationMs / 1000).toFixed(1)} s).`,
    ...survivors.map(({ id, title, foundBy, falseAlarms }) =>
      [
        `  ${id} ${title}: ${foundBy.length === 0 ? 'not found' : `found by ${foundBy.join(', ')}`}`,
        ...falseAlarms.map((alarm) => `    blamed without reason: ${alarm}`),
      ].join('\n'),
    ),
    ...disturbed.map(({ id, title, falseAlarms, incomplete }) =>
      [
        `  ${id} ${title}:`,
        ...falseAlarms.map((alarm) => `    ${alarm}`),
        ...(incomplete.length === 0 ? [] : [`    not complete: ${incomplete.join(', ')}`]),
      ].join('\n'),
    ),
    ...skipped.map(({ id, skipped: why }) => `  ${id} was left out: ${why}`),
  ].join('\n');
}

/** Checks without a deviant that they alone find out, so that nobody would miss them. */
export function needlessTppChecks(
  { deviants }: TppProof,
  suites: readonly LoadedSuite<TppCheck>[],
): readonly string[] {
  const needed = new Set(deviants.flatMap(({ foundBy }) => (foundBy.length === 1 ? foundBy : [])));
  return suites.flatMap(({ checks }) => checks.map(({ id }) => id)).filter((id) => !needed.has(id));
}

/** How many of the ways to break each requirement were found out and blamed. */
export const tppKillScores = ({ deviants }: TppProof): KillScores =>
  killScoresFrom(
    deviants
      .filter(({ skipped }) => skipped === undefined)
      .map((verdict) => ({
        requirement: verdict.id.split('/', 1)[0] ?? '',
        isNoticed: isKilledAndBlamed(verdict),
      })),
  );

/** Whether the proof holds. */
export const isProven = ({ deviants, dialects }: TppProof): boolean =>
  deviants.every(isKilledAndBlamed) && dialects.every(isLeftAlone);
