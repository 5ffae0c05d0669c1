import { has, isObject, memberAt } from '../../spec/json.ts';
import { unreadableBeforeApproval } from '../design/design.ts';
import {
  type DesignChange,
  withAnswers,
  withoutRules,
  withPayments,
  withRefusals,
  withRules,
} from '../design/design-changes.ts';
import type { BankAnswer, BankRequest } from '../design/route.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import { type Deviation, deviation, mistaking, refusing, withHeader } from './deviation.ts';

const asks = (name: string, value?: string) => (request: BankRequest) =>
  value === undefined ? request.query.has(name) : request.query.get(name) === value;

const known = (request: BankRequest): boolean => request.header('psu-id') !== undefined;

const needingAisp: DesignChange = (design) => ({
  ...design,
  roles: (operation) => (operation === 'startUserFlow' ? ['PSP_AI'] : design.roles(operation)),
});

/** What the first PSU of a TPP was shown is shown to all of them. */
const firstListing: DesignChange = (design) => {
  const known = new Map<string, BankAnswer>();
  return withAnswers(['listAccounts'], (answer, request) => {
    const accounts = memberAt(answer.body, 'accounts');
    if (!Array.isArray(accounts) || accounts.length === 0) return answer;
    const first = known.get(tppIdOf(request)) ?? answer;
    known.set(tppIdOf(request), first);
    return first;
  })(design);
};

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
    'ACC-01/of-the-first',
    'keeps the listing of accounts for a TPP, whoever its PSU is',
    firstListing,
  ),
  ...(
    [
      ['none', 'lists no account, whatever was granted', () => []],
      ['one-too-few', 'leaves out the last account', (accounts) => accounts.slice(0, -1)],
      ['one-only', 'lists one account, however many were granted', (accounts) => accounts.slice(0, 1)],
    ] as const satisfies readonly (readonly [string, string, (accounts: readonly unknown[]) => unknown])[]
  ).map(([way, title, listed]) =>
    deviation(
      `ACC-01/${way}`,
      title,
      withAnswers(['listAccounts'], (answer) => {
        const accounts = memberAt(answer.body, 'accounts');
        return Array.isArray(accounts) ? { ...answer, body: { accounts: listed(accounts) } } : answer;
      }),
    ),
  ),
  ...(
    [
      ['left-out', 'has no list of accounts, whatever was granted', {}],
      ['no-body', 'has nothing in the answer that lists accounts', undefined],
    ] as const
  ).map(([way, title, body]) =>
    deviation(
      `ACC-01/${way}`,
      title,
      withAnswers(['listAccounts'], (answer) => (answer.status === 200 ? { ...answer, body } : answer)),
    ),
  ),
  deviation(
    'ACC-02/refused',
    'refuses to read balances',
    refusing('ACC-02', ['readBalances'], () => true, { status: 403, code: 'FORBIDDEN' }),
  ),
  deviation(
    'ACC-02/none',
    'tells no balance where balances are read',
    withAnswers(['readBalances'], (answer) =>
      isObject(answer.body) && answer.status === 200
        ? { ...answer, body: { ...answer.body, balances: [] } }
        : answer,
    ),
  ),
  ...(
    [
      ['nothing', 'answers 200 and nothing more where balances are read', undefined],
      ['message', 'says that all is well where balances are read, and no more', { message: 'ok' }],
    ] as const
  ).map(([way, title, body]) =>
    deviation(
      `ACC-02/${way}`,
      title,
      withAnswers(['readBalances'], (answer) => (answer.status === 200 ? { status: 200, body } : answer)),
    ),
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
  deviation(
    'ACC-05/nameless',
    'lists agreements without the ids that requests name them by',
    withAnswers(['listAgreements'], (answer) => ({ ...answer, body: { agreements: [] } })),
  ),
  deviation(
    'VER-03/number-in-balances',
    'writes the amounts of balances as JSON numbers',
    withAnswers(['readBalances'], (answer) => ({ ...answer, body: withNumbers(answer.body) })),
  ),
  deviation(
    'VER-03/number-in-listing',
    'lists accounts with balances whose amounts are JSON numbers',
    withAnswers(['listAccounts'], (answer) => ({
      ...answer,
      body: JSON.parse(JSON.stringify(answer.body ?? null), (_, value: unknown) =>
        isObject(value) && has(value, 'bban')
          ? {
              ...value,
              balances: [{ balanceType: 'expected', balanceAmount: { amount: 12.5, currency: 'NOK' } }],
            }
          : value,
      ),
    })),
  ),
  deviation(
    'VER-03/number-in-transactions',
    'writes the amounts of transactions as JSON numbers',
    withAnswers(['readTransactions'], (answer) => ({ ...answer, body: withNumbers(answer.body) })),
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
  deviation(
    'ACC-06/without-the-link',
    'asks for SCA at GET /v1/user and does not say where',
    withRules((operation, rules) =>
      operation === 'startUserFlow'
        ? rules.map((rule) => ({
            ...rule,
            refuses: (request, state) => {
              const { links: _, ...refusal } = rule.refuses(request, state) ?? {};
              return 'status' in refusal ? refusal : undefined;
            },
          }))
        : rules,
    ),
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
    'PST-11/rejected',
    'breaks down when the status of a rejected payment is read',
    refusing(
      'PST-11',
      ['readPaymentStatus'],
      ({ params }, { payments }) => payments.get(params.paymentId ?? '')?.transactionStatus === 'RJCT',
      { status: 500, code: 'SYSTEM_ERROR' },
    ),
  ),
  deviation(
    'BSK-22/basket-only',
    'tells the status of a basket, and no longer those of its payments',
    refusing('BSK-22', ['readPaymentStatus'], ({ params }, { baskets }) =>
      [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(params.paymentId ?? '')),
    ),
  ),
];
