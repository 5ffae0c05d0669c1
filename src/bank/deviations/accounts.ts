import { randomUUID } from 'node:crypto';
import { isObject, memberAt } from '../../spec/json.ts';
import { consentedAccounts } from '../accounts/consent-rules.ts';
import { unreadableBeforeApproval } from '../design/design.ts';
import {
  type DesignChange,
  withAnswers,
  withoutRules,
  withPayments,
  withRefusals,
  withRoutes,
  withRules,
  withState,
} from '../design/design-changes.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import type { UnattendedKind } from '../state/consents.ts';
import {
  type Deviation,
  deviation,
  handling,
  mistaking,
  refusing,
  withHeader,
  withoutQuery,
  withParam,
  withQuery,
} from './deviation.ts';

const asks = (name: string, value?: string) => (request: BankRequest) =>
  value === undefined ? request.query.has(name) : request.query.get(name) === value;

const known = (request: BankRequest): boolean => request.header('psu-id') !== undefined;

const needingAisp: DesignChange = (design) => ({
  ...design,
  roles: (operation) => (operation === 'startUserFlow' ? ['PSP_AI'] : design.roles(operation)),
});

/** The same with every amount as a number. */
function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'amount' && typeof member === 'string' ? Number(member) : withNumbers(member),
    ]),
  );
}

export const accountDeviations: readonly Deviation[] = [
  deviation(
    'ACC-01/refused',
    'refuses to list the accounts of a PSU who has passed SCA',
    refusing('ACC-01', ['listAccounts'], known, { status: 403, code: 'FORBIDDEN' }),
  ),
  deviation(
    'ACC-01/of-others',
    'lists the accounts of every private customer',
    withAnswers(['listAccounts'], (answer, _, { customers }) => ({
      ...answer,
      body: {
        accounts: [
          ...[memberAt(answer.body, 'accounts')].flat(),
          ...customers
            .list()
            .filter(({ customerType }) => customerType === 'PRIVATE')
            .flatMap(({ customerNumber }) => customers.accountsOf(customerNumber))
            .map(({ id, bban, iban, currency }) => ({ resourceId: id, bban, iban, currency })),
        ],
      },
    })),
  ),
  deviation(
    'ACC-02/refused',
    'refuses to read balances',
    refusing('ACC-02', ['readBalances'], () => true, { status: 403, code: 'FORBIDDEN' }),
  ),
  deviation(
    'ACC-02/server-error',
    'breaks down when it reads balances',
    withAnswers(['readBalances'], (answer) => ({ ...answer, status: 500 })),
  ),
  ...['both', 'pending', 'all'].map((value) =>
    deviation(
      `ACC-03/not-${value}`,
      `does not know bookingStatus ${value}`,
      refusing('ACC-03', ['readTransactions'], asks('bookingStatus', value)),
    ),
  ),
  ...['dateFrom', 'dateTo', 'limit', 'offset'].map((name) =>
    deviation(
      `ACC-04/not-${name}`,
      `does not take ${name}`,
      refusing('ACC-04', ['readTransactions'], asks(name)),
    ),
  ),
  deviation(
    'ACC-05/refused',
    'refuses to list the agreements of a PSU',
    refusing('ACC-05', ['listAgreements'], () => true, { status: 403, code: 'FORBIDDEN' }),
  ),
  deviation(
    'ACC-05/of-others',
    'lists the agreements of everybody',
    withAnswers(['listAgreements'], (answer, _, { customers }) => ({
      ...answer,
      body: {
        agreements: customers
          .list()
          .flatMap(({ customerNumber }) => customers.agreementsOf(customerNumber))
          .map(({ id, name }) => ({ id, name })),
      },
    })),
  ),
  deviation(
    'VER-06/own-names',
    'shows types of accounts by names of its own',
    withAnswers(['listAccounts'], (answer) => ({
      ...answer,
      body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
        name === 'cashAccountType' ? 'CURRENT' : value,
      ),
    })),
  ),
  {
    ...deviation(
      'ACC-05/nameless',
      'lists agreements without the ids that requests name them by',
      withAnswers(['listAgreements'], (answer) => ({ ...answer, body: { agreements: [] } })),
    ),
    isAdvisedAgainst: true,
  },
  deviation(
    'VER-03/number-in-balances',
    'writes the amounts of balances as JSON numbers',
    withAnswers(['readBalances'], (answer) => ({ ...answer, body: withNumbers(answer.body) })),
  ),
  deviation(
    'COR-01/unchecked-at-balances',
    'shows the balances of a company without PSU-Corporate-ID',
    withoutRules((rule, operation) => operation === 'readBalances' && rule.requirement === 'COR-01'),
  ),
  ...(['COR-03', 'COR-04'] as const).map((requirement) =>
    deviation(
      `${requirement}/unchecked-at-transactions`,
      'shows the transactions of a company whatever agreement is named',
      mistaking('readTransactions', (request, { psuIds, sessions }) => {
        const tppId = tppIdOf(request);
        const person = psuIds.customerNumberOf(tppId, request.header('psu-id') ?? '') ?? '';
        const own = sessions.latest(tppId, person)?.agreementId;
        return request.header('psu-corporate-id') === undefined || own === undefined
          ? request
          : withHeader(request, 'psu-corporate-id', own);
      }),
    ),
  ),
  deviation(
    'COR-01/unchecked-at-accounts',
    'lists accounts of a corporate PSU without PSU-Corporate-ID',
    withoutRules((rule, operation) => operation === 'listAccounts' && rule.requirement === 'COR-01'),
  ),
  deviation('ACC-06/aisp-only', 'starts an SCA flow for an AISP only', needingAisp),
  deviation(
    'ACC-07/reads-the-body',
    'reads the body of a consent',
    refusing('ACC-07', ['createConsent'], ({ body }) => memberAt(body, 'recurringIndicator') === 'perhaps'),
  ),
  deviation(
    'ACC-07/wants-a-body',
    'wants a consent to say what it asks for',
    refusing('ACC-07', ['createConsent'], ({ body }) => memberAt(body, 'access') === undefined),
  ),
  deviation(
    'PST-11/server-error',
    'breaks down when the status of a payment is read before approval',
    withPayments({ isReadable: unreadableBeforeApproval }),
    withRefusals((rule) => rule.requirement === 'STA-02', { status: 500 }),
  ),
  deviation(
    'BSK-22/basket-only',
    'tells the status of a basket, and no longer those of its payments',
    refusing('BSK-22', ['readPaymentStatus'], ({ params }, { baskets }) =>
      [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(params.paymentId ?? '')),
    ),
  ),
];

