import { has, isObject, memberAt } from '../../spec/json.ts';
import { unreadableBeforeApproval } from '../design/design.ts';
import {
  type DesignChange,
  onRefusal,
  telling,
  withAnswers,
  withBodies,
  withoutRules,
  withPayments,
  withRefusals,
  withStatus,
} from '../design/design-changes.ts';
import type { BankAnswer, BankRequest } from '../design/route.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import {
  type Deviation,
  deviation,
  inBody,
  inHeader,
  mistaking,
  not,
  refuses,
  rows,
  ruleOf,
  withHeader,
} from './deviation.ts';

const asks = (name: string, value?: string) => (request: BankRequest) =>
  value === undefined ? request.query.has(name) : request.query.get(name) === value;

const known = inHeader('psu-id');

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

// biome-ignore format: a table
export const accountDeviations: readonly Deviation[] = [
  refuses('ACC-01/refused', 'refuses to list the accounts of a PSU who has passed SCA', ['listAccounts'], known, { status: 403, code: 'FORBIDDEN' }),
  deviation('ACC-01/of-others', 'lists the accounts of every private customer',
    withAnswers(['listAccounts'], (answer, _, { customers }) =>
      ({
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
      }))),
  deviation('ACC-01/of-the-first', 'keeps the listing of accounts for a TPP, whoever its PSU is', firstListing),
  ...([
    ['none', 'lists no account, whatever was granted', () => []],
    ['one-too-few', 'leaves out the last account', (accounts) => accounts.slice(0, -1)],
    ['one-only', 'lists one account, however many were granted', (accounts) => accounts.slice(0, 1)],
  ] as const satisfies readonly (readonly [string, string, (accounts: readonly unknown[]) => unknown])[]).map(([way, title, listed]) =>
    deviation(`ACC-01/${way}`, title,
      withAnswers(['listAccounts'], (answer) => {
        const accounts = memberAt(answer.body, 'accounts');
        return Array.isArray(accounts) ? { ...answer, body: { accounts: listed(accounts) } } : answer;
      }))),
  ...([['left-out', 'has no list of accounts, whatever was granted', {}], ['no-body', 'has nothing in the answer that lists accounts', undefined]] as const).map(([way, title, body]) => deviation(`ACC-01/${way}`, title, withAnswers(['listAccounts'], (answer) => (answer.status === 200 ? { ...answer, body } : answer)))),
  refuses('ACC-02/refused', 'refuses to read balances', ['readBalances'], () => true, { status: 403, code: 'FORBIDDEN' }),
  deviation('ACC-02/none', 'tells no balance where balances are read', withBodies(['readBalances'], (body) => ({ ...body, balances: [] }))),
  ...([
    ['nothing', 'answers 200 and nothing more where balances are read', undefined],
    ['message', 'says that all is well where balances are read, and no more', { message: 'ok' }],
  ] as const).map(([way, title, body]) =>
    deviation(`ACC-02/${way}`, title, withAnswers(['readBalances'], (answer) => (answer.status === 200 ? { status: 200, body } : answer)))),
  deviation('ACC-02/server-error', 'breaks down when it reads balances', withStatus(['readBalances'], 500)),
  ...['both', 'pending', 'all'].map((value) =>
    refuses(`ACC-03/not-${value}`, `does not know bookingStatus ${value}`, ['readTransactions'], asks('bookingStatus', value))),
  ...['dateFrom', 'dateTo', 'limit', 'offset'].map((name) => refuses(`ACC-04/not-${name}`, `does not take ${name}`, ['readTransactions'], asks(name))),
  refuses('ACC-05/refused', 'refuses to list the agreements of a PSU', ['listAgreements'], () => true, { status: 403, code: 'FORBIDDEN' }),
  ...rows(
    ['ACC-05/of-others', 'lists the agreements of everybody',
      withAnswers(['listAgreements'], (answer, _, { customers }) =>
        ({
          ...answer,
          body: {
            agreements: customers
              .list()
              .flatMap(({ customerNumber }) => customers.agreementsOf(customerNumber))
              .map(({ id, name }) => ({ id, name })),
          },
        }))],
    ['VER-06/own-names', 'shows types of accounts by names of its own', telling('listAccounts', 'cashAccountType', () => 'CURRENT')],
    ['ACC-05/nameless', 'lists agreements without the ids that requests name them by',
      withAnswers(['listAgreements'], (answer) => ({ ...answer, body: { agreements: [] } }))],
    ['VER-03/number-in-balances', 'writes the amounts of balances as JSON numbers',
      telling('readBalances', 'amount', (amount) => (typeof amount === 'string' ? Number(amount) : amount))],
    ['VER-03/number-in-listing', 'lists accounts with balances whose amounts are JSON numbers',
      withAnswers(['listAccounts'], (answer) =>
        ({
          ...answer,
          body: JSON.parse(JSON.stringify(answer.body ?? null), (_, value: unknown) =>
            isObject(value) && has(value, 'bban')
              ? {
                  ...value,
                  balances: [{ balanceType: 'expected', balanceAmount: { amount: 12.5, currency: 'NOK' } }],
                }
              : value,
          ),
        }))],
    ['VER-03/number-in-transactions', 'writes the amounts of transactions as JSON numbers',
      telling('readTransactions', 'amount', (amount) => (typeof amount === 'string' ? Number(amount) : amount))],
    ['COR-01/unchecked-at-balances', 'shows the balances of a company without PSU-Corporate-ID',
      withoutRules((rule, operation) => operation === 'readBalances' && rule.requirement === 'COR-01')],
  ),
  ...(['COR-03', 'COR-04'] as const).map((requirement) =>
    deviation(`${requirement}/unchecked-at-transactions`, 'shows the transactions of a company whatever agreement is named',
      mistaking('readTransactions', (request, { psuIds, sessions }) => {
        const tppId = tppIdOf(request);
        const person = psuIds.customerNumberOf(tppId, request.header('psu-id') ?? '') ?? '';
        const own = sessions.latest(tppId, person)?.agreementId;
        return request.header('psu-corporate-id') === undefined || own === undefined
          ? request
          : withHeader(request, 'psu-corporate-id', own);
      }))),
  ...rows(
    ['COR-01/unchecked-at-accounts', 'lists accounts of a corporate PSU without PSU-Corporate-ID',
      withoutRules((rule, operation) => operation === 'listAccounts' && rule.requirement === 'COR-01')],
    ['ACC-06/without-the-link', 'asks for SCA at GET /v1/user and does not say where',
      onRefusal((_, operation) => operation === 'startUserFlow', ({ links: _, ...fault }) => ('status' in fault ? fault : undefined))],
    ['ACC-06/aisp-only', 'starts an SCA flow for an AISP only', needingAisp],
  ),
  refuses('ACC-07/reads-the-body', 'reads the body of a consent', ['createConsent'], ({ body }) => memberAt(body, 'recurringIndicator') === 'perhaps'),
  refuses('ACC-07/wants-a-body', 'wants a consent to say what it asks for', ['createConsent'], not(inBody('access'))),
  deviation('PST-11/server-error', 'breaks down when the status of a payment is read before approval',
    withPayments({ isReadable: unreadableBeforeApproval }), withRefusals(ruleOf('STA-02'), { status: 500 })),
  refuses('PST-11/rejected', 'breaks down when the status of a rejected payment is read',
    ['readPaymentStatus'],
    ({ params }, { payments }) => payments.get(params.paymentId ?? '')?.transactionStatus === 'RJCT',
    { status: 500, code: 'SYSTEM_ERROR' }),
  refuses('BSK-22/basket-only', 'tells the status of a basket, and no longer those of its payments',
    ['readPaymentStatus'], ({ params }, { baskets }) => [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(params.paymentId ?? ''))),
];
