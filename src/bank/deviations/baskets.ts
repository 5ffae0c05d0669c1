import { isObject, memberAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import {
  type DesignChange,
  withAnswers,
  withLimits,
  withRefusalAnswers,
  withRefusals,
  withRules,
} from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { withoutScaLinks } from '../dialects/success-bodies.ts';
import { paymentsIn } from '../rules/basket-rules.ts';
import type { Payment } from '../state/payment-store.ts';
import { type Deviation, deviation, of, overlooking, refusing, withBody } from './deviation.ts';

const basket = ['createSigningBasket'] as const;

const holding = (basketPayments: number): DesignChange => withLimits({ basketPayments });

const containing =
  (matchesId: (payments: readonly Payment[]) => boolean) =>
  (request: BankRequest, state: BankState): boolean =>
    matchesId(paymentsIn(request, state));

const statusOfOne = (payment: Payment | undefined): string =>
  payment?.transactionStatus === 'RJCT' ? 'RJCT' : 'RCVD';
const firstOf = ([payment]: readonly Payment[]): string => statusOfOne(payment);
const lastOf = (payments: readonly Payment[]): string => statusOfOne(payments.at(-1));

const sentIds = ({ body }: BankRequest): readonly unknown[] => [memberAt(body, 'paymentIds')].flat();

/** Only what is wrong with some payments of a basket counts. */
const lookingAt = (
  requirement: string,
  choose: (ids: readonly unknown[]) => readonly unknown[],
): DesignChange =>
  withRules((_, rules) =>
    rules.map((rule) =>
      rule.requirement === requirement
        ? {
            ...rule,
            refuses: (request, state) =>
              rule.refuses(withBody(request, { paymentIds: choose(sentIds(request)) }), state),
          }
        : rule,
    ),
  );

const lookingAtTheLast = (requirement: string): DesignChange =>
  lookingAt(requirement, (ids) => ids.slice(-1));

/** As long as there are others, what stands at this place is not looked at. */
const overlookingPlace = (requirement: string, place: number): DesignChange =>
  lookingAt(requirement, (ids) => (ids.length < 3 ? ids : ids.toSpliced(place, 1)));

const isCrossBorder = ({ product }: Payment): boolean => product === products.crossBorder.path;

export const basketDeviations: readonly Deviation[] = [
  deviation(
    'BSK-01/null',
    'takes null for a basket without payments',
    overlooking(
      (rule) => /^BSK-/.test(rule.requirement),
      // Read from the bytes: the bank takes null for nothing when it reads a body.
      ({ bytes }) => /"paymentIds"\s*:\s*null/.test(bytes.toString('utf8')),
    ),
  ),
  deviation(
    'BKR-04/when-read',
    'tells the status of a basket that is read in the words of payments',
    withAnswers(['readSigningBasketStatus'], (answer) =>
      answer.status === 200 ? { ...answer, body: { transactionStatus: 'ACSP' } } : answer,
    ),
  ),
  deviation(
    'BSK-03/numbers-left-out',
    'leaves out ids that are numbers',
    overlooking(
      (rule) => /^BSK-/.test(rule.requirement),
      (request) => sentIds(request).some((id) => typeof id === 'number'),
    ),
  ),
  deviation(
    'BSK-03/behind-others',
    'overlooks ids that are objects behind one that is right',
    overlooking(
      (rule) => /^BSK-/.test(rule.requirement),
      (request) => typeof sentIds(request)[0] === 'string' && sentIds(request).some(isObject),
    ),
  ),
  ...(['BSK-23', 'BSK-24'] as const).map((requirement) =>
    deviation(
      `${requirement}/last-counts`,
      'looks at the last payment of a basket only',
      lookingAtTheLast(requirement),
    ),
  ),
  deviation(
    'BSK-23/cross-border',
    'does not ask whose cross-border payments are in a basket',
    overlooking(of('BSK-23'), (request, { payments }) =>
      sentIds(request).some((id) => payments.get(String(id))?.product === products.crossBorder.path),
    ),
  ),
  deviation(
    'BSK-11/several-only',
    'has no basket for a single payment',
    refusing(
      'BSK-11',
      basket,
      containing((payments) => payments.length === 1),
    ),
  ),
  deviation(
    'BSK-11/not-two',
    'holds one payment in a basket, or three and more',
    refusing(
      'BSK-11',
      basket,
      containing((payments) => payments.length === 2),
    ),
  ),
  {
    ...deviation(
      'BSK-14/never-limited',
      'takes baskets up to the limit of today where the former one is agreed',
      holding(100),
    ),
    under: { basketLimit: '10' },
  },
  deviation('BSK-11/one-only', 'holds one payment in a basket', holding(1)),
  deviation('BSK-11/nine', 'holds nine payments in a basket', holding(9)),
  deviation('BSK-12/ten', 'holds ten payments in a basket, as the field description still says', holding(10)),
  ...(['companies', 'people'] as const).map((whose) =>
    deviation(
      `BSK-12/ten-of-${whose}`,
      `holds ten payments in a basket, but only of ${whose}`,
      refusing(
        'BSK-12',
        ['createSigningBasket'],
        (request) =>
          (request.header('psu-corporate-id') !== undefined) === (whose === 'companies') &&
          [memberAt(request.body, 'paymentIds')].flat().length > 10,
      ),
    ),
  ),
  deviation(
    'BSK-12/ten-abroad',
    'holds ten payments in a basket, but only of cross-border ones',
    refusing(
      'BSK-12',
      ['createSigningBasket'],
      containing((payments) => payments.length > 10 && payments.every(isCrossBorder)),
    ),
  ),
  deviation(
    'BSK-14/companies-without-end',
    'sets no limit to the baskets of companies',
    overlooking(of('BSK-14'), (request) => request.header('psu-corporate-id') !== undefined),
  ),
  deviation(
    'BSK-13/fifty-of-companies',
    'holds 50 payments in a basket of a company',
    refusing(
      'BSK-13',
      basket,
      (request) => request.header('psu-corporate-id') !== undefined && sentIds(request).length > 50,
    ),
  ),
  deviation('BSK-13/one-fewer', 'holds 99 payments in a basket', holding(99)),
  deviation('BSK-13/fifty', 'holds 50 payments in a basket', holding(50)),
  deviation('BSK-14/one-more', 'holds 101 payments in a basket', holding(101)),
  deviation(
    'BSK-16/beside-others',
    'overlooks an unknown payment next to one that exists',
    overlooking(
      of('BSK-16'),
      containing((payments) => payments.length > 0),
    ),
  ),
  deviation(
    'BSK-16/beside-those-of-companies',
    'overlooks an unknown payment next to one of a company',
    overlooking(
      of('BSK-16'),
      containing((payments) => payments.some(({ corporateId }) => corporateId !== undefined)),
    ),
  ),
  deviation(
    'BSK-16/beside-cross-border',
    'overlooks an unknown payment next to a cross-border one',
    overlooking(
      of('BSK-16'),
      containing((payments) => payments.some(({ product }) => product === products.crossBorder.path)),
    ),
  ),
  ...['BSK-16', 'BSK-17', 'BSK-18'].flatMap((requirement) =>
    (
      [
        ['first', 0],
        ['second', 1],
        ['last', -1],
      ] as const
    ).map(([name, place]) =>
      deviation(
        `${requirement}/not-the-${name}-of-three`,
        `does not look at the ${name} payment of a basket of three and more`,
        overlookingPlace(requirement, place),
      ),
    ),
  ),
  deviation(
    'BSK-16/first-ten',
    'looks for the first ten payments of a basket only',
    lookingAt('BSK-16', (ids) => ids.slice(0, 10)),
  ),
  deviation(
    'BSK-16/by-its-beginning',
    'compares the beginning of payment ids only',
    overlooking(of('BSK-16'), (request, state) => {
      const known = paymentsIn(request, state).map(({ paymentId }) => paymentId.slice(0, 8));
      const sent = [memberAt(request.body, 'paymentIds')].flat();
      return sent.every((id) => typeof id === 'string' && known.includes(id.slice(0, 8)));
    }),
  ),
  deviation(
    'BSK-16/alone',
    'overlooks an unknown payment that is alone in the basket',
    overlooking(
      of('BSK-16'),
      containing((payments) => payments.length === 0),
    ),
  ),
  ...(
    [
      ['BSK-17', 'bulk'],
      ['BSK-18', 'periodic'],
    ] as const
  ).flatMap(([requirement, kind]) => [
    deviation(
      `${requirement}/other-code`,
      `refuses a ${kind} payment in a basket with another code than REFERENCE_MIX_INVALID`,
      withRefusals(of(requirement), { code: 'BAD_REQUEST' }),
    ),
    deviation(
      `${requirement}/beside-others`,
      `overlooks a ${kind} payment next to a single one in a basket`,
      overlooking(
        of(requirement),
        containing((payments) => payments.some(({ service }) => service === 'payments')),
      ),
    ),
    deviation(
      `${requirement}/alone`,
      `overlooks a ${kind} payment that is alone in a basket`,
      overlooking(
        of(requirement),
        containing((payments) => payments.length === 1),
      ),
    ),
  ]),
  deviation(
    'BSK-17/without-code',
    'refuses a bulk payment in a basket without a message',
    withRefusalAnswers((answer, { code }) =>
      code === 'REFERENCE_MIX_INVALID' ? { status: 400, body: {} } : answer,
    ),
  ),
  ...(
    [
      ['best-case', 'reports the best case among the payments of a basket', () => 'RCVD'],
      ['always-rejected', 'reports every basket as rejected', () => 'RJCT'],
      ['first-counts', 'reports the status of the first payment of a basket', firstOf],
      ['last-counts', 'reports the status of the last payment of a basket', lastOf],
    ] as const
  ).map(([way, title, statusOf]) =>
    deviation(
      `BSK-20/${way}`,
      title,
      withAnswers(basket, (answer, request, state) =>
        answer.status === 201 && isObject(answer.body)
          ? { ...answer, body: { ...answer.body, transactionStatus: statusOf(paymentsIn(request, state)) } }
          : answer,
      ),
    ),
  ),
  deviation(
    'BSK-19/refused',
    'takes no cross-border payment in a basket',
    refusing(
      'BSK-19',
      basket,
      containing((payments) => payments.some(isCrossBorder)),
      { status: 400, code: 'REFERENCE_MIX_INVALID' },
    ),
  ),
  deviation(
    'BSK-19/not-alone',
    'takes cross-border payments only next to a domestic one',
    refusing(
      'BSK-19',
      basket,
      containing((payments) => payments.length > 0 && payments.every(isCrossBorder)),
      { status: 400, code: 'REFERENCE_MIX_INVALID' },
    ),
  ),
  {
    ...deviation(
      'BSK-19/not-mixed',
      'takes no cross-border payment next to a domestic one',
      refusing(
        'BSK-19',
        basket,
        containing((payments) => payments.some(isCrossBorder) && !payments.every(isCrossBorder)),
        { status: 400, code: 'REFERENCE_MIX_INVALID' },
      ),
    ),
    isAdvisedAgainst: true,
  },
  // Created in an authorised session, without a link, payments do not tell whether they await a signature.
  deviation(
    'BSK-10/200-for-201-without-links',
    'answers 200 to a basket of payments that were created without a link',
    withoutScaLinks,
    withAnswers(basket, (answer) => ({ ...answer, status: 200 })),
  ),
  deviation(
    'BSK-12/ten-without-links',
    'holds ten payments in a basket, and sends no link with any',
    withoutScaLinks,
    holding(10),
  ),
  deviation(
    'BSK-13/one-fewer-without-links',
    'holds 99 payments in a basket, and sends no link with any',
    withoutScaLinks,
    holding(99),
  ),
  deviation(
    'BSK-19/refused-without-links',
    'takes no cross-border payment in a basket, and sends no link with any',
    withoutScaLinks,
    refusing(
      'BSK-19',
      basket,
      containing((payments) => payments.some(isCrossBorder)),
    ),
  ),
];
