import { createHash, randomUUID } from 'node:crypto';
import { isObject } from '../../spec/json.ts';
import { creations, everyProduct } from '../../spec/products.ts';
import {
  afterPages,
  type DesignChange,
  granting,
  isCancelled,
  onPages,
  serves,
  withAnswers,
  withoutRules,
  withRefusals,
  withRoutes,
  withState,
} from '../design/design-changes.ts';
import type { BankAnswer, BankOperation, BankRequest, Rule } from '../design/route.ts';
import type { ActingPsu } from '../state/customers.ts';
import type { ScaFlow } from '../state/flows.ts';
import type { PsuIds, PsuState } from '../state/psu-state.ts';
import { askingDeviations } from './asking-for-sca.ts';
import {
  alsoAt,
  at,
  atPayments,
  type Deviation,
  deviation,
  inHeader,
  overlooking,
  refuses,
  refusing,
  rows,
} from './deviation.ts';
import { afterFlows, elsewhere, type Occasion, occasionOf } from './redirect-changes.ts';

/** Every redirect gives another PSU-ID, and all of them name the PSU. */
function changingIds({ psuIds }: Pick<PsuState, 'psuIds'>): PsuIds {
  const given = new Map<string, string>();
  return {
    idFor: (_, customerNumber) => {
      const id = randomUUID();
      given.set(id, customerNumber);
      return id;
    },
    customerNumberOf: (tppId, psuId) =>
      given.get(psuId.toLowerCase()) ?? psuIds.customerNumberOf(tppId, psuId),
  };
}

const pages = (change: (answer: BankAnswer) => BankAnswer): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'GET'
      ? { ...route, handle: async (request, state) => change(await route.handle(request, state)) }
      : route,
  );

/** No pages for the approval of domestic payments, for another approval, or for all other SCA. */
const withoutPages = (occasion: Occasion): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'GET'
      ? {
          ...route,
          handle: (request, state) => {
            const flow = state.flows.find(request.params.flowId ?? '');
            const isMissing = flow !== undefined && occasionOf(flow) === occasion;
            return isMissing ? { status: 404 } : route.handle(request, state);
          },
        }
      : route,
  );

/** Boxes of accounts come unticked, on the pages of some. */
const unticking = (isMeant: (flow: ScaFlow) => boolean): DesignChange =>
  afterPages((answer, flow) => {
    const { text } = answer;
    if (text === undefined || !isMeant(flow)) return undefined;
    const content = text.content.replace(/(<input type="checkbox"[^>]*) checked>/g, '$1>');
    return { ...answer, text: { ...text, content } };
  });

const cardsOf = (psu: ActingPsu, { customers }: PsuState): readonly string[] =>
  customers.reachableCardAccounts(psu).map(({ id }) => id);

/** A number of the same form that nobody has. */
const digitsOf = (id: unknown): string =>
  BigInt(`0x${createHash('sha256').update(String(id)).digest('hex')}`)
    .toString()
    .slice(0, 11);

/** Lists other numbers than those by which some customers pass SCA. */
export const numberedOtherwise = (isMeant: (customer: Readonly<Record<string, unknown>>) => boolean) =>
  withAnswers(['listSandboxCustomers'], (answer) => ({
    ...answer,
    body: Array.isArray(answer.body)
      ? answer.body.map((customer: unknown) =>
          isObject(customer) && isMeant(customer)
            ? { ...customer, customerNumber: digitsOf(customer.customerId) }
            : customer,
        )
      : answer.body,
  }));

