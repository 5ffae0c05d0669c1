import { createHash, randomUUID } from 'node:crypto';
import { textAt } from '../../spec/json.ts';
import { creations, everyProduct, initiations, isCreation, products } from '../../spec/products.ts';
import {
  afterPages,
  allOf,
  type DesignChange,
  granting,
  knowingSessions,
  onPages,
  serves,
  whenSca,
  withAnswers,
  withoutRules,
  withRefusals,
  withRoutes,
  withSealed,
  withState,
  withStore,
} from '../design/design-changes.ts';
import { heldWhere } from '../design/held-sessions.ts';
import type { BankAnswer, BankOperation, BankRequest, BankState, Rule } from '../design/route.ts';
import { startedByTheTpp } from '../dialects/authorisations.ts';
import { awaitsApproval } from '../payments/approval.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import type { ActingPsu } from '../state/customers.ts';
import { type ApprovalTarget, approvalOf, type ScaFlow } from '../state/flows.ts';
import type { Payment } from '../state/payment-store.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { Session, SessionStore } from '../state/sessions.ts';
import { askingDeviations, deadLinksIn } from './asking-for-sca.ts';
import {
  advised,
  at,
  atPayments,
  both,
  type Condition,
  each,
  inHeader,
  isOfACompany,
  marked,
  not,
  overlooking,
  serving,
  table,
} from './deviation.ts';
import { afterFlows, elsewhere, isFor, occasionOf, where, without } from './redirect-changes.ts';
import { type Customer, customers } from './sandbox.ts';
import { isNamedByIdentity } from './single-sca.ts';

type IsMeant = (flow: ScaFlow) => boolean;
const always = (): boolean => true;

/** The PSU has said who they are, and cancels on a later page. */
const isLate: IsMeant = ({ identified }) => identified !== undefined;
const isApproval: IsMeant = (flow) => approvalOf(flow) !== undefined;

/** Whoever has passed SCA, or would have. */
const psuOf = (flow: ScaFlow): ActingPsu | undefined => {
  const customerNumber = flow.identified?.customerNumber ?? flow.customerNumber;
  return customerNumber === undefined
    ? undefined
    : { customerNumber, agreementId: flow.chosenAgreementId ?? flow.agreementId };
};

/** Every redirect gives another PSU-ID, and all of them name the PSU. */
const changingIds = withStore('psuIds', (psuIds) => {
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
});

const pages = (change: (answer: BankAnswer, flow: ScaFlow | undefined) => BankAnswer): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'GET'
      ? {
          ...route,
          handle: async (request, state) =>
            change(await route.handle(request, state), state.flows.find(request.params.flowId ?? '')),
        }
      : route,
  );

/** Boxes of accounts come unticked, on the pages of some. */
const unticking = (isMeant: IsMeant): DesignChange =>
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
export const numberedOtherwise = (isMeant: (customer: Customer) => boolean) =>
  customers((customer) =>
    isMeant(customer) ? { ...customer, customerNumber: digitsOf(customer.customerId) } : customer,
  );

/** SCA is kept for some only, on the pages where it is passed. */
const passingFor = (isMeant: (session: Pick<Session, 'context'>) => boolean): DesignChange =>
  onPages((route) => (request, state) => {
    const pass: SessionStore['pass'] = (tppId, customerNumber, session) => {
      if (isMeant(session)) state.sessions.pass(tppId, customerNumber, session);
    };
    return route.handle(request, { ...state, sessions: { ...state.sessions, pass } });
  });

const keyOf = (tppId: string, other: string): string => `${tppId}\n${other}`;

const firstOfSession = withStore('flows', (flows) => {
  const first = new Map<string, string | undefined>();
  return {
    start: (start) => {
      const key = keyOf(start.tppId, start.sessionId);
      if (!first.has(key)) first.set(key, start.redirectUri);
      return flows.start({ ...start, redirectUri: first.get(key) });
    },
  };
});

