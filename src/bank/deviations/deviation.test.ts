import { expect, test } from 'vitest';
import { routesOf } from '../bank.ts';
import { compliantDesign } from '../compliant-design.ts';
import { each, marked, once, type Row, table } from './deviation.ts';

const always = (): boolean => true;

/** Where a bank with the only deviation of a row refuses more than the sound one. */
const refusingAt = (row: Row): readonly string[] =>
  routesOf(table(row)[0]?.apply(compliantDesign) ?? compliantDesign)
    .filter(({ rules }) => rules.some(({ name }) => name.startsWith('a deviation from')))
    .map(({ operation }) => operation);

test('what a row refuses is refused where its requirement belongs, unless the row says where', () => {
  expect(refusingAt(['NDC-62/x', 'does', { refuse: always }])).toEqual(['createDomesticPayment']);
  expect(refusingAt(['NDC-62/x', 'does', { refuse: always, at: ['listAccounts'] }])).toEqual([
    'listAccounts',
  ]);
  expect(() => table(['ACC-01/x', 'does', { refuse: always }])).toThrow('Where ACC-01 is to be refused');
});

test('rows of single operations, of several values and with marks are deviations of their own', () => {
  const rows = marked(
    once,
    each(
      [
        ['a', 'one'],
        ['b', 'two'],
      ],
      (way, what) => [`NDC-62/${way}`, `takes ${what}`, { refuse: always }],
    ),
    ['NDC-62/c', 'does', [], { alsoAt: ['domestic'] }],
  );
  expect(
    rows.map(({ id, title, inOneContext, isTooStrict, place }) => [
      id,
      title,
      inOneContext,
      isTooStrict,
      place,
    ]),
  ).toEqual([
    ['NDC-62/a', 'takes one', true, true, undefined],
    ['NDC-62/b', 'takes two', true, true, undefined],
    ['NDC-62/c', 'does', true, undefined, undefined],
    ['NDC-62/c-at-domestic', 'does (domestic)', true, undefined, 'domestic'],
  ]);
});
