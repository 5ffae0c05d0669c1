import { connect } from 'node:tls';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tlsKeys } from '../proof/tls-keys.ts';
import { isoDate } from '../spec/days.ts';
import type { Bank } from './bank.ts';
import {
  answerOf,
  type BankUnderTest,
  bankUnderTest,
  crossBorderPath,
  crossBorderPayment,
  domesticPath,
  domesticPayment,
  failuresOf,
  type Json,
  signedRequest,
} from './bank-under-test.test.data.ts';

const kroner = { bban: '95360573002', currency: 'NOK' };
const [person, company] = ['30816510186', '05829210160'];
const owned = { bban: '95360582109', iban: 'NO1595360582109', currency: 'NOK' };
const domesticSample = {
  instructedAmount: { amount: '100.33', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: '86011117947', currency: 'NOK' },
  creditorAddress: { country: 'NO' },
  debtorAccount: kroner,
  ultimateDebtor: 'Company CBA',
  requestedExecutionDate: isoDate(new Date()),
};

/** In the order of a first visit. Names, numbers and dates are others, and numbers have right check digits. */
const samples: readonly (readonly [string, string, Json])[] = [
  [
    'one structured reference next to a message',
    domesticPath,
    {
      ...domesticSample,
      remittanceInformationUnstructured: 'Kredittrente',
      remittanceInformationStructured: { reference: '12345678903', referenceType: 'SCOR' },
    },
  ],
  [
    'several structured references',
    domesticPath,
    {
      ...domesticSample,
      remittanceInformationStructuredArray: [
        { reference: '12345678903', referenceType: 'SCOR' },
        { reference: '2345676', referencType: 'CINV', referenceIssuer: 'BITS-EFAKTURA' },
      ],
    },
  ],
  [
    'across the border',
    crossBorderPath,
    {
      instructedAmount: { amount: '100.33', currency: 'SEK' },
      creditorName: 'Company 123',
      creditorAgent: 'AAA100',
      creditorAccount: { bban: '86011117947', currency: 'SEK' },
      creditorAddress: {
        street: 'Street',
        buildingNumber: '56',
        postalCode: '7014',
        city: 'Trondheim',
        country: 'NO',
      },
      debtorAccount: kroner,
      regulatoryReportingCode: '26',
      regulatoryReportingInformation: 'Rent for a cabin',
    },
  ],
  ['a basket of these', '/v1/signing-baskets', { paymentIds: [] }],
  ['a customer', '/v1/sandbox/customers', { customerNumber: person, name: 'Ny Kunde', type: 'private' }],
  [
    'an account',
    '/v1/sandbox/accounts',
    {
      ...owned,
      customerNumber: person,
      accountName: 'Min konto',
      product: 'Brukskonto',
      cashAccountType: 'CACC',
      creditLine: 1000,
      balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: 1234.5, currency: 'NOK' } }],
    },
  ],
  [
    'a card account',
    '/v1/sandbox/card-accounts',
    {
      customerNumber: person,
      maskedPan: '123456******7890',
      currency: 'NOK',
      creditLimit: 20000,
      balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: 1234.5, currency: 'NOK' } }],
    },
  ],
  [
    'an agreement',
    '/v1/sandbox/agreements',
    {
      owner: company,
      name: 'Avtale',
      engagements: [{ customer: person, account: { iban: owned.iban }, roles: ['VIEW', 'REGISTER'] }],
    },
  ],
];