// biome-ignore format: a table
const authentication: readonly Deviation[] = [
  ...rows(
    ['SCA-02/not-found', 'has no page behind the link', pages((answer) => ({ ...answer, status: 404 }))],
    ['SCA-02/not-for-payments', 'has no page behind the link of a payment', withoutPages('domestic')],
    ['SCA-02/not-for-baskets', 'has no page behind the link of a basket', withoutPages('basket')],
    ['SCA-02/not-for-access', 'has no page behind the link to grant access', withoutPages('access')],
    ['SCA-02/json', 'has no page for people behind the link', pages(() => ({ status: 200, body: { status: 'started' } }))],
    ['SCA-02/blank', 'has nothing on the page behind the link', pages(() => ({ status: 200, text: { type: 'text/html; charset=utf-8', content: '' } }))],
    ['SCA-02/server-error', 'breaks down at the page behind the link', pages((answer) => ({ ...answer, status: 500 }))],
    ['SCA-04/changes', 'gives another PSU-ID at every SCA', withState((state) => ({ psuIds: changingIds(state) }))],
    ['SCA-05/same-for-all', 'gives every TPP the same PSU-ID for a PSU',
      withState(({ psuIds }) =>
        ({ psuIds: { idFor: (_, customerNumber) => psuIds.idFor('', customerNumber), customerNumberOf: (_, psuId) => psuIds.customerNumberOf('', psuId) } }))],
    ['SCA-06/asks-again', 'asks for SCA again after it was passed',
      onPages((route) => (request, state) => route.handle(request, { ...state, sessions: { ...state.sessions, pass: () => {} } }))],
    ['SCA-06/asks-people-again', 'asks a person for SCA again after it was passed, and no company',
      onPages((route) =>
        (request, state) =>
          route.handle(
            request,
            {
              ...state,
              sessions: {
                ...state.sessions,
                pass: (tppId, customerNumber, passed) => {
                  if (passed.context === 'CORPORATE') state.sessions.pass(tppId, customerNumber, passed);
                },
              },
            },
          ))],
    ['SCA-03/first-of-session', 'sends the PSU to the address of the first request in the session',
      withState(({ flows }) => {
        const first = new Map<string, string | undefined>();
        return {
          flows: {
            ...flows,
            start: (start) => {
              const key = `${start.tppId}\n${start.sessionId}`;
              if (!first.has(key)) first.set(key, start.redirectUri);
              return flows.start({ ...start, redirectUri: first.get(key) });
            },
          },
        };
      })],
    ['SCA-09/kept', 'goes on showing an account that the PSU has deselected', granting((ticked, before) => [...(before ?? []), ...ticked])],
    ['SCA-09/none-is-no-change', 'leaves the consent as it was when the PSU deselects all that is left',
      granting((ticked, _, psu, { customers }) =>
        psu.agreementId !== undefined || customers.accountsOf(psu.customerNumber).some(({ id }) => ticked.includes(id)) ? ticked : undefined)],
    ['SCA-09/granted-by-cancelling', 'shows all accounts once the PSU has cancelled at the list of them',
      afterPages((answer, { tppId, identified, chosenAgreementId }, { customers, consents }) => {
        if (!isCancelled(answer) || identified === undefined) return undefined;
        const psu = { customerNumber: identified.customerNumber, agreementId: chosenAgreementId };
        const all = customers.reachableAccounts(psu).map(({ id }) => id);
        consents.grant(tppId, psu, all);
        return undefined;
      })],
    ['SCA-09/cards-kept', 'goes on showing a card account that the PSU has deselected',
      granting((ticked, before, psu, state) => [...ticked, ...cardsOf(psu, state).filter((id) => before?.has(id))])],
    ['SCA-09/cards-with-accounts', 'shows every card account as soon as any account is granted',
      granting((ticked, _, psu, state) => (ticked.length === 0 ? [] : [...ticked, ...cardsOf(psu, state)]))],
    ['SCA-09/shared-by-tpps', 'shows a TPP the accounts that the PSU has granted to another one since',
      withState(({ consents }) =>
        ({
          consents: {
            ...consents,
            grant: (tppId, psu, accountIds) => {
              consents.grant(tppId, psu, accountIds);
              consents.grant('', psu, accountIds);
            },
            find: (tppId, psu) => consents.find('', psu) ?? consents.find(tppId, psu),
          },
        }))],
    ['SCA-19/unticked', 'ticks no box of an account that was granted before', unticking(() => true)],
    ['SCA-19/unticked-for-companies', 'ticks no box of an account that a company has granted before',
      unticking(({ identified }) => identified?.context === 'CORPORATE')],
    ['SBX-47/other-number', 'lists customer numbers with which no SCA can be passed', numberedOtherwise(() => true)],
  ),
];

const reading: readonly BankOperation[] = [
  'listAccounts',
  'readBalances',
  'readTransactions',
  'startUserFlow',
];

const guards = (rule: Rule): boolean => serves(rule, 'SCA-01') || serves(rule, 'SES-02');

