import { createHash, randomUUID } from 'node:crypto';
import {
  type DesignChange,
  serves,
  withAnswers,
  withoutRules,
  withRefusals,
  withRoutes,
} from '../design-changes.ts';
import { isObject } from '../json.ts';
import type { BankAnswer, BankOperation, BankRequest, Refusal, Route, Rule } from '../route.ts';
import { approvalOf } from '../sca/approval-target.ts';
import type { PsuIds } from '../sca/psu-ids.ts';
import type { PsuState } from '../sca/psu-state.ts';
import type { SessionStore } from '../sca/sessions.ts';
import type { BankState } from '../state.ts';
import { alsoAt, atPayments } from './at-one-operation.ts';
import { type Deviation, deviation } from './deviation.ts';
import { overlooking, payments, refusing } from './rule-changes.ts';

const withState =
  (change: (state: BankState) => Partial<BankState>): DesignChange =>
  (design) => ({
    ...design,
    adaptState: (original) => {
      const state = design.adaptState(original);
      return { ...state, ...change(state) };
    },
  });

/** What a form on the pages of SCA leads to. */
const onPages = (handle: (route: Route) => Route['handle']): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'POST' ? { ...route, handle: handle(route) } : route,
  );

type Parameters = Map<string, string>;

/** Redirects with other parameters. `isMeant` tells success and failure apart. */
const redirecting = (
  isMeant: (parameters: Parameters) => boolean,
  change: (parameters: Parameters) => void,
): DesignChange =>
  addressing((address) => {
    const [before = '', query = ''] = address.split('?');
    const parameters: Parameters = new Map(new URLSearchParams(query));
    if (!isMeant(parameters)) return address;
    change(parameters);
    return `${before}?${[...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  });

const addressing = (change: (address: string) => string): DesignChange =>
  onPages((route) => async (request, state) => {
    const answer = await route.handle(request, state);
    const location = answer.headers?.Location;
    return location === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, Location: change(location) } };
  });

const succeeded = (parameters: Parameters): boolean => parameters.has('psu-id');
const failed = (parameters: Parameters): boolean => parameters.has('code');

const success = (change: (parameters: Parameters) => void): DesignChange => redirecting(succeeded, change);
const failure = (change: (parameters: Parameters) => void): DesignChange => redirecting(failed, change);

const redirects: readonly Deviation[] = [
  ...(
    [
      ['RDR-01', 'psu-id'],
      ['RDR-02', 'tpp-session-id'],
      ['RDR-03', 'context'],
      ['RDR-04', 'psu-corporate-id'],
    ] as const
  ).map(([id, name]) =>
    deviation(
      `${id}/missing`,
      `leaves ${name} out of the redirect`,
      success((parameters) => parameters.delete(name)),
    ),
  ),
  deviation(
    'RDR-01/no-uuid',
    'sends a psu-id that is no UUID',
    success((parameters) => parameters.set('psu-id', 'kari')),
  ),
  deviation(
    'RDR-01/camel-case',
    'calls it psuId',
    success((parameters) => rename(parameters, 'psu-id', 'psuId')),
  ),
  deviation(
    'RDR-02/another',
    'sends another tpp-session-id than it was given',
    success((parameters) => parameters.set('tpp-session-id', randomUUID())),
  ),
  deviation(
    'RDR-03/lower-case',
    'sends the context in lower case',
    success((parameters) => parameters.set('context', (parameters.get('context') ?? '').toLowerCase())),
  ),
  deviation(
    'RDR-04/no-uuid',
    'sends a psu-corporate-id that is no UUID',
    success((parameters) => {
      if (parameters.has('psu-corporate-id')) parameters.set('psu-corporate-id', '4711');
    }),
  ),
  deviation(
    'RDR-05/always-private',
    'tells PRIVATE whatever the PSU chose',
    success((parameters) => parameters.set('context', 'PRIVATE')),
  ),
  deviation(
    'RDR-05/always-corporate',
    'tells CORPORATE whatever the PSU chose',
    success((parameters) => parameters.set('context', 'CORPORATE')),
  ),
  ...(
    [
      ['RDF-01', 'system'],
      ['RDF-02', 'status'],
      ['RDF-03', 'code'],
      ['RDF-04', 'message'],
    ] as const
  ).map(([id, name]) =>
    deviation(
      `${id}/missing`,
      `leaves ${name} out of the redirect after a failure`,
      failure((parameters) => parameters.delete(name)),
    ),
  ),
  deviation(
    'RDF-02/words',
    'tells the status in words',
    failure((parameters) => parameters.set('status', 'Unauthorized')),
  ),
  deviation(
    'RDF-04/not-encoded',
    'does not encode the message',
    addressing((address) => address.replace(/message=[^&]*/, 'message=The PSU <cancelled> it')),
  ),
  deviation(
    'RDF-05/psu-id',
    'sends a psu-id after a failure',
    failure((parameters) => parameters.set('psu-id', randomUUID())),
  ),
  {
    ...deviation(
      'SCA-03/query-lost',
      'forgets the query of TPP-Redirect-URI',
      addressing((address) => address.replace('state=4711&', '')),
    ),
    isAdvisedAgainst: true,
  },
  deviation(
    'SCA-03/elsewhere',
    'sends the PSU to an address of its own',
    addressing((address) => `https://elsewhere.example/done?${address.split('?')[1] ?? ''}`),
  ),
];

