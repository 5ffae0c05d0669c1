import { beforeEach, describe, expect, it } from 'vitest';
import { daysBefore, isoDate } from '../../spec/days.ts';
import { kari, refusalIn, type TppOfBank, tppOfBank } from '../sca/tpp-of-bank.test.data.ts';

let tpp: TppOfBank;
let absent: Parameters<TppOfBank['get']>[1];
let account: string;
const statusOf = async (path: string, headers = absent) => (await tpp.get(path, headers)).status;
const present = () => ({ ...absent, 'PSU-IP-Address': '192.0.2.1' });
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
      for (let call = 1; call <= 4; call++) expect(await statusOf(`${account}/${kind}`)).toBe(200);
      const fifth = await tpp.get(`${account}/${kind}`, absent);
      expect(refusalIn(fifth)).toBe('429 ACCESS_EXCEEDED');
      expect(fifth.headers.get('retry-after')).toBe(String(day));
      tpp.clock.advance(day);
      expect(await statusOf(`${account}/${kind}`)).toBe(200);
    },
  );

  it('the accounts, the kinds and calls with the PSU are counted apart', async () => {
    for (let call = 1; call <= 5; call++) await tpp.get(`${account}/balances`, absent);
    expect(await statusOf(`${account}/transactions`)).toBe(200);
    expect(await statusOf('/v1/accounts')).toBe(200);
    expect(await statusOf(`${account}/balances`, present())).toBe(200);
    const other = tpp.bank.state.customers.accountsOf(kari)[1]?.id;
    expect(await statusOf(`/v1/accounts/${other}/balances`)).toBe(200);
  });

  it('the pages of one listing count as one call', async () => {
    for (let call = 0; call < 4; call++) {
      expect(await statusOf(`${account}/transactions?limit=10`)).toBe(200);
      for (const offset of [10, 20, 30])
        expect(await statusOf(`${account}/transactions?limit=10&offset=${offset}`)).toBe(200);
    }
    expect(await statusOf(`${account}/transactions?limit=10`)).toBe(429);
  });

  it('transactions are at most 90 days old', async () => {
    const { body } = await tpp.get(`${account}/transactions?dateFrom=2001-01-01`, absent);
    const { booked } = body.transactions as { booked: readonly { bookingDate: string }[] };
    expect(booked).toHaveLength(90);
    expect(booked.at(-1)?.bookingDate).toBe(isoDate(daysBefore(tpp.clock.now(), 90)));
    const old = tpp.bank.state.customers.accountsOf(kari)[0]?.transactions[0]?.transactionId;
    expect(await statusOf(`${account}/transactions/${old}`)).toBe(404);
    expect(await statusOf(`${account}/transactions/${old}`, present())).toBe(200);
  });

  it('everything ends 180 days after the last SCA', async () => {
    tpp.clock.advance(180 * day);
    expect(await statusOf(`${account}/balances`)).toBe(200);
    tpp.clock.advance(1);
    for (const path of ['/v1/accounts', `${account}/balances`, `${account}/transactions`]) {
      const answer = await tpp.get(path, absent);
      expect(refusalIn(answer)).toBe('401 CONSENT_EXPIRED');
      expect(tpp.scaRedirectOf(answer)).not.toBe('');
    }
  });

  it('there is nothing without consent', async () => {
    expect((await tpp.get('/v1/accounts', { 'PSU-IP-Address': undefined })).status).toBe(401);
  });
});
