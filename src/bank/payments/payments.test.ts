import { beforeEach, describe, expect, it } from 'vitest';
import { daysBefore, isoDate } from '../../spec/days.ts';
import { seedSession } from '../bank.ts';
import {
  type BankUnderTest,
  bankUnderTest,
  type CallOptions,
  company,
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
import { nameUuid } from '../state/initial-data-set.ts';
import { movableClock } from '../state/movable-clock.test.data.ts';
import { approvePayment } from './approval.ts';
import { processBatch } from './batch.ts';
import { seedPayments } from './seed-payments.ts';

type Headers = NonNullable<CallOptions['headers']>;

const basketPath = '/v1/signing-baskets';
const bulkPath = domesticPath.replace('payments', 'bulk-payments');
const periodicPath = domesticPath.replace('payments', 'periodic-payments');
const day = 24 * 3600;
const nobody = '00000000-0000-4000-8000-000000000000';

let subject: BankUnderTest;
let clock: ReturnType<typeof movableClock>;
beforeEach(async () => {
  clock = movableClock();
  subject = await bankUnderTest({ clock });
});

const get = (path: string, headers: Headers = {}) => subject.call(path, { method: 'GET', headers });
const remove = (path: string, headers: Headers = {}) => subject.call(path, { method: 'DELETE', headers });
const approve = (id: string) => approvePayment(subject.bank.state, id, { customerNumber });
const createBasket = (paymentIds: readonly string[], headers: Headers = {}) =>
  subject.call(basketPath, { body: { paymentIds }, headers });
async function create(path = domesticPath, body = domesticPayment()) {
  const answer = await subject.call(path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const id = String(answer.body.paymentId);
  return { id, place: `${path}/${id}` };
}
/** `transactionStatus`, with what is said of funds. */
async function statusOf(place: string, headers: Headers = {}): Promise<string> {
  const { transactionStatus, fundsAvailable } = (await get(`${place}/status`, headers)).body;
  if (fundsAvailable === undefined) return String(transactionStatus);
  return `${transactionStatus} ${fundsAvailable ? 'funded' : 'unfunded'}`;
}
/** Without the PSU present, whose session has ended by then. */
const statusLater = (place: string) => statusOf(place, { 'PSU-IP-Address': undefined });
const ofPayments = (changes: Partial<typeof compliantDesign.payments>) =>
  bankUnderTest({
    design: { ...compliantDesign, payments: { ...compliantDesign.payments, ...changes } },
  });
const from = (bban: string) => ({ debtorAccount: { bban, currency: 'NOK' } });

describe('a payment', () => {
  it('can be read', async () => {
    const { id, place } = await create();
    expect((await get(place)).body).toMatchObject({ paymentId: id, creditorName: 'Blåbær & Bjørk AS' });
  });

  it('may have an opaque id, which is percent-encoded in paths', async () => {
    const paymentId = 'enc!!H6fD/+a b?#==';
    subject = await ofPayments({ newPaymentId: () => paymentId });
    const answer = await subject.call(domesticPath, { body: domesticPayment() });
    const { pathname } = new URL(answer.headers.get('location') ?? '');
    expect((await get(pathname)).body).toMatchObject({ paymentId });
  });

  it('is unknown under another product, id or TPP', async () => {
    const { id, place } = await create();
    const abroad = `${crossBorderPath}/${id}`;
    expect(await subject.outcomeOf(get(`${abroad}/status`))).toBe('404 PST-12');
    expect(await subject.outcomeOf(get(`${domesticPath}/nothing/status`))).toBe('404 PST-10');
    expect(await subject.outcomeOf(get(`${domesticPath}/..%2f..%2fx/status`))).toBe('404 PST-10');
    expect(await subject.outcomeOf(get(abroad))).toBe('404 PST-13');
    expect(await subject.outcomeOf(remove(abroad))).toBe('404 PST-13');
    const { payments } = subject.bank.state;
    payments.update({ ...(payments.get(id) ?? expect.fail()), tpp: 'another TPP' });
    expect(await subject.outcomeOf(get(`${place}/status`))).toBe('404 OWN-01');
  });

  it('cannot be read before approval by a bank with the known issue', async () => {
    subject = await ofPayments({ isReadable: unreadableBeforeApproval });
    const { id, place } = await create();
    expect((await get(`${place}/status`)).status).toBe(403);
    approve(id);
    expect((await get(`${place}/status`)).status).toBe(200);
  });

  const inTwoDays = isoDate(daysBefore(movableClock().now(), -2));
  it.each<[string, string, Json, readonly string[]]>([
    [
      'that is not approved waits, and can be deleted once',
      domesticPath,
      domesticPayment(),
      ['RCVD', 'batch', 'RCVD', 'delete: 204', 'CANC', 'delete: 409 ERR-04'],
    ],
    [
      'that is approved is carried out in batches, and can be deleted no more',
      domesticPath,
      domesticPayment(),
      ['approve', 'ACTC', 'batch', 'ACSP funded', 'delete: 409 ERR-04', 'batch', 'ACSC funded'],
    ],
    [
      'for another day waits for it',
      domesticPath,
      domesticPayment({ requestedExecutionDate: inTwoDays }),
      ['approve', 'batch', 'ACTC'],
    ],
    [
      'without funds is tried again, fits into no basket, and can be deleted',
      domesticPath,
      domesticPayment(from('95360573754')),
      ['approve', 'batch', 'ACCP unfunded', 'batch', 'ACCP unfunded', 'basket: 400', 'delete: 204'],
    ],
    [
      'across the border cannot be deleted while the bank abroad works',
      crossBorderPath,
      crossBorderPayment(),
      ['approve', 'batch', 'PDNG funded', 'delete: 409 ERR-04'],
    ],
    [
      'of several goes to the same states',
      bulkPath,
      { ...from('95360573002'), payments: [domesticPayment(), domesticPayment()] },
      ['RCVD'],
    ],
    [
      'that is repeated goes to the same states',
      periodicPath,
      domesticPayment({ startDate: '2099-01-01', frequency: 'Monthly' }),
      ['RCVD'],
    ],
  ])('%s', async (_, path, body, steps) => {
    const { id, place } = await create(path, body);
    const seen: string[] = [];
    for (const step of steps) {
      if (step === 'approve') approve(id);
      if (step === 'batch') processBatch(subject.bank.state);
      if (step === 'approve' || step === 'batch') seen.push(step);
      else if (step.startsWith('delete')) seen.push(`delete: ${await subject.outcomeOf(remove(place))}`);
      else if (step.startsWith('basket')) seen.push(`basket: ${(await createBasket([id])).status}`);
      else seen.push(await statusOf(place));
    }
    expect(seen).toEqual(steps);
  });

  it('moves the money', async () => {
    const creditorAccount = { bban: '95360573754', currency: 'NOK' };
    const { id } = await create(domesticPath, domesticPayment({ creditorAccount }));
    approve(id);
    processBatch(subject.bank.state);
    processBatch(subject.bank.state);
    const entries = ['95360573002', '95360573754'].map((bban) =>
      subject.bank.state.customers
        .accountByReference({ bban })
        ?.transactions.filter(({ paymentId }) => paymentId === id),
    );
    expect(entries).toMatchObject([
      [{ amount: -12550n, bookingStatus: 'booked' }],
      [{ amount: 12550n, bookingStatus: 'booked' }],
    ]);
  });

  it('is processed by the batches of the day as the clock goes on', async () => {
    const { id, place } = await create();
    approve(id);
    clock.advance(day);
    expect(await statusLater(place)).toBe('ACSC funded');
  });

  it('may be a duplicate unless the TPP says otherwise', async () => {
    const sent = [
      ['?allowLogicalDuplicate=false', 201],
      ['', 201],
      ['?allowLogicalDuplicate=true', 201],
      ['?allowLogicalDuplicate=True', 201],
      ['?allowLogicalDuplicate=False', 409],
      ['?allowLogicalDuplicate=false', 409],
      ['?allowLogicalDuplicate=perhaps', 400],
    ] as const;
    for (const [query, status] of sent)
      expect((await subject.call(domesticPath + query, { body: domesticPayment() })).status, query).toBe(
        status,
      );
  });

  it.each<[string, string, Json, number, Json]>([
    [
      'in the past is refused',
      domesticPath,
      { requestedExecutionDate: '2020-01-02' },
      400,
      { code: 'EXECUTION_DATE_INVALID' },
    ],
    [
      'of an unknown product is refused',
      '/v1/payments/sepa-credit-transfers',
      {},
      404,
      { code: 'PRODUCT_UNKNOWN' },
    ],
    [
      'in the deprecated form carries a warning',
      domesticPath,
      {
        remittanceInformationUnstructured: undefined,
        remittanceInformationStructured: { reference: '2345676' },
      },
      201,
      { category: 'WARNING' },
    ],
  ])('%s', async (_, path, changes, status, message) => {
    const answer = await subject.call(path, { body: domesticPayment(changes) });
    expect(answer).toMatchObject({ status, body: { tppMessages: [message] } });
  });

  it.each([
    [['1', '4', '7'], '201'],
    [['1', '4', '1'], '400 VER-10'],
  ])('with MonthlyVariable names each month once: %s', async (monthsOfExecution, outcome) => {
    const body = domesticPayment({
      startDate: '2099-01-01',
      frequency: 'MonthlyVariable',
      monthsOfExecution,
    });
    expect(await subject.outcomeOf(subject.call(periodicPath, { body }))).toBe(outcome);
  });
});

describe('the PSU of a payment', () => {
  const send = (headers: Headers, changes: Json = {}) =>
    subject.call(domesticPath, { body: domesticPayment(changes), headers });
  const scaLink = { _links: { scaRedirect: { href: expect.any(String) } } };
  const ofCompany = { debtorAccount: company.debtorAccount };
  const underAgreement = { 'PSU-Corporate-ID': company.agreementId };
  const identity = { 'PSU-ID': undefined, 'X-PSU-IDENTITY': customerNumber };
  const corporate = { 'PSU-Context': 'CORPORATE' };
  const foreign = { 'PSU-Corporate-ID': nobody };
  const mayOnlyView = { 'PSU-Corporate-ID': nameUuid('agreement', '17887610096') };
  const card = (identification: string) => ({
    debtorAccount: { currency: 'NOK', other: { identification, schemeNameProprietary: 'creditCardAccount' } },
  });

  it.each<[string, Headers, Json, string]>([
    ['an unknown PSU-ID', { 'PSU-ID': nobody }, {}, '401 ERR-03'],
    ['an unknown session', { 'TPP-Session-ID': 'another' }, {}, '401 SES-02'],
    ['an unknown identity', { ...identity, 'X-PSU-IDENTITY': '01010112345' }, {}, '401 ERR-03'],
    ['an identity instead of PSU-ID', identity, {}, '201'],
    ['an identity and a context for single SCA', { ...identity, 'PSU-Context': 'PRIVATE' }, {}, '201'],
    ['nothing that names it', { 'PSU-ID': undefined }, {}, '400 HDN-15'],
    ['corporate context without PSU-Corporate-ID', corporate, {}, '400 COR-01'],
    ['corporate context and its company', { ...corporate, ...underAgreement }, ofCompany, '201'],
    ['an agreement that is not its own', foreign, ofCompany, '403 COR-03'],
    ['its own account', {}, from('95360573754'), '201'],
    ['its own card', {}, card('95379010017'), '201'],
    ['its company', underAgreement, ofCompany, '201'],
    ['its company, which it chooses during SCA', identity, ofCompany, '201'],
    ['the account of another person', {}, from('95360574122'), '400 PAY-01'],
    ['the card of another person', {}, card('95379010149'), '400 PAY-01'],
    ['an account of another bank', {}, from('86011117947'), '400 PAY-01'],
    ['its company in private context', {}, ofCompany, '400 PAY-01'],
    ['its own account in corporate context', underAgreement, from('95360573754'), '400 PAY-01'],
    ['a company whose accounts it may only view', mayOnlyView, from('95360577083'), '400 PAY-01'],
  ])('with %s is judged', async (_, headers, changes, outcome) => {
    const answer = await send(headers, changes);
    expect(await subject.outcomeOf(answer), JSON.stringify(answer.body)).toBe(outcome);
    if (answer.status === 401) expect(answer.body).toMatchObject(scaLink);
  });

  it('has to pass SCA again after an hour', async () => {
    clock.advance(3601);
    expect(await subject.outcomeOf(send({}))).toBe('401 SES-01');
  });

  it('who logged in for a corporation needs PSU-Corporate-ID without saying so', async () => {
    const { agreementId } = company;
    subject = await bankUnderTest({
      sessions: [{ tpp: subject.tpp.certificate, customerNumber, sessionId: 'corporate', agreementId }],
    });
    const session = { 'TPP-Session-ID': 'corporate' };
    expect(await subject.outcomeOf(send(session))).toBe('400 COR-01');
    expect((await send({ ...session, ...underAgreement }, ofCompany)).status).toBe(201);
  });

  it('puts payments into baskets, and reads them, under an agreement of its own only', async () => {
    const { id, place } = await create();
    expect(await subject.outcomeOf(createBasket([id], foreign))).toBe('403 COR-03');
    expect(await subject.outcomeOf(get(`${place}/status`, foreign))).toBe('403 COR-03');
  });

  it('is held to X-Request-ID, PSU and session when payments and baskets are read or deleted', async () => {
    const { id, place } = await create();
    const places = [place, `${basketPath}/${(await createBasket([id])).body.basketId}`];
    const lacking = [
      [{ 'X-Request-ID': undefined }, 400],
      [{ 'TPP-Session-ID': 'another' }, 401],
      [{ 'PSU-ID': undefined }, 401],
      [{ 'PSU-ID': nobody }, 401],
    ] as const;
    for (const one of places)
      for (const [headers, status] of lacking) {
        const answers = [
          await get(`${one}/status`, headers),
          await get(one, headers),
          await remove(one, headers),
        ];
        expect(
          answers.map((answer) => answer.status),
          `${one} ${JSON.stringify(Object.entries(headers))}`,
        ).toEqual([status, status, status]);
      }
  });

  it('sees its own payments and baskets only', async () => {
    const ola = { tpp: subject.tpp.certificate, customerNumber: '01819010192', sessionId: 'of Ola' };
    seedSession(subject.bank.state, ola);
    const asOla = {
      'PSU-ID': subject.bank.psuIdOf(ola.tpp, ola.customerNumber),
      'TPP-Session-ID': ola.sessionId,
    };
    const { id, place } = await create();
    const { basketId } = (await createBasket([id])).body;
    expect(await subject.outcomeOf(get(`${place}/status`, asOla))).toBe('404 OWN-02');
    expect((await remove(`${basketPath}/${basketId}`, asOla)).status).toBe(404);
    expect(await subject.outcomeOf(createBasket([id], asOla))).toBe('400 BSK-23');
    expect(approvePayment(subject.bank.state, id, ola)).toBe(false);
    expect(approve(id)).toBe(true);
  });

  it('is not held to what the specification does not state by a bank that chooses so', async () => {
    const lenient = dialectById.get('lenient/own-choices')?.apply(compliantDesign) ?? expect.fail();
    subject = await bankUnderTest({ design: lenient });
    const { place } = await create(domesticPath, domesticPayment(from('86011117947')));
    const bare = { 'PSU-ID': undefined, 'TPP-Session-ID': undefined, 'X-Request-ID': undefined };
    expect((await get(`${place}/status`, bare)).status).toBe(200);
  });
});

describe('seeded payments', () => {
  it('are in states that a TPP cannot bring about', async () => {
    const seeded = seedPayments(subject.bank.state, tppIdOf(subject.tpp), customerNumber);
    expect(await statusOf(`${domesticPath}/${seeded.unfunded}`)).toBe('ACCP unfunded');
    expect((await remove(`${domesticPath}/${seeded.pending}`)).status).toBe(409);
    clock.advance(3 * day);
    expect(await statusLater(`${domesticPath}/${seeded.pending}`)).toBe('PDNG funded');
  });
});
