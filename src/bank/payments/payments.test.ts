import { beforeEach, describe, expect, it } from 'vitest';
import { daysBefore, isoDate } from '../../spec/days.ts';
import { seedSession } from '../bank.ts';
import {
  type BankUnderTest,
  bankUnderTest,
  type CallOptions,
  crossBorderPath,
  crossBorderPayment,
  customerNumber,
  domesticPath,
  domesticPayment,
  type Json,
} from '../bank-under-test.test.data.ts';
import { compliantDesign } from '../compliant-design.ts';
import { unreadableBeforeApproval } from '../design/design.ts';
import { dialectById } from '../dialects/index.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import { movableClock } from '../state/movable-clock.test.data.ts';
import { approvePayment } from './approval.ts';
import { processBatch } from './batch.ts';
import { seedPayments } from './seed-payments.ts';

type Headers = NonNullable<CallOptions['headers']>;

let subject: BankUnderTest;
let clock: ReturnType<typeof movableClock>;
beforeEach(async () => {
  clock = movableClock();
  subject = await bankUnderTest({ clock });
});

async function created(path: string, body: Json): Promise<string> {
  const answer = await subject.call(path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.body.paymentId);
}
const reading = (method: 'GET' | 'DELETE', path: string, headers: Headers = {}) =>
  subject.call(path, { method, headers });
const statusOf = async (path: string, id: string) => (await reading('GET', `${path}/${id}/status`)).body;
/** Without the PSU present, whose session has ended by then. */
const statusLater = async (path: string, id: string) =>
  (await reading('GET', `${path}/${id}/status`, { 'PSU-IP-Address': undefined })).body;
const approve = (id: string) => approvePayment(subject.bank.state, id, { customerNumber });

