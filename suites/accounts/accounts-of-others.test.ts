import { describe, expect, it } from 'vitest';
import { saidAccountsIn } from './accounts-of-others.ts';

const kari = {
  customerNumber: '1',
  customerType: 'PRIVATE',
  accounts: ['acc-1', 'acc-2'],
  cardAccounts: ['card-1'],
};
const ola = { customerNumber: '2', customerType: 'PRIVATE', accounts: ['acc-3'], cardAccounts: [] };
const company = { customerNumber: '3', customerType: 'CORPORATE', accounts: ['acc-4'], cardAccounts: [] };

describe('the accounts that a sandbox lists for others', () => {
  it('are those of customers of the same type', () => {
    expect(saidAccountsIn([kari, ola, company], '1')).toEqual({
      own: ['acc-1', 'acc-2', 'card-1'],
      others: ['acc-3'],
    });
  });

  it.each([
    ['two have one together', [kari, { ...ola, accounts: ['acc-2'] }]],
    [
      'each counts its own',
      [
        { ...kari, accounts: ['1', '2'], cardAccounts: [] },
        { ...ola, accounts: ['1', '3'] },
      ],
    ],
    ['the PSU is none of them', [ola, company]],
    ['there is no list', [{ ...kari, accounts: undefined, cardAccounts: null }]],
  ])('are not known where %s', (_, customers) => {
    expect(saidAccountsIn(customers, '1')).toEqual({ own: [], others: [] });
  });
});