const sharedByTpps = withStore('consents', (consents) => ({
  grant: (tppId, psu, accountIds) => {
    consents.grant(tppId, psu, accountIds);
    consents.grant('', psu, accountIds);
  },
  find: (tppId, psu) => consents.find('', psu) ?? consents.find(tppId, psu),
}));

/** What is left of the accounts that were granted. */
const leavingGranted = (kind: ApprovalTarget['kind'], left: (ids: readonly string[]) => readonly string[]) =>
  whenSca('passed', (flow, { consents }) => {
    const psu = psuOf(flow);
    const granted = psu && consents.find(flow.tppId, psu);
    if (psu !== undefined && granted !== undefined && approvalOf(flow)?.kind === kind)
      consents.grant(flow.tppId, psu, left([...granted.accountIds]));
  });

/** What was granted is kept by TPP, whoever has granted it. */
const grantingToTpps = withStore('consents', (consents) => {
  const anybody = (psu: ActingPsu): ActingPsu => ({ ...psu, customerNumber: '' });
  return {
    grant: (tppId, psu, accountIds) => consents.grant(tppId, anybody(psu), accountIds),
    renew: (tppId, psu) => consents.renew(tppId, anybody(psu)),
    find: (tppId, psu) => consents.find(tppId, anybody(psu)),
  };
});

/** One of the accounts that the PSU has granted to other TPPs is forgotten when they grant some to this one. */
const losingOneElsewhere = whenSca('passed', (flow, { consents, sessions }) => {
  if (isApproval(flow)) return;
  for (const { tppId, customerNumber, agreementId } of [...sessions.list()]) {
    if (tppId === flow.tppId || customerNumber !== psuOf(flow)?.customerNumber) continue;
    const granted = consents.find(tppId, { customerNumber, agreementId });
    if (granted !== undefined)
      consents.grant(tppId, { customerNumber, agreementId }, [...granted.accountIds].slice(1));
  }
});

/** Links of some requests that open no page. */
const deadFor = (isMeant: (request: BankRequest) => boolean): DesignChange =>
  withSealed((sealed, request) => (request !== undefined && isMeant(request) ? deadLinksIn(sealed) : sealed));

/** An SCA that is aborted ends the session that the PSU had. */
const endsSessionOnAbort = (isMeant: IsMeant): DesignChange =>
  whenSca('cancelled', (flow, { sessions }) => {
    if (flow.customerNumber !== undefined && isMeant(flow))
      sessions.pass(flow.tppId, flow.customerNumber, { sessionId: randomUUID(), context: 'PRIVATE' });
  });

const isInSession = (ids: ReadonlySet<string>) => (request: BankRequest) =>
  ids.has(request.header('tpp-session-id') ?? '');

/** An SCA that is aborted is as good as one that was passed. */
const beginsSessionOnAbort =
  (isMeant: IsMeant): DesignChange =>
  (design) => {
    const aborted = new Set<string>();
    return allOf(
      whenSca('cancelled', (flow) => void (isMeant(flow) && aborted.add(flow.sessionId))),
      overlooking(serving('SES-02', 'SES-03'), isInSession(aborted)),
    )(design);
  };

/** While an SCA in a new session is under way, the old session does not hold; whoever aborts gets it back. */
const suspendsSession: DesignChange = (design) => {
  const suspended = new Map<string, Session>();
  return allOf(
    withStore('flows', (flows, { sessions }) => ({
      start: (start) => {
        const { tppId, customerNumber = '', sessionId } = start;
        const held = sessions.latest(tppId, customerNumber);
        if (held !== undefined && held.sessionId !== sessionId) {
          suspended.set(keyOf(tppId, customerNumber), held);
          sessions.pass(tppId, customerNumber, { ...held, sessionId: randomUUID() });
        }
        return flows.start(start);
      },
    })),
    whenSca('cancelled', ({ tppId, customerNumber = '' }, { sessions }) => {
      const held = suspended.get(keyOf(tppId, customerNumber));
      if (held !== undefined) sessions.pass(tppId, customerNumber, held);
    }),
  )(design);
};

