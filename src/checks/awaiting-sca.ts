import { toAnother } from '../payloads/creditors.ts';
import { member, parsedJson } from '../spec/json.ts';
import { createdBy } from '../spec/products.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call } from '../tpp/call.ts';
import { scaLinkOf } from '../tpp/sca/start-sca.ts';
import { withBody } from './call-body.ts';
import type { CheckContext } from './context.ts';
import { KeptInRun, TurnsInRun } from './kept-in-run.ts';
import { Inconclusive, isRefusedRepetition, NotApplicable } from './outcomes.ts';
import { isAfterSca } from './through-sca.ts';

/** What a run has seen of payments of one kind. */
interface Seen {
  /** Some came with a link at which the PSU approves them. */
  linked: boolean;
  /** So many payments in a row to accounts that are made up were refused. */
  refusedStrangers: number;
  /** To so many accounts that nobody else was to be paid on. */
  strangers: number;
  /** So many in a row asked for no SCA. */
  missed: number;
}

const seenInRun = new KeptInRun<string, Seen>();

/** A payment that went without SCA. */
interface Exempt {
  /** What was seen of others of its kind. */
  readonly seen: Seen;
  /** It is settled or about to be, by its status: whether others may still be signed says nothing of it. */
  readonly isExecuted: boolean;
}

/** By their ids. */
const exemptInRun = new KeptInRun<'ids', Map<unknown, Exempt>>();

const exemptIn = ({ run }: CheckContext): Map<unknown, Exempt> => exemptInRun.of(run, 'ids', () => new Map());

const executed: readonly (string | undefined)[] = ['ACSC', 'ACSP'];

/** A bank that pays only accounts that it knows refuses so many that are made up. */
const fewStrangers = 3;

/** Where one in five asks for SCA, as many without are next to impossible; where none ever did, some more are enough. */
const mostMissed = { whereSomeAsk: 60, whereNoneDid: 6 } as const;

const mostCreations = 5;

/**
 * Creates payments, each with another amount, until one is not refused for having died on the way and been sent
 * again, and awaits the PSU: others are executed at once (freedom sca/exempt).
 */
export async function createAnew(
  context: CheckContext,
  draw: () => Call | Promise<Call>,
  send: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  const payments: Payments = { draw, create: (call) => createOnce(call, draw, send) };
  const drawn = await draw();
  const first = await payments.create(drawn);
  const seen = seenInRun.of(context.run, kindOf(drawn), nothing);
  if (isAwaiting(first)) return noted(seen, first);
  if (!first.isSuccess) return first;
  const isExecuted = executed.includes(first.text('transactionStatus'));
  exemptIn(context).set(first.text('paymentId'), { seen, isExecuted });
  // What is executed at once moves money: outside a sandbox nobody creates more of it than a check needs.
  if (context.target.environment !== 'sandbox') return first;
  if (!isWorthTrying(seen) || (isAfterSca(first) && !seen.linked)) return first;
  const tryOthers = () => anotherThatAwaits(context, seen, payments);
  // What one finds out spares the others the same.
  const found = await (seen.linked ? tryOthers() : turns.take(context.run, tryOthers));
  return found === undefined ? first : noted(seen, found);
}

interface Payments {
  draw(this: void): Call | Promise<Call>;
  /** The answer to a payment, or to another where this one died on the way and its repetition was refused. */
  create(this: void, call: Call): Promise<Answer>;
}

const turns = new TurnsInRun();

async function anotherThatAwaits(
  context: CheckContext,
  seen: Seen,
  { draw, create }: Payments,
): Promise<Answer | undefined> {
  for (let number = 1; isWorthTrying(seen); number += 1) {
    const call = await draw();
    const isToAnother = number % 2 === 1 && canBeMadeUp(context, call, seen);
    const answer = await create(isToAnother ? paidToAnother(call, seen) : call);
    if (isAwaiting(answer)) return answer;
    // Only now: many are under way side by side.
    seen.missed += 1;
    if (isToAnother) seen.refusedStrangers = isRefused(answer) ? seen.refusedStrangers + 1 : 0;
  }
  return undefined;
}

function noted(seen: Seen, answer: Answer): Answer {
  seen.linked = true;
  seen.missed = 0;
  return answer;
}

/** A bank need not take into a basket what it has executed at once: such a refusal says nothing of the basket. */
export function mustAwaitSca(context: CheckContext, { exchange, status }: Answer): void {
  const ids = [member(parsedJson(exchange.request.body), 'paymentIds')].flat();
  const exempt = ids.flatMap((id) => exemptIn(context).get(id) ?? []);
  if (status < 400) return;
  if (exempt.some(({ seen }) => seen.linked))
    throw new Inconclusive(
      'A payment of the basket did not ask for SCA, as others of its kind do, so that there was nothing to sign.',
    );
  if (exempt.some(({ isExecuted }) => isExecuted))
    throw new NotApplicable(
      'A payment of the basket did not ask for SCA, and was executed at once, so that there was nothing to sign. Where the bank has no such payments signed, declare signing-baskets as notOffered in the target file.',
    );
}

async function createOnce(
  drawn: Call,
  draw: () => Call | Promise<Call>,
  send: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  let call = drawn;
  for (let number = 1; ; number += 1) {
    const answer = await send(call);
    if (number === mostCreations || !isRefusedRepetition(answer)) return answer;
    call = await draw();
  }
}

const nothing = (): Seen => ({ linked: false, refusedStrangers: 0, strangers: 0, missed: 0 });

const kindOf = ({ operation, psu }: Call): string =>
  psu?.corporateId === undefined ? operation : `${operation} of a company`;

const isRefused = ({ status, asksForSca }: Answer): boolean => status >= 400 && status < 500 && !asksForSca;

const isAwaiting = (answer: Answer): boolean => answer.isSuccess && scaLinkOf(answer) !== undefined;

const isWorthTrying = ({ linked, missed }: Seen): boolean =>
  missed < (linked ? mostMissed.whereSomeAsk : mostMissed.whereNoneDid);

function canBeMadeUp(context: CheckContext, { operation }: Call, { refusedStrangers }: Seen): boolean {
  const product = createdBy(operation);
  return (
    product !== undefined &&
    refusedStrangers < fewStrangers &&
    context.facts.creditors?.[product.name] === undefined
  );
}

function paidToAnother(call: Call, seen: Seen): Call {
  const product = createdBy(call.operation);
  if (product === undefined) return call;
  return withBody(call, (body) => {
    seen.strangers += 1;
    return toAnother(product.name, body, seen.strangers);
  });
}
