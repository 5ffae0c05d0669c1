import { randomUUID } from 'node:crypto';
import { isObject, memberAt } from '../../spec/json.ts';
import { creations, everyProduct, products } from '../../spec/products.ts';
import { consentedAccounts } from '../accounts/consent-rules.ts';
import {
  type DesignChange,
  doingAt,
  instead,
  onRefusal,
  serves,
  withAnswers,
  withBodies,
  withPayments,
  withRoutes,
  withRules,
  writing,
} from '../design/design-changes.ts';
import type { BankAnswer, BankOperation, BankRequest, BankState } from '../design/route.ts';
import { cancelledBySca, detailsOnceApproved, startedByTheTpp } from '../dialects/authorisations.ts';
import { likenessOf } from '../rules/payment-rules.ts';
import { isApproved, type Payment } from '../state/payment-store.ts';
import { sentIds } from './baskets.ts';
import {
  at,
  both,
  breakdown,
  byDots,
  type Condition,
  crossBorder,
  each,
  handling,
  inBody,
  inPath,
  inQuery,
  isOfACompany,
  type Mistake,
  mistaking,
  of,
  overlooking,
  ruleOf,
  table,
  withParam,
} from './deviation.ts';
import { approving } from './sca.ts';
import { isNamedByIdentity } from './single-sca.ts';

const status = 'transactionStatus';
const basketsRead = ['readSigningBasketStatus', 'readSigningBasket'] as const;
const isDomestic = ({ product }: Payment): boolean => product === products.domestic.path;
const underCrossBorder = inPath('product', products.crossBorder.path);

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

/** Every second payment has the id of the one before it. */
function recurringId(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `payment-${count % 2 === 0 ? count - 1 : count}`;
  };
}

/** A payment whose id begins like the one that a request names. */
const meantBy: Mistake = (request, { payments }) => {
  const id = request.params.paymentId ?? '';
  const meant = payments.values().find(({ paymentId }) => paymentId.slice(0, 8) === id.slice(0, 8));
  return payments.get(id) !== undefined || meant === undefined
    ? request
    : withParam(request, 'paymentId', meant.paymentId);
};

/** Requests that name a payment, of some kind. */
const ofPayments =
  (isMeant: (payment: Payment, state: BankState) => boolean): Condition =>
  ({ params }, state) => {
    const payment = state.payments.get(params.paymentId ?? '');
    return payment !== undefined && isMeant(payment, state);
  };
const ofCompanies = ofPayments(({ corporateId }) => corporateId !== undefined);

/** Deletions of some payments are answered, and not carried out. */
const keeping = (isKept: Condition): DesignChange =>
  doingAt('deletePayment', (request, state, usual) =>
    isKept(request, state) ? { status: 204 } : usual(request, state),
  );

/** A deleted payment is only called so, for as long as nobody approves it. */
const hidingUntilApproved: DesignChange = (design) => {
  const hidden = new Set<string>();
  const isHidden = ofPayments((payment) => !isApproved(payment) && hidden.has(payment.paymentId));
  const hiding = doingAt('deletePayment', ({ params }) => {
    hidden.add(params.paymentId ?? '');
    return { status: 204 };
  });
  const telling = doingAt('readPaymentStatus', (request, state, usual) =>
    isHidden(request, state) ? { status: 200, body: { [status]: 'CANC' } } : usual(request, state),
  );
  return telling(hiding(design));
};

const cancel = (payment: Payment | undefined, { payments }: BankState): void =>
  void (payment && payments.update({ ...payment, transactionStatus: 'CANC' }));

/** What a rule refuses is done all the same. */
const deletedAllTheSame = (
  operation: BankOperation,
  requirement: string,
  remove: (params: BankRequest['params'], state: BankState) => void,
): DesignChange =>
  onRefusal(
    (rule, where) => where === operation && serves(rule, requirement),
    (refusal, { params }, state) => {
      remove(params, state);
      return refusal;
    },
  );