const open: readonly Deviation[] = [
  ...(['readBalances', 'readTransactions'] as const).map((reading) => ({
    ...deviation(
      `ERR-03/${reading === 'readBalances' ? 'balances' : 'transactions'}-for-all`,
      'shows what an account holds in any session of the PSU',
      withoutRules((rule, operation) => operation === reading && guards(rule)),
    ),
    also: ['SES-02'],
  })),
  deviation(
    'SCA-01/open',
    'lets everyone read accounts',
    withoutRules((rule, operation) => reading.includes(operation) && guards(rule)),
  ),
  deviation(
    'SCA-01/redirect',
    'redirects to SCA by itself instead of answering 401',
    withRefusals((rule, operation) => reading.includes(operation) && guards(rule), { status: 303 }),
  ),
];

const has = (name: string) => inHeader(name);
const named = (request: BankRequest): boolean => !has('psu-id')(request) && has('x-psu-identity')(request);

/** What the ids of header requirements begin with, at each creation of a payment. */
const headerPrefixes = everyProduct.map(({ headerPrefix, creation }) => [headerPrefix, creation] as const);

// biome-ignore format: a table
const identification: readonly Deviation[] = [
  ...alsoAt(atPayments, refuses('SCA-12/refused', 'knows a PSU by PSU-ID only', creations, named)),
  ...alsoAt(atPayments, refuses('SCA-14/refused', 'offers no single-SCA initiation', creations, (request) => named(request) && has('psu-context')(request))),
  ...headerPrefixes.flatMap(([prefix, operation]) =>
    [
      deviation(`${prefix}-17/refused`, 'refuses X-PSU-IDENTITY next to PSU-ID',
        refusing(`${prefix}-17`, [operation], (request) => has('psu-id')(request) && has('x-psu-identity')(request))),
      deviation(`${prefix}-17/demanded`, 'demands X-PSU-IDENTITY next to PSU-ID',
        refusing(`${prefix}-17`, [operation], (request) => !has('x-psu-identity')(request))),
    ].map((each) =>
      ({ ...each, isAdvisedAgainst: true as const }))),
  ...[...headerPrefixes, ['HDB', 'createSigningBasket'] as const].flatMap(([prefix, operation]) =>
    [
      deviation(`${prefix}-18/refused`, 'refuses PSU-Corporate-ID', refusing(`${prefix}-18`, [operation], has('psu-corporate-id'))),
      deviation(`${prefix}-18/demanded`, 'demands PSU-Corporate-ID of private PSUs',
        refusing(`${prefix}-18`, [operation], (request) => !has('psu-corporate-id')(request))),
      refuses(`COR-02/refused-at-${operation}`, 'refuses corporate requests', [operation], has('psu-corporate-id')),
    ]),
];

/** Where the specification shows no request, what the header table says is advice. */
const unshown: readonly Deviation[] = (
  [
    ['accounts', 'listAccounts'],
    ['status', 'readPaymentStatus'],
    ['deletion', 'deletePayment'],
    ['balances', 'readBalances'],
    ['agreements', 'listAgreements'],
    ['details', 'readPayment'],
    ['basket-status', 'readSigningBasketStatus'],
    ['customer-creation', 'createSandboxCustomer'],
  ] as const
).map(([place, operation]) => ({
  ...deviation(
    `HDO-01/not-demanded-at-${place}`,
    `does not demand X-Request-ID (${place})`,
    overlooking(
      // What is demanded of the listing is demanded of everything in the sandbox by this bank.
      ({ requirement }) => requirement === 'HDO-01' || requirement === 'HDS-07',
      at(operation),
    ),
  ),
  isAdvisedAgainst: true,
}));

/** A failure is told to an address of the bank. */
const failures: readonly Deviation[] = (
  [
    ['', 'SCA was cancelled', () => true],
    ['-of-access', 'SCA for access was cancelled', (flow: ScaFlow) => occasionOf(flow) === 'access'],
    [
      '-of-baskets',
      'the approval of a basket was cancelled',
      (flow: ScaFlow) => occasionOf(flow) === 'basket',
    ],
  ] as const
).map(([which, when, isMeant]) =>
  deviation(
    `SCA-03/failures${which}-elsewhere`,
    `sends the PSU to an address of its own when ${when}`,
    afterFlows(isMeant, (location) => (/[?&]code=/.test(location) ? elsewhere(location) : location)),
  ),
);

export const scaDeviations: readonly Deviation[] = [
  ...authentication,
  ...askingDeviations,
  ...open,
  ...identification,
  ...unshown,
  ...failures,
];
