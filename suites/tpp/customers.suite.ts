import {
  asksTheSame,
  each,
  type Fault,
  type Finding,
  findingOf,
  type Return,
  type ScaLink,
  type SeenExchange,
  type Session,
  tppCheck,
} from '../../src/certification/index.ts';
import { suite } from '../../src/checks/check.ts';
import { memberAt, textAt } from '../../src/spec/json.ts';
import { limits } from '../../src/spec/limits.ts';

const sessionIdOf = (exchange: SeenExchange): string | undefined => exchange.header('TPP-Session-ID');

export default suite(
  'Customers and SCA',
  ['Authentication', 'PSU identification and SCA'],
  [
    tppCheck({
      id: 'TPP-20',
      title: 'the TPP inspects each response for scaRedirect and sends the PSU there',
      requirement: 'TPP-20',
      looksAt: 'an answer with a link named scaRedirect, and requests after it',
      expected: 'the PSU to be sent to the link',
      judge: judgeRedirects,
    }),

    each({
      id: 'TPP-21-unchanged',
      title: 'PSU-ID is sent as the bank gave it',
      requirement: 'TPP-21',
      looksAt: 'a request with PSU-ID',
      expected: 'a psu-id of a redirect, unchanged',
      // What is no UUID is judged by its type.
      of: ({ calls }) => calls.filter((exchange) => /^[0-9a-f-]{36}$/i.test(exchange.header('PSU-ID') ?? '')),
      fault: (exchange) => {
        const sent = exchange.header('PSU-ID');
        const given = exchange.recorded.psuId;
        if (given === undefined) return `the bank never gave the PSU-ID ${sent}`;
        return sent === given ? undefined : `PSU-ID is ${sent}, the bank gave ${given}`;
      },
    }),

    tppCheck({
      id: 'TPP-21-kept',
      title: 'PSU-ID is sent on all later requests for the PSU',
      requirement: 'TPP-21',
      looksAt: 'a request in a session in which SCA was passed before',
      expected: 'PSU-ID to be sent, once the redirect has told it',
      judge: judgeKeptPsuId,
    }),

    tppCheck({
      id: 'TPP-22',
      title: 'in corporate context the TPP sends PSU-ID and PSU-Corporate-ID',
      requirement: 'TPP-22',
      looksAt: 'a request in a session in which the PSU chose to act for a company',
      expected: 'the psu-corporate-id of the redirect in PSU-Corporate-ID, next to PSU-ID',
      judge: judgeCorporate,
    }),

    tppCheck({
      id: 'TPP-24',
      title: 'the TPP keeps its TPP-Session-ID while the SCA is valid',
      requirement: 'TPP-24',
      looksAt: 'a request for a PSU who has passed SCA for access within the hour',
      expected: 'the TPP-Session-ID in which SCA was passed to be used again',
      judge: judgeSessions,
    }),

    tppCheck({
      id: 'TPP-37',
      title: 'without the PSU present, balances and transactions are read at most 4 times in 24 hours',
      requirement: 'TPP-37',
      looksAt: 'balances or transactions read without PSU-IP-Address',
      expected: `at most ${limits.unattendedCalls} calls in 24 hours for an account`,
      judge: judgeUnattended,
    }),
  ],
);

/**
 * Not every link has to be followed: payments may be approved by their basket, several answers may ask for the same
 * SCA, and a false answer must not be obeyed. What is found out is a TPP that asks again without SCA, that goes on
 * with a payment nobody approved, or that never follows one kind of link.
 */
