import { beforeEach, describe, expect, it } from 'vitest';
import { daysBefore, isoDate } from '../../spec/days.ts';
import { codeOf, kari, type TppOfBank, tppOfBank } from '../sca/tpp-of-bank.test.data.ts';

let tpp: TppOfBank;
let absent: Parameters<TppOfBank['get']>[1];
let account: string;
const day = 86_400;

beforeEach(async () => {
  tpp = await tppOfBank();
  absent = { ...(await tpp.consent(kari)), 'PSU-IP-Address': undefined };
  account = `/v1/accounts/${tpp.bank.state.customers.accountsOf(kari)[0]?.id}`;
});

describe('without the PSU present', () => {
  it.each(['balances', 'transactions'])(
    '%s are read four times in 24 hours, without a session',
    async (kind) => {
      tpp.clock.advance(2 * 3600);
      for (let call = 1; call <= 4; call++)
        expect((await tpp.get(`${account}/${kind}`, absent)).status).toBe(200);
      const fifth = await tpp.get(`${account}/${kind}`, absent);
      expect([fifth.status, codeOf(fifth)]).toEqual([429, 'ACCESS_EXCEEDED']);
      expect(fifth.headers.get('retry-after')).toBe(String(day));
      tpp.clock.advance(day);
      expect((await tpp.get(`${account}/${kind}`, absent)).status).toBe(200);
    },
  );

  it('the accounts, the kinds and calls with the PSU are counted apart', async () => {
    for (let call = 1; call <= 5; call++) await tpp.get(`${account}/balances`, absent);
    expect((await tpp.get(`${account}/transactions`, absent)).status).toBe(200);
    expect((await tpp.get('/v1/accounts', absent)).status).toBe(200);
    expect((await tpp.get(`${account}/balances`, { ...absent, 'PSU-IP-Address': '192.0.2.1' })).status).toBe(
      200,
    );
    const other = tpp.bank.state.customers.accountsOf(kari)[1]?.id;
    expect((await tpp.get(`/v1/accounts/${other}/balances`, absent)).status).toBe(200);
  });

  it('the pages of one listing count as one call', async () => {
    for (let call = 0; call < 4; call++) {
      expect((await tpp.get(`${account}/transactions?limit=10`, absent)).status).toBe(200);
      for (const offset of [10, 20, 30]) {
        const page = await tpp.get(`${account}/transactions?limit=10&offset=${offset}`, absent);
        expect(page.status).toBe(200);
      }
    }
    expect((await tpp.get(`${account}/transactions?limit=10`, absent)).status).toBe(429);
  });

  it('transactions are at most 90 days old', async () => {
    const { body } = await tpp.get(`${account}/transactions?dateFrom=2001-01-01`, absent);
    const { booked } = body.transactions as { booked: readonly { bookingDate: string }[] };
    expect(booked).toHaveLength(90);
    expect(booked.at(-1)?.bookingDate).toBe(isoDate(daysBefore(tpp.clock.now(), 90)));
    const old = tpp.bank.state.customers.accountsOf(kari)[0]?.transactions[0]?.transactionId;
    expect((await tpp.get(`${account}/transactions/${old}`, absent)).status).toBe(404);
    expect(
      (await tpp.get(`${account}/transactions/${old}`, { ...absent, 'PSU-IP-Address': '192.0.2.1' })).status,
    ).toBe(200);
  });

  it('everything ends 180 days after the last SCA', async () => {
    tpp.clock.advance(180 * day);
    expect((await tpp.get(`${account}/balances`, absent)).status).toBe(200);
    tpp.clock.advance(1);
    for (const path of ['/v1/accounts', `${account}/balances`, `${account}/transactions`]) {
      const answer = await tpp.get(path, absent);
      expect([answer.status, codeOf(answer)]).toEqual([401, 'CONSENT_EXPIRED']);
      expect(tpp.scaRedirectOf(answer)).not.toBe('');
    }
  });

  it('there is nothing without consent', async () => {
    expect((await tpp.get('/v1/accounts', { 'PSU-IP-Address': undefined })).status).toBe(401);
  });
});