/** A call more than there may be, of one kind. */
const oneMoreCall = (kind: UnattendedKind): DesignChange =>
  withState(({ unattendedCalls }) => {
    const begun = new Set<string>();
    return {
      unattendedCalls: {
        ...unattendedCalls,
        admit: (tppId, accountId, of) => {
          const key = [tppId, accountId].join('\n');
          const isFree = of === kind && begun.size < begun.add(key).size;
          return isFree || unattendedCalls.admit(tppId, accountId, of);
        },
      },
    };
  });

/** From the first refusal of a request without the PSU on, those with the PSU are taken for the same. */
const lockingAtLimit = (requirement: string): DesignChange => {
  const locked = new WeakMap<object, Set<string | undefined>>();
  return withRules((_, rules) =>
    rules.map((rule) =>
      rule.requirement === requirement
        ? {
            ...rule,
            refuses: (request, state) => {
              const accounts = locked.get(state.consents) ?? new Set();
              locked.set(state.consents, accounts);
              const isLocked = accounts.has(request.params.accountId);
              const asked = isLocked ? withHeader(request, 'psu-ip-address', undefined) : request;
              const refusal = rule.refuses(asked, state);
              if (refusal !== undefined) accounts.add(request.params.accountId);
              return refusal;
            },
          }
        : rule,
    ),
  );
};

/** Links between pages, rewritten. */
const withPageLinks = (change: (href: string, request: BankRequest) => string): DesignChange =>
  withRoutes((route) =>
    route.operation === 'readTransactions'
      ? {
          ...route,
          handle: async (request, state) => {
            const answer = await route.handle(request, state);
            const body: unknown = JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
              name === 'href' && typeof value === 'string' ? change(value, request) : value,
            );
            return { ...answer, body };
          },
        }
      : route,
  );

const readAs = (asked: string, meant: string): DesignChange =>
  handling('readTransactions', (request) =>
    request.query.get('bookingStatus') === asked ? withQuery(request, 'bookingStatus', meant) : request,
  );

/** An account that the PSU has not granted is answered for as if it were the first that it has. */
const answeringForAny = (
  operation: BankOperation,
  isThere: boolean,
  isAsked: (request: BankRequest) => boolean = () => true,
): DesignChange =>
  mistaking(operation, (request, state) => {
    if (!isAsked(request)) return request;
    const { accountId = '' } = request.params;
    const granted = consentedAccounts(request, state);
    const isMistaken =
      granted.every(({ id }) => id !== accountId) &&
      (state.customers.account(accountId) !== undefined) === isThere;
    const [first] = granted;
    return isMistaken && first !== undefined ? withParam(request, 'accountId', first.id) : request;
  });

