import { describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { unanswered } from './fake-transport.test.data.ts';
import { clearlyBelowQuadratic, growthOf } from './growth.test.data.ts';
import { Redactor } from './redaction.ts';

const target = {
  psu: {},
  customHeaders: {},
  accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
};
const inProduction = () => new Redactor({ ...target, environment: 'production' });
const inASandbox = (showTestData = false) =>
  new Redactor({ ...target, environment: 'sandbox' }, { showTestData });

const anExchange = (operation: string, sent: unknown, answer: unknown, status = 200): Exchange => ({
  ...unanswered,
  operation,
  request: { ...unanswered.request, body: sent === '' ? '' : JSON.stringify(sent) },
  response: {
    status,
    headers: [],
    body: typeof answer === 'string' ? answer : JSON.stringify(answer),
  },
});
const shownBy = (redactor: Redactor, ...given: Parameters<typeof anExchange>): string =>
  redactor.exchange(anExchange(...given)).response?.body ?? '';

const accounts = {
  accounts: [
    {
      resourceId: 'r-1',
      iban: 'NO2895360576346',
      bban: '95360576346',
      currency: 'NOK',
      ownerName: 'Kari Nordmann',
      name: 'Lønn',
      balances: [{ balanceType: 'expected', balanceAmount: { currency: 'NOK', amount: '1204.50' } }],
    },
    { maskedPan: '5413********1234', creditLimit: { amount: 50_000.5 }, product: 'Card' },
  ],
  transactions: {
    booked: [
      {
        transactionId: 'T-99',
        bookingDate: '2026-02-03',
        transactionAmount: { currency: 'NOK', amount: '-99.90' },
        creditorName: 'Dr. Ås',
        creditorAccount: { bban: '86011117947' },
        remittanceInformationUnstructured: 'for the therapy',
        additionalInformationProprietaryX: 'X-77',
      },
    ],
  },
  creditorAddress: { street: 'Storgata 1', postalCode: '0155', country: 'NO' },
  cardAccounts: ['95379010017', 'card-2'],
};
const ofCustomers =
  /28?95360576346|Kari|Lønn|1204|5413|50000|99\.90|Dr\. Ås|86011117947|therapy|X-77|Storgata|0155|95379010017|card-2/;

describe('what a bank tells of its customers', () => {
  it.each([
    ['in production', inProduction()],
    ['in a sandbox', inASandbox()],
  ])('is pseudonyms %s, between which one can still tell', (_, redactor) => {
    const shown = shownBy(redactor, 'listAccounts', '', accounts);
    expect(JSON.stringify(accounts)).toMatch(ofCustomers);
    expect(shown).not.toMatch(ofCustomers);
    expect(JSON.parse(shown)).toMatchObject({
      accounts: [
        {
          resourceId: 'r-1',
          currency: 'NOK',
          bban: expect.stringMatching(/^\[account#\d of 11 characters, redacted\]$/),
          balances: [
            { balanceType: 'expected', balanceAmount: { amount: '[amount#1 of 7 characters, redacted]' } },
          ],
        },
        { product: 'Card', creditLimit: { amount: '[amount#2 of 7 characters, redacted]' } },
      ],
      transactions: { booked: [{ transactionId: 'T-99', bookingDate: '2026-02-03' }] },
      creditorAddress: { country: 'NO' },
    });
  });

  it('is shown in a sandbox to whoever asks for test data', () => {
    const shown = shownBy(inASandbox(true), 'listAccounts', '', accounts);
    expect(JSON.parse(shown)).toEqual(accounts);
  });

  it('is hidden in production wherever it stands from then on, in a sandbox in the answers alone', () => {
    const told = 'Pay from 9536 05 76346, of Kari Nordmann';
    for (const [redactor, isHidden] of [
      [inProduction(), true],
      [inASandbox(), false],
    ] as const) {
      redactor.learn(anExchange('listAccounts', '', accounts));
      expect(redactor.text(told).includes('Kari')).toBe(!isHidden);
      expect(/9536 05 76346/.test(redactor.text(told))).toBe(!isHidden);
    }
  });

  it('is hidden in a sentence that quotes an answer, as far as that goes', () => {
    const quoted = 'got {"iban":"NO2895360576346","ownerName":"Kari Nordm';
    expect(inProduction().told(quoted)).toMatch(/^got \{"iban":"\[account#2 .*","ownerName":"\[person#1 /);
  });

  it('is hidden in what is cut off, is no JSON, or is a number', () => {
    expect(shownBy(inProduction(), 'listAccounts', '', '{"bban":95360576346,"ownerName":"Ka\\"ri N')).toMatch(
      /^\{"bban":"\[account#2 .{1,30}\]","ownerName":"\[person#1 .{1,30}\]"$/,
    );
  });

  it('leaves the pages of SCA their tags', () => {
    const page =
      '<form><label for="a">Kari Nordmann, 95360576346</label> <input name="a" value="95360576346"></form>';
    const shown = shownBy(inProduction(), 'other', '', page);
    expect(shown).toMatch(/^<form><label for="a">\[page-text#1 .*\]<\/label> <input name="a" value="\[/);
    expect(shown).not.toMatch(/Kari|9536/);
    expect(shownBy(inASandbox(true), 'other', '', page)).toBe(page);
  });
});

describe('what the suite itself has made up', () => {
  const payment = {
    instructedAmount: { amount: '10.00' },
    creditorName: 'Ola Test',
    creditorAccount: { bban: '12345678903' },
  };

  it('is shown where it was sent and where the bank repeats it, but for the accounts of a real customer', () => {
    const redactor = inProduction();
    const sent = { ...payment, debtorAccount: { bban: '95360573002' } };
    const { request } = redactor.exchange(anExchange('createDomesticPayment', sent, {}));
    expect(request.body).toBe(
      JSON.stringify({ ...payment, debtorAccount: { bban: '[account#1 of 11 characters, redacted]' } }),
    );
    expect(JSON.parse(shownBy(redactor, 'readPayment', '', sent))).toMatchObject(payment);
  });

  it('is shown in a sandbox with the accounts of its target file', () => {
    const body = { accounts: [{ bban: '95360573002', iban: 'NO0995360573002' }] };
    expect(JSON.parse(shownBy(inASandbox(), 'listAccounts', '', body))).toEqual(body);
  });

  it('is what an error says of a request', () => {
    const problem = { invalidParams: [{ name: 'creditorName', reason: 'too long' }], detail: 'no' };
    expect(JSON.parse(shownBy(inProduction(), 'createDomesticPayment', payment, problem, 400))).toEqual(
      problem,
    );
  });

  it('shows how an account of a real customer was changed', () => {
    const redactor = inProduction();
    const [whole, cut] = ['95360573002', '9536057300'].map((bban) => redactor.text(`{"bban":"${bban}"}`));
    expect(whole).not.toBe(cut);
    expect(cut).toBe('{"bban":"[account#1 of 11 characters cut to 10, redacted]"}');
  });
});

it.each(['{', '["', '"a":"', '{"a":', '{"bban":"1"},', '\\"', '<a>b', ' value=', '[ '])(
  'takes work that grows as the text does, made of %j',
  (part) => {
    const redactor = inASandbox();
    const look = (size: number): void => {
      shownBy(redactor, 'other', '', `<p>${part.repeat(size)}`);
      shownBy(redactor, 'listAccounts', '', `[{"x":${part.repeat(size)}`);
    };
    expect(growthOf(look, 500)).toBeLessThan(clearlyBelowQuadratic);
  },
);