const asNumber = (value: unknown): unknown => ({
  ...(isObject(value) ? value : {}),
  amount: Number(memberAt(value, 'amount')),
});

const detail = (member: string, to: unknown, isMeant?: Condition): DesignChange =>
  writing(['readPayment'], member, to, isMeant);

type IdsOf = (request: BankRequest, state: BankState) => readonly string[];

const takenFor =
  (name: string, idsOf: IdsOf, isTaken: (sent: string, known: string) => boolean): Mistake =>
  (request, state) => {
    const sent = request.params[name] ?? '';
    const meant = idsOf(request, state).find((known) => isTaken(sent, known));
    return meant === undefined ? request : withParam(request, name, meant);
  };

const paymentIds: IdsOf = (_, { payments }) => payments.values().map(({ paymentId }) => paymentId);
const accountIds: IdsOf = (request, state) => consentedAccounts(request, state).map(({ id }) => id);

/** So many characters at least: any id begins with fewer. */
const endsEarly = (sent: string, known: string): boolean => sent.length > 30 && known.startsWith(sent);

/** Rules and all. */
const mistakenAt = (operation: BankOperation, mistake: Mistake): DesignChange =>
  withRoutes((route) =>
    route.operation === operation
      ? {
          ...route,
          rules: route.rules.map((rule) => ({
            ...rule,
            refuses: (request, state) => rule.refuses(mistake(request, state), state),
          })),
          handle: (request, state) => route.handle(mistake(request, state), state),
        }
      : route,
  );

// biome-ignore format: a table
const creation = table(
  each(everyProduct, ({ word, creation, requirements: { duplicateAllowed, withoutDuplicate } }) => table(
    [`${duplicateAllowed}/duplicates-refused`, `refuses the same ${word} payment although duplicates are allowed`, duplicates(creation)],
    [`${duplicateAllowed}/the-first-again`, `answers the same ${word} payment with the first one, although duplicates are allowed`, firstAgain(creation)],
    [`${withoutDuplicate}/refused`, `refuses a ${word} payment that forbids duplicates`, { refuse: inQuery('allowLogicalDuplicate', 'false') }],
  )),
  // Payments of which the bank takes no second one, whatever it is asked.
  each([
    ...everyProduct.map((product) => ['named', 'of a PSU who is named by X-PSU-IDENTITY', product, isNamedByIdentity] as const),
    ['cards', 'from a card account', products.domestic, inBody('debtorAccount.other')],
    ['references', 'with structured references', products.domestic, inBody('remittanceInformationStructuredArray')],
    ['iban', 'from an account given as IBAN', products.crossBorder, inBody('debtorAccount.iban')],
    ['euro', 'in EUR', products.crossBorder, inBody('instructedAmount.currency', 'EUR')],
  ], (way, what, { word, requirements }, isMeant) => [`${requirements.duplicateAllowed}/refused-of-${way}`, `refuses the same ${word} payment ${what}, although duplicates are allowed`,
    { refuse: (request, { payments }) => isMeant(request) && payments.alike(likenessOf(request)) !== undefined, as: { status: 409, code: 'CONFLICT' } }]),
  ['PRS-21/one-for-all', 'gives two payments one id', withPayments({ newPaymentId: recurringId() })],
  each(['private', 'corporate'], (whose) => [`PRS-01/encoded-twice-${whose}`, `answers the payment of a ${whose} PSU with a text that is JSON once more`,
    withAnswers(creations, (answer, request) => answer.status === 201 && isOfACompany(request) === (whose === 'corporate') ? { ...answer, body: JSON.stringify(answer.body) } : answer)]),
  ['PRS-20/fee-left-out', 'says that there is a fee and not how much it is', withBodies(crossBorder, ({ transactionFees: _, ...body }) => ({ ...body, transactionFeeIndicator: true }))],
  ['PRS-24/fee-denied', 'says that there is no fee and how much it is', withBodies(crossBorder, (body) => ({ ...body, transactionFeeIndicator: false }))],
  each(['50', '50.0', '50.000'], (amount) => [`PRS-23/${amount}`, `writes a fee of fifty kroner as ${amount}`, withPayments({ feeOf: () => ({ amount, currency: 'NOK' }) })]),
  ['VER-03/number', 'writes fees as JSON numbers', withBodies(crossBorder, (body) => ({ ...body, transactionFees: { amount: 50, currency: 'NOK' } }))],
  ['PRS-16/one-longer-psu-message', 'tells the PSU 513 characters', withPayments({ psuMessageOf: () => 'a'.repeat(513) })],
  ['TRN-11/null-psu-message', 'writes null where there is nothing to tell the PSU', withBodies(creations, (body) => ({ ...body, psuMessage: null }))],
  ['MSG-01/missing-in-a-warning', 'leaves out the category of a warning', withBodies(creations, (body) => ({ ...body, tppMessages: [{ code: 'FORMAT_ERROR' }] }))],
  ['MSG-06/unlisted-in-a-warning', 'warns with a code that is not listed',
    withBodies(creations, (body) => ({ ...body, tppMessages: [{ category: 'WARNING', code: 'DEPRECATED' }] }))],
);

