import { withBody } from '../../src/checks/call-body.ts';
import { type Check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { aDomesticPayment, aSimplePayment, type Subject } from '../../src/checks/subject.ts';
import { accepts, refuses } from '../../src/checks/trial.ts';
import { accountsIn, canBePaidIn } from '../../src/payloads/creditors.ts';
import { type JsonObject, removeAt, setAt } from '../../src/payloads/json.ts';
import { kidOfLength, longestKid, referencesOf } from '../../src/payloads/kid.ts';
import type { PaymentFacts } from '../../src/payloads/payment-parts.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import type { Demand } from '../../src/spec/field.ts';
import { textOfLength } from '../../src/spec/formats.ts';
import { member } from '../../src/spec/json.ts';
import { products } from '../../src/spec/products.ts';
import { suffixes } from '../id-suffixes.ts';
import { accountIdsIn } from '../sca/readers.ts';
import {
  type BodyBase,
  bodyChecks,
  everySelection,
  type FullValue,
  fullTexts,
  withAddressAbroad,
  withEitherBic,
} from './body-checks.ts';
import { mayBeForItsKid } from './kid-refusals.ts';

/** A payment that has what the demand is about. */
function baseFor({ path: [first, second] }: Demand): BodyBase {
  if (first === 'debtorAccount' && second === 'other') {
    return { of: aDomesticPayment({ debtor: 'card' }), needs: ['card-account'] };
  }
  if (first === 'remittanceInformationUnstructured')
    return { of: aDomesticPayment({ remittance: 'unstructured' }) };
  if (first === 'remittanceInformationStructured') return { of: aDomesticPayment({ remittance: 'single' }) };
  if (first === 'remittanceInformationStructuredArray')
    return { of: aDomesticPayment({ remittance: 'array' }) };
  // Without a BIC another currency than NOK is refused for that.
  if (first === 'creditorAccount' && second === 'currency')
    return { of: aDomesticPayment({ with: ['creditorAgent'] }) };
  return { of: aDomesticPayment() };
}

/** Streets and postal codes are Norwegian, so other countries are sent alone; so is a purpose. */
const baseForListed = ({ path: [first, second] }: Demand): BodyBase | undefined =>
  first === 'purposeCode' || second === 'country'
    ? { of: aDomesticPayment({ optional: 'none' }) }
    : undefined;

const simple = aSimplePayment(products.domestic);

/** In EUR, unless the target file names accounts that can be paid, and none of them is. */
const otherCurrency = ({ creditors }: Pick<PaymentFacts, 'creditors'>): string =>
  creditors?.domestic?.find(({ currency }) => currency !== 'NOK')?.currency ?? 'EUR';

const currencyAccount = (facts: PaymentFacts) => accountsIn.domestic(otherCurrency(facts), facts);

const toACurrencyAccount: Subject = {
  ...simple,
  title: 'a domestic payment to an account in another currency',
  bodies: (context) => simple.bodies(context).map((body) => ({ ...body, ...currencyAccount(context.facts) })),
  excuse: ({ facts, readings }) => {
    if (readings.currencies !== 'all') return 'The bank deals in some currencies only.';
    return canBePaidIn(otherCurrency(facts), 'domestic', facts)
      ? undefined
      : 'None of the accounts under accounts.creditors.domestic of the target file is in another currency than NOK.';
  },
};

const withFullTexts = (body: JsonObject, { creditor }: PaymentFacts): JsonObject =>
  fullTexts(bodies.domesticPayment, [
    'street',
    'ultimateDebtor',
    // Where the target file names whoever is paid, that name is theirs.
    ...(creditor.name === undefined ? ['creditorName'] : []),
  ])(body);

const unstructured = 'remittanceInformationUnstructured';

const withReferences =
  (count: number) =>
  (body: JsonObject): JsonObject => ({
    ...removeAt(body, [unstructured]),
    remittanceInformationStructuredArray: referencesOf(body['instructedAmount'], count),
  });

const withReference = (body: JsonObject): JsonObject => {
  const [reference = {}] = referencesOf(body['instructedAmount'], 1);
  return { ...removeAt(body, [unstructured]), remittanceInformationStructured: reference };
};

/** A KID has a check digit and at most 25 digits (freedom payments/references). */
const fullValue = ({ field }: Demand): FullValue | undefined =>
  field.shared?.table === 'remittance reference' && field.name === 'reference'
    ? {
        label: `has ${field.maxLength} digits, with the check digit of a KID`,
        valueIn: ({ instructedAmount }) => kidOfLength(field.maxLength ?? 0, instructedAmount),
        step: `Send one with a reference of ${longestKid + 1} digits and, where that is refused, one with a wrong check digit, to see whether every reference is taken for a KID.`,
        async mustBePossible(send) {
          const answer = await send(kidOfLength(longestKid + 1));
          if (!(await mayBeForItsKid(answer, send))) return;
          throw new NotApplicable(
            `The bank takes every structured reference for a KID, which has at most ${longestKid} digits: one digit more was answered ${describeAnswer(answer)}.`,
          );
        },
      }
    : undefined;

/** The remittance reference stands in two places. */
function suffixFor({ field, path }: Demand): string {
  if (field.shared === undefined) return '';
  return path[0] === 'remittanceInformationStructured' ? suffixes.single : suffixes.array;
}

export default suite(
  'Domestic payment',
  section('Resources and their fields', 'NDCT payment request body'),
  () => [
    everySelection(
      {
        id: 'NDC-69',
        requirement: 'NDC-69',
        title: 'a valid domestic payment is accepted whatever optional fields it has',
        of: aDomesticPayment({ optional: 'all', remittance: 'unstructured' }),
      },
      [
        'creditorAgent',
        'creditorAddress.street',
        'creditorAddress.buildingNumber',
        'creditorAddress.postalCode',
        'creditorAddress.city',
        'ultimateDebtor',
        'remittanceInformationUnstructured',
        'purposeCode',
        'requestedExecutionDate',
      ],
    ),
    accepts({
      id: 'NDC-68',
      requirement: 'NDC-68',
      title: 'a domestic payment is accepted with and without creditorAgent',
      of: aDomesticPayment({ with: ['creditorAgent'] }),
      control: 'one-of-the-twists',
      twists: [
        { label: 'creditorAgent is there' },
        { label: 'creditorAgent is missing', body: (body) => removeAt(body, ['creditorAgent']) },
      ],
      fixed: ['fields'],
      cases: 2,
    }),
    accepts({
      id: 'NDC-69-complete',
      requirement: 'NDC-69',
      title: 'a domestic payment with every optional field, and texts of full length, is accepted',
      of: aDomesticPayment({ codes: 'whole', optional: 'all', remittance: 'array' }),
      control: 'none',
      twists: [
        { label: 'everything is valid' },
        { label: 'all texts have their full length', body: withFullTexts, isOneOfMany: true },
      ],
      cases: 3,
    }),
    withAddressAbroad({ id: 'NDC-69-postal-code', requirement: 'NDC-69', of: aDomesticPayment() }),
    withEitherBic({
      id: 'NDC-69-bic',
      requirement: 'NDC-69',
      of: aDomesticPayment({ with: ['creditorAgent'] }),
    }),
    bodyChecks({
      body: bodies.domesticPayment,
      plain: aDomesticPayment(),
      fullValue,
      baseFor,
      baseForListed,
      suffixFor,
      // The debtor account has the currency that it has, and instructed amounts have digits to match: see amounts.
      sendsListedValues: ({ path }) =>
        path[0] !== 'instructedAmount' && (path[0] !== 'debtorAccount' || path[1] === 'other'),
    }),
    refuses({
      id: 'NDC-70',
      requirement: 'NDC-70',
      title: 'a domestic payment to a currency account without creditorAgent is refused',
      of: aDomesticPayment({ with: ['creditorAgent'] }),
      control: toACurrencyAccount,
      // The account is made up, which is only done where no money moves.
      needs: ['sandbox'],
      twists: [
        {
          label: 'creditorAccount is in another currency and creditorAgent is missing',
          points: 'creditorAgent',
          body: (body, facts) => removeAt({ ...body, ...currencyAccount(facts) }, ['creditorAgent']),
          under: (_, { accounts }) => canBePaidIn(otherCurrency(accounts), 'domestic', accounts),
        },
      ],
      cases: 1,
    }),
    refuses({
      id: 'NDC-11-space',
      requirement: 'NDC-11',
      title:
        'a domestic payment is refused when creditorName has more than 70 characters with the space behind it',
      of: aDomesticPayment(),
      twists: [
        {
          label: 'creditorName has 70 characters and a space behind them',
          points: 'creditorName',
          body: (body) => setAt(body, ['creditorName'], `${textOfLength(70, 'ascii')} `),
        },
      ],
      cases: 1,
    }),
    refuses({
      id: 'NDC-60',
      requirement: 'NDC-60',
      title: 'a debtor account with both bban and other is refused',
      of: aDomesticPayment(),
      twists: [
        {
          label: 'debtorAccount has other next to its bban',
          points: 'debtorAccount',
          call: (call, { facts }) =>
            withBody(call, (body) =>
              setAt(body, ['debtorAccount', 'other'], {
                identification: facts.card?.identification ?? facts.debtor.bban,
                schemeNameProprietary: 'creditCardAccount',
              }),
            ),
        },
        {
          // An account of whoever pays, so that it goes with a company as well.
          label: 'debtorAccount has its own number as other next to its bban',
          points: 'debtorAccount',
          body: (body) =>
            setAt(body, ['debtorAccount', 'other'], {
              identification: String(member(body['debtorAccount'], 'bban')),
              schemeNameProprietary: 'creditCardAccount',
            }),
        },
      ],
      cases: 2,
    }),
    refuses({
      id: 'NDC-61',
      requirement: 'NDC-61',
      title: 'a debtor account with neither bban nor other is refused',
      of: aDomesticPayment(),
      twists: [
        {
          label: 'debtorAccount has neither bban nor other',
          points: 'debtorAccount',
          body: (body) => removeAt(body, ['debtorAccount', 'bban']),
        },
        {
          label: 'debtorAccount has a bban and an other that are null',
          points: 'debtorAccount',
          body: (body) =>
            setAt(setAt(body, ['debtorAccount', 'bban'], null), ['debtorAccount', 'other'], null),
          isOneOfMany: true,
        },
        {
          label: 'debtorAccount has an iban in place of its bban',
          points: 'debtorAccount',
          call: (call, { facts }) =>
            withBody(call, (body) =>
              setAt(body, ['debtorAccount'], {
                iban: facts.debtor.iban ?? '',
                currency: facts.debtor.currency,
              }),
            ),
        },
      ],
      cases: 2,
    }),
    refuses({
      id: 'NDC-15-iban',
      requirement: 'NDC-15',
      title: 'a creditor account with an iban in place of its bban is refused',
      of: aDomesticPayment(),
      needs: ['creditor-iban'],
      twists: [
        {
          label: 'creditorAccount has an iban in place of its bban',
          points: 'creditorAccount',
          call: (call, { target: { accounts } }) =>
            withBody(call, (body) =>
              setAt(body, ['creditorAccount'], {
                iban: accounts.creditor.iban ?? '',
                currency: accounts.creditor.currency,
              }),
            ),
        },
      ],
      cases: 1,
    }),
    ofANamedCard(
      accepts({
        id: 'NDC-62',
        requirement: 'NDC-62',
        title: 'a card account is accepted as debtor account',
        of: aDomesticPayment({ debtor: 'card', remittance: 'unstructured' }),
        needs: ['card-account'],
        control: 'none',
        twists: [
          { label: 'everything is valid' },
          { label: 'there is one reference, in the array form', body: withReferences(1), isOneOfMany: true },
          { label: 'there are several references', body: withReferences(3), isOneOfMany: true },
          { label: 'there is one reference, in the single form', body: withReference, isOneOfMany: true },
          {
            label: 'there is no remittance information',
            body: (body) => removeAt(body, [unstructured]),
            isOneOfMany: true,
          },
        ],
        cases: 3,
      }),
    ),
  ],
);

/**
 * The reference of a card may be wrong in the target file. The bank is at fault where its own card accounts show that reference
 * (NDCT payment request body, debtorAccount.other), and nobody can tell where they do not.
 */
const ofANamedCard = (check: Check): Check => ({
  ...check,
  async run(context) {
    try {
      return await check.run(context);
    } catch (error) {
      if (!(error instanceof ExpectationFailed) || (await showsTheCard(context))) throw error;
      throw new Inconclusive(
        `${error.actual}. No card account of the PSU shows the reference of accounts.card in its relatedAccount: is it that of a card of psu? Where nobody pays from cards, leave accounts.card out, and name the requirements on cards under notOffered.`,
      );
    }
  },
});

async function showsTheCard(context: CheckContext): Promise<boolean> {
  const identification = JSON.stringify(context.facts.card?.identification);
  const listed = await context.call({ operation: 'listCardAccounts' }, {}, 'the cards of the PSU');
  if (!listed.isSuccess) return false;
  for (const accountId of accountIdsIn(member(listed.json, 'cardAccounts') ?? listed.json)) {
    const card = { operation: 'readCardAccount', params: { accountId } } as const;
    const details = await context.call(card, {}, 'whether it is the card of the target file');
    if (details.isSuccess && details.bytes.includes(identification)) return true;
  }
  return false;
}
