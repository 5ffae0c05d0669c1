import {
  asksTheSame,
  type Fault,
  type Finding,
  findingOf,
  type Return,
  type ScaLink,
  type SeenExchange,
  type Session,
} from '../../src/certification/index.ts';
import { isUuid } from '../../src/spec/formats.ts';
import { memberAt, textAt } from '../../src/spec/json.ts';
import { limits } from '../../src/spec/limits.ts';
import { everyProduct } from '../../src/spec/products.ts';

/** One that is empty is missing, which is judged by itself. */
export const sessionIdOf = (exchange: SeenExchange): string | undefined =>
  exchange.header('TPP-Session-ID') || undefined;

export const passedReturns = ({ returns }: Session): readonly Return[] =>
  returns.filter(({ passed }) => passed);

/** So often no PSU changes the device, or aborts a new session, in the middle of a payment. */
const fewestLost = 3;

/** A session may begin with any of these; who follows a payment up, or signs several, is in the middle of one. */
const isBeginning = ({ operation }: SeenExchange): boolean =>
  /^(?:start|list)/.test(operation) || (/^create/.test(operation) && operation !== 'createSigningBasket');

/**
 * A new session is allowed at any time, at the price of a new SCA, and the old one goes on where that is aborted
 * (Limits). What is found out is a TPP that does not come back in the sessions for which it had the PSU pass SCA, or
 * that asks about payments in sessions for which it never does.
 */
export function judgeSessions(session: Session): Finding | undefined {
  const used: SeenExchange[] = [];
  const faults: (Fault & { readonly isTelling: boolean })[] = [];
  for (const { exchange: back, flowId, parameters } of passedReturns(session)) {
    const asking = session.scaLinks.find(
      (link) => link.kind === 'access' && link.flowId === flowId,
    )?.exchange;
    if (asking === undefined) continue;
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
        isTelling: !isBeginning(asking) || isAskedAgain(asking, later),
      });
    }
  }
  const looked = [...used, ...faults.map(({ exchange }) => exchange)];
  const telling = faults.filter(({ isTelling }) => isTelling);
  const lost = used.length === 0 ? faults : telling.length < fewestLost ? [] : telling;
  const spoilt = spoiltIn(session);
  return findingOf(
    [...looked, ...spoilt.map(({ exchange }) => exchange)],
    [...lost, ...followUpsElsewhere(session), ...spoilt],
  );
}

/** Letters and digits: what gets lost on the way of an id is their case, and what stands between them. */
const plain = (id: string): string => id.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** Whether one is what has become of the other. Ids that are counted begin alike: what is cut is told of a UUID alone. */
function isSpoiltForm(sent: string, id: string): boolean {
  const [bare, whole] = [plain(sent), plain(id)];
  return bare === whole || (isUuid(id) && (whole.startsWith(bare) || whole.endsWith(bare)));
}

/** Requests with what has become of the id of a session: in the other case, decoded, stripped or cut on its way through the TPP. */
function spoiltIn(session: Session): readonly Fault[] {
  // The first time that each PSU passed SCA there: later times say nothing about what was sent before them.
  const kept = new Map(
    passedReturns(session)
      .map(({ exchange, parameters: { sessionId = '', psuId } }) => {
        return [`${psuId} ${sessionId}`, { id: sessionId, psuId, number: exchange.number }] as const;
      })
      .toReversed(),
  );
  return session.calls.flatMap((exchange): Fault[] => {
    const sent = sessionIdOf(exchange);
    // A short id says too little, and two of them may look alike.
    if (sent === undefined || exchange.recorded.psuId === undefined || plain(sent).length < 12) return [];
    const meant = [...kept.values()].find(
      ({ id, number, psuId }) =>
        id !== sent &&
        psuId === exchange.recorded.psuId &&
        number < exchange.number &&
        isSpoiltForm(sent, id),
    );
    const problem = `its TPP-Session-ID is ${sent}, a changed form of ${meant?.id}, in which SCA was passed`;
    return meant === undefined ? [] : [{ exchange, problem }];
  });
}

/** Whether a payment that SCA was passed for is created once more, which a PSU at another device would not ask for. */
const isAskedAgain = (asking: SeenExchange, later: readonly SeenExchange[]): boolean =>
  asking.method === 'POST' && later.some((exchange) => asksTheSame(exchange, asking));

