import { consentedAccounts } from '../accounts/consent-rules.ts';
import { type DesignChange, withRoutes } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';
import { sentIds } from './basket-sizes.ts';
import {
  at,
  both,
  type Deviation,
  deviation,
  isOfACompany,
  type Mistake,
  mistaking,
  overlooks,
  withParam,
} from './deviation.ts';

/** Banks that take an id that nothing has for one that is longer or shorter. */
const likenesses: readonly (readonly [
  way: string,
  how: string,
  isTaken: (sent: string, known: string) => boolean,
])[] = [
  ['goes-on', 'an id that goes on behind that', (sent, known) => sent.startsWith(known)],
  // So many characters at least: any id begins with fewer.
  ['ends-early', 'the beginning of that', (sent, known) => sent.length > 30 && known.startsWith(sent)],
];

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

const one: readonly Deviation[] = likenesses.flatMap(([way, how, isTaken]) => [
  deviation(
    `PST-10/${way}`,
    `takes ${how} of a payment for it`,
    mistakenAt('readPaymentStatus', takenFor('paymentId', paymentIds, isTaken)),
  ),
  ...(
    [
      ['balances', 'readBalances'],
      ['transactions', 'readTransactions'],
    ] as const
  ).map(([what, operation]) =>
    deviation(
      `ACC-19/${what}-${way}`,
      `takes ${how} of an account for it (${what})`,
      mistaking(operation, takenFor('accountId', accountIds, isTaken)),
    ),
  ),
]);

const inABasket = overlooks(
  'BSK-16/ends-early',
  'takes the beginning of a paymentId for it',
  (request, state) =>
    sentIds(request)
      .map(String)
      .every(
        (sent) => sent.length > 30 && paymentIds(request, state).some((known) => known.startsWith(sent)),
      ),
);

const toCompanies = overlooks(
  'PST-10/to-companies',
  'answers whoever asks for an unknown payment for a company',
  both(at('readPaymentStatus'), isOfACompany),
);

export const unknownIdDeviations: readonly Deviation[] = [...one, inABasket, toCompanies];
