import { dayMs } from '../../spec/days.ts';
import { limits } from '../../spec/limits.ts';
import { type DesignChange, withState, withVerdicts } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, Rule } from '../design/route.ts';
import { isAttended } from '../rules/psu-rules.ts';
import type { ConsentStore } from '../state/consents.ts';
import { answeringForAny } from './account-limits.ts';
import {
  advisedAgainst,
  asIfPresent,
  at,
  both,
  type Deviation,
  deviation,
  handling,
  inHeader,
  not,
  of,
  overlooking,
  overlooks,
  refusing,
  rows,
  ruleOf,
  withHeader,
} from './deviation.ts';

/** What a bank can forget where the PSU is not present, since requests without the PSU take another way (Limits). */

const isAlone = not(isAttended);

const readings = [
  { what: 'balances', operation: 'readBalances', limit: 'ACC-10' },
  { what: 'transactions', operation: 'readTransactions', limit: 'ACC-11' },
] as const;

const isReading = ({ operation }: BankRequest): boolean =>
  readings.some((reading) => reading.operation === operation);

const asIfAttended = (request: BankRequest): BankRequest => withHeader(request, 'psu-ip-address', '::1');

const faults = [
  ['SIG-01', 'wants no signature', of('SIG-01')],
  ['SIG-02', 'verifies no signature', ({ requirement }: Rule) => /^(?:SIG-02|CRT-07)$/.test(requirement)],
  ['CLK-03', 'takes a Date of any time that is past', of('CLK-03')],
  ['CRT-02', 'takes certificates that have expired', of('CRT-02')],
] as const;

/** Consents as they were at their widest. */
function everGranted(consents: ConsentStore): Pick<ConsentStore, 'grant' | 'find'> {
  const ever = new Map<string, ReadonlySet<string>>();
  const keyOf = (tppId: string, psu: Parameters<ConsentStore['find']>[1]): string =>
    [tppId, psu.customerNumber, psu.agreementId ?? ''].join('\n');
  return {
    grant: (tppId, psu, accountIds) => {
      const key = keyOf(tppId, psu);
      ever.set(key, new Set([...(ever.get(key) ?? []), ...accountIds]));
      consents.grant(tppId, psu, accountIds);
    },
    find: (tppId, psu) => {
      const consent = consents.find(tppId, psu);
      return consent && { ...consent, accountIds: ever.get(keyOf(tppId, psu)) ?? consent.accountIds };
    },
  };
}

/** Without the PSU, what was granted once stays granted. */
const keepingConsentsAt =
  (operations: readonly BankOperation[]): DesignChange =>
  (design) => {
    let widest: Pick<ConsentStore, 'grant' | 'find'> | undefined;
    const remembering = withState(({ consents }) => {
      widest = everGranted(consents);
      return { consents: { ...consents, grant: widest.grant } };
    })(design);
    return {
      ...remembering,
      adaptRoutes: (routes) =>
        remembering.adaptRoutes(routes).map((route) => {
          if (!operations.includes(route.operation)) return route;
          const seenBy = <State extends { readonly consents: ConsentStore }>(
            request: BankRequest,
            state: State,
          ): State =>
            isAlone(request) && widest !== undefined
              ? { ...state, consents: { ...state.consents, find: widest.find } }
              : state;
          return {
            ...route,
            get rules() {
              return route.rules.map((rule) => ({
                ...rule,
                refuses: (request: BankRequest, state: Parameters<typeof rule.refuses>[1]) =>
                  rule.refuses(request, seenBy(request, state)),
              }));
            },
            handle: (request, state) => route.handle(request, seenBy(request, state)),
          };
        }),
    };
  };

/** The limit for calls without the PSU counts those with the PSU by themselves. */
const countingAttended =
  (operation: BankOperation): DesignChange =>
  (design) => {
    const calls = new Map<string, number>();
    const isOneTooMany = (request: BankRequest): boolean => {
      if (!isAttended(request)) return false;
      const key = [request.header('psu-id'), request.params.accountId].join(' ');
      calls.set(key, (calls.get(key) ?? 0) + 1);
      return (calls.get(key) ?? 0) > limits.unattendedCalls;
    };
    return refusing('ACC-10', [operation], isOneTooMany, { status: 429, code: 'ACCESS_EXCEEDED' })(design);
  };

