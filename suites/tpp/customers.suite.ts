import { isDeepStrictEqual } from 'node:util';
import {
  each,
  type Fault,
  type Finding,
  findingOf,
  type SeenExchange,
  type Session,
  tppCheck,
} from '../../src/certification/index.ts';
import { suite } from '../../src/checks/check.ts';
import { dayMs, daysBefore, isoDate } from '../../src/spec/days.ts';
import { memberAt, textAt } from '../../src/spec/json.ts';
import { limits } from '../../src/spec/limits.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';
import {
  judgeRedirects,
  judgeSessions,
  judgeSessionsOfOthers,
  passedReturns,
  sessionIdOf,
} from './sessions.ts';

const queryOf = ({ target }: SeenExchange): URLSearchParams =>
  new URLSearchParams(target.split('?').slice(1).join('?'));

/** What a browser never sends by itself. X-Request-ID is left out: a proxy of the PSU may add one. */
const notForThePage = [
  'Signature',
  'TPP-Signature-Certificate',
  'TPP-Session-ID',
  'TPP-Redirect-URI',
  'PSU-ID',
  'PSU-Corporate-ID',
  'X-PSU-IDENTITY',
  'PSU-IP-Address',
] as const;

export default suite('Customers and SCA', ['Authentication', 'PSU identification and SCA'], () => [
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
    fault: (exchange, session) => {
      const sent = exchange.header('PSU-ID');
      // Whose PSU it is shows the bank by the certificate; one that it cannot read is another fault.
      if (passedReturns(session).some(({ parameters }) => parameters.psuId === sent)) return undefined;
      const given = exchange.recorded.psuId;
      if (given === undefined) return `the bank never gave the PSU-ID ${sent}`;
      if (sent === given) return undefined;
      // One pseudonym stands for both in a report.
      return sent?.toLowerCase() === given.toLowerCase()
        ? `PSU-ID is ${sent}, of which the bank wrote letters in the other case`
        : `PSU-ID is ${sent}, the bank gave ${given}`;
    },
  }),

  tppCheck({
    id: 'TPP-21-kept',
    title: 'PSU-ID is sent on all later requests for the PSU',
    requirement: 'TPP-21',
    looksAt:
      'a request in a session in which SCA was passed before, or about a payment that was created or an account that was listed with PSU-ID',
    expected: 'PSU-ID to be sent, once the redirect has told it',
    judge: judgeKeptPsuId,
  }),

  each({
    id: 'TPP-21-owner',
    title: 'a payment is read, deleted and put into a basket for the PSU who made it',
    requirement: 'TPP-21',
    looksAt: 'a request with PSU-ID about a payment of a private PSU',
    expected: 'the PSU-ID under which the payment was created',
    of: (session) =>
      session.calls.filter(
        (exchange) => exchange.recorded.psuId !== undefined && ownersOf(session, exchange).length > 0,
      ),
    fault: (exchange, session) => {
      const { psuId } = exchange.recorded;
      const owner = ownersOf(session, exchange).find((id) => id !== psuId);
      return owner === undefined ? undefined : `PSU-ID is ${psuId}, the payment was created for ${owner}`;
    },
  }),

  tppCheck({
    id: 'TPP-21-session',
    title: 'PSU-ID is sent in a session of that PSU',
    requirement: 'TPP-21',
    looksAt: 'a request with PSU-ID in a session in which SCA was passed before',
    expected: 'the PSU-ID of a PSU who passes SCA in the session',
    judge: judgeSessionsOfOthers,
  }),

  tppCheck({
    id: 'TPP-22',
    title: 'in corporate context the TPP sends PSU-ID and PSU-Corporate-ID',
    requirement: 'TPP-22',
    looksAt:
      'a request in a session in which the PSU chose to act for a company, or with PSU-Corporate-ID alone',
    expected: 'the psu-corporate-id of the redirect in PSU-Corporate-ID, next to PSU-ID',
    judge: judgeCorporate,
  }),

  each({
    id: 'TPP-22-together',
    title: 'PSU-ID and PSU-Corporate-ID belong together',
    requirement: 'TPP-22',
    looksAt: 'a request with PSU-ID and PSU-Corporate-ID',
    expected: 'a PSU-Corporate-ID that the bank gave for this very PSU',
    of: (session) =>
      session.calls.filter(
        (exchange) => exchange.recorded.psuId !== undefined && Boolean(exchange.header('PSU-Corporate-ID')),
      ),
    fault: (exchange, session) => {
      const corporateId = exchange.header('PSU-Corporate-ID');
      const { psuId } = exchange.recorded;
      const givenFor = psusOf(session, corporateId);
      if (givenFor.length === 0) {
        // Where the bank knows it all the same, the TPP has it from before.
        return exchange.status < 400
          ? undefined
          : `the bank never gave the PSU-Corporate-ID ${corporateId}, neither in a redirect nor among agreements`;
      }
      return givenFor.some((given) => given === psuId)
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
      const earliest = isoDate(daysBefore(exchange.at, days));
      const old = [...queryOf(exchange)].find(([name, asked]) => {
        // Whoever adds a time to it asks for that day all the same.
        const isDay = /^\d{4}-\d{2}-\d{2}(?!\d)/.test(asked);
        return /^date(?:From|To)$/.test(name) && isDay && asked.slice(0, 10) < earliest;
      });
      return old === undefined
        ? undefined
        : `${old.join(' is ')}, more than ${limits.unattendedTransactionDays} days back`;
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
]);

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
        .filter((exchange) => !exchange.header('PSU-ID'))
        .filter((exchange) => isOfSamePsu(session, exchange, parameters.psuId))
        .map((exchange) => ({ exchange, problem: `PSU-ID ${parameters.psuId} is not sent` })),
    );
  }
  for (const exchange of session.calls.filter((call) => !looked.includes(call))) {
    const named = namedPsuOf(session, exchange);
    if (named === undefined) continue;
    looked.push(exchange);
    if (!exchange.header('PSU-ID')) {
      faults.push({ exchange, problem: `PSU-ID ${named.psuId} is not sent, with which ${named.since}` });
    }
  }
  return findingOf(looked, faults);
}