function rename(parameters: Parameters, from: string, to: string): void {
  parameters.set(to, parameters.get(from) ?? '');
  parameters.delete(from);
}

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

/** Sessions that were passed once are good for ever. */
const keepsSessions: DesignChange = (design) => {
  const passed = new Set<string>();
  const remember = withState(({ sessions }) => ({
    sessions: {
      ...sessions,
      pass: (tppId, customerNumber, session) => {
        passed.add(session.sessionId);
        sessions.pass(tppId, customerNumber, session);
      },
    } satisfies SessionStore,
  }));
  const overlook = overlooking(
    (rule) => serves(rule, 'SES-03'),
    (request) => passed.has(request.header('tpp-session-id') ?? ''),
  );
  return overlook(remember(design));
};

/** An SCA that is aborted ends the session that the PSU had. */
const endsSessionOnAbort: DesignChange = onPages((route) => async (request, state) => {
  const flow = state.flows.find(request.params.flowId ?? '');
  const answer = await route.handle(request, state);
  if (flow?.customerNumber !== undefined && answer.headers?.Location?.includes('code=')) {
    state.sessions.pass(flow.tppId, flow.customerNumber, { sessionId: randomUUID(), context: 'PRIVATE' });
  }
  return answer;
});

const pages = (change: (answer: BankAnswer) => BankAnswer): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'GET'
      ? { ...route, handle: async (request, state) => change(await route.handle(request, state)) }
      : route,
  );

/** No pages for approvals, or for all other SCA. */
const withoutPages = (ofApprovals: boolean): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'GET'
      ? {
          ...route,
          handle: (request, state) => {
            const flow = state.flows.find(request.params.flowId ?? '');
            const isMeant = flow !== undefined && (approvalOf(flow) !== undefined) === ofApprovals;
            return isMeant ? { status: 404 } : route.handle(request, state);
          },
        }
      : route,
  );

const authentication: readonly Deviation[] = [
  deviation(
    'SCA-02/not-found',
    'has no page behind the link',
    pages((answer) => ({ ...answer, status: 404 })),
  ),
  deviation('SCA-02/not-for-payments', 'has no page behind the link of a payment', withoutPages(true)),
  deviation('SCA-02/not-for-access', 'has no page behind the link to grant access', withoutPages(false)),
  deviation(
    'SCA-02/json',
    'has no page for people behind the link',
    pages(() => ({ status: 200, body: { status: 'started' } })),
  ),
  deviation(
    'SCA-02/server-error',
    'breaks down at the page behind the link',
    pages((answer) => ({ ...answer, status: 500 })),
  ),
  deviation(
    'SCA-04/changes',
    'gives another PSU-ID at every SCA',
    withState((state) => ({ psuIds: changingIds(state) })),
  ),
  deviation(
    'SCA-05/same-for-all',
    'gives every TPP the same PSU-ID for a PSU',
    withState(({ psuIds }) => ({
      psuIds: {
        idFor: (_, customerNumber) => psuIds.idFor('', customerNumber),
        customerNumberOf: (_, psuId) => psuIds.customerNumberOf('', psuId),
      },
    })),
  ),
  deviation(
    'SCA-06/asks-again',
    'asks for SCA again after it was passed',
    onPages(
      (route) => (request, state) =>
        route.handle(request, { ...state, sessions: { ...state.sessions, pass: () => {} } }),
    ),
  ),
  deviation('SES-03/old-one-stays', 'lets an old session go on after SCA in a new one', keepsSessions),
  deviation(
    'SES-04/ended-by-abort',
    'ends the old session when SCA in a new one is aborted',
    endsSessionOnAbort,
  ),
  deviation(
    'SBX-47/other-number',
    'lists numbers that no SCA can be passed with',
    withAnswers(['listSandboxCustomers'], (answer) => ({
      ...answer,
      body: Array.isArray(answer.body)
        ? answer.body.map((customer: unknown) =>
            isObject(customer) ? { ...customer, customerNumber: digitsOf(customer.customerId) } : customer,
          )
        : answer.body,
    })),
  ),
];

