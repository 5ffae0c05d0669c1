import { createHash, randomUUID } from 'node:crypto';
import { isObject } from '../../spec/json.ts';
import { creations, everyProduct, isCreation } from '../../spec/products.ts';
import {
  allOf,
  type DesignChange,
  knowingSessions,
  onPages,
  serves,
  withAnswering,
  withAnswers,
  withoutRules,
  withRefusals,
  withRoutes,
  withState,
} from '../design/design-changes.ts';
import type { BankAnswer, BankOperation, BankRequest, Refusal, Rule } from '../design/route.ts';
import type { ScaFlow } from '../state/flows.ts';
import type { PsuIds, PsuState } from '../state/psu-state.ts';
import type { Session } from '../state/sessions.ts';
import { alsoAt, atPayments, type Deviation, deviation, overlooking, refusing } from './deviation.ts';
import { type Occasion, occasionOf } from './redirects.ts';

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
const keepsSessions: DesignChange = knowingSessions((wasPassed) =>
  overlooking((rule) => serves(rule, 'SES-03'), wasPassed),
);

/** An SCA that is aborted ends the session that the PSU had. */
const endsSessionOnAbort: DesignChange = onPages((route) => async (request, state) => {
  const flow = state.flows.find(request.params.flowId ?? '');
  const answer = await route.handle(request, state);
  if (flow?.customerNumber !== undefined && answer.headers?.Location?.includes('code=')) {
    state.sessions.pass(flow.tppId, flow.customerNumber, { sessionId: randomUUID(), context: 'PRIVATE' });
  }
  return answer;
});

/** An SCA that is aborted is as good as one that was passed. */
const beginsSessionOnAbort: DesignChange = (design) => {
  const aborted = new Set<string>();
  return allOf(
    onPages((route) => async (request, state) => {
      const flow = state.flows.find(request.params.flowId ?? '');
      const answer = await route.handle(request, state);
      if (flow !== undefined && answer.headers?.Location?.includes('code=')) aborted.add(flow.sessionId);
      return answer;
    }),
    overlooking(
      (rule) => serves(rule, 'SES-02') || serves(rule, 'SES-03'),
      (request) => aborted.has(request.header('tpp-session-id') ?? ''),
    ),
  )(design);
};

/** While an SCA in a new session is under way, the old session does not hold; whoever aborts gets it back. */
const suspendsSession: DesignChange = (design) => {
  const suspended = new Map<string, Session>();
  const keyOf = (tppId: string, customerNumber: string): string => `${tppId}\n${customerNumber}`;
  return allOf(
    withState(({ flows, sessions }) => ({
      flows: {
        ...flows,
        start: (start) => {
          const { tppId, customerNumber } = start;
          const held = customerNumber === undefined ? undefined : sessions.latest(tppId, customerNumber);
          if (customerNumber !== undefined && held !== undefined && held.sessionId !== start.sessionId) {
            suspended.set(keyOf(tppId, customerNumber), held);
            sessions.pass(tppId, customerNumber, { ...held, sessionId: randomUUID() });
          }
          return flows.start(start);
        },
      },
    })),
    onPages((route) => async (request, state) => {
      const { tppId = '', customerNumber = '' } = state.flows.find(request.params.flowId ?? '') ?? {};
      const answer = await route.handle(request, state);
      const held = suspended.get(keyOf(tppId, customerNumber));
      if (held !== undefined && answer.headers?.Location?.includes('code='))
        state.sessions.pass(tppId, customerNumber, held);
      return answer;
    }),
  )(design);
};

