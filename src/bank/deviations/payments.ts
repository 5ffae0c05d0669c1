import { randomUUID } from 'node:crypto';
import { creations, everyProduct, type Product, products } from '../../spec/products.ts';
import {
  type DesignChange,
  onRefusal,
  serves,
  withAnswers,
  withBodies,
  withPayments,
  withRules,
} from '../design/design-changes.ts';
import type { BankAnswer, BankOperation, BankRequest } from '../design/route.ts';
import { likenessOf } from '../rules/payment-rules.ts';
import {
  crossBorder,
  type Deviation,
  deviation,
  handling,
  inBody,
  inQuery,
  isOfACompany,
  type Mistake,
  overlooking,
  refuses,
  refusing,
  rows,
  ruleOf,
  withParam,
} from './deviation.ts';
import { paymentBodyDeviations } from './payment-bodies.ts';
import { paymentValueDeviations } from './payment-values.ts';
import { isNamedByIdentity } from './single-sca.ts';

const isOfCompany = isOfACompany;

const duplicates =
  (operation: string): DesignChange =>
  (design) => ({
    ...design,
    refusesDuplicates: (request) => request.operation === operation || design.refusesDuplicates(request),
  });

/** Whoever sends the same body again gets the same answer again. */
const firstAgain =
  (operation: BankOperation): DesignChange =>
  (design) => {
    const known = new Map<string, BankAnswer>();
    return withAnswers([operation], (answer, { body }) => {
      const key = JSON.stringify(body);
      const first = known.get(key) ?? answer;
      known.set(key, first);
      return first;
    })(design);
  };

/** A payment whose id begins like the one that a request names. */
const meantBy: Mistake = (request, { payments }) => {
  const id = request.params.paymentId ?? '';
  const meant = payments.values().find(({ paymentId }) => paymentId.slice(0, 8) === id.slice(0, 8));
  return payments.get(id) !== undefined || meant === undefined
    ? request
    : withParam(request, 'paymentId', meant.paymentId);
};

/** Payments of which the bank takes no second one, whatever it is asked. */
const oncePaid: readonly (readonly [
  id: string,
  what: string,
  product: Product,
  isMeant: (request: BankRequest) => boolean,
])[] = [
  ...everyProduct.map(
    (product) => ['named', 'of a PSU who is named by X-PSU-IDENTITY', product, isNamedByIdentity] as const,
  ),
  ['cards', 'from a card account', products.domestic, inBody('debtorAccount.other')],
  [
    'references',
    'with structured references',
    products.domestic,
    inBody('remittanceInformationStructuredArray'),
  ],
  ['iban', 'from an account given as IBAN', products.crossBorder, inBody('debtorAccount.iban')],
  ['euro', 'in EUR', products.crossBorder, inBody('instructedAmount.currency', 'EUR')],
];

const withoutDuplicates = inQuery('allowLogicalDuplicate', 'false');

// biome-ignore format: a table
const creation: readonly Deviation[] = [
  ...everyProduct.map(({ word, creation, requirements }) =>
    deviation(`${requirements.duplicateAllowed}/duplicates-refused`, `refuses the same ${word} payment although duplicates are allowed`, duplicates(creation))),
  ...everyProduct.map(({ word, creation, requirements }) =>
    deviation(`${requirements.duplicateAllowed}/the-first-again`, `answers the same ${word} payment with the first one, although duplicates are allowed`,
      firstAgain(creation))),
  ...oncePaid.map(([id, what, { word, creation, requirements }, isMeant]) =>
    refuses(`${requirements.duplicateAllowed}/refused-of-${id}`, `refuses the same ${word} payment ${what}, although duplicates are allowed`,
      [creation], (request, { payments }) => isMeant(request) && payments.alike(likenessOf(request)) !== undefined, { status: 409, code: 'CONFLICT' })),
  ...everyProduct.map(({ word, creation, requirements }) =>
    refuses(`${requirements.withoutDuplicate}/refused`, `refuses a ${word} payment that forbids duplicates`, [creation], withoutDuplicates)),
  deviation('PRS-21/one-for-all', 'gives two payments one id', withPayments({ newPaymentId: recurringId() })),
  ...(['private', 'corporate'] as const).map((whose) =>
    deviation(`PRS-01/encoded-twice-${whose}`, `answers the payment of a ${whose} PSU with a text that is JSON once more`,
      withAnswers(creations, (answer, request) =>
        answer.status === 201 && isOfCompany(request) === (whose === 'corporate') ? { ...answer, body: JSON.stringify(answer.body) } : answer))),
  deviation('PRS-20/fee-left-out', 'says that there is a fee and not how much it is',
    withBodies(crossBorder, ({ transactionFees: _, ...body }) => ({ ...body, transactionFeeIndicator: true }))),
  deviation('PRS-24/fee-denied', 'says that there is no fee and how much it is',
    withBodies(crossBorder, (body) => ({ ...body, transactionFeeIndicator: false }))),
  ...['50', '50.0', '50.000'].map((amount) =>
    deviation(`PRS-23/${amount}`, `writes a fee of fifty kroner as ${amount}`, withPayments({ feeOf: () => ({ amount, currency: 'NOK' }) }))),
  ...rows(
    ['VER-03/number', 'writes fees as JSON numbers', withBodies(crossBorder, (body) => ({ ...body, transactionFees: { amount: 50, currency: 'NOK' } }))],
    ['PRS-16/one-longer-psu-message', 'tells the PSU 513 characters', withPayments({ psuMessageOf: () => 'a'.repeat(513) })],
    ['TRN-11/null-psu-message', 'writes null where there is nothing to tell the PSU', withBodies(creations, (body) => ({ ...body, psuMessage: null }))],
    ['MSG-01/missing-in-a-warning', 'leaves out the category of a warning',
      withBodies(creations, (body) => ({ ...body, tppMessages: [{ code: 'FORMAT_ERROR' }] }))],
    ['MSG-06/unlisted-in-a-warning', 'warns with a code that is not listed',
      withBodies(creations, (body) => ({ ...body, tppMessages: [{ category: 'WARNING', code: 'DEPRECATED' }] }))],
  ),
];

