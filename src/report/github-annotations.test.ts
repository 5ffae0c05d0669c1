import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../checks/verdict.ts';
import { githubAnnotations } from './github-annotations.ts';
import { aResult, aRun, judge } from './synthetic-run.test.data.ts';

const annotationsOf = (results: readonly CheckResult[]): readonly string[] => {
  const run = aRun({ results });
  return githubAnnotations(run, judge(run));
};

describe('annotations for GitHub Actions', () => {
  it('are errors for each cause, with the way to reproduce it', () => {
    const failing = aResult({
      id: 'DIG-02',
      title: 'a digest, wrong: refused',
      verdict: 'fail',
      reason: 'Expected 4xx,\nbut got 100% 201',
      reproduce: 'run --only DIG-02',
    });
    expect(annotationsOf([failing])).toContain(
      '::error title=DIG-02 a digest%2C wrong%3A refused::Expected 4xx, but got 100%25 201%0ABroken rule: A request with a body carries a Digest header over its exact bytes.%0Arun --only DIG-02',
    );
  });

  it('are warnings for what is only advised', () => {
    const advised = aResult({ id: 'ERR-01', verdict: 'warning', level: 'should', reason: 'no text' });
    expect(annotationsOf([advised]).filter((line) => line.startsWith('::warning'))).toHaveLength(1);
  });

  it('are no more than GitHub shows', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      aResult({ id: `X-${index}`, requirements: [`X-${index}`], verdict: 'fail' }),
    );
    expect(annotationsOf(many)).toHaveLength(10);
  });

  it('cannot be forged by an answer of the bank', () => {
    const forged = aResult({ verdict: 'fail', reason: 'x\n::error title=y::forged' });
    expect(
      annotationsOf([forged])
        .join('\n')
        .split('\n')
        .filter((line) => line.includes('title=y')),
    ).toEqual([expect.stringMatching(/^::error title=(?!y)/)]);
  });
});
