import { expect, it } from 'vitest';
import { byUniqueId } from './by-unique-id.ts';

it('two rows with one id are told, both of them', () => {
  const rows = [
    { id: 'AMT-01/a', title: 'takes yen' },
    { id: 'AMT-01/a', title: 'takes no yen' },
  ];
  expect(() => byUniqueId('deviation', rows, ({ title }) => title)).toThrow(
    'The deviation AMT-01/a is there twice: “takes yen” and “takes no yen”.',
  );
  expect(byUniqueId('deviation', rows.slice(1), ({ title }) => title).get('AMT-01/a')).toBe(rows[1]);
});
