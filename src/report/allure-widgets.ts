import type { RunRecord } from '../checks/verdict.ts';
import { allureHistoryId, allureId, statusOf } from './allure-result.ts';
import type { Outcome } from './outcome.ts';
import { profileText, touchedProfiles } from './profile-results.ts';
import type { HistoryPoint } from './run-history.ts';
import { intervalOf } from './run-times.ts';

/** The gate is our exit code; Allure has a place to say what it depends on. */
export function gates({ profiles, problems, exitCode, verdict }: Outcome): readonly object[] {
  const gate = (rule: string, success: boolean, message: string) => ({
    success,
    rule,
    message,
    expected: 'conformant',
    actual: verdict,
    testResults: [],
  });
  return [
    gate(
      'Gate of the run: the exit code, 0 only when no declared profile is broken or left open',
      exitCode === 0,
      [`The run is ${verdict}, exit code ${exitCode}.`, ...problems].join(' '),
    ),
    ...touchedProfiles(profiles).map((profile) =>
      gate(
        `Profile ${profile.id}: ${profile.title}`,
        profile.verdict === 'conformant' || profile.verdict === 'partial',
        [
          `${profileText(profile)}.`,
          ...(profile.broken.length === 0 ? [] : [`Broken: ${profile.broken.join(', ')}.`]),
          ...(profile.gaps.length === 0 ? [] : [`Not exercised: ${profile.gaps.join(', ')}.`]),
        ].join(' '),
      ),
    ),
  ];
}

/** The timeline shows when each check was under way; elsewhere its duration is its share of the run's time. */
export function timeline({ header, results }: RunRecord, written = '[]'): string {
  const byId = new Map(results.map((result) => [allureId(header, result), intervalOf(result)]));
  const rows = JSON.parse(written) as { readonly id: string; readonly duration: number }[];
  return JSON.stringify(
    rows.map((row) => {
      const { start, stop } = byId.get(row.id) ?? { start: 0, stop: row.duration };
      return { ...row, duration: stop - start };
    }),
  );
}

/** The earlier runs as Allure reads them. What they are called comes from this run, so that none has to be kept. */
export function allureHistory(earlier: readonly HistoryPoint[], { results }: RunRecord): readonly object[] {
  const names = new Map(results.map(({ id, title }) => [id, `${id} ${title}`]));
  return earlier.map(({ uuid, timestamp, verdict, checks }) => ({
    uuid,
    name: verdict,
    timestamp,
    knownTestCaseIds: [],
    metrics: {},
    url: '',
    testResults: Object.fromEntries(
      Object.entries(checks).map(([id, fell]) => {
        const historyId = allureHistoryId(id);
        const status = statusOf(fell);
        const name = names.get(id) ?? id;
        return [
          historyId,
          { id: historyId, historyId, name, status, start: timestamp, stop: timestamp, duration: 0, url: '' },
        ];
      }),
    ),
  }));
}
