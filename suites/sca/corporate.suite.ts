import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { corporatePsu } from '../../src/checks/context.ts';
import { created, expectAnswer, rejectedWith } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { accepts, acceptsEvery, refuses } from '../../src/checks/trial.ts';
import { headerRequirement } from '../../src/spec/headers.ts';
import type { Call } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { aCorporateBasket, aCorporatePayment } from '../signing/corporate-requests.ts';
import { basket, payments } from '../subjects.ts';
import { withoutCorporateId } from './psu-identity.ts';
import { accountData, accountIdsIn, readingOf } from './readers.ts';
import { mustBeOffered } from './walks.ts';

const operations = [
  ...payments.map((payment) => ({
    ...payment,
    of: aCorporatePayment(payment.product),
    privately: payment.of,
  })),
  { ...basket, of: aCorporateBasket, privately: basket.of },
];

/** A bank that objects to the account says nothing about the context. */
const withItsAccount = (made: Check): Check => ({
  ...made,
  run: (context) =>
    made.run(context).catch((error: unknown) => {
      throw aboutTheAccount(error);
    }),
});

const aboutTheAccount = (error: unknown): unknown =>
  error instanceof ExpectationFailed && /debtor/i.test(error.actual)
    ? new Inconclusive(
        `The bank objects to the account: ${error.actual}. Give that of the company as accounts.corporateDebtor of the target file.`,
      )
    : error;

export default suite('Corporate context', section('Authentication', 'PSU identification and SCA'), () => [
  operations.map(({ suffix, of }) =>
    refuses({
      id: `COR-01${suffix}`,
      requirement: 'COR-01',
      title: `${of.title} without PSU-Corporate-ID is answered 400`,
      of,
      needs: ['corporate-psu'],
      twists: [
        { label: 'PSU-Corporate-ID is missing', points: 'PSU-Corporate-ID', call: withoutCorporateId },
      ],
      expected: rejectedWith(400),
      cases: 1,
    }),
  ),
  check({
    id: 'COR-01-accounts',
    requirement: 'COR-01',
    title: 'a corporate request for accounts without PSU-Corporate-ID is answered 400',
    needs: ['corporate-psu', 'aisp-role'],
    steps: [
      'Ask for the accounts of the corporate PSU with PSU-Corporate-ID, as control: it must go through.',
      'Ask for them without PSU-Corporate-ID.',
    ],
    expected: rejectedWith(400).text,
    async run(context) {
      const call: Call = { operation: 'listAccounts', psu: corporatePsu(context) };
      const control = await context.call(call, {}, 'control');
      mustBeOffered(control, 'GET /v1/accounts');
      if (control.asksForSca)
        throw new NotApplicable('The corporate PSU has granted no accounts: grant some at the bank.');
      if (!control.isSuccess)
        throw new Inconclusive(`The accounts of the corporate PSU cannot be read (${control.status}).`);
      const answer = await context.call(withoutCorporateId(call, context), {}, 'without PSU-Corporate-ID');
      expectAnswer(context, answer, rejectedWith(400), 'without PSU-Corporate-ID');
    },
  }),
  check({
    id: `COR-01${suffixes.elsewhere}`,
    requirement: 'COR-01',
    title: 'a corporate request for balances or transactions without PSU-Corporate-ID is answered 400',
    needs: ['corporate-psu', 'aisp-role'],
    steps: [
      'Read balances and transactions of an account of the corporate PSU with PSU-Corporate-ID, as control: those that do not go through are not judged.',
      'Read them without PSU-Corporate-ID.',
    ],
    expected: rejectedWith(400).text,
    async run(context) {
      const psu = corporatePsu(context);
      const listing = await context.call({ operation: 'listAccounts', psu }, {}, 'accounts of the company');
      const [accountId] = listing.isSuccess ? accountIdsIn(listing.json) : [];
      if (accountId === undefined)
        throw new NotApplicable('No account of the corporate PSU can be read: grant some at the bank.');
      context.cases = 0;
      for (const data of accountData) {
        const call = { ...readingOf(data, { accountId }), psu };
        const control = await context.call(call, {}, 'control');
        if (!control.isSuccess) continue;
        context.cases += 1;
        const answer = await context.call(withoutCorporateId(call, context), {}, 'without PSU-Corporate-ID');
        expectAnswer(context, answer, rejectedWith(400), `for ${data} without PSU-Corporate-ID`);
      }
      if (context.cases === 0)
        throw new NotApplicable('Neither balances nor transactions of the corporate PSU can be read.');
    },
  }),
  operations.map(({ suffix, of, privately }) =>
    withItsAccount(
      acceptsEvery({
        id: `COR-02${suffix}`,
        requirement: 'COR-02',
        title: `${of.title} with PSU-ID and PSU-Corporate-ID is accepted`,
        of,
        // Where nobody's goes through, that says nothing of companies: payments that are approved at once, in a basket.
        control: privately,
        needs: ['corporate-psu'],
        // Whatever is created is answered 201, whoever it is for.
        ...(suffix === basket.suffix ? { expected: created('BSK-10'), others: ['BSK-10'] } : {}),
        cases: 2,
      }),
    ),
  ),
  operations.flatMap(({ headers, of, privately }) => {
    const header = headerRequirement(headers, 'PSU-Corporate-ID');
    return [
      withItsAccount(
        accepts({
          id: header,
          requirement: header,
          title: `${privately.title} is accepted with PSU-Corporate-ID in corporate context`,
          of,
          control: privately,
          needs: ['corporate-psu'],
          twists: [{ label: 'PSU-Corporate-ID is that of the corporate customer' }],
          cases: 1,
        }),
      ),
      accepts({
        id: `${header}${suffixes.private}`,
        requirement: header,
        title: `${privately.title} is accepted without PSU-Corporate-ID in private context`,
        of: privately,
        control: of,
        needs: ['private-psu', 'corporate-psu'],
        twists: [{ label: 'PSU-Corporate-ID is missing in private context' }],
        fixed: ['psu', 'psuContext'],
        cases: 1,
      }),
    ];
  }),
]);