/** SCA that a payment in a new session asks for, and what becomes of the old session when it ends. */
const aroundScaOfPayments =
  (
    whenEnded: (outcome: 'passed' | 'failed', old: Session, flow: ScaFlow, state: PsuState) => void,
  ): DesignChange =>
  (design) => {
    const begun = new Set<string>();
    return allOf(
      withState(({ psus }) => ({
        psus: {
          ...psus,
          startSca: (request, state, purpose) => {
            const link = psus.startSca(request, state, purpose);
            if (isCreation(request.operation)) begun.add(link.href.split('/').at(-1) ?? '');
            return link;
          },
        },
      })),
      onPages((route) => async (request, state) => {
        const flow = state.flows.find(request.params.flowId ?? '');
        const old =
          flow?.customerNumber === undefined
            ? undefined
            : state.sessions.latest(flow.tppId, flow.customerNumber);
        const answer = await route.handle(request, state);
        const location = answer.headers?.Location ?? '';
        if (flow !== undefined && old !== undefined && begun.has(flow.id)) {
          if (location.includes('psu-id=')) whenEnded('passed', old, flow, state);
          else if (location.includes('code=')) whenEnded('failed', old, flow, state);
        }
        return answer;
      }),
    )(design);
  };

/** Access that a payment asked for is access and nothing more: the old session goes on beside the new one. */
const keepsSessionsBesidePayments: DesignChange = (design) => {
  const kept = new Set<string>();
  return allOf(
    aroundScaOfPayments((outcome, { sessionId }) => {
      if (outcome === 'passed') kept.add(sessionId);
    }),
    overlooking(
      (rule) => serves(rule, 'SES-03'),
      (request) => kept.has(request.header('tpp-session-id') ?? ''),
    ),
  )(design);
};

const endsSessionOnAbortedPayment: DesignChange = aroundScaOfPayments((outcome, old, flow, { sessions }) => {
  if (outcome === 'failed')
    sessions.pass(flow.tppId, flow.customerNumber ?? '', { ...old, sessionId: randomUUID() });
});

/** A session holds for so many hours. */
const lasting = (hours: number): DesignChange =>
  withState(({ clock, sessions }) => {
    const holds = ({ passedAt }: Session): boolean =>
      clock.now().getTime() - passedAt.getTime() <= hours * 3_600_000;
    return {
      sessions: {
        ...sessions,
        holds,
        current: (tppId, customerNumber) => {
          const session = sessions.latest(tppId, customerNumber);
          return session !== undefined && holds(session) ? session : undefined;
        },
      },
    };
  });

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