describe('a payment', () => {
  it('can be read and deleted before approval', async () => {
    const id = await created(domesticPath, domesticPayment());
    expect(await statusOf(domesticPath, id)).toMatchObject({ transactionStatus: 'RCVD' });
    const details = await reading('GET', `${domesticPath}/${id}`);
    expect(details.body).toMatchObject({ paymentId: id, creditorName: 'Blåbær & Bjørk AS' });
    expect((await reading('DELETE', `${domesticPath}/${id}`)).status).toBe(204);
    expect(await statusOf(domesticPath, id)).toMatchObject({ transactionStatus: 'CANC' });
    expect((await reading('DELETE', `${domesticPath}/${id}`)).status).toBe(409);
  });

  it('may have an opaque id, which is percent-encoded in paths', async () => {
    const paymentId = 'enc!!H6fD/+a b?#==';
    subject = await bankUnderTest({
      design: {
        ...compliantDesign,
        payments: { ...compliantDesign.payments, newPaymentId: () => paymentId },
      },
    });
    const answer = await subject.call(domesticPath, { body: domesticPayment() });
    const { pathname } = new URL(answer.headers.get('location') ?? '');
    expect((await reading('GET', pathname)).body).toMatchObject({ paymentId });
  });

  it('is unknown under another product, id or TPP', async () => {
    const id = await created(domesticPath, domesticPayment());
    for (const [path, requirement] of [
      [`${crossBorderPath}/${id}`, 'PST-12'],
      [`${domesticPath}/nothing`, 'PST-10'],
      [`${domesticPath}/..%2f..%2fx`, 'PST-10'],
    ]) {
      const answer = await reading('GET', `${path}/status`);
      expect([answer.status, subject.refusedBy()], path).toEqual([404, requirement]);
    }
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await reading(method, `${crossBorderPath}/${id}`);
      expect([answer.status, subject.refusedBy()], method).toEqual([404, 'PST-13']);
    }
    subject.bank.state.payments.update({
      ...(subject.bank.state.payments.get(id) ?? expect.fail()),
      tpp: 'another TPP',
    });
    expect((await reading('GET', `${domesticPath}/${id}/status`)).status).toBe(404);
    expect(subject.refusedBy()).toBe('OWN-01');
  });

  it('cannot be read before approval by a bank with the known issue', async () => {
    subject = await bankUnderTest({
      design: {
        ...compliantDesign,
        payments: { ...compliantDesign.payments, isReadable: unreadableBeforeApproval },
      },
    });
    const id = await created(domesticPath, domesticPayment());
    expect((await reading('GET', `${domesticPath}/${id}/status`)).status).toBe(403);
    approve(id);
    expect((await reading('GET', `${domesticPath}/${id}/status`)).status).toBe(200);
  });

  it('goes through its states in batches, and moves the money', async () => {
    const own = domesticPayment({ creditorAccount: { bban: '95360573754', currency: 'NOK' } });
    const id = await created(domesticPath, own);
    processBatch(subject.bank.state);
    expect(await statusOf(domesticPath, id)).toMatchObject({ transactionStatus: 'RCVD' });
    approve(id);
    expect(await statusOf(domesticPath, id)).toMatchObject({ transactionStatus: 'ACTC' });
    processBatch(subject.bank.state);
    expect(await statusOf(domesticPath, id)).toMatchObject({
      transactionStatus: 'ACSP',
      fundsAvailable: true,
    });
    expect((await reading('DELETE', `${domesticPath}/${id}`)).status).toBe(409);
    processBatch(subject.bank.state);
    expect(await statusOf(domesticPath, id)).toMatchObject({ transactionStatus: 'ACSC' });
    const { customers } = subject.bank.state;
    const entries = ['95360573002', '95360573754'].map((bban) =>
      customers.accountByReference({ bban })?.transactions.filter(({ paymentId }) => paymentId === id),
    );
    expect(entries).toMatchObject([
      [{ amount: -12550n, bookingStatus: 'booked' }],
      [{ amount: 12550n, bookingStatus: 'booked' }],
    ]);
  });

  it('is processed by the batches of the day as the clock goes on', async () => {
    const id = await created(domesticPath, domesticPayment());
    approve(id);
    clock.advance(24 * 3600);
    expect(await statusLater(domesticPath, id)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  it('waits for its execution date', async () => {
    const inTwoDays = isoDate(daysBefore(clock.now(), -2));
    const id = await created(domesticPath, domesticPayment({ requestedExecutionDate: inTwoDays }));
    approve(id);
    processBatch(subject.bank.state);
    expect(await statusOf(domesticPath, id)).toMatchObject({ transactionStatus: 'ACTC' });
  });

  it('without funds is ACCP, and is tried again', async () => {
    const body = domesticPayment({ debtorAccount: { bban: '95360573754', currency: 'NOK' } });
    const id = await created(domesticPath, body);
    approve(id);
    processBatch(subject.bank.state);
    expect(await statusOf(domesticPath, id)).toMatchObject({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
    });
    processBatch(subject.bank.state);
    expect(await statusOf(domesticPath, id)).toMatchObject({ transactionStatus: 'ACCP' });
    expect((await subject.call('/v1/signing-baskets', { body: { paymentIds: [id] } })).status).toBe(400);
    expect((await reading('DELETE', `${domesticPath}/${id}`)).status).toBe(204);
  });

  it('across the border is PDNG while the bank abroad works, and cannot be deleted then', async () => {
    const id = await created(crossBorderPath, crossBorderPayment());
    approve(id);
    processBatch(subject.bank.state);
    expect(await statusOf(crossBorderPath, id)).toMatchObject({ transactionStatus: 'PDNG' });
    expect((await reading('DELETE', `${crossBorderPath}/${id}`)).status).toBe(409);
    expect(subject.refusedBy()).toBe('ERR-04');
  });

  it('in the past is refused', async () => {
    const answer = await subject.call(domesticPath, {
      body: domesticPayment({ requestedExecutionDate: '2020-01-02' }),
    });
    expect(answer.body).toMatchObject({ tppMessages: [{ code: 'EXECUTION_DATE_INVALID' }] });
  });

  it('may be a duplicate unless the TPP says otherwise', async () => {
    const send = (query: string) => subject.call(domesticPath + query, { body: domesticPayment() });
    expect((await send('?allowLogicalDuplicate=false')).status).toBe(201);
    expect((await send('')).status).toBe(201);
    expect((await send('?allowLogicalDuplicate=true')).status).toBe(201);
    expect((await send('?allowLogicalDuplicate=True')).status).toBe(201);
    expect((await send('?allowLogicalDuplicate=False')).status).toBe(409);
    expect((await send('?allowLogicalDuplicate=false')).status).toBe(409);
    expect((await send('?allowLogicalDuplicate=perhaps')).status).toBe(400);
  });

  it('in the deprecated form carries a warning', async () => {
    const answer = await subject.call(domesticPath, {
      body: domesticPayment({
        remittanceInformationUnstructured: undefined,
        remittanceInformationStructured: { reference: '2345676' },
      }),
    });
    expect(answer.body).toMatchObject({ tppMessages: [{ category: 'WARNING' }] });
  });

  it('of an unknown product is refused', async () => {
    const answer = await subject.call('/v1/payments/sepa-credit-transfers', { body: domesticPayment() });
    expect([answer.status, answer.body]).toMatchObject([404, { tppMessages: [{ code: 'PRODUCT_UNKNOWN' }] }]);
  });
});

describe('the PSU of a payment', () => {
  const send = (headers: Headers, changes: Json = {}) =>
    subject.call(domesticPath, { body: domesticPayment(changes), headers });
  const from = (bban: string) => ({ debtorAccount: { bban, currency: 'NOK' } });
  const ofTheCompany = from('95360576346');
  const scaLink = { _links: { scaRedirect: { href: expect.any(String) } } };

  it.each([
    ['an unknown PSU-ID', { 'PSU-ID': '00000000-0000-4000-8000-000000000000' }, 'ERR-03'],
    ['an unknown session', { 'TPP-Session-ID': 'another' }, 'SES-02'],
    ['an unknown identity', { 'PSU-ID': undefined, 'X-PSU-IDENTITY': '01010112345' }, 'ERR-03'],
  ])('with %s has to pass SCA', async (_, headers, requirement) => {
    const answer = await send(headers);
    expect([answer.status, subject.refusedBy()]).toEqual([401, requirement]);
    expect(answer.body).toMatchObject(scaLink);
  });

  it('has to pass SCA again after an hour', async () => {
    clock.advance(3601);
    expect((await send({})).status).toBe(401);
    expect(subject.refusedBy()).toBe('SES-01');
  });

  it('may be named by X-PSU-IDENTITY, with a context for single SCA', async () => {
    const identity = { 'PSU-ID': undefined, 'X-PSU-IDENTITY': customerNumber };
    expect((await send(identity)).status).toBe(201);
    expect((await send({ ...identity, 'PSU-Context': 'PRIVATE' })).status).toBe(201);
  });

  it('is required', async () => {
    expect((await send({ 'PSU-ID': undefined })).status).toBe(400);
    expect(subject.refusedBy()).toBe('HDN-15');
  });

  it('in corporate context needs PSU-Corporate-ID', async () => {
    expect((await send({ 'PSU-Context': 'CORPORATE' })).status).toBe(400);
    expect(subject.refusedBy()).toBe('COR-01');
    const [agreement] = subject.bank.state.customers.agreementsOf(customerNumber);
    const corporate = { 'PSU-Context': 'CORPORATE', 'PSU-Corporate-ID': agreement?.id };
    expect((await send(corporate, ofTheCompany)).status).toBe(201);
  });

  it('who logged in for a corporation needs PSU-Corporate-ID without saying so', async () => {
    const [agreement] = subject.bank.state.customers.agreementsOf(customerNumber);
    const agreementId = agreement?.id ?? '';
    subject = await bankUnderTest({
      sessions: [{ tpp: subject.tpp.certificate, customerNumber, sessionId: 'corporate', agreementId }],
    });
    const session = { 'TPP-Session-ID': 'corporate' };
    expect((await send(session)).status).toBe(400);
    expect(subject.refusedBy()).toBe('COR-01');
    expect((await send({ ...session, 'PSU-Corporate-ID': agreementId }, ofTheCompany)).status).toBe(201);
  });

  it('acts under an agreement of its own only', async () => {
    const refused = async (call: Promise<{ readonly status: number }>) => [
      (await call).status,
      subject.refusedBy(),
    ];
    const foreign = { 'PSU-Corporate-ID': '00000000-0000-4000-8000-000000000000' };
    expect(await refused(send(foreign, ofTheCompany))).toEqual([403, 'COR-03']);
    const paymentId = await created(domesticPath, domesticPayment());
    const basket = subject.call('/v1/signing-baskets', {
      body: { paymentIds: [paymentId] },
      headers: foreign,
    });
    expect(await refused(basket)).toEqual([403, 'COR-03']);
    expect(await refused(reading('GET', `${domesticPath}/${paymentId}/status`, foreign))).toEqual([
      403,
      'COR-03',
    ]);
  });

  it('pays from its own accounts, and from those of its company', async () => {
    const [mayPay, mayView] = subject.bank.state.customers.agreementsOf(customerNumber);
    const under = (agreement: typeof mayPay) => ({ 'PSU-Corporate-ID': agreement?.id });
    const identity = { 'PSU-ID': undefined, 'X-PSU-IDENTITY': customerNumber };
    const card = (identification: string) => ({
      debtorAccount: {
        currency: 'NOK',
        other: { identification, schemeNameProprietary: 'creditCardAccount' },
      },
    });
    const cases: readonly (readonly [string, Json, Headers, number])[] = [
      ['its own account', from('95360573754'), {}, 201],
      ['its own card', card('95379010017'), {}, 201],
      ['its company', ofTheCompany, under(mayPay), 201],
      ['its company, which it chooses during SCA', ofTheCompany, identity, 201],
      ['the account of another person', from('95360574122'), {}, 400],
      ['the card of another person', card('95379010149'), {}, 400],
      ['an account of another bank', from('86011117947'), {}, 400],
      ['its company in private context', ofTheCompany, {}, 400],
      ['its own account in corporate context', from('95360573754'), under(mayPay), 400],
      ['a company whose accounts it may only view', from('95360577083'), under(mayView), 400],
    ];
    const wrong = [];
    for (const [name, debtor, headers, status] of cases) {
      const answer = await send(headers, debtor);
      if (answer.status !== status) wrong.push([name, answer.status, answer.body]);
    }
    expect(wrong).toEqual([]);
  });

  it('is held to X-Request-ID, PSU and session when payments and baskets are read or deleted', async () => {
    const paymentId = await created(domesticPath, domesticPayment());
    const basket = await subject.call('/v1/signing-baskets', { body: { paymentIds: [paymentId] } });
    const places = [`${domesticPath}/${paymentId}`, `/v1/signing-baskets/${basket.body.basketId}`];
    const calls = places.flatMap((place) => [
      ['GET', `${place}/status`] as const,
      ['GET', place] as const,
      ['DELETE', place] as const,
    ]);
    const lacking = [
      [{ 'X-Request-ID': undefined }, 400],
      [{ 'TPP-Session-ID': 'another' }, 401],
      [{ 'PSU-ID': undefined }, 401],
      [{ 'PSU-ID': '00000000-0000-4000-8000-000000000000' }, 401],
    ] as const;
    const wrong = [];
    for (const [method, path] of calls) {
      for (const [headers, status] of lacking) {
        const answer = await reading(method, path, headers);
        if (answer.status !== status) wrong.push([method, path, headers, answer.status]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('sees its own payments and baskets only', async () => {
    const ola = { tpp: subject.tpp.certificate, customerNumber: '01819010192', sessionId: 'of Ola' };
    seedSession(subject.bank.state, ola);
    const asOla = {
      'PSU-ID': subject.bank.psuIdOf(ola.tpp, ola.customerNumber),
      'TPP-Session-ID': ola.sessionId,
    };
    const paymentId = await created(domesticPath, domesticPayment());
    const basket = (headers: Headers) =>
      subject.call('/v1/signing-baskets', { body: { paymentIds: [paymentId] }, headers });
    const { basketId } = (await basket({})).body;
    expect((await reading('GET', `${domesticPath}/${paymentId}/status`, asOla)).status).toBe(404);
    expect(subject.refusedBy()).toBe('OWN-02');
    expect((await reading('DELETE', `/v1/signing-baskets/${basketId}`, asOla)).status).toBe(404);
    expect([(await basket(asOla)).status, subject.refusedBy()]).toEqual([400, 'BSK-23']);
    expect(approvePayment(subject.bank.state, paymentId, ola)).toBe(false);
    expect(approve(paymentId)).toBe(true);
  });

  it('is not held to what the specification does not state by a bank that chooses so', async () => {
    const lenient = dialectById.get('lenient/own-choices')?.apply(compliantDesign) ?? expect.fail();
    subject = await bankUnderTest({ design: lenient });
    const paymentId = await created(domesticPath, domesticPayment(from('86011117947')));
    const bare = { 'PSU-ID': undefined, 'TPP-Session-ID': undefined, 'X-Request-ID': undefined };
    expect((await reading('GET', `${domesticPath}/${paymentId}/status`, bare)).status).toBe(200);
  });
});

describe('bulk and periodic payments', () => {
  const periodic = (changes: Json = {}) =>
    domesticPayment({ startDate: '2099-01-01', frequency: 'Monthly', ...changes });
  const bulkPath = domesticPath.replace('payments', 'bulk-payments');
  const periodicPath = domesticPath.replace('payments', 'periodic-payments');

  it('can be created and read', async () => {
    const bulk = await created(bulkPath, {
      debtorAccount: { bban: '95360573002', currency: 'NOK' },
      payments: [domesticPayment(), domesticPayment()],
    });
    expect(await statusOf(bulkPath, bulk)).toMatchObject({ transactionStatus: 'RCVD' });
    const standing = await created(periodicPath, periodic());
    expect(await statusOf(periodicPath, standing)).toMatchObject({ transactionStatus: 'RCVD' });
  });

  it('with MonthlyVariable name each month once', async () => {
    const send = (monthsOfExecution: readonly string[]) =>
      subject.call(periodicPath, { body: periodic({ frequency: 'MonthlyVariable', monthsOfExecution }) });
    expect((await send(['1', '4', '7'])).status).toBe(201);
    expect((await send(['1', '4', '1'])).status).toBe(400);
    expect(subject.refusedBy()).toBe('VER-10');
  });
});

describe('seeded payments', () => {
  it('are in states that a TPP cannot bring about', async () => {
    const { state } = subject.bank;
    const seeded = seedPayments(state, tppIdOf(subject.tpp), customerNumber);
    expect(await statusOf(domesticPath, seeded.unfunded)).toMatchObject({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
    });
    expect((await reading('DELETE', `${domesticPath}/${seeded.pending}`)).status).toBe(409);
    clock.advance(3 * 24 * 3600);
    expect(await statusLater(domesticPath, seeded.pending)).toMatchObject({ transactionStatus: 'PDNG' });
  });
});
