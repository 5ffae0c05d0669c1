import {
  allOf,
  type DesignChange,
  withAnswering,
  withLatency,
  withRefusalAnswers,
  withRules,
} from '../design/design-changes.ts';
import type { BankAnswer, Rule } from '../design/route.ts';
import { type Dialect, deciding, dialect, independent } from './dialect.ts';

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
