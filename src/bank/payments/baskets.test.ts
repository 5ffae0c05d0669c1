import { beforeEach, describe, expect, it } from 'vitest';
import {
  type BankUnderTest,
  bankUnderTest,
  crossBorderPath,
  crossBorderPayment,
  customerNumber,
  domesticPath,
  domesticPayment,
} from '../bank-under-test.test.data.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import { approveBasket, approvePayment } from './approval.ts';
import { seedPayments } from './seed-payments.ts';

let subject: BankUnderTest;
beforeEach(async () => {
  subject = await bankUnderTest();
});

const path = '/v1/signing-baskets';
const basket = (paymentIds: unknown) =>
  subject.call(path, { body: { paymentIds }, headers: { Digest: undefined } });
const payment = async () =>
  String((await subject.call(domesticPath, { body: domesticPayment() })).body.paymentId);
const payments = (count: number) => Promise.all(Array.from({ length: count }, payment));
const statusOf = async (basketId: unknown) =>
  (await subject.call(`${path}/${basketId}/status`, { method: 'GET' })).body.transactionStatus;

describe('a signing basket', () => {
  it('is created without a Digest, or with a correct one', async () => {
    const paymentIds = [await payment()];
    const answer = await basket(paymentIds);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      basketId: expect.any(String),
      transactionStatus: 'RCVD',
      _links: { scaRedirect: { href: expect.any(String), verbs: ['GET'] } },
    });
    expect((await subject.call(path, { body: { paymentIds } })).status).toBe(201);
  });

  it('holds domestic and cross-border payments', async () => {
    const abroad = await subject.call(crossBorderPath, { body: crossBorderPayment() });
    expect((await basket([await payment(), abroad.body.paymentId])).status).toBe(201);
  });

  it('holds a hundred payments and no more', async () => {
    const ids = await payments(101);
    expect((await basket(ids.slice(0, 100))).status).toBe(201);
    expect((await basket(ids)).status).toBe(400);
    expect(subject.refusedBy()).toBe('BSK-14');
  });

  it.each([
    ['nothing', undefined, 'BSK-01'],
    ['something else than a list', 'text', 'BSK-02'],
    ['something else than texts', [1], 'BSK-03'],
    ['no payment', [], 'BSK-15'],
    ['an unknown payment', ['nothing'], 'BSK-16'],
  ])('with %s is refused', async (_, paymentIds, requirement) => {
    const answer = await basket(paymentIds);
    expect([answer.status, subject.refusedBy()]).toEqual([400, requirement]);
  });

  it.each([
    ['bulk', 'BSK-17'],
    ['periodic', 'BSK-18'],
  ] as const)('with a %s payment is refused with REFERENCE_MIX_INVALID', async (kind, requirement) => {
    const seeded = seedPayments(subject.bank.state, tppIdOf(subject.tpp), customerNumber);
    const answer = await basket([await payment(), seeded[kind]]);
    expect([answer.status, subject.refusedBy()]).toEqual([400, requirement]);
    expect(answer.body).toMatchObject({ tppMessages: [{ code: 'REFERENCE_MIX_INVALID' }] });
  });

  it('has the status of the worst of its payments', async () => {
    const [first = '', second = ''] = await payments(2);
    const { basketId } = (await basket([first, second])).body;
    const { state } = subject.bank;
    expect(await statusOf(basketId)).toBe('RCVD');
    approvePayment(state, first, { customerNumber });
    expect(await statusOf(basketId)).toBe('PATC');
    expect(approveBasket(state, String(basketId), { customerNumber })).toBe(true);
    expect(await statusOf(basketId)).toBe('ACTC');
    const [third = ''] = await payments(1);
    const other = (await basket([third])).body.basketId;
    await subject.call(`${domesticPath}/${third}`, { method: 'DELETE' });
    expect(await statusOf(other)).toBe('RJCT');
    expect(approveBasket(state, String(other), { customerNumber })).toBe(false);
  });

  it('can be read and deleted, and leaves its payments alone', async () => {
    const id = await payment();
    const { basketId } = (await basket([id])).body;
    const read = await subject.call(`${path}/${basketId}`, { method: 'GET' });
    expect(read.body).toMatchObject({ payments: [id] });
    expect((await subject.call(`${path}/${basketId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await subject.call(`${path}/${basketId}`, { method: 'GET' })).status).toBe(404);
    expect((await subject.call(`${domesticPath}/${id}/status`, { method: 'GET' })).body).toMatchObject({
      transactionStatus: 'RCVD',
    });
  });
});