/** SCA that a payment in a new session asks for, and what becomes of the old session when it ends. */
const aroundScaOfPayments =
  (
    outcome: 'passed' | 'cancelled',
    act: (old: Session, flow: ScaFlow, state: PsuState) => void,
  ): DesignChange =>
  (design) => {
    const begun = new Set<string>();
    const sign = outcome === 'passed' ? 'psu-id=' : 'code=';
    return allOf(
      withStore('psus', (psus) => ({
        startSca: (request, state, purpose) => {
          const link = psus.startSca(request, state, purpose);
          if (isCreation(request.operation)) begun.add(link.href.split('/').at(-1) ?? '');
          return link;
        },
      })),
      onPages((route) => async (request, state) => {
        const flow = state.flows.find(request.params.flowId ?? '');
        const old = flow && state.sessions.latest(flow.tppId, flow.customerNumber ?? '');
        const answer = await route.handle(request, state);
        if (flow && old && begun.has(flow.id) && answer.headers?.Location?.includes(sign) === true)
          act(old, flow, state);
        return answer;
      }),
    )(design);
  };

/** Access that a payment asked for is access and nothing more: the old session goes on beside the new one. */
const keepsSessionsBesidePayments: DesignChange = (design) => {
  const kept = new Set<string>();
  return allOf(
    aroundScaOfPayments('passed', ({ sessionId }) => void kept.add(sessionId)),
    overlooking(serving('SES-03'), isInSession(kept)),
  )(design);
};

const endsSessionOnAbortedPayment = aroundScaOfPayments('cancelled', (old, flow, { sessions }) => {
  if (flow.sessionId !== old.sessionId)
    sessions.pass(flow.tppId, flow.customerNumber ?? '', { ...old, sessionId: randomUUID() });
});

/** SCA ends the sessions of all others of the same TPP, or of the same PSU. */
const sharingSessions = (by: 'tppId' | 'customerNumber'): DesignChange =>
  withStore('sessions', (sessions) => ({
    pass: (tppId, customerNumber, session) => {
      for (const other of sessions.list())
        if (other[by] === { tppId, customerNumber }[by])
          sessions.pass(other.tppId, other.customerNumber, { ...other, passedAt: new Date(0) });
      sessions.pass(tppId, customerNumber, session);
    },
  }));

/** A session holds for so many hours. */
const lasting = (hours: number): DesignChange =>
  withState(({ clock, sessions }) => ({
    sessions: heldWhere(
      sessions,
      ({ passedAt }) => clock.now().getTime() - passedAt.getTime() <= hours * 3_600_000,
    ),
  }));

/** Whoever passed SCA in the session of the request, and in no newer one, may go on for ever. */
const isOfTheLatest: Condition = (request, state) => {
  const psu = identifyPsu(request, state);
  const session = psu && state.sessions.latest(psu.tppId, psu.customerNumber);
  return session !== undefined && session.sessionId === request.header('tpp-session-id');
};

/** A session that was passed once is good for ever, at some operations. */
const keepsSessions = (isMeant: (request: BankRequest) => boolean): DesignChange =>
  knowingSessions((wasPassed) => overlooking(serving('SES-03'), both(isMeant, wasPassed)));

/** What the PSU has cancelled is approved all the same. */
const approvedWhenCancelled = (isMeant: IsMeant) =>
  whenSca('cancelled', (flow) => {
    if (flow.customerNumber !== undefined && isMeant(flow))
      approvalOf(flow)?.approve({ customerNumber: flow.customerNumber, agreementId: flow.agreementId });
  });

/** Whoever comes in place of the PSU is turned away, and what they came for is approved all the same. */
const approvedWhenTurnedAway = afterPages((_, flow, { customers }, { bytes }) => {
  const number = new URLSearchParams(bytes.toString('utf8')).get('nationalId')?.replaceAll(' ', '');
  const comer = number === undefined ? undefined : customers.byNumber(number);
  const { customerNumber, agreementId } = flow;
  if (customerNumber !== undefined && comer !== undefined && comer.customerNumber !== customerNumber)
    approvalOf(flow)?.approve({ customerNumber, agreementId });
  return undefined;
});

