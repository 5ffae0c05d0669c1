import { isObject, memberAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import {
  type DesignChange,
  withAnswers,
  withBodies,
  withLimits,
  withRefusalAnswers,
  withRefusals,
  withStatus,
  withVerdicts,
} from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { withoutScaLinks } from '../dialects/success-bodies.ts';
import { paymentsIn } from '../rules/basket-rules.ts';
import type { Payment } from '../state/payment-store.ts';
import {
  breakdown,
  type Condition,
  each,
  inHeader,
  isNull,
  isOfACompany,
  not,
  of,
  overlooking,
  ruleOf,
  table,
  withBody,
} from './deviation.ts';
import { afterApproval, withAnother } from './redirect-changes.ts';

export const sentIds = ({ body }: BankRequest): readonly unknown[] => [memberAt(body, 'paymentIds')].flat();

const basket = ['createSigningBasket'] as const;
const readBaskets = ['readSigningBasketStatus', 'readSigningBasket'] as const;
const mixed = { status: 400, code: 'REFERENCE_MIX_INVALID' } as const;
const atMost = (basketPayments: number): DesignChange => withLimits({ basketPayments });

type Payments = readonly Payment[];
const isAbroad = ({ product }: Payment): boolean => product === products.crossBorder.path;
const isRejected = ({ transactionStatus }: Payment): boolean => transactionStatus === 'RJCT';
const isOfSomeCompany = ({ corporateId }: Payment): boolean => corporateId !== undefined;
const abroad = (payments: Payments): boolean => payments.every(isAbroad);

/** What the basket holds of payments that there are. */
const holding =
  (isMeant: (payments: Payments) => boolean): Condition =>
  (request, state) =>
    isMeant(paymentsIn(request, state));
const someAbroad = holding((payments) => payments.some(isAbroad));
const allAbroad = (moreThan: number) => holding((payments) => payments.length > moreThan && abroad(payments));
const naming =
  (isMeant: (id: unknown, state: BankState) => boolean): Condition =>
  (request, state) =>
    sentIds(request).some((id) => isMeant(id, state));
const more =
  (than: number, isMeant: (request: BankRequest) => boolean): Condition =>
  (request) =>
    isMeant(request) && sentIds(request).length > than;

/** Rules of baskets overlook some requests, whichever they are. */
const overlookingAny = (isOverlooked: Condition): DesignChange =>
  overlooking(({ requirement }) => requirement.startsWith('BSK-'), isOverlooked);

/** Only what is wrong with some payments of a basket counts. */
const lookingAt = (
  requirement: string,
  choose: (ids: readonly unknown[]) => readonly unknown[],
): DesignChange =>
  withVerdicts(ruleOf(requirement), (refuses, request, state) =>
    refuses(withBody(request, { paymentIds: choose(sentIds(request)) }), state),
  );

/** What is told of a basket that is created; undefined where it is told what it is. */
const told = (tell: (payments: Payments, request: BankRequest) => string | undefined): DesignChange =>
  withBodies(basket, (body, request, state) => {
    const transactionStatus = tell(paymentsIn(request, state), request);
    return transactionStatus === undefined ? undefined : { ...body, transactionStatus };
  });

/** What is told when it is read, in place of one status. */
const toldWhenRead = (
  status: string,
  tell: (payments: readonly (Payment | undefined)[]) => string | undefined,
): DesignChange =>
  withBodies(readBaskets, (body, { params }, { baskets, payments }) => {
    const ids = baskets.get(params.basketId ?? '')?.paymentIds ?? [];
    const instead = body['transactionStatus'] === status && tell(ids.map((id) => payments.get(id)));
    return instead ? { ...body, transactionStatus: instead } : undefined;
  });

/** Nothing but a status is told. */
const onlyTold = (
  operations: typeof readBaskets | readonly ['readSigningBasketStatus'],
  transactionStatus: string,
  isMeant: (request: BankRequest, status: unknown) => boolean = () => true,
): DesignChange =>
  withAnswers(operations, (answer, request) =>
    answer.status === 200 && isMeant(request, memberAt(answer.body, 'transactionStatus'))
      ? { ...answer, body: { transactionStatus } }
      : answer,
  );

const statusOf = (payment: Payment | undefined): string => (payment && isRejected(payment) ? 'RJCT' : 'RCVD');
const approvalOf = (payment: Payment | undefined): string => (payment?.approvedAt ? 'ACTC' : 'RCVD');
const paymentOf = ({ params }: BankRequest, { payments }: BankState): Payment | undefined =>
  payments.get(params.paymentId ?? '');

// biome-ignore format: a table
export const basketDeviations = table(
  ['BSK-01/null', 'takes null for a basket without payments', overlookingAny(isNull('paymentIds'))],
  each(['PDNG', 'ACCP'], (status) => [`BKR-04/${status.toLowerCase()}`, `tells ${status} of a basket that holds a payment of that status`,
    [(design) => ({ ...design, basketTakes: 'any-payment' }), told((payments) => payments.find(({ transactionStatus }) => transactionStatus === status)?.transactionStatus)]]),
  ['BSK-16/longer', 'looks at as many characters of a paymentId as a UUID has', { overlook: (request, { payments }) => sentIds(request).every((id) => payments.get(String(id).slice(0, 36)) !== undefined) }],
  ['BKR-04/when-read', 'tells the status of a basket that is read in the words of payments', onlyTold(['readSigningBasketStatus'], 'ACSP')],
  ['BKR-04/when-read-by-companies', 'tells a company the status of its basket in the words of payments when it is read', onlyTold(readBaskets, 'ACSP', isOfACompany)],
  ['BKR-04/when-read-rejected', 'has a word of its own for the status of a rejected basket that is read', onlyTold(['readSigningBasketStatus'], 'RJCR', (_, status) => status === 'RJCT')],
  ['BSK-20/rejected-of-companies', 'reports every basket of a company as rejected', told((_, request) => isOfACompany(request) ? 'RJCT' : undefined)],
  ['BSK-03/numbers-left-out', 'leaves out ids that are numbers', overlookingAny(naming((id) => typeof id === 'number'))],
  ['BSK-03/behind-others', 'overlooks ids that are objects behind one that is right', overlookingAny((request) => typeof sentIds(request)[0] === 'string' && sentIds(request).some(isObject))],
  each(['BSK-23', 'BSK-24'], (requirement) => [`${requirement}/last-counts`, 'looks at the last payment of a basket only', lookingAt(requirement, (ids) => ids.slice(-1))]),
  ['BSK-23/cross-border', 'does not ask whose cross-border payments are in a basket', { overlook: naming((id, { payments }) => payments.get(String(id))?.product === products.crossBorder.path) }],
  ['BSK-23/not-the-first', 'does not ask whose payment is the first of several in a basket', lookingAt('BSK-23', (ids) => ids.length > 1 ? ids.slice(1) : ids)],
  ['BSK-23/not-the-last', 'does not ask whose payment is the last of several in a basket', lookingAt('BSK-23', (ids) => ids.length > 1 ? ids.slice(0, -1) : ids)],
  ['BSK-23/taken-by-companies', 'does not ask whose payments are in a basket of a company', { overlook: isOfACompany }],
  ['BSK-23/of-companies', 'lets anybody put payments of companies into a basket', { overlook: naming((id, { payments }) => payments.get(String(id))?.corporateId !== undefined) }],

  each([['several-only', 'has no basket for a single payment', 1], ['not-two', 'holds one payment in a basket, or three and more', 2], ['not-three', 'holds two payments in a basket, or four and more', 3]], (way, title, count) =>
    [`BSK-11/${way}`, title, { refuse: holding(({ length }) => length === count) }]),
  ['BSK-14/never-limited', 'takes baskets up to the limit of today where the former one is agreed', atMost(100), { under: { basketLimit: '10' } }],
  ['BSK-11/one-only', 'holds one payment in a basket', atMost(1)],
  ['BSK-11/nine', 'holds nine payments in a basket', atMost(9)],
  ['BSK-12/ten', 'holds ten payments in a basket, as the field description still says', atMost(10)],
  each([['companies', isOfACompany], ['people', not(isOfACompany)]], (whose, isMeant) => [`BSK-12/ten-of-${whose}`, `holds ten payments in a basket, but only of ${whose}`, { refuse: more(10, isMeant) }]),
  ['BSK-12/ten-abroad', 'holds ten payments in a basket, but only of cross-border ones', { refuse: allAbroad(10) }],
  ['BSK-14/companies-without-end', 'sets no limit to the baskets of companies', { overlook: isOfACompany }],
  each([['fifty', 50], ['some', 32]], (way, most) => [`BSK-13/${way}-of-companies`, `holds ${most} payments in a basket of a company`, { refuse: more(most, isOfACompany) }]),
  ['BSK-13/some-abroad', 'holds 20 cross-border payments in a basket', { refuse: allAbroad(20) }],
  ['BSK-14/without-end-abroad', 'sets no limit to baskets of cross-border payments', { overlook: holding(abroad) }],
  ['BSK-13/one-fewer', 'holds 99 payments in a basket', atMost(99)],
  ['BSK-13/fifty', 'holds 50 payments in a basket', atMost(50)],
  ['BSK-14/one-more', 'holds 101 payments in a basket', atMost(101)],
  ['BSK-12/ten-without-links', 'holds ten payments in a basket, and sends no link with any', [withoutScaLinks, atMost(10)]],
  ['BSK-13/one-fewer-without-links', 'holds 99 payments in a basket, and sends no link with any', [withoutScaLinks, atMost(99)]],

  ['BSK-16/empty-ids', 'passes over ids of payments that are empty', lookingAt('BSK-16', (ids) => ids.filter((id) => id !== ''))],
  ['BSK-16/words', 'passes over ids that no payment of its own can have', lookingAt('BSK-16', (ids) => ids.filter((id) => !/^[a-z]+$/.test(String(id))))],
  ['BSK-16/beside-others', 'overlooks an unknown payment next to one that exists', { overlook: holding(({ length }) => length > 0) }],
  ['BSK-16/beside-those-of-companies', 'overlooks an unknown payment next to one of a company', { overlook: holding((payments) => payments.some(isOfSomeCompany)) }],
  ['BSK-16/beside-cross-border', 'overlooks an unknown payment next to a cross-border one', { overlook: someAbroad }],
  // As long as there are others, what stands at this place is not looked at.
  each(['BSK-16', 'BSK-17', 'BSK-18'], (requirement) => each([['first', 0], ['second', 1], ['last', -1]], (name, place) =>
    [`${requirement}/not-the-${name}-of-three`, `does not look at the ${name} payment of a basket of three and more`, lookingAt(requirement, (ids) => ids.length < 3 ? ids : ids.toSpliced(place, 1))])),
  each(['BSK-15', 'BSK-16', 'BSK-17', 'BSK-18'], (requirement) => [`${requirement}/with-a-digest`, 'does not look into a basket that has a Digest', { overlook: inHeader('digest') }]),
  ['BSK-16/first-ten', 'looks for the first ten payments of a basket only', lookingAt('BSK-16', (ids) => ids.slice(0, 10))],
  ['BSK-16/by-its-beginning', 'compares the beginning of payment ids only', { overlook: (request, state) => {
    const known = paymentsIn(request, state).map(({ paymentId }) => paymentId.slice(0, 8));
    return sentIds(request).every((id) => typeof id === 'string' && known.includes(id.slice(0, 8)));
  } }],
  ['BSK-16/alone', 'overlooks an unknown payment that is alone in the basket', { overlook: holding(({ length }) => length === 0) }],
  each([['BSK-17', 'bulk'], ['BSK-18', 'periodic']], (requirement, kind) => table(
    [`${requirement}/other-code`, `refuses a ${kind} payment in a basket with another code than REFERENCE_MIX_INVALID`, withRefusals(of(requirement), { code: 'BAD_REQUEST' })],
    [`${requirement}/beside-others`, `overlooks a ${kind} payment next to a single one in a basket`, { overlook: holding((payments) => payments.some(({ service }) => service === 'payments')) }],
    [`${requirement}/of-companies`, `overlooks a ${kind} payment in a basket of a company`, { overlook: isOfACompany, with: ['BSK-23'] }],
    [`${requirement}/beside-cross-border`, `overlooks a ${kind} payment behind a cross-border one in a basket`, { overlook: holding((payments) => payments.length === 2 && abroad(payments.slice(0, 1))) }],
    [`${requirement}/first-ten`, `looks for a ${kind} payment among the first ten of a basket only`, lookingAt(requirement, (ids) => ids.slice(0, 10))],
    [`${requirement}/alone`, `overlooks a ${kind} payment that is alone in a basket`, { overlook: holding(({ length }) => length === 1) }])),
  ['BSK-17/without-code', 'refuses a bulk payment in a basket without a message', withRefusalAnswers((answer, { code }) => code === mixed.code ? { status: 400, body: {} } : answer)],
  ['BSK-20/best-case', 'reports the best case among the payments of a basket', told(() => 'RCVD')],
  ['BSK-20/always-rejected', 'reports every basket as rejected', told(() => 'RJCT')],
  ['BSK-20/first-counts', 'reports the status of the first payment of a basket', told(([first]) => statusOf(first))],
  ['BSK-20/last-counts', 'reports the status of the last payment of a basket', told((payments) => statusOf(payments.at(-1)))],
  ['BSK-20/alone', 'reports a basket of rejected payments alone as accepted', told((payments) => payments.every(isRejected) ? 'ACTC' : undefined)],
  ['BSK-20/when-read', 'forgets rejected payments when a basket is read', toldWhenRead('RJCT', () => 'RCVD')],
  ['BSK-20/once-approved', 'reports an approved basket as accepted, whatever became of its payments',
    toldWhenRead('RJCT', (payments) => payments.find((payment) => payment?.transactionStatus === 'ACTC')?.transactionStatus)],
  ['BSK-19/refused', 'takes no cross-border payment in a basket', { refuse: someAbroad, at: basket, as: mixed }],
  ['BSK-19/not-alone', 'takes cross-border payments only next to a domestic one', { refuse: allAbroad(0), at: basket, as: mixed }],
  ['BSK-19/not-mixed', 'takes no cross-border payment next to a domestic one', { refuse: holding((payments) => payments.some(isAbroad) && !abroad(payments)), at: basket, as: mixed }],
  // Created in an authorised session, without a link, payments do not tell whether they await a signature.
  ['BSK-10/200-for-201-without-links', 'answers 200 to a basket of payments that were created without a link', [withoutScaLinks, withStatus(basket, 200)]],
  ['BSK-19/refused-without-links', 'takes no cross-border payment in a basket, and sends no link with any', [withoutScaLinks, { refuse: someAbroad, at: basket }]],
);

/** Faults that show only after some steps. */
// biome-ignore format: a table
export const lifecycleDeviations = table(
  ['BSK-20/first-approved', 'calls a basket approved whose first payment is', toldWhenRead('PATC', ([first]) => approvalOf(first))],
  ['BSK-20/last-approved', 'calls a basket approved whose last payment is', toldWhenRead('PATC', (payments) => approvalOf(payments.at(-1)))],
  ['STA-10/another-psu', 'gives the PSU another PSU-ID when a payment is approved', afterApproval(withAnother('psu-id'))],
  ['STA-10/another-session', 'names another session in the redirect after an approval', afterApproval(withAnother('tpp-session-id'))],
  ['STA-10/lost-in-a-basket', 'cannot tell the status of a payment that was approved in a basket', { at: ['readPaymentStatus'], refuse: (request, state) =>
    paymentOf(request, state)?.approvedAt !== undefined && [...state.baskets.values()].some(({ paymentIds }) => paymentIds.includes(request.params.paymentId ?? '')) }],
  ['STA-10/deleted-twice', 'breaks down when a payment that is gone is deleted or read',
    [{ refuse: (request, state) => paymentOf(request, state)?.transactionStatus === 'CANC', at: ['readPaymentStatus', 'deletePayment'], as: breakdown }, withRefusals(ruleOf('ERR-04'), { status: 500 })]],
);