function judgeRedirects(session: Session): Finding | undefined {
  const links = session.scaLinks.filter(
    ({ exchange }) =>
      exchange.recorded.provocation !== 'forged-response' && session.after(exchange).length > 0,
  );
  const isOpen = ({ flowId }: ScaLink): boolean => session.opened(flowId) !== undefined;
  const faults: Fault[] = [];
  for (const link of links.filter((candidate) => !isOpen(candidate))) {
    const again = repeatedWithoutSca(session, link);
    if (again !== undefined) {
      faults.push({
        exchange: again,
        problem: `it repeats request ${link.exchange.number}, which was answered with scaRedirect, but no PSU was sent there`,
      });
    } else if (link.kind === 'payment' && wasReadWithoutApproval(session, link)) {
      faults.push({
        exchange: link.exchange,
        problem: 'its payment was read later, but no PSU was ever sent to approve it',
      });
    }
  }
  for (const kind of ['access', 'payment', 'basket'] as const) {
    const ofKind = links.filter(
      (link) => link.kind === kind && !(kind === 'payment' && isSettledOtherwise(session, link)),
    );
    const [first] = ofKind;
    if (first !== undefined && !ofKind.some(isOpen)) {
      faults.push({
        exchange: first.exchange,
        problem: `it was answered with scaRedirect (${kind}), but no PSU was ever sent to such a link`,
      });
    }
  }
  const finding = findingOf(
    links.map(({ exchange }) => exchange),
    faults,
  );
  const left = links.filter((link) => !isOpen(link) && !isSettledOtherwise(session, link)).length;
  return finding !== undefined && finding.actual === undefined && left > 0
    ? { ...finding, notes: [`${left} of ${links.length} links were not followed.`] }
    : finding;
}

/**
 * Asking again is no fault while the PSU is on the way: a TPP may poll. So all attempts at the same thing are looked
 * at together, from the first answer with a link to the one that no longer asks for SCA.
 */
function repeatedWithoutSca(session: Session, { exchange, kind }: ScaLink): SeenExchange | undefined {
  if (kind !== 'access') return undefined;
  const attempts = session.after(exchange).filter((later) => asksTheSame(later, exchange));
  const end = attempts.find(({ answer }) => !answer.asksForSca)?.number ?? Number.POSITIVE_INFINITY;
  const isUnderWay = session.scaLinks
    .filter((link) => link.kind === 'access' && sessionIdOf(link.exchange) === sessionIdOf(exchange))
    .flatMap(({ flowId }) => session.visits(flowId))
    .some(({ number }) => number > exchange.number && number < end);
  return isUnderWay ? undefined : attempts[0];
}

const paymentIdIn = ({ exchange }: ScaLink): string => textAt(exchange.answer.json, 'paymentId') ?? '';

function wasReadWithoutApproval(session: Session, link: ScaLink): boolean {
  const path = `/${encodeURIComponent(paymentIdIn(link))}`;
  return (
    !isSettledOtherwise(session, link) &&
    session.of('readPayment', 'readPaymentStatus').some((exchange) => exchange.path.includes(path))
  );
}

/** Put into a basket, or deleted. */
function isSettledOtherwise(session: Session, link: ScaLink): boolean {
  const id = paymentIdIn(link);
  if (id === '') return false;
  const inBasket = session.of('createSigningBasket').some(({ json }) => {
    const ids = memberAt(json, 'paymentIds');
    return Array.isArray(ids) && ids.includes(id);
  });
  return (
    inBasket || session.of('deletePayment').some(({ path }) => path.endsWith(`/${encodeURIComponent(id)}`))
  );
}

const passedReturns = ({ returns }: Session): readonly Return[] => returns.filter(({ passed }) => passed);

function judgeKeptPsuId(session: Session): Finding | undefined {
  const looked: SeenExchange[] = [];
  const faults: Fault[] = [];
  for (const { exchange: back, parameters } of passedReturns(session)) {
    const later = session
      .after(back)
      .filter((exchange) => sessionIdOf(exchange) === parameters.sessionId && !looked.includes(exchange));
    looked.push(...later);
    faults.push(
      ...later
        .filter((exchange) => exchange.header('PSU-ID') === undefined && !lacksAnyIdentity(exchange))
        .map((exchange) => ({ exchange, problem: `PSU-ID ${parameters.psuId} is not sent` })),
    );
  }
  return findingOf(looked, faults);
}

