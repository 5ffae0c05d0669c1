import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTarget } from './load-target.ts';
import { createTargetFolder } from './target-folder.test.data.ts';
import { TargetFileError } from './target-problem.ts';

const folder = createTargetFolder();
let minimal: string;
beforeAll(async () => {
  minimal = await readFile(folder.path('minimal.yaml'), 'utf8');
});

const loadWith = async (lines: string) =>
  loadTarget(await folder.write('profiles.yaml', `${minimal}\n${lines}\n`), {}, {});

const problemsWith = async (lines: string): Promise<readonly string[]> => {
  const error = await loadWith(lines).catch((reason: unknown) => reason);
  if (!(error instanceof TargetFileError)) throw new Error('The target file was accepted.');
  return error.problems.map(({ path, message }) => `${path}: ${message}`);
};

describe('the profiles of a target', () => {
  it('are all that bind the environment where its file declares none', async () => {
    const { profiles, notOffered } = await loadWith('');
    expect(profiles).toEqual(expect.arrayContaining(['core', 'accounts', 'corporate-psus', 'sandbox']));
    expect(notOffered).toEqual([]);
  });

  it('are those that it declares, with what all include', async () => {
    expect((await loadWith('profiles: [accounts]')).profiles).toEqual(['core', 'accounts']);
  });

  it('lack what it declares not to be offered', async () => {
    const { profiles, notOffered } = await loadWith('notOffered: [{ what: sandbox, reason: not yet }]');
    expect(profiles).not.toContain('sandbox');
    expect(notOffered).toEqual([{ what: 'sandbox', reason: 'not yet' }]);
  });

  it('lack those that rest on what it declares not to be offered', async () => {
    const { profiles } = await loadWith(
      'notOffered: [{ what: createCrossBorderPayment, reason: none abroad }]',
    );
    expect(profiles).toContain('domestic-payments');
    expect(profiles).not.toContain('cross-border-payments');
  });

  it.each([
    ['profiles: [account]', /^profiles\.?\[?0\]?: .*Did you mean "accounts"/],
    ['notOffered: [{ what: deletePaymnt, reason: x }]', /Did you mean deletePayment\?/],
    ['notOffered: [{ what: core, reason: x }]', /core is part of every other one/],
    ['notOffered: [{ what: AMT-02, reason: " " }]', /reason/],
    ['notOffered: [{ what: AMT-02 }]', /reason: This is missing/],
  ])('are refused as %s, with what was meant', async (lines, problem) => {
    expect(await problemsWith(lines)).toEqual([expect.stringMatching(problem)]);
  });
});
