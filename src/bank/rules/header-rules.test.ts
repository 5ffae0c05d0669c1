import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Amounts } from '../../payloads/amounts.ts';
import { facts } from '../../payloads/payments.test.data.ts';
import { simplePaymentsOf } from '../../payloads/payments.ts';
import { headerId, headerRows, type SpecifiedProfile } from '../../spec/headers.ts';
import { operations } from '../../spec/operations.ts';
import { byProduct } from '../../spec/products.ts';
import {
  type BankUnderTest,
  bankUnderTest,
  type CallOptions,
  company,
  domesticPath,
  domesticPayment,
} from '../bank-under-test.test.data.ts';
import { compliantDesign } from '../compliant-design.ts';
import { serves, withoutRules } from '../design/design-changes.ts';

const amounts = new Amounts(1, 0);
const uuid = '7c1f2a30-1111-4222-8333-444455556666';
const sampleValues: Readonly<Record<string, string>> = {
  'PSU-Device-ID': uuid,
  'PSU-HTTP-Method': 'GET',
  'PSU-Context': 'PRIVATE',
  'PSU-Corporate-ID': company.agreementId,
  'TPP-Redirect-Preferred': 'false',
  'X-PSU-IDENTITY': '01819010001',
};

let bank: BankUnderTest;
let paymentId: unknown;
beforeAll(async () => {
  bank = await bankUnderTest();
  paymentId = (await bank.call(domesticPath, { body: domesticPayment() })).body.paymentId;
});

/** A company pays from its own account. */
const debtorOf = (headers: CallOptions['headers'] = {}) =>
  headers['PSU-Corporate-ID'] === undefined ? {} : { debtorAccount: company.debtorAccount };

const calls: Readonly<
  Record<SpecifiedProfile, (headers: CallOptions['headers']) => readonly [string, CallOptions]>
> = {
  ...byProduct('name', (product) => (headers: CallOptions['headers']) => {
    const [body] = fc.sample(simplePaymentsOf(product, { ...facts, now: new Date() }, amounts), 1);
    return [operations[product.creation].path, { body: { ...body, ...debtorOf(headers) } }] as const;
  }),
  basket: () => [
    '/v1/signing-baskets',
    { body: { paymentIds: [paymentId] }, headers: { Digest: undefined } },
  ],
  sandbox: () => ['/v1/sandbox/customers', { method: 'GET' }],
};
const call = (subject: BankUnderTest, profile: SpecifiedProfile, headers: CallOptions['headers']) => {
  const [path, options] = calls[profile](headers);
  return subject.call(path, { ...options, headers: { ...options.headers, ...headers } });
};

// Signature and certificate are held to their faults among those of signing.
const rows = (Object.keys(calls) as SpecifiedProfile[]).flatMap((profile) =>
  headerRows
    .filter(({ name }) => !['Signature', 'TPP-Signature-Certificate'].includes(name))
    .map((row) => ({ profile, row, name: row.name })),
);

describe('a required header', () => {
  const required = rows.filter(({ row, profile }) => row.required.includes(profile));

  it.each(required)('$name of $profile is missed', async ({ profile, row }) => {
    for (const value of [undefined, '']) {
      const answer = await call(bank, profile, { [row.name]: value });
      if (row.name === 'Digest' && value === '') continue;
      expect([answer.status, bank.refusedBy()]).toEqual([400, headerId(profile, row.number)]);
    }
    const lax = await bankUnderTest({
      design: withoutRules((rule) => serves(rule, headerId(profile, row.number)))(compliantDesign),
    });
    const answer = await call(lax, profile, { [row.name]: undefined });
    const isAcceptedOrNeedsSca = [200, 201, 401].includes(answer.status) || lax.refusedBy() === 'BSK-16';
    expect(isAcceptedOrNeedsSca, JSON.stringify(lax.lines.at(-1))).toBe(true);
  });
});

describe('an optional header', () => {
  const optional = rows.filter(({ row, profile }) => row.optional.includes(profile));

  it.each(optional)('$name of $profile is accepted', async ({ profile, row }) => {
    const answer = await call(bank, profile, { [row.name]: sampleValues[row.name] ?? 'value' });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  });
});

describe('a header with a type', () => {
  const typed = rows.flatMap(({ row, profile, name }) =>
    row.type !== undefined && [...row.required, ...row.optional].includes(profile)
      ? [{ profile, name, id: headerId(profile, row.type.number) }]
      : [],
  );

  it.each(typed)('$name of $profile is held to it by $id', async ({ profile, name, id }) => {
    const answer = await call(bank, profile, { [name]: 'nonsense' });
    expect([answer.status, bank.refusedBy()]).toEqual([400, id]);
  });
});
