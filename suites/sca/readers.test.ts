import { describe, expect, it } from 'vitest';
import { listedDebtors } from '../../src/checks/listed-accounts.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { accountIdsIn, accountOf, type Reader, unlistedIn } from './readers.ts';

const listing = {
  accounts: [
    { resourceId: 'loan-1', bban: '9536.05.99001', currency: 'NOK' },
    { resourceId: 'k-2', iban: 'NO09 9536 0573 002', currency: 'NOK' },
  ],
};

const reader = (debtor?: string): Reader => ({
  psu: { sessionId: 's', ipAddress: '192.0.2.10', redirectUri: 'https://tpp.example/redirect' },
  call: () => Promise.reject(new Error('nothing is sent')),
  listing: { json: listing } as unknown as Answer,
  ...(debtor === undefined ? {} : { debtor }),
});

describe('accounts that were granted', () => {
  const granted = ['95360599001', '95360573002'];

  it('are listed by their numbers, however these are written', () => {
    expect(unlistedIn(listing, granted)).toEqual([]);
    expect(
      unlistedIn({ konto: [{ nr: { value: '9536 05 99001' } }, { nr: '95360573002' }] }, granted),
    ).toEqual([]);
  });

  it('may be missing, some of them or all', () => {
    expect(unlistedIn({ accounts: listing.accounts.slice(1) }, granted)).toEqual(['95360599001']);
    const first = { accounts: listing.accounts.slice(1), _links: { next: { href: '/v1/accounts?page=2' } } };
    expect(unlistedIn(first, granted)).toEqual([]);
    expect(unlistedIn({ accounts: [{ resourceId: 'x', bban: '86011117947' }] }, granted)).toEqual(granted);
    for (const empty of [[], {}, { accounts: [] }, { konto: [] }, { accounts: [], total: 0 }])
      expect(unlistedIn(empty, granted)).toEqual(granted);
  });

  it('are not missing where a bank shows no numbers', () => {
    const hidden = { accounts: [{ resourceId: 'a', name: 'Brukskonto' }] };
    const numbers = { accounts: [{ number: 95_360_573_002 }] };
    const linked = { _links: { 'account-a': { href: '/v1/accounts/a' } } };
    for (const unnumbered of [hidden, numbers, linked, undefined])
      expect(unlistedIn(unnumbered, granted)).toEqual([]);
  });
});

describe('the accounts of a listing', () => {
  it('have their numbers without the dots and spaces that people write', () => {
    expect(listedDebtors(listing).map(({ bban }) => bban)).toEqual(['95360599001', '95360573002']);
  });

  it('are found under whatever name they have, and with numbers as ids', () => {
    const { accounts } = listing;
    for (const other of [accounts, { kontoer: accounts }, { count: 2, data: { items: accounts } }])
      expect(listedDebtors(other)).toHaveLength(2);
    expect(listedDebtors({ data: { items: [] }, links: [{ href: '/v1/accounts' }] })).toEqual([]);
    expect(accountIdsIn([{ resourceId: 4711 }, { id: '' }, { id: 'b' }])).toEqual(['4711', 'b']);
  });

  it('are read at that of the target file, whatever comes before it', () => {
    expect(accountOf(reader('95360573002'))).toEqual({ accountId: 'k-2' });
  });

  it('are read at the first one where that of the target file is not listed', () => {
    expect(accountOf(reader('86011117947'))).toEqual({ accountId: 'loan-1' });
    expect(accountOf(reader())).toEqual({ accountId: 'loan-1' });
  });
});
