import { describe, expect, it } from 'vitest';
import { meansTheEmbeddedBank } from './embedded-bank-ahead.ts';

describe('the embedded bank is meant', () => {
  it.each([[['run']], [['run', '--only', 'AMT-02', '--no-html']]])('by %j', (args) => {
    expect(meansTheEmbeddedBank(args, {})).toBe(true);
    expect(meansTheEmbeddedBank(args, { XS2A_BASE_URL: '' })).toBe(true);
  });

  it.each([
    [[]],
    [['list']],
    [['help', 'run']],
    [['run', '--help']],
    [['run', '-h']],
    [['run', '-t', 'bank.yaml']],
    [['run', '-tbank.yaml']],
    [['run', '--target', 'bank.yaml']],
    [['run', '--target=bank.yaml']],
    [['run', '--only', 'AMT', '--base-url', 'https://bank.example']],
    [['run', '--base-url=https://bank.example']],
  ])('not by %j', (args) => {
    expect(meansTheEmbeddedBank(args, {})).toBe(false);
  });

  it('not where the variable that names a target file is empty', () => {
    expect(meansTheEmbeddedBank(['run'], { XS2A_TARGET: '' })).toBe(false);
  });

  it.each(['XS2A_TARGET', 'XS2A_BASE_URL'])('not where %s names another', (variable) => {
    expect(meansTheEmbeddedBank(['run'], { [variable]: 'x' })).toBe(false);
  });
});