// biome-ignore format: a table
const statuses = table(
  ['PST-01/never-readable', 'never shows the status of a domestic payment', withPayments({ isReadable: (payment) => !isDomestic(payment) })],
  ['PST-01/no-content', 'answers 204 where a status is read, and nothing else', withAnswers(['readPaymentStatus'], (answer) => (answer.status === 200 ? { status: 204 } : answer))],
  ['PST-01/not-after-approval', 'loses sight of a domestic payment when it is approved',
    withPayments({ isReadable: (payment) => !isDomestic(payment) || !isApproved(payment) || payment.standsStill === true })],
  ['PST-01/not-cross-border', 'never shows the status of a cross-border payment', withPayments({ isReadable: isDomestic })],
  ['PST-01/not-before-approval', 'shows a cross-border payment only once it is approved',
    withPayments({ isReadable: (payment) => isDomestic(payment) || isApproved(payment) || payment.standsStill === true })],
  ['PST-01/not-decoded', 'gives ids that need percent-encoding, and does not know them again when they are encoded',
    [withPayments({ newPaymentId: () => `enc/${randomUUID()}==` }), { refuse: inPath('paymentId', /\//), at: ['readPaymentStatus'] }]],
  ['PST-10/by-its-beginning', 'compares the beginning of a payment id only',
    [handling('readPaymentStatus', meantBy), overlooking(ruleOf('PST-10'), (request, state) => meantBy(request, state) !== request)]],
  ['PST-10/of-another-form', 'breaks down at an id that is no UUID',
    [{ refuse: inPath('paymentId', /^[a-z]+$/), at: ['readPaymentStatus'], as: breakdown }, withRules((operation, rules) => (operation === 'readPaymentStatus' ? rules.toReversed() : rules))]],
  ['PST-01/not-of-old', 'does not show the status of payments from before the run', withPayments({ isReadable: ({ standsStill }) => standsStill !== true })],
  ['ERR-05/rejected', 'reports a payment that lacks funds as RJCT', withBodies(['readPaymentStatus'], (body) => body.fundsAvailable === false ? { ...body, [status]: 'RJCT' } : body)],
  ['ERR-05/funds-untold', 'does not tell that funds are lacking', writing(['readPaymentStatus'], 'fundsAvailable', undefined)],
  ['ERR-05/funds-available', 'reports funds as available when they are lacking', writing(['readPaymentStatus'], 'fundsAvailable', true)],
  ['PST-01/not-for-companies', 'shows a company no status of its payments', { refuse: isOfACompany, at: ['readPaymentStatus'], as: { status: 404, code: 'RESOURCE_UNKNOWN' } }],
  ['PST-10/to-companies', 'answers whoever asks for an unknown payment for a company', { overlook: both(at('readPaymentStatus'), isOfACompany) }],
  // An id that nothing has is taken for one that is longer or shorter.
  each([
    ['goes-on', 'an id that goes on behind that', (sent: string, known: string) => sent.startsWith(known)],
    ['ends-early', 'the beginning of that', endsEarly],
  ], (way, how, isTaken) => table(
    [`PST-10/${way}`, `takes ${how} of a payment for it`, mistakenAt('readPaymentStatus', takenFor('paymentId', paymentIds, isTaken))],
    each([['balances', 'readBalances'], ['transactions', 'readTransactions']], (what, operation) => [`ACC-19/${what}-${way}`, `takes ${how} of an account for it (${what})`, mistaking(operation, takenFor('accountId', accountIds, isTaken))]),
  )),
  ['BSK-16/ends-early', 'takes the beginning of a paymentId for it',
    { overlook: (request, state) => sentIds(request).every((sent) => paymentIds(request, state).some((known) => endsEarly(String(sent), known))) }],
);

/** Payments and baskets that are read in full, or taken back, where all is right with their status. */
// biome-ignore format: a table
const details = table(
  ['VER-03/details', 'writes the amount of a payment that is read as a number', detail('instructedAmount', asNumber)],
  ['VER-03/details-of-companies', 'writes the amount of a payment of a company that is read as a number', detail('instructedAmount', asNumber, isOfACompany)],
  ['VER-03/details-once-approved', 'writes the amount of a payment as a number, in details that it tells once the PSU has approved it',
    [detail('instructedAmount', asNumber), detailsOnceApproved]],
  ['TRN-10/details', 'writes the day of execution of a payment that is read as DD.MM.YYYY', detail('requestedExecutionDate', byDots)],
  ['TRN-04/misread', 'reads texts as ISO 8859-1', detail('creditorName', (name: unknown) => Buffer.from(String(name)).toString('latin1'))],
  ['TRN-04/given-up', 'keeps a question mark for each Norwegian letter', detail('creditorName', (name: unknown) => String(name).replace(/[^\p{ASCII}]/gu, '?'))],
  ['PST-04/details', 'has a word of its own for the status of a payment that is read in full', detail(status, 'OPEN')],
  ['PST-04/details-of-companies', 'has a word of its own for the status of a payment of a company that is read in full', detail(status, 'OPEN', isOfACompany)],
  each([['CANC', 'a deleted payment'], ['PDNG', 'a pending payment'], ['RJCT', 'a rejected payment']], (name, what) =>
    [`PST-04/details-in-${name.toLowerCase()}`, `has a word of its own for the status of ${what} that is read in full`, detail(status, instead(name, 'OPEN'))]),
  ['PST-12/domestic', 'shows the status of a domestic payment under another product', { overlook: underCrossBorder }],
  ['OWN-02/for-companies', 'shows everything to whoever acts for a company', { overlook: isOfACompany }],
  each([['OWN-01', 'TPPs'], ['OWN-02', 'PSUs']], (id, whom) => [`${id}/details-once-approved`, `shows other ${whom} the details of a payment, which it has once that is approved`,
    [{ overlook: at('readPayment') }, detailsOnceApproved]]),
  ['PST-13/deletion', 'deletes a payment under another product than its own', { overlook: at('deletePayment') }],
  ['PST-13/details', 'shows the details of a payment under another product than its own', { overlook: at('readPayment') }],
  ['PST-13/details-of-domestic', 'shows the details of a domestic payment under another product than its own', { overlook: both(at('readPayment'), underCrossBorder) }],
  ['OWN-02/details-of-companies', 'shows another PSU the details of payments of companies', { overlook: (request, state) => at('readPayment')(request) && ofCompanies(request, state) }],
  ['PST-14/details', 'goes on telling the former status in the details of a deleted payment', detail(status, instead('CANC', 'RCVD'))],
  ['PST-14/kept', 'says that a payment is deleted, and keeps it', keeping(ofPayments(() => true))],
  ['PST-14/kept-domestic', 'says that a domestic payment is deleted, and keeps it', keeping(ofPayments(isDomestic))],
  ['PST-14/kept-for-companies', 'says that a payment of a company is deleted, and keeps it', keeping(ofCompanies)],
  ['PST-14/kept-once-approved', 'says that an approved payment is deleted, and keeps it', keeping(ofPayments(isApproved))],
  ['PST-14/kept-in-a-basket', 'says that a payment in a basket is deleted, and keeps it',
    keeping(ofPayments(({ paymentId }, state) => [...state.baskets.values()].some(({ paymentIds }) => paymentIds.includes(paymentId))))],
  ['PST-14/kept-after-sca', 'keeps an approved payment when the PSU has approved by SCA that it is cancelled',
    [cancelledBySca, approving((approval) => (approval.kind === 'cancellation' ? () => undefined : approval.approve))]],
  ['PST-14/approved-once-deleted', 'lets a deleted payment be approved at its link, and carries it out', hidingUntilApproved],
  ['PST-15/all-of-the-psu', 'deletes every payment of the PSU together with one of them',
    doingAt('deletePayment', (request, state, usual) => {
      const owner = state.payments.get(request.params.paymentId ?? '')?.customerId;
      for (const payment of state.payments.values()) if (payment.customerId === owner && payment.standsStill === undefined) cancel(payment, state);
      return usual(request, state);
    })],
  each(['OWN-01', 'OWN-02', 'ERR-04', 'SIG-01', 'SIG-02'], (id) => [`${id}/refused-and-deleted`, 'refuses to delete a payment, and deletes it all the same',
    deletedAllTheSame('deletePayment', id, (params, state) => cancel(state.payments.get(params.paymentId ?? ''), state))]),
  ['BSK-26/refused-and-deleted', 'refuses to delete a basket of others, and deletes it all the same',
    deletedAllTheSame('deleteSigningBasket', 'BSK-26', (params, state) => state.baskets.delete(params.basketId ?? ''))],
  each([...basketsRead, 'deleteSigningBasket'], (operation) => table(
    [`BSK-26/${operation}`, `takes ${operation} from others as well`, { overlook: at(operation) }],
    [`BSK-26/${operation}-by-companies`, `takes ${operation} from whoever acts for a company`, { overlook: both(at(operation), isOfACompany) }],
  )),
  ['BSK-26/startBasketAuthorisation', 'takes startBasketAuthorisation from others as well', [startedByTheTpp, overlooking(of('BSK-26'), at('startBasketAuthorisation'))]],
  ['OWN-02/details-by-companies', 'shows whoever acts for a company the details of payments of others', { overlook: both(at('readPayment'), isOfACompany) }],
  ['OWN-02/deletion-by-companies', 'lets whoever acts for a company delete payments of others', { overlook: both(at('deletePayment'), isOfACompany) }],
  ['BSK-26/of-companies', 'lets others read and delete the baskets of companies', { overlook: ({ params }, state) => state.baskets.get(params.basketId ?? '')?.corporateId !== undefined }],
  each([['RCVD', 'fresh', 'of which none is approved'], ['ACTC', 'approved', 'of which all are approved']], (name, way, what) =>
    [`BSK-20/rejected-when-read-${way}`, `reports a basket of payments ${what} as rejected when it is read`, writing(basketsRead, status, instead(name, 'RJCT'))]),
  ['BKR-04/approved', 'has a word of its own for the status of a basket that is approved', writing(basketsRead, status, instead('ACTC', 'ACCP'))],
);

export const paymentDeviations = [...creation, ...statuses, ...details];