describe('the bank in process', () => {
  let subject: BankUnderTest;
  beforeAll(async () => {
    subject = await bankUnderTest();
  });

  it('creates a domestic payment and sends the PSU to approve it', async () => {
    const { status, body, headers } = await subject.call(domesticPath, { body: domesticPayment() });
    expect(body).toMatchObject({
      paymentId: expect.any(String),
      transactionStatus: 'RCVD',
      transactionFeeIndicator: false,
      _links: { scaRedirect: { href: expect.stringMatching(/^https:\/\/localhost\//), verbs: ['GET'] } },
    });
    expect(status).toBe(201);
    expect(headers.get('aspsp-sca-approach')).toBe('REDIRECT');
    expect(headers.get('location')).toContain(`${domesticPath}/`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('creates a cross-border payment, which has a fee', async () => {
    const { status, body } = await subject.call(crossBorderPath, { body: crossBorderPayment() });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      transactionFeeIndicator: true,
      transactionFees: { amount: '50.00', currency: 'NOK' },
    });
  });

  it('gives the X-Request-ID back', async () => {
    const { headers } = await subject.call(domesticPath, {
      body: domesticPayment(),
      headers: { 'X-Request-ID': 'my-own-id' },
    });
    expect(headers.get('x-request-id')).toBe('my-own-id');
  });

  it('names the requirement that refused a request, and tells the TPP the field', async () => {
    const { status, body } = await subject.call(domesticPath, {
      body: domesticPayment({ creditorName: undefined }),
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      tppMessages: [
        { category: 'ERROR', code: 'FORMAT_ERROR', path: 'creditorName', text: 'creditorName is missing.' },
      ],
    });
    expect(subject.lines.at(-1)).toMatchObject({ requirement: 'NDC-09', rule: 'creditorName is required' });
  });

  it('takes the bodies that documentation of such banks shows, members misspelt there included', async () => {
    const portal = await bankUnderTest();
    let ids: readonly unknown[] = [];
    const failures = await failuresOf(
      samples,
      ([name]) => name,
      async ([, path, body]) => {
        const answer = await portal.call(path, { body: 'paymentIds' in body ? { paymentIds: ids } : body });
        ids = [...ids, answer.body.paymentId].filter((id) => id !== undefined);
        expect([answer.status, answer.status === 201 ? undefined : answer.body.tppMessages]).toEqual([
          201,
          undefined,
        ]);
      },
    );
    expect(failures).toEqual([]);
  });

  it('answers 404 for an unknown path and 405 for another method', async () => {
    expect((await subject.call('/v1/nothing')).status).toBe(404);
    expect((await subject.call('/v2/payments')).status).toBe(404);
    const other = await subject.call(domesticPath, { method: 'PUT' });
    expect(other.status).toBe(405);
    expect(other.headers.get('allow')).toBe('POST');
  });

  it('has no sandbox operations in production', async () => {
    const production = await bankUnderTest({ environment: 'production' });
    const paths = ['/v1/sandbox/customers', '/v1/sandbox/accounts', '/v1/sandbox/initialize'];
    const answers = await Promise.all(
      paths.flatMap((path) => (['GET', 'POST'] as const).map((method) => production.call(path, { method }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await production.call(domesticPath, { body: domesticPayment() })).status).toBe(201);
  });
});

describe('the bank on a socket', () => {
  let subject: BankUnderTest;
  let bank: Bank;
  let agent: Agent;
  let listening: { readonly port: number; readonly baseUrl: string };
  beforeAll(async () => {
    const { ca, server } = await tlsKeys();
    subject = await bankUnderTest({ prefix: '/psd2/' });
    bank = subject.bank;
    listening = await bank.listen({ tls: { cert: server.certificatePem, key: server.privateKeyPem } });
    agent = new Agent({ connect: { ca: ca.certificatePem } });
  });
  afterAll(async () => {
    await agent.close();
    await bank.close();
  });

  it('creates a payment over TLS, under its prefix', async () => {
    const path = `/psd2${domesticPath}`;
    const raw = await signedRequest(bank, path, subject.psuId, subject.tpp, { body: domesticPayment() });
    const response = await request(new URL(listening.baseUrl).origin + path, {
      dispatcher: agent,
      method: 'POST',
      headers: raw.headers.flat(),
      body: raw.body ?? null,
    });
    const body = Buffer.from(await response.body.arrayBuffer());
    const answer = answerOf({ status: response.statusCode, headers: [], body });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      _links: { self: { href: expect.stringContaining(`https://localhost:${listening.port}/psd2/v1/`) } },
    });
  });

  it('speaks TLS 1.2 and nothing older', async () => {
    const { ca } = await tlsKeys();
    const protocolOf = (version: 'TLSv1.1' | 'TLSv1.2') =>
      new Promise<string>((resolve) => {
        const socket = connect(
          {
            port: listening.port,
            host: 'localhost',
            ca: ca.certificatePem,
            minVersion: version,
            maxVersion: version,
            // Without a lower security level OpenSSL would not even offer TLS 1.1.
            ciphers: 'DEFAULT@SECLEVEL=0',
          },
          () => {
            resolve(socket.getProtocol() ?? '');
            socket.end();
          },
        );
        socket.on('error', () => resolve('refused'));
      });
    expect(await protocolOf('TLSv1.2')).toBe('TLSv1.2');
    expect(await protocolOf('TLSv1.1')).toBe('refused');
  });
});
