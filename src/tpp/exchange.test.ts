import { describe, expect, it } from 'vitest';
import { HeaderList } from './exchange.ts';

const list = () =>
  new HeaderList([
    ['Accept', 'application/json'],
    ['X-Request-ID', 'first'],
    ['x-request-id', 'second'],
    ['Date', 'today'],
  ]);

describe('headers', () => {
  it('are found without regard to case, the first one when there are several', () => {
    expect(list().get('X-REQUEST-ID')).toBe('first');
    expect(list().has('date')).toBe(true);
    expect(list().has('digest')).toBe(false);
  });

  it('are replaced where they stand, repetitions included', () => {
    const headers = list();
    headers.set('X-request-id', 'third');
    expect(headers.lines()).toEqual([
      ['Accept', 'application/json'],
      ['X-request-id', 'third'],
      ['Date', 'today'],
    ]);
  });

  it('are added at the end when they are new', () => {
    const headers = list();
    headers.set('Digest', 'SHA-256=');
    expect(headers.lines().at(-1)).toEqual(['Digest', 'SHA-256=']);
  });

  it('can be sent twice', () => {
    const headers = list();
    headers.add('Date', 'tomorrow');
    expect(headers.lines().filter(([name]) => name === 'Date')).toEqual([
      ['Date', 'today'],
      ['Date', 'tomorrow'],
    ]);
  });

  it('are removed with all repetitions', () => {
    const headers = list();
    headers.remove('X-REQUEST-ID');
    expect(headers.lines().map(([name]) => name)).toEqual(['Accept', 'Date']);
  });

  it('may have an empty value and still be there', () => {
    expect(new HeaderList([['PSU-ID', '']]).has('psu-id')).toBe(true);
  });

  it('are copies: the list that they came from stays as it was', () => {
    const lines: [string, string][] = [['Date', 'today']];
    new HeaderList(lines).set('Date', 'tomorrow');
    expect(lines).toEqual([['Date', 'today']]);
  });
});
