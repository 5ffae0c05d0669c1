import { describe, expect, it } from 'vitest';
import { boundedJsonOf, jsonOf } from './json-of-body.ts';

function parsed(text: string) {
  const body = Buffer.from(text);
  const { value, bytes } = boundedJsonOf(body);
  return value === undefined ? undefined : { value, wasCut: bytes !== body };
}
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('the JSON of an answer', () => {
  it.each(['{}', '[1,"a",null]', '"text"', '{"a":{"b":[{"c":1}]}}'])('is left as it is: %s', (text) => {
    expect(parsed(text)).toEqual({ value: JSON.parse(text), wasCut: false });
  });

  it.each(['', '{', 'no', '<html>'])('is none: %j', (text) => {
    expect(parsed(text)).toBeUndefined();
  });

  it('is cut where it is nested deeper than any answer', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const found = parsed(`{"paymentId":"p1","x":${open.repeat(100_000)}1${close.repeat(100_000)}}`);
      expect(found?.wasCut).toBe(true);
      expect(found?.value).toMatchObject({ paymentId: 'p1' });
      expect(depthOf(found?.value)).toBeLessThanOrEqual(64);
    }
  });

  it('is cut where an object has more members than any answer', () => {
    const members = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`m${index}`, 1]));
    const found = parsed(JSON.stringify({ paymentId: 'p1', members }));
    expect(found?.wasCut).toBe(true);
    expect(found?.value).toMatchObject({ paymentId: 'p1', members: { m0: 1, m999: 1 } });
    expect(JSON.stringify(found?.value)).not.toContain('m1000');
  });

  it.each([
    ['brackets and commas', '[{,'.repeat(5_000)],
    ['escaped quotes', '"'.repeat(5_000)],
    ['backslashes', '\\'.repeat(8_000)],
  ])('is left as it is whatever its texts are made of: %s', (_, text) => {
    const value = { paymentId: text, list: [[text], { text }] };
    expect(parsed(JSON.stringify(value))).toEqual({ value, wasCut: false });
  });

  it.each([
    ['of several bytes', 'å😀'],
    ['that are written as escapes', '\\u00e5\\n\\\\'],
    ['that are quotes', '\\"'],
  ])('is cut between characters %s', (_, characters) => {
    for (const before of ['', 'a', 'aa', 'aaa', 'aaaa', 'aaaaa'])
      expect(parsed(`{"text":"${before}${characters.repeat(20_000)}","paymentId":"p1"}`)).toMatchObject({
        wasCut: true,
        value: { paymentId: 'p1' },
      });
  });

  it('is none where what is left of it is none', () => {
    expect(parsed(`{"list":[${'1,'.repeat(100_000)}1]`)).toBeUndefined();
    expect(parsed(`{"x":${'['.repeat(100_000)}`)).toBeUndefined();
    expect(parsed(`<p>${'{"a":1},'.repeat(10_000)}</p>`)).toBeUndefined();
  });

  it('is cut in texts and lists that are longer than any limit', () => {
    const found = parsed(JSON.stringify({ text: 'a'.repeat(100_000), list: Array(100_000).fill(1) }));
    expect(found?.wasCut).toBe(true);
    expect(found?.value).toEqual({ text: 'a'.repeat(16_384), list: Array(20_000).fill(1) });
  });
});

describe('the JSON of a body', () => {
  it('is parsed once for all who look at it', () => {
    const body = Buffer.from('{"a":[1]}');
    expect(jsonOf(body)).toEqual({ a: [1] });
    expect(jsonOf(body)).toBe(jsonOf(body));
  });

  it.each(['null', '5', '"text"', 'false'])('may be neither a list nor an object: %s', (text) => {
    const body = Buffer.from(text);
    expect([jsonOf(body), jsonOf(body)]).toEqual([JSON.parse(text), JSON.parse(text)]);
  });
});
