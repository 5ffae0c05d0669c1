import { describe, expect, it } from 'vitest';
import { formats, isRedirectUri, textOfLength } from './formats.ts';

const length = (text: string): number => [...text].length;

describe('a text of exactly so many characters', () => {
  it.each([1, 2, 7, 35, 36, 70, 71, 140, 141, 512])('%i', (wanted) => {
    for (const alphabet of ['ascii', 'norwegian'] as const) {
      const text = textOfLength(wanted, alphabet);
      expect(length(text)).toBe(wanted);
      expect(text).toBe(text.trim());
    }
  });

  it('is ASCII, or has letters of more than one byte', () => {
    expect(Buffer.byteLength(textOfLength(70, 'ascii'))).toBe(70);
    expect(Buffer.byteLength(textOfLength(70, 'norwegian'))).toBeGreaterThan(70);
  });
});

describe('a date that is none of the form asked for', () => {
  const written = (label: string, date: string): unknown =>
    formats.date.request.find((violation) => violation.label === label)?.of(date);

  it.each([
    ['tells the day of the year', '2028-12-31', '2028-366'],
    ['tells the day of the week', '2027-01-01', '2026-W53-5'],
    ['tells the day of the week', '2026-11-16', '2026-W47-1'],
    ['is the day zero of a month', '2026-12-14', '2027-01-00'],
    ['is the 31st of a month that has thirty days', '2026-04-30', '2026-04-31'],
    ['is the 31st of a month that has thirty days', '2026-12-14', '2027-04-31'],
    ['is a 31st of June', '2026-09-14', '2027-06-31'],
    ['is a 31st of November', '2026-11-16', '2026-11-31'],
    ['has its month first', '2026-11-17', '11/17/2026'],
    ['has its month in words', '2026-11-17', '17 Nov 2026'],
    ['is a number of seconds', '2026-11-17', '1794873600'],
    ['is the 32nd of a month', '2026-11-17', '2026-11-32'],
  ])('%s: %s', (label, date, expected) => {
    expect(written(label, date)).toBe(expected);
  });

  it('is no date in any of its forms', () => {
    for (const { of } of formats.date.request)
      expect(formats.date.accepts(String(of('2026-11-16')))).toBe(false);
  });
});

describe('the redirect address', () => {
  it.each([
    'https://tpp.example/back',
    'http://127.0.0.1:3000/',
    'myapp://callback',
    'no.tpp.app:callback',
    'myapp:/1234/back',
    'https://tpp.example?x=1#y',
    'https://tpp.example/back?state={1}',
  ])('takes %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    '',
    '/back',
    'tpp.example/back',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' data:text/html,x',
    'file:///etc/passwd',
    'https://tpp.example/way back',
    'https:\\\\tpp.example\\back',
    '"https://tpp.example/back"',
    '<https://tpp.example/back>',
    'https:///back',
    'https:/tpp.example/back',
    'HTTPS:tpp.example/back',
    'https://?state=1',
    'https://{host}/back',
    'localhost:3000/back',
    'tpp.example:443',
    'myapp://{tenant}',
  ])('refuses "%s"', (uri) => expect(isRedirectUri(uri)).toBe(false));
});