/** The TPP alone approves a payment, by starting its authorisation once more. */
const approvedByStarting = (isMeant: (earlier: readonly ScaFlow[]) => boolean): DesignChange => {
  const started = new Map<string, ScaFlow[]>();
  return withAnswers(['startPaymentAuthorisation'], (answer, { params: { paymentId = '' } }, state) => {
    const earlier = started.get(paymentId) ?? [];
    const link = textAt(answer.body, '_links', 'scaRedirect', 'href');
    const flow = state.flows.find(link?.split('/').at(-1) ?? '');
    const payment = state.payments.get(paymentId);
    if (payment !== undefined && isMeant(earlier))
      state.payments.update({ ...payment, transactionStatus: 'ACTC', approvedAt: state.clock.now() });
    if (flow !== undefined) started.set(paymentId, [...earlier, flow]);
    return answer;
  });
};

/** What passing SCA does to what it is about. */
export const approving = (
  change: (approval: ApprovalTarget, state: BankState) => ApprovalTarget['approve'],
): DesignChange =>
  withStore('flows', (flows, state) => ({
    start: (start) => {
      const approval = approvalOf(start);
      const purpose = approval && { ...approval, approve: change(approval, state) };
      return flows.start(purpose === undefined ? start : { ...start, purpose });
    },
  }));

/** SCA at the link of one payment counts for others of its PSU. */
const approvedTogether = (isMeant: (other: Payment, approval: ApprovalTarget) => boolean): DesignChange =>
  approving((approval, { payments, customers }) => (psu) => {
    const failure = approval.approve(psu);
    const customerId = customers.byNumber(psu.customerNumber)?.customerId;
    for (const payment of failure === undefined ? payments.values() : [])
      if (payment.customerId === customerId && awaitsApproval(payment) && isMeant(payment, approval))
        payments.update({ ...payment, approvedAt: payment.createdAt, transactionStatus: 'ACTC' });
    return failure;
  });

const reading: readonly BankOperation[] = [
  'listAccounts',
  'readBalances',
  'readTransactions',
  'startUserFlow',
];
const whatIsRead = [
  ['balances', 'readBalances'],
  ['transactions', 'readTransactions'],
] as const;

const guards = (rule: Rule): boolean => serves(rule, 'SCA-01') || serves(rule, 'SES-02');
const guardsReading = (rule: Rule, operation: BankOperation): boolean =>
  reading.includes(operation) && guards(rule);

/** What the ids of header requirements begin with, at each creation of a payment. */
const headerPrefixes = everyProduct.map(
  ({ headerPrefix, creation, word }) => [headerPrefix, creation, word] as const,
);
const hasBoth = both(inHeader('psu-id'), inHeader('x-psu-identity'));

