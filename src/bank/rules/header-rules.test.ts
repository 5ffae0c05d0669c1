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
  failuresOf,
} from '../bank-under-test.test.data.ts';

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

const nameOf = ({ name, profile }: { readonly name: string; readonly profile: string }) =>
  `${name} of ${profile}`;

describe('a required header', () => {
  const required = rows.filter(({ row, profile }) => row.required.includes(profile));

  it('is missed', async () => {
    const failures = await failuresOf(required, nameOf, async ({ profile, row }) => {
      for (const value of row.name === 'Digest' ? [undefined] : [undefined, '']) {
        const answer = await call(bank, profile, { [row.name]: value });
        expect([answer.status, bank.refusedBy()]).toEqual([400, headerId(profile, row.number)]);
        expect(bank.lines.at(-1)?.text).toMatch(`${row.name} is missing; send ${row.name}: `);
      }
    });
    expect(failures).toEqual([]);
  });
});

describe('an optional header', () => {
  const optional = rows.filter(({ row, profile }) => row.optional.includes(profile));

  it('is accepted', async () => {
    const failures = await failuresOf(optional, nameOf, async ({ profile, row }) => {
      const answer = await call(bank, profile, { [row.name]: sampleValues[row.name] ?? 'value' });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    });
    expect(failures).toEqual([]);
  });
});

describe('a header with a type', () => {
  const typed = rows.flatMap(({ row, profile, name }) =>
    row.type !== undefined && [...row.required, ...row.optional].includes(profile)
      ? [{ profile, name, id: headerId(profile, row.type.number) }]
      : [],
  );

  it('is held to it', async () => {
    const failures = await failuresOf(typed, nameOf, async ({ profile, name, id }) => {
      const answer = await call(bank, profile, { [name]: 'nonsense' });
      expect([answer.status, bank.refusedBy()]).toEqual([400, id]);
    });
    expect(failures).toEqual([]);
  });
});
