import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyDigest } from '../../signing/digest.ts';
import { verifyText } from '../../signing/signature.ts';
import { parseSignatureHeader } from '../../signing/signature-header.ts';
import { signingString } from '../../signing/signing-string.ts';
import { bodies } from '../../spec/bodies/index.ts';
import { bodySchema } from '../../spec/json-schema.ts';
import {
  type BankUnderTest,
  bankUnderTest,
  crossBorderPath,
  crossBorderPayment,
  domesticPath,
  domesticPayment,
  testPki,
} from '../bank-under-test.test.data.ts';
import { compliantDesign } from '../compliant-design.ts';
import { ConnectionReset } from './route.ts';

const ajv = new Ajv({ allErrors: true, formats: { date: true, uuid: true } });
const validators = {
  payment: ajv.compile(bodySchema(bodies.paymentResponse).schema),
  status: ajv.compile(bodySchema(bodies.paymentStatusResponse).schema),
  basket: ajv.compile(bodySchema(bodies.basketResponse).schema),
  error: ajv.compile(bodySchema(bodies.errorResponse).schema),
};
const problems = (name: keyof typeof validators, body: unknown) => {
  validators[name](body);
  return validators[name].errors ?? [];
};

describe('an answer', () => {
  let bank: BankUnderTest;
  beforeAll(async () => {
    bank = await bankUnderTest();
  });

  it('has the shape of the specification', async () => {
    const domestic = (await bank.call(domesticPath, { body: domesticPayment() })).body;
    const abroad = (await bank.call(crossBorderPath, { body: crossBorderPayment() })).body;
    const status = (await bank.call(`${domesticPath}/${domestic.paymentId}/status`, { method: 'GET' })).body;
    const basket = (await bank.call('/v1/signing-baskets', { body: { paymentIds: [domestic.paymentId] } }))
      .body;
    const refused = (await bank.call(domesticPath, { body: {} })).body;
    expect([
      problems('payment', domestic),
      problems('payment', abroad),
      problems('status', status),
      problems('basket', basket),
      problems('error', refused),
    ]).toEqual([[], [], [], [], []]);
  });

  it('carries a Date in the form of RFC 7231, by the clock of the bank', async () => {
    const shifted = await bankUnderTest({ clock: { now: () => new Date('2026-03-03T10:00:00.700Z') } });
    const answer = await shifted.call('/v1/nothing');
    expect(answer.headers.get('date')).toBe('Tue, 03 Mar 2026 10:00:00 GMT');
  });
});

describe('a signed answer', () => {
  it('verifies like a request', async () => {
    const { ca } = await testPki();
    const identity = await ca.issueTpp({ commonName: 'Reference bank' });
    const bank = await bankUnderTest({ signResponsesWith: identity });
    const { headers, raw } = await bank.call(domesticPath, { body: domesticPayment() });
    const signature = parseSignatureHeader(headers.get('signature') ?? '');
    expect(signature.headers).toEqual(['date', 'digest', 'x-request-id']);
    const text = signingString(signature.headers, (name) => headers.get(name));
    expect(verifyText(text, signature.signature, identity.certificate.publicKey)).toBe(true);
    expect(verifyDigest(headers.get('digest') ?? '', raw.body)).toMatchObject({ ok: true });
    expect(headers.get('tpp-signature-certificate')).toBe(identity.certificate.base64);
  });
});

describe('an answer of another design', () => {
  it('may come from a bank whose clock is off, and which judges by it', async () => {
    const off = await bankUnderTest({ design: { ...compliantDesign, clockOffsetSeconds: 300 } });
    const answer = await off.call(domesticPath, { body: domesticPayment() });
    expect(answer.status).toBe(201);
    expect(Date.parse(answer.headers.get('date') ?? '') - Date.now()).toBeGreaterThan(290_000);
    const right = { Date: new Date().toUTCString() };
    expect((await off.call(domesticPath, { body: domesticPayment(), headers: right })).status).toBe(400);
  });

  it('may be changed at the end, or not come at all', async () => {
    const { answers } = compliantDesign;
    const lost = await bankUnderTest({
      design: {
        ...compliantDesign,
        answers: { ...answers, finish: (answer) => ({ ...answer, transfer: 'reset' }) },
      },
    });
    await expect(lost.call(domesticPath, { body: domesticPayment() })).rejects.toThrow(ConnectionReset);
    const rich = await bankUnderTest({
      design: {
        ...compliantDesign,
        answers: {
          ...answers,
          serialise: (body) => answers.serialise({ ...Object(body), extra: true }),
        },
      },
    });
    expect((await rich.call(domesticPath, { body: domesticPayment() })).body.extra).toBe(true);
  });
});
