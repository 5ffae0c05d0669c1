import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { BankDesign } from '../../bank/design/design.ts';
import { allOf, withAnswers, withRules } from '../../bank/design/design-changes.ts';
import { deviationById } from '../../bank/deviations/index.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import { isObject } from '../../spec/json.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

const changed = (...ids: readonly string[]): BankDesign =>
  allOf(
    ...ids.map((id) => {
      const change = dialectById.get(id) ?? deviationById.get(id);
      if (change === undefined) throw new Error(`There is no ${id}.`);
      return change.apply;
    }),
  )(compliantDesign);

/** The verdicts of some checks, by their ids. */
async function judged(design: BankDesign, ...ids: readonly string[]) {
  const { checks, keys } = await proofSetup();
  const some = checks.filter(({ check }) => ids.includes(check.id));
  const { results } = await judgeBank(design, some, keys);
  return Object.fromEntries(results.map(({ id, verdict, reason }) => [id, reason ?? verdict]));
}

/** Of every kind: redirects, ownership, sessions, a company, the status after approval, single SCA, baskets. */
const throughApproval = [
  ...['OWN-01', 'OWN-02', 'OWN-03', 'OWN-03-approvals', 'OWN-03-cancelled', 'SCA-02-payment'],
  ...['RDR-04-payment', 'COR-06', 'PST-01', 'PST-01-corporate', 'SES-03-payment', 'BSK-20-partly', 'BSK-23'],
];

test.each(['authorisations/instead', 'authorisations/as-well', 'authorisations/unless-by-identity'])(
  'payments of %s are approved, and nothing is said to be exempted',
  async (id) => {
    const verdicts = await judged(changed(id), ...throughApproval);
    expect(Object.values(verdicts).filter((verdict) => verdict !== 'pass')).toEqual([]);
    expect(Object.keys(verdicts).length).toBeGreaterThan(10);
  },
  120_000,
);

test('a payment that another PSU approves by its authorisation is found', async () => {
  const verdicts = await judged(changed('authorisations/instead', 'OWN-03/anybody'), 'OWN-03');
  expect(verdicts['OWN-03']).toMatch(/psu-id/);
});

test('a bank that goes on by itself is not blamed for approving several payments by the SCA of one', async () => {
  const byItself = withAnswers(['readPaymentStatus'], (answer) =>
    isObject(answer.body) && answer.body.transactionStatus === 'RCVD'
      ? { ...answer, body: { ...answer.body, transactionStatus: 'ACTC' } }
      : answer,
  )(compliantDesign);
  expect((await judged(byItself, 'SES-05'))['SES-05']).toMatch(/goes on by itself/);
});

const refusingToStart = withRules((operation, rules) =>
  operation === 'startPaymentAuthorisation'
    ? [
        ...rules,
        {
          requirement: 'ERR-06',
          name: 'starts nothing',
          refuses: () => ({ status: 403, code: 'FORBIDDEN', text: 'No.' }),
        },
      ]
    : rules,
);

test('a bank that offers an authorisation and starts none has not turned another PSU away', async () => {
  const design = refusingToStart(changed('authorisations/instead'));
  const verdicts = await judged(design, 'OWN-03', 'SCA-02-payment');
  for (const said of Object.values(verdicts)) expect(said).toMatch(/startAuthorisation.*403/s);
});

test.each([
  ['without the path before /v1', (href: string) => new URL(href).pathname.replace(/^\/api/, '')],
  ['on a host of its own', (href: string) => href.replace(/^\w+:\/\/[^/]+/, 'https://inside.bank.example')],
])('a link %s is followed to where the bank is', async (_, rewritten) => {
  const { checks, keys } = await proofSetup();
  const design = withAnswers(['createDomesticPayment', 'createCrossBorderPayment'], (answer) =>
    isObject(answer.body)
      ? {
          ...answer,
          body: JSON.parse(JSON.stringify(answer.body), (name, value: unknown) =>
            name === 'href' ? rewritten(String(value)) : value,
          ),
        }
      : answer,
  )(changed('authorisations/instead'));
  const some = checks.filter(({ check }) => check.id === 'OWN-03');
  const { results } = await judgeBank(design, some, keys, { prefix: '/api' });
  expect(results.map(({ verdict }) => verdict)).toEqual(['pass']);
});
