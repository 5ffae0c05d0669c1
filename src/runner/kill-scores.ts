import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KillScore, KillScores } from '../checks/kill-score.ts';
import { packageRoot } from './package.ts';

/** Written by `npm run proof`, shown by the documents and reports. */
export const killScoresFile = join(packageRoot, 'fixtures', 'proof', 'kill-scores.json');

/** How many deviations of each requirement the suite finds out; empty where the proof was never run. */
export function killScores(): KillScores {
  if (!existsSync(killScoresFile)) return new Map();
  return new Map(
    Object.entries(JSON.parse(readFileSync(killScoresFile, 'utf8')) as Record<string, KillScore>),
  );
}
