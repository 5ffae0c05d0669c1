import { Ajv } from 'ajv';
import { beforeEach, describe, expect, it } from 'vitest';
import { bodies } from '../../spec/bodies/index.ts';
import { bodySchema } from '../../spec/json-schema.ts';
import type { Answer, Json } from '../bank-under-test.test.data.ts';
import { refusalIn, type TppOfBank, tppOfBank } from '../sca/tpp-of-bank.test.data.ts';

let tpp: TppOfBank;
beforeEach(async () => {
  tpp = await tppOfBank();
});

const path = '/v1/sandbox/customers';
const listOf = ({ raw }: Answer): readonly Json[] => JSON.parse(raw.body.toString()) as readonly Json[];
const customers = async (query = ''): Promise<readonly Json[]> => listOf(await tpp.get(path + query));
const post = (to: string, body: unknown): Promise<Answer> => tpp.call(to, { body });

const newCustomer = { customerNumber: '30816510186', name: 'Ny Kunde', type: 'private' };
const newAccount = {
  customerNumber: newCustomer.customerNumber,
  accountName: 'Min konto',
  bban: '95360578195',
  currency: 'NOK',
  product: 'Brukskonto',
  cashAccountType: 'CACC',
  creditLine: 1000,
  balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: 1234.5, currency: 'NOK' } }],
};

describe('the listing of customers', () => {
  it('has the shape of the specification', async () => {
    const validate = new Ajv({ strict: false }).compile(bodySchema(bodies.sandboxCustomer).schema);
    for (const customer of await customers())
      expect(validate(customer), JSON.stringify(validate.errors)).toBe(true);
  });

  it('leaves the arrays that were not asked for empty', async () => {
    const [bare] = await customers('?withAccounts=false&withAgreements=false');
    expect(bare).toMatchObject({ accounts: [], cardAccounts: [], agreements: [] });
    const company = (await customers('?withAccounts=true&withAgreements=true')).find(
      ({ customerType }) => customerType === 'CORPORATE',
    );
    expect(company).toMatchObject({ agreements: [{ engagements: expect.any(Array) }] });
    expect(company?.accounts).toHaveLength(2);
  });

  it('refuses another value', async () => {
    const answer = await tpp.get(`${path}?withAccounts=maybe`);
    expect([answer.status, tpp.refusedBy()]).toEqual([400, 'SBX-41']);
  });

  it('links every agreement to its engagements', async () => {
    const company = (await customers()).find(({ customerType }) => customerType === 'CORPORATE');
    const agreements = (company?.agreements ?? []) as readonly {
      _links: { engagements: { href: string } };
    }[];
    const answer = await tpp.get(new URL(agreements[0]?._links.engagements.href ?? '').pathname);
    expect(listOf(answer)[0]).toMatchObject({ customer: '05829210160', roles: ['VIEW', 'REGISTER'] });
  });
});

