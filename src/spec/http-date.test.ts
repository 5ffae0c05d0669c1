import { describe, expect, it } from 'vitest';
import { formatHttpDate, parseHttpDate } from './http-date.ts';

const now = new Date('2026-03-03T10:00:00Z');

describe('an HTTP date', () => {
  it.each([
    ['IMF-fixdate', 'Tue, 03 Mar 2026 10:00:00 GMT'],
    ['RFC 850', 'Tuesday, 03-Mar-26 10:00:00 GMT'],
    ['asctime', 'Tue Mar  3 10:00:00 2026'],
  ])('is read in the form %s', (_, text) => {
    expect(parseHttpDate(text, now)).toEqual(now);
  });

  it('of RFC 850 is in the past when it would lie more than 50 years ahead', () => {
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now)?.getUTCFullYear()).toBe(1994);
  });

  it.each([
    '',
    'yesterday',
    '2026-03-03T10:00:00Z',
    'Tue, 31 Feb 2026 10:00:00 GMT',
    'Tue, 03 Mar 2026 24:00:00 GMT',
    'Tue, 03 Mar 2026 10:00:00 CET',
    'Tue, 03 Mar 2026 10:00:00 GMT x',
  ])('is not %j', (text) => {
    expect(parseHttpDate(text, now)).toBeUndefined();
  });

  it('is written as IMF-fixdate', () => {
    expect(formatHttpDate(now)).toBe('Tue, 03 Mar 2026 10:00:00 GMT');
  });
});
