import type { RunRecord } from '../checks/verdict.ts';
import { allureId } from './allure-result.ts';
import type { Outcome } from './outcome.ts';
import { profileText } from './profile-results.ts';
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
    ...profiles.map((profile) =>
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