describe('sandbox data', () => {
  it('takes a customer with account, card account and transactions, who can pass SCA', async () => {
    const created = await post(path, newCustomer);
    expect(created.status).toBe(201);
    const account = await post('/v1/sandbox/accounts', newAccount);
    expect(account.body).toMatchObject({ bban: newAccount.bban, iban: 'NO6095360578195' });
    const card = await post('/v1/sandbox/card-accounts', {
      customerNumber: newCustomer.customerNumber,
      maskedPan: '123456******7890',
      currency: 'NOK',
      creditLimit: 20000,
    });
    expect(card.status).toBe(201);
    const transaction = { transactionAmount: { amount: -34.5, currency: 'NOK' }, creditorName: 'Kiosken' };
    expect((await post(`/v1/sandbox/accounts/${account.body.iban}/transactions`, transaction)).status).toBe(
      201,
    );
    expect(
      (await post(`/v1/sandbox/card-accounts/${card.body.cardAccountId}/transactions`, transaction)).status,
    ).toBe(201);

    const psu = await tpp.consent(newCustomer.customerNumber);
    const balances = await tpp.get(`/v1/accounts/${account.body.accountId}/balances`, psu);
    expect(balances.body.balances).toMatchObject([
      { balanceType: 'interimBooked', balanceAmount: { amount: '1200.00', currency: 'NOK' } },
      { balanceType: 'expected' },
      { balanceType: 'interimAvailable', balanceAmount: { amount: '2200.00' } },
    ]);
    expect((await tpp.get('/v1/card-accounts', psu)).body.cardAccounts).toHaveLength(1);
  });

  it('takes what scripts of TPPs send: TAXE as type of account, and a limit as an object', async () => {
    await post(path, newCustomer);
    const account = { ...newAccount, cashAccountType: 'TAXE', creditLine: { amount: 10, currency: 'NOK' } };
    expect((await post('/v1/sandbox/accounts', account)).status).toBe(201);
    const card = {
      customerNumber: newCustomer.customerNumber,
      maskedPan: '123456******7890',
      currency: 'NOK',
      creditLimit: { amount: '20000', currency: 'NOK' },
    };
    expect((await post('/v1/sandbox/card-accounts', card)).status).toBe(201);
    const { customers } = tpp.bank.state;
    expect(customers.accountByReference({ bban: newAccount.bban })).toMatchObject({
      cashAccountType: 'TAX',
      creditLine: 1000n,
    });
    expect(customers.cardAccountsOf(newCustomer.customerNumber)).toMatchObject([{ creditLimit: 2_000_000n }]);
    const euros = await post('/v1/sandbox/card-accounts', {
      ...card,
      creditLimit: { amount: 1, currency: 'EUR' },
    });
    expect(euros.body.tppMessages).toMatchObject([{ path: 'creditLimit.currency' }]);
  });

  it('takes an agreement, under which its owner acts', async () => {
    await post(path, { ...newCustomer, type: 'corporate' });
    await post('/v1/sandbox/accounts', newAccount);
    const agreement = await post('/v1/sandbox/agreements', {
      owner: newCustomer.customerNumber,
      name: 'Avtale',
      engagements: [
        {
          customer: newCustomer.customerNumber,
          account: { iban: 'NO6095360578195' },
          roles: ['VIEW', 'REGISTER'],
        },
      ],
    });
    expect(agreement.status).toBe(201);
    const psu = await tpp.consent(newCustomer.customerNumber, { context: 'CORPORATE' });
    expect(psu['PSU-Corporate-ID']).toBe(agreement.body.id);
    expect((await tpp.get('/v1/accounts', psu)).body.accounts).toMatchObject([{ bban: newAccount.bban }]);
  });

  it.each([
    ['customerNumber', { ...newCustomer, customerNumber: '123' }],
    ['name', { ...newCustomer, name: '' }],
    ['type', { ...newCustomer, type: 'person' }],
    ['type', []],
  ])('refuses a customer for its %s', async (field, body) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.tppMessages).toMatchObject([{ code: 'FORMAT_ERROR', path: field }]);
  });

  it.each([
    ['bban', { bban: '95360578196' }],
    ['iban', { iban: 'NO0095360578195' }],
    ['currency', { currency: 'BYN' }],
    ['cashAccountType', { cashAccountType: 'PIGGY' }],
    [
      'balances[0].balanceAmount.amount',
      { balances: [{ balanceAmount: { amount: 1.005, currency: 'NOK' } }] },
    ],
    ['balances[0].balanceAmount.currency', { balances: [{ balanceAmount: { amount: 1, currency: 'EUR' } }] }],
  ])('refuses an account for its %s', async (field, changes) => {
    await post(path, newCustomer);
    const answer = await post('/v1/sandbox/accounts', { ...newAccount, ...changes });
    expect(answer.body.tppMessages).toMatchObject([{ code: 'FORMAT_ERROR', path: field }]);
  });

  it('refuses numbers in use and owners that do not exist', async () => {
    expect((await post(path, { ...newCustomer, customerNumber: '01819010001' })).status).toBe(409);
    expect((await post('/v1/sandbox/accounts', newAccount)).status).toBe(404);
    await post(path, newCustomer);
    const taken = await post('/v1/sandbox/accounts', { ...newAccount, bban: '95360573002' });
    expect(refusalIn(taken)).toBe('409 CONFLICT');
  });

  it('deletes a customer with everything that belongs to it', async () => {
    const created = await post(path, newCustomer);
    await post('/v1/sandbox/accounts', newAccount);
    const self = `${path}/${created.body.customerId}`;
    expect((await tpp.call(self, { method: 'DELETE' })).status).toBe(204);
    expect((await tpp.get(self)).status).toBe(404);
    expect(tpp.bank.state.customers.accountByReference({ bban: newAccount.bban })).toBeUndefined();
  });

  it.each(['initialise', 'initialize'])('returns to the initial data set by %s', async (word) => {
    const before = await customers();
    await post(path, newCustomer);
    await tpp.call(`${path}/${before[0]?.customerId}`, { method: 'DELETE' });
    expect((await tpp.call(`/v1/sandbox/${word}`)).status).toBe(204);
    expect(await customers()).toEqual(before);
  });
});