/** A payment that names nobody lacks a required header, which is judged there. */
const lacksAnyIdentity = (exchange: SeenExchange): boolean =>
  exchange.operation.startsWith('create') && exchange.header('X-PSU-IDENTITY') === undefined;

function judgeCorporate(session: Session): Finding | undefined {
  const looked: SeenExchange[] = [];
  const faults: Fault[] = [];
  const listed = new Set(
    session.of('listAgreements').flatMap(({ answer }) => {
      const agreements = memberAt(answer.json, 'agreements');
      return Array.isArray(agreements) ? agreements.map((agreement) => textAt(agreement, 'id') ?? '') : [];
    }),
  );
  for (const back of passedReturns(session).filter(({ parameters }) => parameters.context === 'CORPORATE')) {
    const { sessionId, psuCorporateId } = back.parameters;
    const next = passedReturns(session).find(
      ({ exchange, parameters }) =>
        exchange.number > back.exchange.number && parameters.sessionId === sessionId,
    );
    for (const exchange of session.after(back.exchange)) {
      if (sessionIdOf(exchange) !== sessionId || exchange.operation === 'listAgreements') continue;
      if (next !== undefined && exchange.number > next.exchange.number) continue;
      if (exchange.header('PSU-ID') === undefined) continue;
      looked.push(exchange);
      const sent = exchange.header('PSU-Corporate-ID');
      if (sent === undefined) faults.push({ exchange, problem: 'PSU-Corporate-ID is missing' });
      else if (sent !== psuCorporateId && !listed.has(sent)) {
        faults.push({ exchange, problem: `PSU-Corporate-ID is ${sent}, the bank gave ${psuCorporateId}` });
      }
    }
  }
  return findingOf(looked, faults);
}

/**
 * A new session is allowed at any time, at the price of a new SCA. What is found out is a TPP that never comes back
 * in the session for which it had the PSU pass SCA.
 */
function judgeSessions(session: Session): Finding | undefined {
  const access = new Set(
    session.scaLinks.filter(({ kind }) => kind === 'access').map(({ flowId }) => flowId),
  );
  const used: SeenExchange[] = [];
  const faults: Fault[] = [];
  for (const { exchange: back, flowId, parameters } of passedReturns(session)) {
    if (!access.has(flowId)) continue;
    const next = passedReturns(session).find(
      ({ exchange, parameters: other }) => exchange.number > back.number && other.psuId === parameters.psuId,
    );
    const later = session
      .after(back)
      .filter(
        (exchange) =>
          exchange.recorded.psuId === parameters.psuId &&
          sessionIdOf(exchange) !== undefined &&
          exchange.number < (next?.exchange.number ?? Number.POSITIVE_INFINITY) &&
          exchange.at.getTime() - back.at.getTime() <= limits.sessionSeconds * 1000,
      );
    const [first] = later;
    if (first === undefined) continue;
    if (later.some((exchange) => sessionIdOf(exchange) === parameters.sessionId)) used.push(first);
    else {
      faults.push({
        exchange: first,
        problem: `its TPP-Session-ID is ${sessionIdOf(first)}, SCA was passed in ${parameters.sessionId}`,
      });
    }
  }
  const looked = [...used, ...faults.map(({ exchange }) => exchange)];
  return findingOf(looked, used.length > 0 ? [] : faults);
}

const day = 24 * 60 * 60 * 1000;

function judgeUnattended(session: Session): Finding | undefined {
  const looked = session
    .of('readBalances', 'readTransactions')
    .filter((exchange) => exchange.header('PSU-IP-Address') === undefined);
  const faults = looked.flatMap((exchange) => {
    const recent = looked.filter(
      (other) =>
        other.path === exchange.path &&
        other.number <= exchange.number &&
        exchange.at.getTime() - other.at.getTime() < day,
    );
    return recent.length > limits.unattendedCalls
      ? [{ exchange, problem: `it is the ${recent.length}th call for this account within 24 hours` }]
      : [];
  });
  return findingOf(looked, faults);
}
