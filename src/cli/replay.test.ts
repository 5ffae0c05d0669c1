import { expect, it } from 'vitest';
import { openJournal } from '../report/journal.ts';
import { aResult, aRun } from '../report/synthetic-run.test.data.ts';
import { mostRuns } from '../runner/arguments.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { Redactor } from '../tpp/redaction.ts';
import { tell } from './run-program.test.data.ts';

const dir = testFolder();

it.each([0, mostRuns + 1, Number.MAX_SAFE_INTEGER])(
  'replays no %i cases of a stranger’s run',
  async (runs) => {
    const { header, results } = aRun({
      header: { runs },
      results: [aResult({ id: 'DIG-03', requirements: ['DIG-03'], verdict: 'fail' })],
    });
    const journal = openJournal(dir, new Redactor());
    journal.header(header);
    for (const result of results) journal.result(result);
    journal.close();
    const { exitCode, err } = await tell('replay', dir, 'DIG-03');
    expect([exitCode, err]).toEqual([2, expect.stringContaining('does not say which cases were tried')]);
  },
);