// biome-ignore format: a table
const authentication = table(
  ['SCA-02/not-found', 'has no page behind the link', pages((answer) => ({ ...answer, status: 404 }))],
  each([['payments', 'of a payment', products.domestic.word], ['baskets', 'of a basket', 'basket'], ['access', 'to grant access', 'access']], (way, what, occasion) =>
    [`SCA-02/not-for-${way}`, `has no page behind the link ${what}`, pages((answer, flow) => (flow !== undefined && occasionOf(flow) === occasion ? { status: 404 } : answer))]),
  ['SCA-02/json', 'has no page for people behind the link', pages(() => ({ status: 200, body: { status: 'started' } }))],
  ['SCA-02/blank', 'has nothing on the page behind the link', pages(() => ({ status: 200, text: { type: 'text/html; charset=utf-8', content: '' } }))],
  ['SCA-02/server-error', 'breaks down at the page behind the link', pages((answer) => ({ ...answer, status: 500 }))],
  ['SCA-04/changes', 'gives another PSU-ID at every SCA', changingIds],
  ['SCA-05/same-for-all', 'gives every TPP the same PSU-ID for a PSU',
    withStore('psuIds', (psuIds) => ({ idFor: (_, customerNumber) => psuIds.idFor('', customerNumber), customerNumberOf: (_, psuId) => psuIds.customerNumberOf('', psuId) }))],
  ['SCA-06/asks-again', 'asks for SCA again after it was passed', passingFor(() => false)],
  ['SCA-06/asks-people-again', 'asks a person for SCA again after it was passed, and no company', passingFor(({ context }) => context === 'CORPORATE')],
  ['SCA-03/first-of-session', 'sends the PSU to the address of the first request in the session', firstOfSession],
  ['SCA-09/kept', 'goes on showing an account that the PSU has deselected', granting((ticked, before) => [...(before ?? []), ...ticked])],
  ['SCA-09/none-is-no-change', 'leaves the consent as it was when the PSU deselects all that is left',
    granting((ticked, _, psu, { customers }) => psu.agreementId !== undefined || customers.accountsOf(psu.customerNumber).some(({ id }) => ticked.includes(id)) ? ticked : undefined)],
  ['SCA-09/granted-by-cancelling', 'shows all accounts once the PSU has cancelled at the list of them',
    whenSca('cancelled', ({ tppId, identified, chosenAgreementId }, { customers, consents }) => {
      if (identified === undefined) return;
      const psu = { customerNumber: identified.customerNumber, agreementId: chosenAgreementId };
      consents.grant(tppId, psu, customers.reachableAccounts(psu).map(({ id }) => id));
    })],
  ['SCA-09/cards-kept', 'goes on showing a card account that the PSU has deselected',
    granting((ticked, before, psu, state) => [...ticked, ...cardsOf(psu, state).filter((id) => before?.has(id))])],
  ['SCA-09/cards-with-accounts', 'shows every card account as soon as any account is granted',
    granting((ticked, _, psu, state) => (ticked.length === 0 ? [] : [...ticked, ...cardsOf(psu, state)]))],
  ['SCA-09/shared-by-tpps', 'shows a TPP the accounts that the PSU has granted to another one since', sharedByTpps],
  ['SCA-19/unticked', 'ticks no box of an account that was granted before', unticking(always)],
  ['SCA-19/unticked-for-companies', 'ticks no box of an account that a company has granted before', unticking(({ identified }) => identified?.context === 'CORPORATE')],
  ['SBX-47/other-number', 'lists customer numbers with which no SCA can be passed', numberedOtherwise(always)],
  askingDeviations,
  each(whatIsRead, (what, operation) => [`ERR-03/${what}-for-all`, 'shows what an account holds in any session of the PSU', withoutRules((rule, where) => where === operation && guards(rule)), { also: ['SES-02'] }]),
  ['SCA-01/open', 'lets everyone read accounts', withoutRules(guardsReading)],
  ['SCA-01/redirect', 'redirects to SCA by itself instead of answering 401', withRefusals(guardsReading, { status: 303 })],
  ['SCA-12/refused', 'knows a PSU by PSU-ID only', { refuse: isNamedByIdentity, at: creations }, { alsoAt: atPayments }],
  ['SCA-14/refused', 'offers no single-SCA initiation', { refuse: both(isNamedByIdentity, inHeader('psu-context')), at: creations }, { alsoAt: atPayments }],
  marked(advised, each(headerPrefixes, (prefix) => table(
    [`${prefix}-17/refused`, 'refuses X-PSU-IDENTITY next to PSU-ID', { refuse: hasBoth }],
    [`${prefix}-17/demanded`, 'demands X-PSU-IDENTITY next to PSU-ID', { refuse: not(inHeader('x-psu-identity')) }],
  ))),
  each([...headerPrefixes, ['HDB', 'createSigningBasket', 'basket']], (prefix, operation, place) => table(
    [`${prefix}-18/refused`, 'refuses PSU-Corporate-ID', { refuse: isOfACompany, at: [operation] }, { place }],
    [`${prefix}-18/demanded`, 'demands PSU-Corporate-ID of private PSUs', { refuse: not(isOfACompany), at: [operation] }, { place }],
    [`COR-02/refused-at-${operation}`, 'refuses corporate requests', { refuse: isOfACompany, at: [operation] }],
  )),
  // Where the specification shows no request, what the header table says is advice.
  marked(advised, each([
    ['accounts', 'listAccounts'], ['status', 'readPaymentStatus'], ['deletion', 'deletePayment'], ['balances', 'readBalances'],
    ['agreements', 'listAgreements'], ['details', 'readPayment'], ['basket-status', 'readSigningBasketStatus'], ['customer-creation', 'createSandboxCustomer'],
  ], (place, operation) => [`HDO-01/not-demanded-at-${place}`, `does not demand X-Request-ID (${place})`,
    // What is demanded of the listing is demanded of everything in the sandbox by this bank.
    { overlook: at(operation), rules: () => ({ requirement }) => requirement === 'HDO-01' || requirement === 'HDS-07' }])),
  each([
    ['', 'SCA was cancelled', always],
    ['-of-access', 'SCA for access was cancelled', isFor('access')],
    ['-of-baskets', 'the approval of a basket was cancelled', isFor('basket')],
  ], (which, when, isMeant) => [`SCA-03/failures${which}-elsewhere`, `sends the PSU to an address of its own when ${when}`, afterFlows(isMeant, where(/[?&]code=/, elsewhere))]),
);