const isOfACompany = (request: BankRequest): boolean => request.header('psu-corporate-id') !== undefined;

const isOfAKnownPsu = both(isAttended, inHeader('psu-id'));

/** Where the PSU is known and present, which the other way round is as easily forgotten. */
const withThePsu: readonly Deviation[] = (
  [
    ['SIG-01', 'wants no signature'],
    ['CLK-03', 'takes a Date of any time that is past'],
    ['CLK-05', 'wants no Date'],
    ['CRT-01', 'wants no certificate'],
  ] as const
).map(([requirement, title]) =>
  overlooks(
    `${requirement}/accounts-with-the-psu`,
    `${title} where accounts are listed for a known PSU who is present`,
    both(isOfAKnownPsu, at('listAccounts')),
  ),
);

// biome-ignore format: a table
export const unattendedDeviations: readonly Deviation[] = [
  ...withThePsu,
  ...faults.flatMap(([requirement, title, isForgotten]) =>
    [
      deviation(`${requirement}/unattended-accounts`, `${title} where accounts are listed and the PSU is not present`,
        overlooking(isForgotten, both(isAlone, at('listAccounts')))),
      deviation(`${requirement}/balances-of-companies`, `${title} where balances of companies are read`,
        overlooking(isForgotten, both(isOfACompany, at('readBalances')))),
    ]),
  ...faults.map(([requirement, title, isForgotten]) =>
    deviation(`${requirement}/unattended`, `${title} where the PSU is not present`, overlooking(isForgotten, both(isAlone, isReading)))),
  ...readings.flatMap(({ what, operation }) =>
    [
      deviation(`ACC-19/${what}-unattended`, `shows ${what} for an account that nobody has where the PSU is not present`,
        answeringForAny(operation, false, isAlone)),
      deviation(`ACC-20/${what}-unattended`, `shows ${what} for an account of another PSU where the PSU is not present`,
        answeringForAny(operation, true, isAlone)),
    ]),
  ...rows(
    ['SCA-09/kept-unattended', 'goes on showing what a deselected account holds where the PSU is not present',
      keepingConsentsAt(readings.map(({ operation }) => operation))],
    ['SCA-09/listed-unattended', 'goes on listing a deselected account where the PSU is not present', keepingConsentsAt(['listAccounts'])],
    ['ACC-12/an-end-alone', 'shows old transactions without the PSU to whoever names no dateFrom',
      asIfPresent((request) => isAlone(request) && !request.query.has('dateFrom'))],
    ['ACC-12/refuses-a-beginning-alone', 'refuses a dateFrom of more than 90 days ago without the PSU, and shows old transactions to whoever names none',
      refusing('ACC-12', ['readTransactions'], (request, { clock }) => {
        const old = clock.now().getTime() - limits.unattendedTransactionDays * dayMs;
        return isAlone(request) && Date.parse(request.query.get('dateFrom') ?? '') < old;
      }),
      asIfPresent((request) => isAlone(request) && !request.query.has('dateFrom'))],
    ['ACC-12/both-ends', 'shows old transactions without the PSU to whoever names both ends of a period',
      asIfPresent((request) => isAlone(request) && request.query.has('dateFrom') && request.query.has('dateTo'))],
  ),
  ...advisedAgainst(deviation(
      'ACC-12/details',
      'shows the details of old transactions without the PSU',
      withVerdicts(
        (rule, operation) => operation === 'readTransaction' && ruleOf('ACC-12')(rule),
        (refusesIt, request, state) => refusesIt(asIfAttended(request), state),
      ),
      handling('readTransaction', asIfAttended),
    )),
  ...readings.map(({ what, operation, limit }) =>
    deviation(`${limit}/with-the-psu`, `lets ${what} be read 4 times with the PSU present as well`, countingAttended(operation))),
  ...readings.map(({ what, limit }) =>
    overlooks(`${limit}/in-no-session`, `does not count calls for ${what} without the PSU that name no TPP-Session-ID`, not(inHeader('tpp-session-id')))),
];
