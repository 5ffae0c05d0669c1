import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Reader } from '../sca/readers.ts';
import { numberOfAnother } from './some-accounts.ts';

const listing = {
  accounts: [
    { resourceId: 'a', bban: '95360573002' },
    { resourceId: 'b', bban: '9536 05 73010', iban: 'NO0995360573010' },
  ],
};
const reader = { listing: { json: listing } } as unknown as Reader;
const balances = (url: string, account?: unknown): Answer =>
  ({ exchange: { request: { url } }, json: { account, balances: [] } }) as unknown as Answer;

describe('the account that balances are of', () => {
  it.each([
    ['is told', balances('/v1/accounts/b/balances', { bban: '95360573002' }), '95360573002'],
    ['is the one asked for', balances('/v1/accounts/b/balances', { bban: '95360573010' }), undefined],
    ['is not told', balances('/v1/accounts/b/balances'), undefined],
    ['is one that is not listed', balances('/v1/accounts/b/balances', { bban: '86011117947' }), undefined],
    ['was asked for by another', balances('/v1/accounts/c/balances', { bban: '95360573002' }), undefined],
  ])('%s', (_, answer, another) => {
    expect(numberOfAnother(reader, answer)).toBe(another);
  });
});
