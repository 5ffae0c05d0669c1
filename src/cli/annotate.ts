import type { RunRecord } from '../checks/verdict.ts';
import { githubAnnotations } from '../report/github-annotations.ts';
import type { Outcome } from '../report/outcome.ts';

/** Inside GitHub Actions, failures become annotations. They go to standard error, which `--json` leaves alone. */
export function annotate(
  run: RunRecord,
  outcome: Outcome,
  environment: NodeJS.ProcessEnv = process.env,
  write: (text: string) => void = (text) => void process.stderr.write(text),
): void {
  if (environment.GITHUB_ACTIONS !== 'true') return;
  for (const line of githubAnnotations(run, outcome)) write(`${line}\n`);
}
