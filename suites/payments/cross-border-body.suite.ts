import { withBody } from '../../src/checks/call-body.ts';
import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { askedOnce } from '../../src/checks/controls.ts';
import { wentThrough } from '../../src/checks/expectation.ts';
import { aPaymentToAStranger } from '../../src/checks/strangers.ts';
import { aCrossBorderPayment, drawCall, type Subject } from '../../src/checks/subject.ts';
import { accepts, acceptsEvery, refuses } from '../../src/checks/trial.ts';
import { type JsonObject, removeAt, setAt } from '../../src/payloads/json.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import type { Demand } from '../../src/spec/field.ts';
import { isObject } from '../../src/spec/json.ts';
import { products } from '../../src/spec/products.ts';
import { suffixes } from '../id-suffixes.ts';
import { unlessOfTheAccount } from './addresses-abroad.ts';
import {
  type BodyBase,
  bodyChecks,
  british,
  everySelection,
  fullTexts,
  withAddressAbroad,
  withEitherBic,
} from './body-checks.ts';
import { carrierOf, longAndShortIbans } from './carried-lists.ts';
import { heldIn } from './listed-values.ts';

const small = aCrossBorderPayment({ amount: 'small' });
const large = aCrossBorderPayment();

/** A small one, unless the bank takes codes only with the transfers that need them. */
const aReportedPayment: Subject = {
  ...small,
  at: async (context) => ((await isTaken(context, small)) ? small : large),
};

/** With either of two codes: one of them alone may be refused, which is what the check is about. */
async function isTaken(context: CheckContext, subject: Subject): Promise<boolean> {
  for (const code of ['14', '29']) {
    const answer = await askedOnce(
      context,
      `taken/${subject.title} that is small, with ${code}`,
      async (sender) =>
        sender.call(
          withBody(await drawCall(sender, subject, Number(code)), (body) =>
            setAt(body, ['regulatoryReportingCode'], code),
          ),
          {},
          'is a code taken with a small transfer',
        ),
    );
    if (wentThrough(answer, context.readings) || answer.asksForSca) return true;
  }
  return false;
}

/** A payment that has what the demand is about. */
function baseFor({ path: [first, second], facet }: Demand): BodyBase {
  if (first === 'creditorAccount' && second === 'bban')
    return { of: aCrossBorderPayment({ creditor: 'bban' }), needs: ['foreign-bban'] };
  // The codes of transfers that need one are judged with those (REG-04-codes).
  if (first === 'regulatoryReportingCode' && facet === 'values') return { of: aReportedPayment };
  if (first === 'creditorAgent' || first === 'creditorAddress')
    return { of: aCrossBorderPayment({ with: [first] }) };
  if (first === 'debtorAccount' && second === 'iban') {
    return { of: aCrossBorderPayment({ debtor: 'iban' }), needs: ['debtor-iban'] };
  }
  return { of: aCrossBorderPayment() };
}

/**
 * Streets and postal codes are those of one country, so others are sent alone; so is a purpose. With an account its bank
 * is named, and an address would be that of another account.
 */
const baseForListed = ({ path: [first, second] }: Demand): BodyBase | undefined =>
  first === 'purposeCode' || second === 'country' || first === 'creditorAccount'
    ? { of: aCrossBorderPayment({ optional: 'none' }) }
    : undefined;

/** The address, and what may be left out of it: no part of it demands another. */
const addressParts = ['creditorAddress', 'street', 'buildingNumber', 'postalCode', 'city'];

const withFullTexts = fullTexts(bodies.crossBorderPayment, [
  'creditorName',
  'street',
  'remittanceInformationUnstructured',
  'regulatoryReportingInformation',
]);

