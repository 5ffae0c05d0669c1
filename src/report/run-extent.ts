import type { RunRecord } from '../checks/verdict.ts';

/** A killed run has no footer: its last verdict tells how long it lasted. */
export function runDuration({ header, results, footer }: RunRecord): number {
  if (footer !== undefined) return footer.durationMs;
  const start = Date.parse(header.startedAt);
  const ends = results.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return Math.max(0, ends.reduce((latest, end) => Math.max(latest, end), start) - start);
}

/** A killed run never told how many requests it sent: the recorded exchanges are the least. */
export function runRequests({ results, footer }: RunRecord): number {
  return footer?.requests ?? results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
}
