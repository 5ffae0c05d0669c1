import { isObject, memberAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import {
  type DesignChange,
  withAnswers,
  withBodies,
  withRefusalAnswers,
  withRefusals,
  withStatus,
  withVerdicts,
} from '../design/design-changes.ts';
import { withoutScaLinks } from '../dialects/success-bodies.ts';
import { paymentsIn } from '../rules/basket-rules.ts';
import type { Payment } from '../state/payment-store.ts';
import { basket, basketSizes, containing, isCrossBorder, isOfACompany, sentIds } from './basket-sizes.ts';
import {
  type Deviation,
  deviation,
  inHeader,
  isNull,
  of,
  overlooking,
  overlooks,
  refuses,
  refusing,
  rows,
  ruleOf,
  withBody,
} from './deviation.ts';

const statusOfOne = (payment: Payment | undefined): string =>
  payment?.transactionStatus === 'RJCT' ? 'RJCT' : 'RCVD';
const firstOf = ([payment]: readonly Payment[]): string => statusOfOne(payment);
const lastOf = (payments: readonly Payment[]): string => statusOfOne(payments.at(-1));

/** Only what is wrong with some payments of a basket counts. */
const lookingAt = (
  requirement: string,
  choose: (ids: readonly unknown[]) => readonly unknown[],
): DesignChange =>
  withVerdicts(ruleOf(requirement), (refusesIt, request, state) =>
    refusesIt(withBody(request, { paymentIds: choose(sentIds(request)) }), state),
  );

const lookingAtTheLast = (requirement: string): DesignChange =>
  lookingAt(requirement, (ids) => ids.slice(-1));

/** As long as there are others, what stands at this place is not looked at. */
const overlookingPlace = (requirement: string, place: number): DesignChange =>
  lookingAt(requirement, (ids) => (ids.length < 3 ? ids : ids.toSpliced(place, 1)));

const isRejected = ({ transactionStatus }: Payment): boolean => transactionStatus === 'RJCT';

/** Another status for baskets that are rejected, when they are read. */
const toldWhenRead = (
  transactionStatus: string,
  where: (payments: readonly Payment[]) => boolean = () => true,
): DesignChange =>
  withBodies(['readSigningBasketStatus', 'readSigningBasket'], (body, { params }, { baskets, payments }) => {
    const ids = baskets.get(params.basketId ?? '')?.paymentIds ?? [];
    return body['transactionStatus'] === 'RJCT' && where(ids.flatMap((id) => payments.get(id) ?? []))
      ? { ...body, transactionStatus }
      : undefined;
  });

// biome-ignore format: a table
export const basketDeviations: readonly Deviation[] = [
  deviation('BSK-01/null', 'takes null for a basket without payments', overlooking((rule) => /^BSK-/.test(rule.requirement), isNull('paymentIds'))),
  ...(['PDNG', 'ACCP'] as const).map((status) =>
    deviation(`BKR-04/${status.toLowerCase()}`, `tells ${status} of a basket that holds a payment of that status`,
      (design) => ({ ...design, basketTakes: 'any-payment' }),
      withBodies(basket, (body, request, state) =>
        paymentsIn(request, state).some(({ transactionStatus }) => transactionStatus === status) ? { ...body, transactionStatus: status } : undefined))),
  overlooks('BSK-16/longer', 'looks at as many characters of a paymentId as a UUID has',
    (request, { payments }) => sentIds(request).every((id) => payments.get(String(id).slice(0, 36)) !== undefined)),
  ...rows(
    ['BKR-04/when-read', 'tells the status of a basket that is read in the words of payments',
      withAnswers(['readSigningBasketStatus'], (answer) => answer.status === 200 ? { ...answer, body: { transactionStatus: 'ACSP' } } : answer)],
    ['BKR-04/when-read-by-companies', 'tells a company the status of its basket in the words of payments when it is read',
      withAnswers(['readSigningBasketStatus', 'readSigningBasket'], (answer, request) =>
        answer.status === 200 && isOfACompany(request) ? { ...answer, body: { transactionStatus: 'ACSP' } } : answer)],
    ['BKR-04/when-read-rejected', 'has a word of its own for the status of a rejected basket that is read',
      withAnswers(['readSigningBasketStatus'], (answer) =>
        memberAt(answer.body, 'transactionStatus') === 'RJCT' ? { ...answer, body: { transactionStatus: 'RJCR' } } : answer)],
    ['BSK-20/rejected-of-companies', 'reports every basket of a company as rejected',
      withBodies(basket, (body, request, _, { status }) => status === 201 && isOfACompany(request) ? { ...body, transactionStatus: 'RJCT' } : undefined)],
    ['BSK-03/numbers-left-out', 'leaves out ids that are numbers',
      overlooking((rule) => /^BSK-/.test(rule.requirement), (request) => sentIds(request).some((id) => typeof id === 'number'))],
    ['BSK-03/behind-others', 'overlooks ids that are objects behind one that is right',
      overlooking((rule) => /^BSK-/.test(rule.requirement), (request) => typeof sentIds(request)[0] === 'string' && sentIds(request).some(isObject))],
  ),
  ...(['BSK-23', 'BSK-24'] as const).map((requirement) =>
    deviation(`${requirement}/last-counts`, 'looks at the last payment of a basket only', lookingAtTheLast(requirement))),
  overlooks('BSK-23/cross-border', 'does not ask whose cross-border payments are in a basket',
    (request, { payments }) => sentIds(request).some((id) => payments.get(String(id))?.product === products.crossBorder.path)),
  deviation('BSK-23/not-the-first', 'does not ask whose payment is the first of several in a basket',
    lookingAt('BSK-23', (ids) => (ids.length > 1 ? ids.slice(1) : ids))),
  deviation('BSK-23/not-the-last', 'does not ask whose payment is the last of several in a basket',
    lookingAt('BSK-23', (ids) => (ids.length > 1 ? ids.slice(0, -1) : ids))),
  overlooks('BSK-23/taken-by-companies', 'does not ask whose payments are in a basket of a company', isOfACompany),
  overlooks('BSK-23/of-companies', 'lets anybody put payments of companies into a basket',
    (request, { payments }) => sentIds(request).some((id) => payments.get(String(id))?.corporateId !== undefined)),
  ...basketSizes,
  deviation('BSK-16/empty-ids', 'passes over ids of payments that are empty', lookingAt('BSK-16', (ids) => ids.filter((id) => id !== ''))),
  deviation('BSK-16/words', 'passes over ids that no payment of its own can have',
    lookingAt('BSK-16', (ids) => ids.filter((id) => !/^[a-z]+$/.test(String(id))))),
  overlooks('BSK-16/beside-others', 'overlooks an unknown payment next to one that exists', containing((payments) => payments.length > 0)),
  overlooks('BSK-16/beside-those-of-companies', 'overlooks an unknown payment next to one of a company',
    containing((payments) => payments.some(({ corporateId }) => corporateId !== undefined))),
  overlooks('BSK-16/beside-cross-border', 'overlooks an unknown payment next to a cross-border one',
    containing((payments) => payments.some(({ product }) => product === products.crossBorder.path))),
  ...['BSK-16', 'BSK-17', 'BSK-18'].flatMap((requirement) =>
    ([['first', 0], ['second', 1], ['last', -1]] as const).map(([name, place]) =>
      deviation(`${requirement}/not-the-${name}-of-three`, `does not look at the ${name} payment of a basket of three and more`,
        overlookingPlace(requirement, place)))),
  ...['BSK-15', 'BSK-16', 'BSK-17', 'BSK-18'].map((requirement) =>
    overlooks(`${requirement}/with-a-digest`, 'does not look into a basket that has a Digest', inHeader('digest'))),
  deviation('BSK-16/first-ten', 'looks for the first ten payments of a basket only', lookingAt('BSK-16', (ids) => ids.slice(0, 10))),
  overlooks('BSK-16/by-its-beginning', 'compares the beginning of payment ids only',
    (request, state) => {
      const known = paymentsIn(request, state).map(({ paymentId }) => paymentId.slice(0, 8));
      const sent = [memberAt(request.body, 'paymentIds')].flat();
      return sent.every((id) => typeof id === 'string' && known.includes(id.slice(0, 8)));
    }),
  overlooks('BSK-16/alone', 'overlooks an unknown payment that is alone in the basket', containing((payments) => payments.length === 0)),
  ...([['BSK-17', 'bulk'], ['BSK-18', 'periodic']] as const).flatMap(([requirement, kind]) =>
    [
      deviation(`${requirement}/other-code`, `refuses a ${kind} payment in a basket with another code than REFERENCE_MIX_INVALID`,
        withRefusals(of(requirement), { code: 'BAD_REQUEST' })),
      overlooks(`${requirement}/beside-others`, `overlooks a ${kind} payment next to a single one in a basket`,
        containing((payments) => payments.some(({ service }) => service === 'payments'))),
      overlooks(`${requirement}/of-companies`, `overlooks a ${kind} payment in a basket of a company`, isOfACompany, 'BSK-23'),
      overlooks(`${requirement}/beside-cross-border`, `overlooks a ${kind} payment behind a cross-border one in a basket`,
        containing((payments) => payments.length === 2 && payments[0] !== undefined && isCrossBorder(payments[0]))),
      deviation(`${requirement}/first-ten`, `looks for a ${kind} payment among the first ten of a basket only`,
        lookingAt(requirement, (ids) => ids.slice(0, 10))),
      overlooks(`${requirement}/alone`, `overlooks a ${kind} payment that is alone in a basket`, containing((payments) => payments.length === 1)),
    ]),
  deviation('BSK-17/without-code', 'refuses a bulk payment in a basket without a message',
    withRefusalAnswers((answer, { code }) => code === 'REFERENCE_MIX_INVALID' ? { status: 400, body: {} } : answer)),
  ...([
    ['best-case', 'reports the best case among the payments of a basket', () => 'RCVD'],
    ['always-rejected', 'reports every basket as rejected', () => 'RJCT'],
    ['first-counts', 'reports the status of the first payment of a basket', firstOf],
    ['last-counts', 'reports the status of the last payment of a basket', lastOf],
  ] as const).map(([way, title, statusOf]) =>
    deviation(`BSK-20/${way}`, title,
      withBodies(basket, (body, request, state, { status }) =>
        status === 201 ? { ...body, transactionStatus: statusOf(paymentsIn(request, state)) } : undefined))),
  ...rows(
    ['BSK-20/alone', 'reports a basket of rejected payments alone as accepted',
      withBodies(basket, (body, request, state, { status }) =>
        status === 201 && paymentsIn(request, state).every(isRejected) ? { ...body, transactionStatus: 'ACTC' } : undefined)],
    ['BSK-20/when-read', 'forgets rejected payments when a basket is read', toldWhenRead('RCVD')],
    ['BSK-20/once-approved', 'reports an approved basket as accepted, whatever became of its payments',
      toldWhenRead('ACTC', (payments) => payments.some(({ transactionStatus }) => transactionStatus === 'ACTC'))],
  ),
  refuses('BSK-19/refused', 'takes no cross-border payment in a basket',
    basket, containing((payments) => payments.some(isCrossBorder)), { status: 400, code: 'REFERENCE_MIX_INVALID' }),
  refuses('BSK-19/not-alone', 'takes cross-border payments only next to a domestic one',
    basket, containing((payments) => payments.length > 0 && payments.every(isCrossBorder)), { status: 400, code: 'REFERENCE_MIX_INVALID' }),
  refuses('BSK-19/not-mixed', 'takes no cross-border payment next to a domestic one',
    basket, containing((payments) => payments.some(isCrossBorder) && !payments.every(isCrossBorder)), { status: 400, code: 'REFERENCE_MIX_INVALID' }),
  // Created in an authorised session, without a link, payments do not tell whether they await a signature.
  deviation('BSK-10/200-for-201-without-links', 'answers 200 to a basket of payments that were created without a link',
    withoutScaLinks, withStatus(basket, 200)),
  deviation('BSK-19/refused-without-links', 'takes no cross-border payment in a basket, and sends no link with any',
    withoutScaLinks, refusing('BSK-19', basket, containing((payments) => payments.some(isCrossBorder)))),
];