/** Requests about a payment, each in a session of its own in which the PSU was never sent to SCA. */
function followUpsElsewhere(session: Session): readonly Fault[] {
  const opened = new Set(
    session.scaLinks
      .filter(({ flowId }) => session.opened(flowId) !== undefined)
      .map(({ exchange }) => sessionIdOf(exchange)),
  );
  const strangers = session
    .of('readPaymentStatus', 'readPayment', 'deletePayment')
    .filter(({ answer, recorded }) => answer.asksForSca && recorded.psuId !== undefined)
    .filter((exchange) => sessionIdOf(exchange) !== undefined && !opened.has(sessionIdOf(exchange)));
  const ids = new Set(strangers.map(sessionIdOf));
  return ids.size < fewestLost
    ? []
    : strangers.map((exchange) => ({
        exchange,
        problem: `its TPP-Session-ID is ${sessionIdOf(exchange)}, for which no PSU was sent to SCA`,
      }));
}

/**
 * PSUs may share a session, and one of them may never finish SCA there. Found out is a PSU-ID that comes again and again
 * in a session that others have passed SCA for, although its PSU has passed it elsewhere.
 */
export function judgeSessionsOfOthers(session: Session): Finding | undefined {
  const returns = passedReturns(session);
  const hasPassed = (psuId: string | undefined, sessionId: string | undefined): boolean =>
    returns.some(({ parameters }) => parameters.psuId === psuId && parameters.sessionId === sessionId);
  const looked = session.calls.filter(
    (exchange) =>
      exchange.recorded.psuId !== undefined &&
      returns.some(
        ({ exchange: back, parameters }) =>
          back.number < exchange.number && parameters.sessionId === sessionIdOf(exchange),
      ),
  );
  const strange = looked.filter((exchange) => !hasPassed(exchange.recorded.psuId, sessionIdOf(exchange)));
  const faults = strange.map((exchange) => ({
    exchange,
    problem: `PSU-ID is ${exchange.recorded.psuId}, who never passed SCA in this session, as others did`,
  }));
  return findingOf(looked, strange.length < fewestLost ? [] : faults);
}

/** What the PSU is sent for. A request that names its PSU already asks for SCA anew. */
type Reason = ScaLink['kind'] | 'renewal';

const reasonOf = ({ kind, exchange }: ScaLink): Reason =>
  kind === 'access' && exchange.header('PSU-ID') !== undefined ? 'renewal' : kind;

interface Kind {
  readonly name: string;
  readonly includes: (link: ScaLink) => boolean;
  /** One PSU may drop out on the way; that all of so many do says that nobody sends them. */
  readonly fewest: number;
}

const kinds: readonly Kind[] = (['access', 'renewal', 'payment', 'basket'] as const).map((reason) => ({
  name: reason,
  includes: (link) => reasonOf(link) === reason,
  fewest: 2,
}));

/** What a TPP may have forgotten in a part of its code. The smaller the part, the more links have to be left. */
const kindsOfPayment: readonly Kind[] = [
  ...everyProduct.map(
    ({ word, creation }): Kind => ({
      name: `${word} payment`,
      includes: ({ kind, exchange }) => kind === 'payment' && exchange.operation === creation,
      fewest: 3,
    }),
  ),
  {
    name: 'payment of a company',
    includes: ({ kind, exchange }) => kind === 'payment' && exchange.header('PSU-Corporate-ID') !== undefined,
    fewest: 3,
  },
];

/**
 * Not every link has to be followed: a PSU may drop out before the page is opened, a TPP may ask again while the PSU is
 * on the way, payments may be approved by their basket, and a false answer must not be obeyed. What is found out is a
 * TPP that is given a kind of link again and again, and never sends anybody there.
 */
export function judgeRedirects(session: Session): Finding | undefined {
  const links = session.scaLinks.filter(
    (link) =>
      link.exchange.recorded.provocation !== 'forged-response' &&
      session.after(link.exchange).length > 0 &&
      !isSettledOtherwise(session, link),
  );
  const isOpen = ({ flowId }: ScaLink): boolean => session.opened(flowId) !== undefined;
  const neverFollowed = ({ name, includes, fewest }: Kind): readonly Fault[] => {
    const alike = links.filter(includes);
    const [first] = alike;
    if (first === undefined || alike.length < fewest || alike.some(isOpen)) return [];
    const problem = `it was answered with scaRedirect (${name}), as were ${alike.length} requests in all, but no PSU was ever sent to such a link`;
    return [{ exchange: first.exchange, problem }];
  };
  const whole = kinds.flatMap(neverFollowed);
  const faults = whole.length > 0 ? whole : kindsOfPayment.flatMap(neverFollowed);
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
  return inBasket || session.of('deletePayment').some((deletion) => deletion.isAbout(id));
}