export default suite(
  'Cross-border payment',
  section('Resources and their fields', 'NCBCT payment request body'),
  () => [
    everySelection(
      {
        id: 'NCB-69',
        requirement: 'NCB-69',
        title: 'a valid cross-border payment is accepted whatever optional fields it has',
        of: aCrossBorderPayment({ optional: 'all' }),
      },
      [
        'creditorAgent',
        'creditorAddress.street',
        'creditorAddress.buildingNumber',
        'creditorAddress.postalCode',
        'creditorAddress.city',
        // After its parts: without it there is nothing to take them from.
        'creditorAddress',
        'remittanceInformationUnstructured',
        'purposeCode',
        'requestedExecutionDate',
      ],
    ),
    accepts({
      id: 'NCB-69-complete',
      requirement: 'NCB-69',
      title: 'a cross-border payment with every optional field, and texts of full length, is accepted',
      of: aCrossBorderPayment({ codes: 'whole', optional: 'all' }),
      twists: [{ label: 'all texts have their full length', body: withFullTexts }],
      cases: 3,
    }),
    withEitherBic({
      id: 'NCB-69-bic',
      requirement: 'NCB-69',
      of: aCrossBorderPayment({ with: ['creditorAgent'] }),
    }),
    bodyChecks({
      body: bodies.crossBorderPayment,
      plain: aCrossBorderPayment(),
      baseFor,
      baseForListed,
      suffixFor: () => '',
      sendsListedValues: ({ path }) => path[0] !== 'instructedAmount' && path[0] !== 'debtorAccount',
    }).map((made) => (made.id === `NCB-30${suffixes.accepted}` ? unlessOfTheAccount(made) : made)),
    accepts({
      id: `NCB-18${suffixes.accepted}`,
      requirement: 'NCB-18',
      title: 'a cross-border payment is accepted to IBANs of 16 to 32 characters, as countries have them',
      of: aCrossBorderPayment({ optional: 'none' }),
      control: aPaymentToAStranger(products.crossBorder),
      twists: longAndShortIbans.twists,
      needs: ['sandbox'],
      carrier: carrierOf(products.crossBorder),
      cases: 1,
    }),
    refuses({
      id: 'NCB-60',
      requirement: 'NCB-60',
      title: 'a creditor account with neither bban nor iban is refused',
      of: aCrossBorderPayment({ with: ['creditorAgent'] }),
      twists: [
        {
          label: 'creditorAccount has neither bban nor iban',
          points: 'creditorAccount',
          body: (body) => removeAt(body, ['creditorAccount', 'iban']),
        },
        {
          label: 'creditorAccount has a bban and an iban that are null',
          points: 'creditorAccount',
          body: (body) =>
            setAt(setAt(body, ['creditorAccount', 'bban'], null), ['creditorAccount', 'iban'], null),
          isOneOfMany: true,
        },
      ],
      cases: 2,
    }),
    refuses({
      id: 'NCB-61',
      requirement: 'NCB-61',
      title: 'a creditor account with both bban and iban is refused',
      levelUnder: ({ accountReference }) => (accountReference === 'exclusive' ? 'must' : 'advisory'),
      // A BBAN would need it, and its absence be another fault.
      of: aCrossBorderPayment({ with: ['creditorAgent'] }),
      twists: [
        {
          label: 'creditorAccount has a bban next to its iban',
          points: 'creditorAccount',
          body: (body) => withBbanOfItsIban(body, 'creditorAccount'),
        },
      ],
      cases: 2,
    }),
    refuses({
      id: 'NCB-62',
      requirement: 'NCB-62',
      title: 'a debtor account with neither bban nor iban is refused',
      of: aCrossBorderPayment(),
      twists: [
        {
          label: 'debtorAccount has neither bban nor iban',
          points: 'debtorAccount',
          body: (body) => removeAt(body, ['debtorAccount', 'bban']),
        },
        {
          label: 'debtorAccount has a bban and an iban that are null',
          points: 'debtorAccount',
          body: (body) =>
            setAt(setAt(body, ['debtorAccount', 'bban'], null), ['debtorAccount', 'iban'], null),
          isOneOfMany: true,
        },
        {
          label: 'debtorAccount is a card in place of an account',
          points: 'debtorAccount',
          call: (call, { facts }) =>
            withBody(call, (body) =>
              setAt(body, ['debtorAccount'], {
                other: {
                  identification: facts.card?.identification ?? facts.debtor.bban,
                  schemeNameProprietary: 'creditCardAccount',
                },
                currency: facts.debtor.currency,
              }),
            ),
        },
      ],
      cases: 2,
    }),
    refuses({
      id: 'NCB-63',
      requirement: 'NCB-63',
      title: 'a debtor account with both bban and iban is refused',
      levelUnder: ({ accountReference }) => (accountReference === 'exclusive' ? 'must' : 'advisory'),
      of: aCrossBorderPayment({ debtor: 'iban' }),
      needs: ['debtor-iban'],
      twists: [
        {
          label: 'debtorAccount has a bban next to its iban',
          points: 'debtorAccount',
          body: (body) => withBbanOfItsIban(body, 'debtorAccount'),
        },
      ],
      cases: 2,
    }),
    refuses({
      id: 'NCB-64',
      requirement: 'NCB-64',
      title: 'a payment to a BBAN without creditorAgent is refused',
      of: aCrossBorderPayment({ creditor: 'bban' }),
      needs: ['foreign-bban'],
      twists: [
        {
          label: 'creditorAccount has a bban and creditorAgent is missing',
          points: 'creditorAgent',
          body: (body) => removeAt(body, ['creditorAgent']),
        },
        {
          label: 'creditorAccount has a bban and creditorAgent is null',
          points: 'creditorAgent',
          body: (body) => setAt(body, ['creditorAgent'], null),
          isOneOfMany: true,
        },
        {
          label: 'creditorAccount has a bban, the amount is in USD and creditorAgent is missing',
          points: 'creditorAgent',
          body: (body) => removeAt(setAt(body, ['instructedAmount', 'currency'], 'USD'), ['creditorAgent']),
          isOneOfMany: true,
        },
        {
          label: 'creditorAccount has a bban and is in NOK, and creditorAgent is missing',
          points: 'creditorAgent',
          body: (body) => removeAt(setAt(body, ['creditorAccount', 'currency'], 'NOK'), ['creditorAgent']),
          isOneOfMany: true,
        },
      ],
      cases: 2,
    }),
    accepts({
      id: 'NCB-65',
      requirement: 'NCB-65',
      title: 'a payment to an IBAN without creditorAgent is accepted',
      of: aCrossBorderPayment({ with: ['creditorAgent'] }),
      twists: [
        {
          label: 'creditorAccount has an iban and creditorAgent is missing',
          body: (body) => removeAt(body, ['creditorAgent']),
        },
      ],
      cases: 2,
    }),
    acceptsEvery({
      id: 'NCB-66-bban',
      requirement: 'NCB-66',
      title: 'a creditor account given as BBAN with creditorAgent is accepted',
      of: aCrossBorderPayment({ creditor: 'bban' }),
      needs: ['foreign-bban'],
      cases: 3,
    }),
    acceptsEvery({
      id: 'NCB-66-iban',
      requirement: 'NCB-66',
      title: 'a creditor account given as IBAN is accepted',
      of: aCrossBorderPayment({ creditor: 'iban' }),
      cases: 3,
    }),
    acceptsEvery({
      id: 'NCB-67-bban',
      requirement: 'NCB-67',
      title: 'a debtor account given as BBAN is accepted',
      of: aCrossBorderPayment({ debtor: 'bban' }),
      cases: 3,
    }),
    acceptsEvery({
      id: 'NCB-67-iban',
      requirement: 'NCB-67',
      title: 'a debtor account given as IBAN is accepted',
      of: aCrossBorderPayment({ debtor: 'iban' }),
      needs: ['debtor-iban'],
      cases: 3,
    }),
    accepts({
      id: 'NCB-68',
      requirement: 'NCB-68',
      title: 'a payment is accepted with and without creditorAddress',
      of: aCrossBorderPayment({ with: ['creditorAddress'] }),
      twists: [
        { label: 'creditorAddress is missing', body: (body) => removeAt(body, ['creditorAddress']) },
        { label: 'creditorAddress is present' },
      ],
      control: 'one-of-the-twists',
      cases: 2,
    }),
    withAddressAbroad({
      id: 'NCB-69-postal-code',
      requirement: 'NCB-69',
      of: aCrossBorderPayment({ with: ['creditorAddress'] }),
      otherwise: heldIn(british.country, british),
    }),
    accepts({
      id: 'NCB-69-country',
      requirement: 'NCB-69',
      title: 'a payment whose creditorAddress is a country alone is accepted',
      of: aCrossBorderPayment({ with: ['creditorAddress'] }),
      control: aCrossBorderPayment({ optional: 'all' }),
      twists: [
        {
          label: 'creditorAddress has nothing but country',
          body: countryAlone,
        },
      ],
      cases: 2,
    }),
    accepts({
      id: 'NCB-69-address',
      requirement: 'NCB-69',
      title: 'a payment whose creditorAddress lacks one of its optional parts is accepted',
      of: aCrossBorderPayment({ optional: 'none', with: addressParts }),
      control: aCrossBorderPayment({ optional: 'all' }),
      twists: addressParts.slice(1).map((part) => ({
        label: `creditorAddress has no ${part}`,
        points: 'creditorAddress',
        body: (body) => removeAt(body, ['creditorAddress', part]),
        isOneOfMany: true,
      })),
      cases: 1,
    }),
  ],
);

/** The search for the smallest case may have left out the whole address, in which nothing is to be left out then. */
function countryAlone(body: JsonObject): JsonObject {
  const { creditorAddress: address } = body;
  if (!isObject(address)) return body;
  return setAt(body, ['creditorAddress'], { country: String(address['country']) });
}

/** The national part of an IBAN is the BBAN of the same account, so only the pair itself is at fault. */
function withBbanOfItsIban(body: JsonObject, account: string): JsonObject {
  const { iban } = body[account] as { readonly iban: string };
  return setAt(body, [account, 'bban'], iban.slice(4));
}