const digitsOf = (id: unknown): string =>
  BigInt(`0x${createHash('sha256').update(String(id)).digest('hex')}`)
    .toString()
    .slice(0, 11);

const reading: readonly BankOperation[] = [
  'listAccounts',
  'readBalances',
  'readTransactions',
  'startUserFlow',
];

/** What a request that needs SCA is answered with instead. */
const askingWith =
  (change: (refusal: Refusal) => Refusal): DesignChange =>
  (design) => ({
    ...design,
    answers: {
      ...design.answers,
      refusal: (refusal) => design.answers.refusal(refusal.status === 401 ? change(refusal) : refusal),
    },
  });

const withoutLinks = ({ links: _, ...refusal }: Refusal): Refusal => refusal;
const namedOtherwise = ({ links: { scaRedirect, ...links } = {}, ...refusal }: Refusal): Refusal => ({
  ...refusal,
  ...(scaRedirect === undefined ? {} : { links: { ...links, redirect: scaRedirect } }),
});

const asking: readonly Deviation[] = (['SCA-01', 'ERR-03'] as const).flatMap((id) => [
  deviation(`${id}/without-link`, 'asks for SCA without a link', askingWith(withoutLinks)),
  deviation(`${id}/named-otherwise`, 'names the link to SCA otherwise', askingWith(namedOtherwise)),
  deviation(
    `${id}/403-for-401`,
    'answers 403 to a request that needs SCA',
    askingWith((refusal) => ({ ...refusal, status: 403 })),
  ),
  ...[400, 500].map((status) =>
    deviation(
      `${id}/${status}-for-401`,
      `answers ${status} to a request that needs SCA`,
      askingWith((refusal) => ({ ...refusal, status })),
    ),
  ),
]);

const guards = (rule: Rule): boolean => serves(rule, 'SCA-01') || serves(rule, 'SES-02');

const open: readonly Deviation[] = [
  ...(['readBalances', 'readTransactions'] as const).map((reading) =>
    deviation(
      `ERR-03/${reading === 'readBalances' ? 'balances' : 'transactions'}-for-all`,
      'shows what an account holds in any session of the PSU',
      withoutRules((rule, operation) => operation === reading && guards(rule)),
    ),
  ),
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

const has = (name: string) => (request: BankRequest) => request.header(name) !== undefined;
const named = (request: BankRequest): boolean => !has('psu-id')(request) && has('x-psu-identity')(request);

const identification: readonly Deviation[] = [
  ...alsoAt(
    atPayments,
    deviation('SCA-12/refused', 'knows a PSU by PSU-ID only', refusing('SCA-12', payments, named)),
  ),
  ...alsoAt(
    atPayments,
    deviation(
      'SCA-14/refused',
      'offers no single-SCA initiation',
      refusing('SCA-14', payments, (request) => named(request) && has('psu-context')(request)),
    ),
  ),
  ...(
    [
      ['HDN', 'createDomesticPayment'],
      ['HDC', 'createCrossBorderPayment'],
    ] as const
  ).flatMap(([prefix, operation]) =>
    [
      deviation(
        `${prefix}-17/refused`,
        'refuses X-PSU-IDENTITY beside PSU-ID',
        refusing(
          `${prefix}-17`,
          [operation],
          (request) => has('psu-id')(request) && has('x-psu-identity')(request),
        ),
      ),
      deviation(
        `${prefix}-17/demanded`,
        'demands X-PSU-IDENTITY beside PSU-ID',
        refusing(`${prefix}-17`, [operation], (request) => !has('x-psu-identity')(request)),
      ),
    ].map((each) => ({ ...each, isAdvisedAgainst: true as const })),
  ),
  ...(
    [
      ['HDN', 'createDomesticPayment'],
      ['HDC', 'createCrossBorderPayment'],
      ['HDB', 'createSigningBasket'],
    ] as const
  ).flatMap(([prefix, operation]) => [
    deviation(
      `${prefix}-18/refused`,
      'refuses PSU-Corporate-ID',
      refusing(`${prefix}-18`, [operation], has('psu-corporate-id')),
    ),
    deviation(
      `${prefix}-18/demanded`,
      'demands PSU-Corporate-ID of private PSUs',
      refusing(`${prefix}-18`, [operation], (request) => !has('psu-corporate-id')(request)),
    ),
    deviation(
      `COR-02/refused-at-${operation}`,
      'refuses corporate requests',
      refusing('COR-02', [operation], has('psu-corporate-id')),
    ),
  ]),
];

export const scaDeviations: readonly Deviation[] = [
  ...redirects,
  ...authentication,
  ...asking,
  ...open,
  ...identification,
];
