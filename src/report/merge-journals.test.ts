import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { writeAttestation } from './attestation.ts';
import { journalFile, readJournal, writeJournal } from './journal.ts';
import { MergeError, mergeJournals, selectionText, splitShard } from './merge-journals.ts';
import { judgeRun } from './outcome.ts';
import { summarize } from './summary.ts';
import { aRun, judge, passing, type RunChanges, someRequirements } from './synthetic-run.test.data.ts';
import { inSpecificationOrder } from './write-reports.ts';

describe('merged shards', () => {
  const dir = testFolder();

  const write = (name: string, run: RunRecord): string => {
    const folder = join(dir, name);
    writeJournal(folder, run);
    return folder;
  };
  const shard = (index: number, result: CheckResult | undefined, changes: RunChanges = {}): string => {
    const selection = selectionText({ only: [], shard: { index, count: 3 } }) ?? '';
    const run = aRun({
      results: result === undefined ? [] : [result],
      footer: { requests: 100 + index, ...changes.footer },
      header: { startedAt: `2026-03-01T10:00:0${index}.000Z`, selection, ...changes.header },
    });
    return write(`shard-${index}`, run);
  };
  const threeShards = (): string[] => [shard(3, passing[0]), shard(1, passing[2]), shard(2, passing[1])];
  const merge = (dirs: readonly string[]) => mergeJournals(dirs, join(dir, 'merged'));

  test('give the same summary as one run', () => {
    merge(threeShards());
    const summaryOf = (run: RunRecord) => {
      const ordered = inSpecificationOrder(run, someRequirements);
      const { startedAt: _, durationMs: __, requests: ___, ...same } = summarize(ordered, judge(ordered));
      return same;
    };
    expect(summaryOf(readJournal(join(dir, 'merged')))).toEqual(summaryOf(aRun()));
  });

  test('last from the first start to the last end, and add up their requests', () => {
    const merged = merge(threeShards());
    expect(merged.header.startedAt).toBe('2026-03-01T10:00:01.000Z');
    expect(merged.footer).toEqual({ durationMs: 6200, requests: 306, interrupted: false });
  });

  test('are incomplete when one of them knows why, whichever it is', () => {
    const known = { header: { incomplete: ['The sandbox lists private customers.'] } };
    const merged = merge([shard(1, passing[0]), shard(2, passing[1], known), shard(3, passing[2], known)]);
    expect(merged.header.incomplete).toEqual(known.header.incomplete);
    expect(judge(merged).verdict).toBe('incomplete');
  });

  test('are incomplete when one is missing, and name it', () => {
    const merged = merge([shard(1, passing[0]), shard(2, passing[1])]);
    expect(merged.header).toMatchObject({
      selection: '--shard 1/3 + --shard 2/3',
      missingShards: ['3/3'],
    });
    expect(judge(merged)).toMatchObject({
      verdict: 'incomplete',
      exitCode: 3,
      problems: [expect.stringContaining('Shard 3/3 is missing')],
    });
  });

  test('are not merged when one was changed since it was attested', () => {
    const shards = threeShards();
    for (const folder of shards) writeAttestation(folder, someRequirements);
    expect(judge(merge(shards)).verdict).toBe('conformant');
    const [edited = ''] = shards;
    const journal = join(edited, journalFile);
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"cases":', '"notes":["x"],"cases":'));
    expect(() => merge(shards)).toThrow(/shard-3 cannot be merged.*journal.ndjson was changed since/);
  });

  test('keep what was chosen by hand', () => {
    const only = (index: number, result: CheckResult | undefined): string =>
      shard(index, result, { header: { selection: `--only DIG --shard ${index}/2` } });
    expect(merge([only(1, passing[0]), only(2, passing[1])]).header.selection).toBe('--only DIG');
  });

  test('are interrupted when one of them was, or was killed', () => {
    const { header, results } = aRun({ results: passing.slice(2), header: { selection: '--shard 3/3' } });
    for (const other of [
      shard(2, passing[1], { footer: { interrupted: true } }),
      write('killed', { header, results }),
    ])
      expect(merge([shard(1, passing[0]), other]).footer).toMatchObject({ interrupted: true });
  });

  test.each([
    ['seed', { seed: 8 }],
    ['tool', { tool: { name: 'xs2a-conformance', version: '9.9.9' } }],
    ['catalogue', { catalogue: '2026-04' }],
    ['profiles', { profiles: { core: '1.0' } }],
    ['insecure', { insecure: true as const }],
    ['target', { target: { name: 'Other', baseUrl: 'https://other.example', environment: 'sandbox' } }],
  ])('must have the same %s', (key, header) => {
    const dirs = [shard(1, passing[0]), shard(2, passing[1], { header })];
    expect(() => merge(dirs)).toThrow(MergeError);
    expect(() => merge(dirs)).toThrow(`differ in ${key}`);
  });

  test('must not overlap, since one verdict would hide the other', () => {
    expect(() => merge([shard(1, passing[0]), shard(2, passing[0])])).toThrow(/DIG-01 was judged in both/);
  });

  test.each(['--shard 2/4', '--only AMT --shard 2/3', '--only AMT'])(
    'must be of the same whole, not %s next to --shard 1/3',
    (selection) => {
      const dirs = [shard(1, passing[0]), shard(2, passing[1], { header: { selection } })];
      expect(() => merge(dirs)).toThrow(/are not shards of the same run/);
    },
  );

  test.each(['1/99999999999999', '1/99999999', '3/2', '0/2'])('are none where one is shard %s', (text) => {
    const odd = shard(1, passing[0], { header: { selection: `--shard ${text}` } });
    expect(() => mergeJournals([odd], join(dir, 'whole'))).toThrow(/there is no shard/);
  });

  test('must have begun within a day: a bank changes, and a known deviation runs out', () => {
    const at = (startedAt: string): RunChanges => ({ header: { startedAt } });
    const later = (startedAt: string): string[] => [
      shard(1, passing[0], at('2026-03-01T10:00:00.000Z')),
      shard(2, passing[1], at('2026-03-01T09:00:00.000Z')),
      shard(3, passing[2], at(startedAt)),
    ];
    expect(judgeRun(merge(later('2026-03-02T08:59:00.000Z')), someRequirements).verdict).toBe('conformant');
    expect(() => merge(later('2026-03-02T09:01:00.000Z'))).toThrow(/begin within a day/);
  });

  test('are incomplete where the journal of one is damaged, or one was blocked', () => {
    const [first = '', ...others] = threeShards();
    appendFileSync(join(first, journalFile), '{"kind":"result"}\n');
    const merged = merge([first, ...others]);
    expect(merged.header.incomplete).toEqual([expect.stringMatching(/shard-3 is damaged, .* line 4\.$/)]);
    expect(judge(merged).verdict).toBe('incomplete');
    const blocked = shard(3, undefined, { footer: { blocker: 'Nobody answers.' } });
    expect(merge([blocked, ...others]).header.incomplete).toEqual([
      expect.stringMatching(/shard-3 could be run\. Nobody answers\.$/),
    ]);
  });

  test('name every certificate that took part', () => {
    const use = (fingerprint: string): RunChanges => ({
      header: { fingerprints: { 'TLS of the bank': fingerprint, 'signature of the TPP': 'EF' } },
    });
    const dirs = [shard(1, passing[0], use('AB')), shard(2, passing[1], use('CD')), shard(3, passing[2])];
    expect(merge(dirs).header.fingerprints).toEqual({
      'TLS of the bank': 'AB, CD',
      'signature of the TPP': 'EF',
    });
  });

  test('must be there', () => {
    expect(() => merge([])).toThrow(/nothing to merge/);
  });
});

test('a selection is told by the flags that made it, and nothing when everything is judged', () => {
  expect(selectionText({ only: [] })).toBeUndefined();
  expect(selectionText({ only: ['DIG', 'AMT-01'] })).toBe('--only DIG,AMT-01');
  expect(selectionText({ only: ['DIG'], shard: { index: 2, count: 3 } })).toBe('--only DIG --shard 2/3');
});

test('the shard is taken out again, and the rest stays', () => {
  expect(splitShard('--only DIG --shard 2/3')).toEqual({ rest: '--only DIG', shard: { index: 2, count: 3 } });
  expect(splitShard('--shard 1/12')).toEqual({ rest: undefined, shard: { index: 1, count: 12 } });
  expect(splitShard('--only DIG')).toEqual({ rest: '--only DIG' });
  expect(splitShard(undefined)).toEqual({ rest: undefined });
});