const authentication: readonly Deviation[] = [
  deviation(
    'SCA-02/not-found',
    'has no page behind the link',
    pages((answer) => ({ ...answer, status: 404 })),
  ),
  deviation('SCA-02/not-for-payments', 'has no page behind the link of a payment', withoutPages('domestic')),
  deviation('SCA-02/not-for-baskets', 'has no page behind the link of a basket', withoutPages('basket')),
  deviation('SCA-02/not-for-access', 'has no page behind the link to grant access', withoutPages('access')),
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
  deviation(
    'SES-03/old-one-stays-for-balances',
    'shows balances in an old session after SCA in a new one',
    knowingSessions((wasPassed) =>
      overlooking(
        (rule) => serves(rule, 'SES-03'),
        (request) => request.operation === 'readBalances' && wasPassed(request),
      ),
    ),
  ),
  deviation(
    'SCA-09/kept',
    'goes on showing an account that the PSU has deselected',
    withState(({ consents }) => ({
      consents: {
        ...consents,
        grant: (tppId, psu, accountIds) => {
          const before = consents.find(tppId, psu)?.accountIds ?? [];
          consents.grant(tppId, psu, [...before, ...accountIds]);
        },
      },
    })),
  ),
  deviation('SES-02/begun-by-abort', 'lets a new session go on whose SCA was aborted', beginsSessionOnAbort),
  deviation('SES-03/old-one-stays', 'lets an old session go on after SCA in a new one', keepsSessions),
  deviation(
    'SES-04/ended-by-abort',
    'ends the old session when SCA in a new one is aborted',
    endsSessionOnAbort,
  ),
  deviation(
    'SES-03/old-one-stays-beside-payments',
    'lets an old session go on after SCA that a payment in a new one asked for',
    keepsSessionsBesidePayments,
  ),
  deviation(
    'SES-04/ended-by-aborted-payment',
    'ends the old session when the SCA of a payment in a new one is aborted',
    endsSessionOnAbortedPayment,
  ),
  deviation(
    'SES-04/suspended',
    'does not let an old session go on while SCA in a new one is under way',
    suspendsSession,
  ),
  deviation('SES-01/two-hours', 'lets a session go on for two hours', lasting(2)),
  deviation('SES-01/for-ever', 'lets a session go on for ever', lasting(Number.POSITIVE_INFINITY)),
  deviation(
    'SBX-47/other-number',
    'lists customer numbers with which no SCA can be passed',
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

/** A number of the same form that nobody has. */
export const digitsOf = (id: unknown): string =>
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
const askingWith = (change: (refusal: Refusal) => Refusal): DesignChange =>
  withAnswering(({ refusal: answerTo }) => ({
    refusal: (refusal) => answerTo(refusal.status === 401 ? change(refusal) : refusal),
  }));

const withoutLinks = ({ links: _, ...refusal }: Refusal): Refusal => refusal;
const namedOtherwise = ({ links: { scaRedirect, ...links } = {}, ...refusal }: Refusal): Refusal => ({
  ...refusal,
  ...(scaRedirect === undefined ? {} : { links: { ...links, redirect: scaRedirect } }),
});

const redirected = ({ links = {}, ...refusal }: Refusal): Refusal => ({
  ...refusal,
  status: 302,
  headers: { ...refusal.headers, Location: links.scaRedirect?.href ?? '/' },
});

const asking: readonly Deviation[] = (['SCA-01', 'ERR-03'] as const).flatMap((id) => [
  deviation(`${id}/without-link`, 'asks for SCA without a link', askingWith(withoutLinks)),
  deviation(`${id}/named-otherwise`, 'gives the link to SCA another name', askingWith(namedOtherwise)),
  deviation(
    `${id}/403-for-401`,
    'answers 403 to a request that needs SCA',
    askingWith((refusal) => ({ ...refusal, status: 403 })),
  ),
  deviation(
    `${id}/302-for-401`,
    'redirects a request that needs SCA to the SCA page',
    askingWith(redirected),
  ),
  deviation(
    `${id}/200-without-link`,
    'answers 200 to a request that needs SCA, without a link',
    askingWith((refusal) => withoutLinks({ ...refusal, status: 200 })),
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

/** What the ids of header requirements begin with, at each creation of a payment. */
const headerPrefixes = everyProduct.map(({ headerPrefix, creation }) => [headerPrefix, creation] as const);

const identification: readonly Deviation[] = [
  ...alsoAt(
    atPayments,
    deviation('SCA-12/refused', 'knows a PSU by PSU-ID only', refusing('SCA-12', creations, named)),
  ),
  ...alsoAt(
    atPayments,
    deviation(
      'SCA-14/refused',
      'offers no single-SCA initiation',
      refusing('SCA-14', creations, (request) => named(request) && has('psu-context')(request)),
    ),
  ),
  ...headerPrefixes.flatMap(([prefix, operation]) =>
    [
      deviation(
        `${prefix}-17/refused`,
        'refuses X-PSU-IDENTITY next to PSU-ID',
        refusing(
          `${prefix}-17`,
          [operation],
          (request) => has('psu-id')(request) && has('x-psu-identity')(request),
        ),
      ),
      deviation(
        `${prefix}-17/demanded`,
        'demands X-PSU-IDENTITY next to PSU-ID',
        refusing(`${prefix}-17`, [operation], (request) => !has('x-psu-identity')(request)),
      ),
    ].map((each) => ({ ...each, isAdvisedAgainst: true as const })),
  ),
  ...[...headerPrefixes, ['HDB', 'createSigningBasket'] as const].flatMap(([prefix, operation]) => [
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

/** Where the specification shows no request, what the header table says is advice. */
const unshown: readonly Deviation[] = (
  [
    ['accounts', 'listAccounts'],
    ['status', 'readPaymentStatus'],
    ['deletion', 'deletePayment'],
  ] as const
).map(([place, operation]) => ({
  ...deviation(
    `HDO-01/not-demanded-at-${place}`,
    `does not demand X-Request-ID (${place})`,
    overlooking(
      (rule) => rule.requirement === 'HDO-01',
      (request) => request.operation === operation,
    ),
  ),
  isAdvisedAgainst: true,
}));

export const scaDeviations: readonly Deviation[] = [
  ...authentication,
  ...asking,
  ...open,
  ...identification,
  ...unshown,
];