const readings = [
  { what: 'balances', operation: 'readBalances' },
  { what: 'transactions', operation: 'readTransactions' },
] as const;

export const accountLimitDeviations: readonly Deviation[] = [
  deviation(
    'ACC-10/five-calls',
    'lets balances be read five times a day without the PSU',
    oneMoreCall('balances'),
  ),
  deviation(
    'ACC-11/five-calls',
    'lets transactions be read five times a day without the PSU',
    oneMoreCall('transactions'),
  ),
  ...(['ACC-10', 'ACC-11'] as const).map((requirement) =>
    deviation(
      `${requirement}/locked`,
      'refuses the PSU as well once the calls without the PSU are used up',
      lockingAtLimit(requirement),
    ),
  ),
  deviation(
    'ACC-12/shows-all',
    'shows old transactions without the PSU',
    handling('readTransactions', (request) => withHeader(request, 'psu-ip-address', '192.0.2.1')),
  ),
  deviation(
    'ACC-14/hundred',
    'shows a hundred transactions on a page, and says 200',
    handling('readTransactions', (request) =>
      request.query.has('limit') ? request : withQuery(request, 'limit', '100'),
    ),
    withPageLinks((href) => href.replace('limit=100', 'limit=200')),
  ),
  deviation(
    'ACC-14/same-page',
    'has links that lead to the page that they stand on',
    withPageLinks((href, { query }) => href.replace(/offset=\d+/, `offset=${query.get('offset') ?? '0'}`)),
  ),
  deviation(
    'ACC-14/size-unsaid',
    'does not say in the links how many transactions a page holds',
    withPageLinks((href) => href.replace(/limit=\d+&?/, '')),
  ),
  ...(['limit', 'offset', 'dateFrom', 'dateTo'] as const).map((name) =>
    deviation(
      `ACC-22/${name}-ignored`,
      `takes ${name} and gives the transactions that there are without it`,
      handling('readTransactions', (request) => withoutQuery(request, name)),
    ),
  ),
  deviation(
    'ACC-22/one-more',
    'shows one transaction more on a page than limit says',
    handling('readTransactions', (request) =>
      request.query.has('limit')
        ? withQuery(request, 'limit', String(Number(request.query.get('limit')) + 1))
        : request,
    ),
  ),
  deviation(
    'ACC-14/size-unsaid-later',
    'says in the links of the first page alone how many transactions a page holds',
    withPageLinks((href, request) => (request.query.has('offset') ? href.replace(/limit=\d+&?/, '') : href)),
  ),
  ...(['bookingDate', 'valueDate'] as const).map((member) =>
    deviation(
      `TRN-10/${member}`,
      `writes ${member} of transactions as DD.MM.YYYY`,
      withAnswers(['readTransactions'], (answer) => ({
        ...answer,
        body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
          name === member && typeof value === 'string' ? value.split('-').toReversed().join('.') : value,
        ),
      })),
    ),
  ),
  deviation(
    'ACC-17/made-up',
    'makes up the transactionId of booked transactions for each answer',
    withAnswers(['readTransactions'], (answer) => ({
      ...answer,
      body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
        name === 'transactionId' ? randomUUID() : value,
      ),
    })),
  ),
  deviation(
    'ACC-17/by-place',
    'numbers booked transactions by their place on the page',
    withAnswers(['readTransactions'], (answer) => {
      let place = 0;
      return {
        ...answer,
        body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) => {
          if (name !== 'transactionId') return value;
          place += 1;
          return `T${place}`;
        }),
      };
    }),
  ),
  deviation('ACC-21/pending-with-booked', 'shows booked transactions as well', readAs('pending', 'both')),
  deviation('ACC-21/both-pending', 'shows pending transactions only for both', readAs('both', 'pending')),
  deviation('ACC-21/all-pending', 'shows pending transactions only for all', readAs('all', 'pending')),
  ...readings.flatMap(({ what, operation }) => [
    deviation(
      `ACC-19/${what}`,
      `shows ${what} for an account that nobody has`,
      answeringForAny(operation, false),
    ),
    deviation(
      `ACC-20/${what}`,
      `shows ${what} for an account of another PSU`,
      answeringForAny(operation, true),
    ),
    ...([false, true] as const).map((isThere) =>
      deviation(
        `${isThere ? 'ACC-20' : 'ACC-19'}/${what}-to-companies`,
        `shows companies ${what} for an account ${isThere ? 'of another PSU' : 'that nobody has'}`,
        answeringForAny(operation, isThere, (request) => request.header('psu-corporate-id') !== undefined),
      ),
    ),
  ]),
];
