import { expect, test } from 'vitest';
import { HeaderReader } from './header-reader.ts';

test('names and values come in turn, as text or bytes, and without white space around a value', () => {
  const raw = ['Date', Buffer.from(' Tue, 17 Nov 2026 12:00:00 GMT \t'), Buffer.from('X-Request-ID'), ''];
  expect(new HeaderReader().lines(raw)).toEqual([
    ['Date', 'Tue, 17 Nov 2026 12:00:00 GMT'],
    ['X-Request-ID', ''],
  ]);
});

test('a header that is repeated keeps its lines', () => {
  const raw = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Set-Cookie', 'a=1'];
  expect(new HeaderReader().lines(raw)).toEqual([
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['Set-Cookie', 'a=1'],
  ]);
});

test('a line that says the same as before is kept once, whatever the case of other names', () => {
  const reader = new HeaderReader();
  const [first] = reader.lines(['Content-Type', 'application/json']);
  const [other, second] = reader.lines(['content-type', 'text/html', 'Content-Type', 'application/json']);
  expect(second).toBe(first);
  expect(other).toEqual(['content-type', 'text/html']);
});

test('a bank that makes up names without end is read, and not remembered', () => {
  const reader = new HeaderReader();
  for (let index = 0; index < 1000; index += 1) reader.lines([`X-${index}`, 'a']);
  const [first] = reader.lines(['X-999', 'a']);
  const [second] = reader.lines(['X-999', 'a']);
  expect(second).toEqual(['X-999', 'a']);
  expect(second).not.toBe(first);
});
