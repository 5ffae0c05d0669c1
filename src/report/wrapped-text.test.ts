import { describe, expect, it } from 'vitest';
import { wrap, wrappedCommand, wrappedData } from './wrapped-text.ts';

describe('text', () => {
  it('is broken between words, and all lines but the first are indented', () => {
    expect(wrap('one two three four', 11, '  ')).toBe('one two\n  three\n  four');
  });

  it('keeps a word whole that is too long', () => {
    expect(wrap('a https://bank.example/v1/payments b', 10)).toBe('a\nhttps://bank.example/v1/payments\nb');
  });
});

describe('data', () => {
  it('is broken behind commas and brackets where it is one long word', () => {
    expect(wrappedData('{"paymentId":"3b94","status":"RCVD"}', 20, 9)).toEqual([
      '{"paymentId":"3b94",',
      '"status":"RCVD"}',
    ]);
  });

  it('never has a line that is too long, and says that something is missing', () => {
    const lines = wrappedData(`{"a":"${'x'.repeat(90)}","b":[${'1,'.repeat(90)}2]}`, 30, 3);
    expect(lines).toHaveLength(3);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(30);
    expect(lines.at(-1)).toMatch(/…$/);
  });
});

describe('a command', () => {
  it('goes on behind a backslash, so that it can be copied', () => {
    const command = 'npx xs2a-conformance run --target bank.yaml --only AMT-02 --seed 7';
    const lines = wrappedCommand(command, 40);
    expect(lines).toEqual(['npx xs2a-conformance run \\', '--target bank.yaml --only AMT-02 \\', '--seed 7']);
    expect(lines.join('\n').replaceAll('\\\n', '')).toBe(command);
  });

  it('is not broken inside quotes', () => {
    expect(wrappedCommand("replay run --target 'my own bank.yaml' AMT-02", 24)).toEqual([
      'replay run \\',
      "--target 'my own bank.yaml' \\",
      'AMT-02',
    ]);
  });
});