/** Every second payment has the id of the one before it. */
function recurringId(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `payment-${count % 2 === 0 ? count - 1 : count}`;
  };
}

const isDomestic = (product: string): boolean => product === products.domestic.path;

// biome-ignore format: a table
const statuses: readonly Deviation[] = [
  ...rows(
    ['PST-01/never-readable', 'never shows the status of a domestic payment', withPayments({ isReadable: ({ product }) => !isDomestic(product) })],
    ['PST-01/no-content', 'answers 204 where a status is read, and nothing else',
      withAnswers(['readPaymentStatus'], (answer) => (answer.status === 200 ? { status: 204 } : answer))],
    ['PST-01/not-after-approval', 'loses sight of a domestic payment when it is approved',
      withPayments({ isReadable: ({ product, approvedAt, standsStill }) => !isDomestic(product) || approvedAt === undefined || standsStill === true })],
    ['PST-01/not-cross-border', 'never shows the status of a cross-border payment', withPayments({ isReadable: ({ product }) => isDomestic(product) })],
    ['PST-01/not-before-approval', 'shows a cross-border payment only once it is approved',
      withPayments({ isReadable: ({ product, approvedAt, standsStill }) => isDomestic(product) || approvedAt !== undefined || standsStill === true })],
    ['PST-01/not-decoded', 'gives ids that need percent-encoding, and does not know them again when they are encoded',
      withPayments({ newPaymentId: () => `enc/${randomUUID()}==` }),
      refusing('PST-01', ['readPaymentStatus'], ({ params }) => (params.paymentId ?? '').includes('/'))],
    ['PST-10/by-its-beginning', 'compares the beginning of a payment id only',
      handling('readPaymentStatus', meantBy), overlooking(ruleOf('PST-10'), (request, state) => meantBy(request, state) !== request)],
    ['PST-10/of-another-form', 'breaks down at an id that is no UUID',
      refusing('PST-10', ['readPaymentStatus'], ({ params }) => /^[a-z]+$/.test(params.paymentId ?? ''), { status: 500, code: 'SYSTEM_ERROR' }),
      withRules((operation, rules) => (operation === 'readPaymentStatus' ? rules.toReversed() : rules))],
    ['PST-01/not-of-old', 'does not show the status of payments from before the run', withPayments({ isReadable: ({ standsStill }) => standsStill !== true })],
    ['ERR-05/rejected', 'reports a payment that lacks funds as RJCT',
      withBodies(['readPaymentStatus'], (body) => body.fundsAvailable === false ? { ...body, transactionStatus: 'RJCT' } : body)],
    ['ERR-05/funds-untold', 'does not tell that funds are lacking', withBodies(['readPaymentStatus'], ({ fundsAvailable: _, ...body }) => body)],
    ['ERR-05/funds-available', 'reports funds as available when they are lacking',
      withBodies(['readPaymentStatus'], (body) => 'fundsAvailable' in body ? { ...body, fundsAvailable: true } : body)],
  ),
];

/** What a rule refuses is done all the same. */
const refusedAndDeleted = (requirement: string): DesignChange =>
  onRefusal(
    (rule, operation) => operation === 'deletePayment' && serves(rule, requirement),
    (refusal, { params }, { payments }) => {
      const payment = payments.get(params.paymentId ?? '');
      if (payment !== undefined) payments.update({ ...payment, transactionStatus: 'CANC' });
      return refusal;
    },
  );

const deletions: readonly Deviation[] = ['OWN-01', 'OWN-02', 'ERR-04', 'SIG-01', 'SIG-02'].map(
  (requirement) =>
    deviation(
      `${requirement}/refused-and-deleted`,
      'refuses to delete a payment, and deletes it all the same',
      refusedAndDeleted(requirement),
    ),
);

const companies: readonly Deviation[] = [
  refuses(
    'PST-01/not-for-companies',
    'shows a company no status of its payments',
    ['readPaymentStatus'],
    isOfCompany,
    {
      status: 404,
      code: 'RESOURCE_UNKNOWN',
    },
  ),
];

export const paymentDeviations: readonly Deviation[] = [
  ...creation,
  ...paymentBodyDeviations,
  ...paymentValueDeviations,
  ...statuses,
  ...deletions,
  ...companies,
];