/**
 * Sandbox data belongs to nobody. X-PSU-IDENTITY is the alternative on payment creation, and a payment or basket that
 * names nobody lacks a required header, which is judged there.
 */
const isForAPsu = ({ operation }: SeenExchange): boolean => !/^create|^unknown$|sandbox/i.test(operation);

/** Who asks for one payment, basket or account knows whose it is. */
const isAboutOne = ({ operation }: SeenExchange): boolean => /^(?:read|delete)/.test(operation);

/**
 * Two PSUs may share a TPP-Session-ID, so that one of them still has to be learned. Who a request without PSU-ID was for
 * shows when the PSU comes back from the SCA that it led to.
 */
function isOfSamePsu(session: Session, exchange: SeenExchange, psuId: string | undefined): boolean {
  const link = session.linkOf(exchange);
  return (
    link === undefined || isAboutOne(exchange) || session.passed(link.flowId)?.parameters.psuId === psuId
  );
}

interface NamedPsu {
  readonly psuId: string;
  /** What was done with that PSU-ID. */
  readonly since: string;
}

/** Under which PSU-ID the TPP has learned of what it asks for: a payment that it has created, an account that was listed. */
function namedPsuOf(session: Session, exchange: SeenExchange): NamedPsu | undefined {
  if (!isAboutOne(exchange)) return undefined;
  const isEarlier = ({ number }: SeenExchange): boolean => number < exchange.number;
  const ids = paymentsOf(exchange);
  const creation = session.payments.find(({ id }) => ids.includes(id))?.exchange;
  if (creation !== undefined)
    return isEarlier(creation) ? namedIn(creation, 'the payment was created') : undefined;
  const [, account = ''] = /\/accounts\/([^/]+)\//.exec(exchange.path) ?? [];
  const listing = session
    .of('listAccounts')
    .find((each) => isEarlier(each) && accountsIn(each).includes(percentDecoded(account) ?? ''));
  return listing === undefined ? undefined : namedIn(listing, 'the account was listed');
}

function namedIn(exchange: SeenExchange, since: string): NamedPsu | undefined {
  const psuId = exchange.recorded.psuId && exchange.header('PSU-ID');
  return psuId ? { psuId, since } : undefined;
}

function accountsIn({ answer }: SeenExchange): readonly unknown[] {
  const accounts = memberAt(answer.json, 'accounts');
  return Array.isArray(accounts) ? accounts.map((account) => memberAt(account, 'resourceId')) : [];
}

/** The private PSUs for whom the payments of a request were created. For a company several people may act. */
function ownersOf(session: Session, exchange: SeenExchange): readonly string[] {
  const ids = paymentsOf(exchange);
  return session.payments
    .filter(({ id, exchange: creation }) => ids.includes(id) && creation.number < exchange.number)
    .filter(({ exchange: creation }) => creation.header('PSU-Corporate-ID') === undefined)
    .flatMap(({ exchange: creation }) => creation.recorded.psuId ?? []);
}

function paymentsOf({ operation, path, json }: SeenExchange): readonly unknown[] {
  if (operation === 'createSigningBasket') {
    const ids = memberAt(json, 'paymentIds');
    return Array.isArray(ids) ? ids : [];
  }
  if (!/^(?:read|delete)Payment/.test(operation)) return [];
  const [, id = ''] = /\/payments\/[^/]+\/([^/]+)/.exec(path) ?? [];
  return [percentDecoded(id)].filter((decoded) => decoded !== undefined);
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
  const alone = session.calls.filter(namesNobodyFor);
  return findingOf(
    [...looked, ...alone],
    [
      ...faults,
      ...alone.map((exchange) => ({ exchange, problem: 'PSU-Corporate-ID is sent without PSU-ID' })),
    ],
  );
}

/** An agreement without the PSU who acts by it. */
const namesNobodyFor = (exchange: SeenExchange): boolean =>
  isForAPsu(exchange) && Boolean(exchange.header('PSU-Corporate-ID')) && !exchange.header('PSU-ID');

/** The second page and those after it belong to the reading that began with the first: each of them counts by itself. */
const pageOf = (exchange: SeenExchange): number =>
  /Transactions$/.test(exchange.operation) ? Number(queryOf(exchange).get('offset') ?? 0) || 0 : 0;

function judgeUnattended(session: Session): Finding | undefined {
  const looked = session
    .of('readBalances', 'readTransactions', 'readCardBalances', 'readCardTransactions')
    .filter((exchange) => exchange.header('PSU-IP-Address') === undefined);
  const faults = looked.flatMap((exchange) => {
    const recent = looked.filter(
      (other) =>
        isDeepStrictEqual(other.pathParts, exchange.pathParts) &&
        pageOf(other) === pageOf(exchange) &&
        other.number <= exchange.number &&
        exchange.at.getTime() - other.at.getTime() < dayMs,
    );
    return recent.length > limits.unattendedCalls
      ? [{ exchange, problem: `it is the ${recent.length}th call for this account within 24 hours` }]
      : [];
  });
  return findingOf(looked, faults);
}