/** What a bank can get wrong about the time that SCA holds (Limits, TPP-Session-ID). */
// biome-ignore format: a table
const sessions = table(
  each(whatIsRead, (what, operation) => [`SES-03/old-one-stays-for-${what}`, `shows ${what} in an old session after SCA in a new one`, keepsSessions(at(operation))]),
  ['SES-02/begun-by-abort', 'lets a new session go on whose SCA was aborted', beginsSessionOnAbort(always)],
  ['SES-02/begun-by-late-abort', 'lets a new session go on whose SCA was aborted once the PSU was identified', beginsSessionOnAbort(isLate)],
  ['SES-04/ended-by-late-abort', 'ends the old session when SCA in a new one is aborted once the PSU was identified', endsSessionOnAbort(isLate)],
  each([['RDF-02', 'status'], ['RDF-03', 'code'], ['RDF-04', 'message']], (id, name) => [`${id}/missing-when-late`, `leaves ${name} out of the redirect where SCA is cancelled once the PSU was identified`, afterFlows(isLate, without(name))]),
  ['RDF-05/psu-id-when-late', 'names the PSU in the redirect where SCA is cancelled once the PSU was identified',
    afterFlows(isLate, where(/code=/, (location) => `${location}&psu-id=${randomUUID()}`))],
  ['SES-03/old-one-stays', 'lets an old session go on after SCA in a new one', keepsSessions(always)],
  ['SES-04/ended-by-abort', 'ends the old session when SCA in a new one is aborted', endsSessionOnAbort(always)],
  ['SES-03/old-one-stays-beside-payments', 'lets an old session go on after SCA that a payment in a new one asked for', keepsSessionsBesidePayments],
  ['SES-04/ended-by-aborted-payment', 'ends the old session when the SCA of a payment in a new one is aborted', endsSessionOnAbortedPayment],
  ['SCA-08/one-session-for-all-tpps', 'keeps one session for each PSU, so that SCA for a TPP ends that for another', sharingSessions('customerNumber')],
  ['SCA-08/one-session-for-all-psus', 'keeps one session for each TPP, so that SCA of a PSU ends that of another', sharingSessions('tppId')],
  ['SES-04/suspended', 'does not let an old session go on while SCA in a new one is under way', suspendsSession],
  each(whatIsRead, (what, operation) => [`SES-01/${what}`, `shows ${what} in a session for ever`, { overlook: (request, state) => at(operation)(request) && isOfTheLatest(request, state), rules: serving }]),
  ['SES-01/two-hours', 'lets a session go on for two hours', lasting(2)],
  ['SES-01/for-ever', 'lets a session go on for ever', lasting(Number.POSITIVE_INFINITY)],
);

