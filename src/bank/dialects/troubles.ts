import { setTimeout as sleep } from 'node:timers/promises';
import { member } from '../../spec/json.ts';
import { initiations } from '../../spec/products.ts';
import {
  allOf,
  type DesignChange,
  withAnswering,
  withLatency,
  withRefusalAnswers,
  withRules,
} from '../design/design-changes.ts';
import type { BankAnswer, BankRequest, Rule } from '../design/route.ts';
import { type Dialect, deciding, dialect, independent } from './dialect.ts';
import { alsoRefusing } from './own-choice.ts';

/**
 * True at every so many calls, so that a request that is tried again goes through. Seldom, since a TPP who is turned away
 * more often slows down for good.
 */
function every(count: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % count === 0;
  };
}

/** The answer goes another way now and then, after the bank has done what was asked. */
const afterwards =
  (count: number, change: (answer: BankAnswer) => BankAnswer): DesignChange =>
  (design) => {
    const isDue = every(count);
    return withAnswering(({ finish }) => ({
      finish: async (answer, request) => {
        const finished = await finish(answer, request);
        return request?.operation !== 'page' && isDue() ? change(finished) : finished;
      },
    }))(design);
  };

/** So long one of two machines lacks what the other one has. */
const behindMs = 1_000;

/** The one that is behind takes every other basket from the second on: nobody learns of it from the first one. */
const oneMachineBehind: DesignChange = (design) => {
  const isItsTurn = every(2);
  return alsoRefusing(
    ['createSigningBasket'],
    ({ body }, { payments, clock }) => {
      const ids: unknown = member(body, 'paymentIds');
      const created = (Array.isArray(ids) ? ids : []).map((id) => payments.get(String(id))?.createdAt);
      const oldest = clock.now().getTime() - behindMs;
      return isItsTurn() && created.some((time) => time !== undefined && time.getTime() > oldest);
    },
    { status: 404, code: 'RESOURCE_UNKNOWN' },
  )(design);
};

/** The bank asks to slow down before it looks at the request. */
const slowingDown =
  (count: number, retryAfter: string): DesignChange =>
  (design) => {
    const isDue = every(count);
    const rule: Rule = {
      requirement: 'ERR-06',
      ownChoice: true,
      hasEffects: true,
      name: 'not too many requests at once',
      refuses: () =>
        isDue()
          ? {
              status: 429,
              code: 'ACCESS_EXCEEDED',
              text: 'Too many requests.',
              headers: { 'Retry-After': retryAfter },
            }
          : undefined,
    };
    return withRules((operation, rules) => (operation === 'page' ? rules : [rule, ...rules]))(design);
  };

/** The bank looks at one payment or basket of a session at a time, and turns away another that comes meanwhile. */
const oneOfASession: DesignChange = (design) => {
  const busy = new Set<string>();
  const at = new WeakMap<BankRequest, string>();
  const rule: Rule = {
    requirement: 'ERR-06',
    ownChoice: true,
    hasEffects: true,
    name: 'one request of a session at a time',
    refuses: (request) => {
      const session = request.header('tpp-session-id') ?? '';
      if (busy.has(session)) return { status: 409, code: 'CONFLICT', text: 'Another request is under way.' };
      busy.add(session);
      at.set(request, session);
      return undefined;
    },
  };
  return allOf(
    withRules((operation, rules) => (isInitiation(operation) ? [rule, ...rules] : rules)),
    withAnswering(({ finish }) => ({
      finish: async (answer, request) => {
        const session = request && at.get(request);
        if (session !== undefined) {
          await sleep(1);
          busy.delete(session);
        }
        return finish(answer, request);
      },
    })),
  )(design);
};

const isInitiation = (operation: string): boolean => initiations.some((each) => each === operation);

const offBy =
  (clockOffsetSeconds: number): DesignChange =>
  (design) => ({ ...design, clockOffsetSeconds });

export const troubleDialects: readonly Dialect[] = [
  dialect('trouble/429', 'asks to slow down now and then', slowingDown(97, '0')),
  dialect(
    'trouble/429-without-retry-after',
    'asks to slow down, and does not say until when',
    allOf(
      slowingDown(103, '0'),
      withRefusalAnswers(({ headers: _, ...answer }) => answer),
    ),
  ),
  dialect(
    'trouble/503',
    'is overloaded now and then',
    afterwards(101, () => ({ status: 503, headers: { 'Retry-After': '0' } })),
  ),
  dialect(
    'trouble/resets',
    'loses a connection now and then',
    afterwards(43, (answer) => ({ ...answer, transfer: 'reset' })),
  ),
  dialect(
    'machines/one-behind',
    'has a machine that hears of payments late, and answers every other basket',
    oneMachineBehind,
  ),
  dialect('busy/session', 'takes one payment or basket of a session at a time', oneOfASession),
  independent('latency/some', 'answers after some milliseconds', withLatency(3)),
  dialect(
    'transfer/chunked',
    'sends its answers in chunks',
    afterwards(1, (answer) => ({ ...answer, transfer: 'chunked' })),
  ),
  dialect('clock/ahead', 'has a clock that is five minutes ahead', offBy(300)),
  dialect('clock/behind', 'has a clock that is five minutes behind', offBy(-300)),
  dialect('clock/next-day', 'has a clock that is half a day ahead', offBy(12 * 3600)),
  { ...independent('prefix/psd2', 'stands behind a path prefix'), prefix: '/psd2/sandbox' },
  // Whether Digest is that of the packed bytes is nobody's question here.
  { ...deciding('encoding', independent('responses/signed', 'signs its responses')), signsResponses: true },
];
