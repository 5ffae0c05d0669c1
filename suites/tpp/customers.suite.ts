import {
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

const day = 24 * 60 * 60 * 1000;

const queryOf = ({ target }: SeenExchange): URLSearchParams =>
  new URLSearchParams(target.split('?').slice(1).join('?'));

const notForThePage = ['Signature', 'TPP-Signature-Certificate', 'PSU-ID', 'PSU-Corporate-ID'] as const;

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

    each({
      id: 'TPP-22-together',
      title: 'PSU-ID and PSU-Corporate-ID belong together',
      requirement: 'TPP-22',
      looksAt: 'a request with PSU-ID and a PSU-Corporate-ID that the bank gave',
      expected: 'a PSU-Corporate-ID that the bank gave for this very PSU',
      of: (session) =>
        session.calls.filter(
          (exchange) =>
            exchange.recorded.psuId !== undefined &&
            psusOf(session, exchange.header('PSU-Corporate-ID')).length > 0,
        ),
      fault: (exchange, session) => {
        const corporateId = exchange.header('PSU-Corporate-ID');
        const { psuId } = exchange.recorded;
        return psusOf(session, corporateId).some((given) => given === psuId)
          ? undefined
          : `the bank gave the PSU-Corporate-ID ${corporateId} for another PSU than ${psuId}`;
      },
    }),

    tppCheck({
      id: 'TPP-24',
      title: 'the TPP keeps its TPP-Session-ID while the SCA is valid',
      requirement: 'TPP-24',
      looksAt: 'a request for a PSU who has passed SCA for access within the hour',
      expected: 'the TPP-Session-ID in which SCA was passed to be used again',
      judge: judgeSessions,
    }),

    each({
      id: 'TPP-46',
      title: 'without the PSU present, only transactions of the last 90 days are asked for',
      requirement: 'TPP-46',
      looksAt: 'transactions read without PSU-IP-Address',
      expected: `dateFrom and dateTo within the last ${limits.unattendedTransactionDays} days, or none of them`,
      of: (session) =>
        session
          .of('readTransactions', 'readCardTransactions')
          .filter((exchange) => exchange.header('PSU-IP-Address') === undefined),
      fault: (exchange) => {
        // Where the day begins is not said: one more is left to the TPP.
        const days = limits.unattendedTransactionDays + 1;
        const earliest = new Date(exchange.at.getTime() - days * day).toISOString().slice(0, 10);
        const old = ['dateFrom', 'dateTo'].find((name) => {
          const asked = queryOf(exchange).get(name) ?? '';
          return /^\d{4}-\d{2}-\d{2}$/.test(asked) && asked < earliest;
        });
        return old === undefined
          ? undefined
          : `${old} is ${queryOf(exchange).get(old)}, more than ${limits.unattendedTransactionDays} days back`;
      },
    }),

    tppCheck({
      id: 'TPP-51',
      title: 'the page of scaRedirect is opened by the PSU, without anything of the TPP',
      requirement: 'TPP-51',
      looksAt: 'a visit to the page of scaRedirect',
      expected: 'neither a signature, a certificate nor a PSU-ID to be sent to the page',
      judge: ({ exchanges }) => {
        const visits = exchanges.filter(({ operation }) => operation === 'page');
        const faults = visits.flatMap((exchange) => {
          const sent = notForThePage.filter((name) => exchange.headers.has(name));
          return sent.length === 0 ? [] : [{ exchange, problem: `it carries ${sent.join(' and ')}` }];
        });
        return findingOf(visits, faults);
      },
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

/** What the PSU is sent for. A request that names its PSU already asks for SCA anew. */
type Reason = ScaLink['kind'] | 'renewal';

const reasonOf = ({ kind, exchange }: ScaLink): Reason =>
  kind === 'access' && exchange.header('PSU-ID') !== undefined ? 'renewal' : kind;

const reasons: readonly Reason[] = ['access', 'renewal', 'payment', 'basket'];

/** One PSU may drop out on the way; that all of them do says that nobody sends them. */
const fewestLinks = 2;

/**
 * Not every link has to be followed: a PSU may drop out before the page is opened, a TPP may ask again while the PSU is
 * on the way, payments may be approved by their basket, and a false answer must not be obeyed. What is found out is a
 * TPP that is given a kind of link again and again, and never sends anybody there.
 */
function judgeRedirects(session: Session): Finding | undefined {
  const links = session.scaLinks.filter(
    (link) =>
      link.exchange.recorded.provocation !== 'forged-response' &&
      session.after(link.exchange).length > 0 &&
      !isSettledOtherwise(session, link),
  );
  const isOpen = ({ flowId }: ScaLink): boolean => session.opened(flowId) !== undefined;
  const faults = reasons.flatMap((reason): readonly Fault[] => {
    const alike = links.filter((link) => reasonOf(link) === reason);
    const [first] = alike;
    if (first === undefined || alike.length < fewestLinks || alike.some(isOpen)) return [];
    const problem = `it was answered with scaRedirect (${reason}), as were ${alike.length} requests in all, but no PSU was ever sent to such a link`;
    return [{ exchange: first.exchange, problem }];
  });
  const finding = findingOf(
    links.map(({ exchange }) => exchange),
    faults,
  );
  const left = links.filter((link) => !isOpen(link)).length;
  return finding !== undefined && finding.actual === undefined && left > 0
    ? { ...finding, notes: [`${left} of ${links.length} links were not followed.`] }
    : finding;
}

const paymentIdIn = ({ exchange }: ScaLink): string => textAt(exchange.answer.json, 'paymentId') ?? '';

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
      .filter(isForAPsu)
      .filter((exchange) => sessionIdOf(exchange) === parameters.sessionId && !looked.includes(exchange));
    looked.push(...later);
    faults.push(
      ...later
        .filter((exchange) => exchange.header('PSU-ID') === undefined)
        .filter((exchange) => isOfSamePsu(session, exchange, parameters.psuId))
        .map((exchange) => ({ exchange, problem: `PSU-ID ${parameters.psuId} is not sent` })),
    );
  }
  return findingOf(looked, faults);
}

/**
 * Sandbox data belongs to nobody. X-PSU-IDENTITY is the alternative on payment creation, and a payment or basket that
 * names nobody lacks a required header, which is judged there.
 */
const isForAPsu = ({ operation }: SeenExchange): boolean => !/^create|^unknown$|sandbox/i.test(operation);

/**
 * Two PSUs may share a TPP-Session-ID, so that one of them still has to be learned. Who a request without PSU-ID was for
 * shows when the PSU comes back from the SCA that it led to.
 */
function isOfSamePsu(session: Session, exchange: SeenExchange, psuId: string | undefined): boolean {
  const link = session.linkOf(exchange);
  return link === undefined || session.passed(link.flowId)?.parameters.psuId === psuId;
}

/** Agreements that a listing told a TPP of. */
function agreementsIn({ answer }: SeenExchange): readonly string[] {
  const agreements = memberAt(answer.json, 'agreements');
  return Array.isArray(agreements) ? agreements.map((agreement) => textAt(agreement, 'id') ?? '') : [];
}

/** The PSUs for whom the bank gave a PSU-Corporate-ID, in a redirect or in a listing of agreements. */
const psusOf = (session: Session, corporateId: string | undefined): readonly (string | undefined)[] => [
  ...passedReturns(session)
    .filter(({ parameters }) => corporateId !== undefined && parameters.psuCorporateId === corporateId)
    .map(({ parameters }) => parameters.psuId),
  ...session
    .of('listAgreements')
    .filter((listing) => corporateId !== undefined && agreementsIn(listing).includes(corporateId))
    .map(({ recorded }) => recorded.psuId),
];

function judgeCorporate(session: Session): Finding | undefined {
  const looked: SeenExchange[] = [];
  const faults: Fault[] = [];
  const listed = new Set(session.of('listAgreements').flatMap(agreementsIn));
  for (const back of passedReturns(session).filter(({ parameters }) => parameters.context === 'CORPORATE')) {
    const { sessionId, psuId, psuCorporateId } = back.parameters;
    const next = passedReturns(session).find(
      ({ exchange, parameters }) =>
        exchange.number > back.exchange.number && parameters.sessionId === sessionId,
    );
    for (const exchange of session.after(back.exchange)) {
      if (sessionIdOf(exchange) !== sessionId || exchange.operation === 'listAgreements') continue;
      if (next !== undefined && exchange.number > next.exchange.number) continue;
      if (exchange.header('PSU-ID') === undefined) continue;
      // Another PSU may share the session.
      if ((exchange.recorded.psuId ?? psuId) !== psuId) continue;
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

/** The second page and those after it belong to the reading that began with the first. */
const isLaterPage = (exchange: SeenExchange): boolean => Number(queryOf(exchange).get('offset') ?? 0) > 0;

function judgeUnattended(session: Session): Finding | undefined {
  const looked = session
    .of('readBalances', 'readTransactions')
    .filter((exchange) => exchange.header('PSU-IP-Address') === undefined && !isLaterPage(exchange));
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