/** What a bank does to something else than what it was asked for. */
// biome-ignore format: a table
const sideEffects = table(
  ['ACC-01/emptied-by-payments', 'forgets which accounts the PSU has granted when a payment is approved', leavingGranted('payment', () => [])],
  ['ACC-01/one-lost-by-payments', 'forgets one of the accounts that the PSU has granted when a payment is approved', leavingGranted('payment', (ids) => ids.slice(1))],
  ['ACC-01/emptied-by-baskets', 'forgets which accounts the PSU has granted when a basket is approved', leavingGranted('basket', () => [])],
  ['ACC-01/replaced-by-another-psu', 'keeps what was granted to a TPP in one place, so that what a PSU grants takes the place of what another has granted', grantingToTpps],
  ['ACC-01/one-lost-for-another-tpp', 'forgets one of the accounts that a PSU has granted to a TPP when they grant some to another', losingOneElsewhere],
  ['SES-04/ended-by-cancelled-approval', 'ends the session when the approval of a payment is cancelled',
    whenSca('cancelled', (flow, state) => {
      const psu = psuOf(flow);
      if (psu === undefined || !isApproval(flow)) return;
      const context = psu.agreementId === undefined ? 'PRIVATE' : 'CORPORATE';
      state.sessions.pass(flow.tppId, psu.customerNumber, { sessionId: randomUUID(), context, agreementId: psu.agreementId });
    })],
  each(initiations, (operation) => [`COR-03/empty-at-${operation}`, `takes an empty PSU-Corporate-ID for none, whoever it speaks for (${operation})`,
    { overlook: both(at(operation), inHeader('psu-corporate-id', '')), rules: () => ({ requirement }) => requirement.startsWith('COR-') }]),
  ['SCA-02/dead-for-app', 'gives a request with TPP-Redirect-Preferred false a link scaRedirect that leads nowhere', deadFor(both(inHeader('tpp-redirect-preferred'), not(inHeader('tpp-redirect-preferred', 'true'))))],
  ['SCA-02/dead-for-companies', 'gives a company a link scaRedirect that leads nowhere', deadFor(isOfACompany)],
  ['SCA-02/dead-for-baskets-of-companies', 'gives the basket of a company a link scaRedirect that leads nowhere', deadFor(both(at('createSigningBasket'), isOfACompany))],
  ['SCA-02/dead-when-named', 'gives a payment of a PSU who is named by X-PSU-IDENTITY a link scaRedirect that leads nowhere', deadFor(isNamedByIdentity)],
  ['SCA-02/dead-in-the-browser', 'gives a domestic payment of a person with a PSU-ID a link scaRedirect that leads nowhere, unless it is for the app',
    deadFor(both(at(products.domestic.creation), inHeader('psu-id'), not(isOfACompany), not(inHeader('tpp-redirect-preferred', 'false'))))],
  // What nobody has approved is approved.
  ['SES-05/approves-all', 'takes all payments of a PSU for approved when one of them is', approvedTogether(({ standsStill }) => standsStill !== true)],
  ['SES-05/approves-those-abroad', 'takes all cross-border payments of a PSU for approved when one of them is',
    approvedTogether(({ product }, approval) => product === products.crossBorder.path && product === approval.product)],
  ['OWN-03/started-twice', 'takes a payment for approved whose authorisation is started a second time', [startedByTheTpp, approvedByStarting((earlier) => earlier.length === 1)]],
  ['OWN-03/started-after-cancelling', 'takes a payment for approved whose authorisation is started again once the PSU has cancelled',
    [startedByTheTpp, approvedByStarting((earlier) => earlier.some(({ step }) => step === 'finished'))]],
  ['OWN-03/cancelled', 'approves a payment whose approval the PSU has cancelled', approvedWhenCancelled(always)],
  ['OWN-03/cancelled-baskets', 'approves the payments of a basket whose approval the PSU has cancelled', approvedWhenCancelled(isFor('basket'))],
  ['OWN-03/turned-away', 'turns another PSU away from the approval of a payment, which is approved all the same', approvedWhenTurnedAway],
);

export const scaDeviations = [...authentication, ...sessions, ...sideEffects];
