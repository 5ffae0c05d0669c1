import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../bank-under-test.test.data.ts';
import { kari, type TppOfBank, tppOfBank } from '../sca/tpp-of-bank.test.data.ts';

let tpp: TppOfBank;
let psu: Awaited<ReturnType<TppOfBank['consent']>>;
let path: string;
beforeEach(async () => {
  tpp = await tppOfBank();
  psu = await tpp.consent(kari);
  path = `/v1/accounts/${tpp.bank.state.customers.accountsOf(kari)[0]?.id}/transactions`;
});

interface Listed {
  readonly transactionId: string;
  readonly bookingDate: string;
}
interface Listing {
  readonly booked?: readonly Listed[];
  readonly pending?: readonly Listed[];
  readonly _links: Readonly<Record<string, { readonly href: string } | undefined>>;
}
const read = (query = ''): Promise<Answer> => tpp.get(path + query, psu);
const list = async (query = ''): Promise<Listing> => (await read(query)).body.transactions as Listing;
const pathOf = (link: { readonly href: string } | undefined): string => {
  const { pathname, search } = new URL(link?.href ?? '');
  return pathname + search;
};

describe('transactions', () => {
  it('come 200 to a page without parameters, and the links carry 200', async () => {
    const { booked, pending, _links } = await list();
    expect([booked?.length, pending]).toEqual([200, undefined]);
    expect(pathOf(_links.first)).toBe(`${path}?limit=200&offset=0`);
    expect(pathOf(_links.next)).toBe(`${path}?limit=200&offset=200`);
    expect(pathOf(_links.last)).toBe(`${path}?limit=200&offset=400`);
  });

  it('are each on one page when the links are followed', async () => {
    const seen: string[] = [];
    for (let next: string | undefined = '?limit=70'; next !== undefined; ) {
      const { booked, _links }: Listing = await list(next);
      seen.push(...(booked ?? []).map(({ transactionId }) => transactionId));
      next = _links.next && new URL(_links.next.href).search;
    }
    expect([seen.length, new Set(seen).size]).toEqual([450, 450]);
  });

  it('keep their other parameters in the links', async () => {
    const { _links } = await list('?bookingStatus=both&limit=5');
    expect(pathOf(_links.next)).toBe(`${path}?bookingStatus=both&limit=5&offset=5`);
  });

  it('of bookingStatus pending, both and all have every pending one, whatever dates and limit', async () => {
    const filter = '&dateFrom=2001-01-01&dateTo=2001-01-02&limit=1';
    const pending = await list(`?bookingStatus=pending${filter}`);
    expect([pending.pending?.length, pending.booked]).toEqual([2, undefined]);
    for (const status of ['both', 'all']) {
      const { booked, pending: all } = await list(`?bookingStatus=${status}${filter}`);
      expect([booked?.length, all?.length]).toEqual([0, 2]);
    }
  });

  it('are filtered by date, newest first', async () => {
    const { booked = [] } = await list();
    const [from, to] = [booked[9]?.bookingDate ?? '', booked[3]?.bookingDate ?? ''];
    const filtered = await list(`?dateFrom=${from}&dateTo=${to}`);
    expect(filtered.booked?.map(({ bookingDate }) => bookingDate)).toEqual(
      booked.slice(3, 10).map(({ bookingDate }) => bookingDate),
    );
  });

  it('have an end beyond the last page', async () => {
    const { booked, _links } = await list('?limit=10&offset=1000');
    expect(booked).toEqual([]);
    expect(_links.next).toBeUndefined();
    expect(_links.previous).toBeDefined();
  });

  it.each([
    'bookingStatus=some',
    'dateFrom=2026-02-30',
    'dateTo=today',
    'limit=0',
    'limit=1e3',
    'offset=-1',
    'dateFrom=2026-03-02&dateTo=2026-03-01',
  ])('are refused with %s', async (query) => {
    const answer = await read(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.tppMessages).toMatchObject([{ code: 'FORMAT_ERROR', path: query.split('=')[0] }]);
  });

  it('have details with the accounts of both sides, under an id that stays', async () => {
    const [first] = (await list()).booked ?? [];
    const { body } = await tpp.get(`${path}/${first?.transactionId}`, psu);
    expect(body.transactionsDetails).toMatchObject({
      transactionId: first?.transactionId,
      bookingStatus: 'booked',
      debtorAccount: { bban: '95360573002' },
      creditorAccount: { bban: '86011117947' },
    });
    expect((await tpp.get(`${path}/nothing`, psu)).status).toBe(404);
  });

  it('of a card have the amount on the account and the amount at the merchant', async () => {
    const card = tpp.bank.state.customers.cardAccountsOf(kari)[0]?.id;
    const { body } = await tpp.get(
      `/v1/card-accounts/${card}/transactions?bookingStatus=both&limit=100`,
      psu,
    );
    const { booked } = body.cardTransactions as {
      booked: readonly { originalAmount: { currency: string } }[];
    };
    expect(booked.find(({ originalAmount }) => originalAmount.currency === 'EUR')).toMatchObject({
      transactionAmount: { amount: '-236.00', currency: 'NOK' },
      originalAmount: { amount: '-20.00', currency: 'EUR' },
    });
  });
});
