import { textAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import type { BankState } from '../design/route.ts';
import { isoDate } from '../state/clock.ts';
import type { Payment } from '../state/payment-store.ts';
import { enter, hasFunds } from './ledger.ts';

/**
 * Simulated batch processing (Versioning): moves approved payments on, all but periodic ones. A domestic payment goes
 * ACTC, ACSP, ACSC; a cross-border one waits as PDNG for the bank abroad. One without funds is ACCP, temporarily
 * rejected, and is tried again by the next batch.
 */
export function processBatch(state: BankState): void {
  for (const payment of state.payments.values()) {
    if (payment.service === 'periodic-payments' || payment.standsStill) continue;
    const next = nextState(payment, state);
    if (next !== payment) state.payments.update(next);
  }
}

function nextState(payment: Payment, state: BankState): Payment {
  switch (payment.transactionStatus) {
    case 'ACTC':
      return isDue(payment, state) ? executed(payment, state) : payment;
    case 'ACCP':
      return payment.temporarilyRejected ? executed(payment, state) : payment;
    case 'ACSP':
    case 'PDNG':
      return settled(payment, state);
    default:
      return payment;
  }
}

function executed({ temporarilyRejected: _, ...payment }: Payment, state: BankState): Payment {
  if (!hasFunds(payment, state)) {
    return { ...payment, transactionStatus: 'ACCP', fundsAvailable: false, temporarilyRejected: true };
  }
  enter(payment, 'pending', state);
  const transactionStatus = payment.product === products.crossBorder.path ? 'PDNG' : 'ACSP';
  return { ...payment, transactionStatus, fundsAvailable: true };
}

/** The money has moved. */
function settled(payment: Payment, state: BankState): Payment {
  enter(payment, 'booked', state);
  return { ...payment, transactionStatus: 'ACSC', fundsAvailable: true };
}

const isDue = ({ body }: Payment, { clock }: BankState): boolean =>
  (textAt(body, 'requestedExecutionDate') ?? '') <= isoDate(clock.now());

/** Five times a day, as the sandbox does: hours in UTC. */
const batchHours = [5, 9, 11, 13, 17] as const;

/** Runs the batches whose hour has come since the last look. The clock may have been moved by days. */
export function batchSchedule(state: BankState): () => void {
  let next = nextBatchAfter(state.clock.now());
  return () => {
    const now = state.clock.now();
    // After two batches nothing moves any more.
    for (let run = 0; run < 2 && next <= now; run += 1) {
      processBatch(state);
      next = nextBatchAfter(next);
    }
    if (next <= now) next = nextBatchAfter(now);
  };
}

function nextBatchAfter(time: Date): Date {
  const hour = batchHours.find((candidate) => atHour(time, candidate) > time);
  return hour === undefined
    ? atHour(new Date(time.getTime() + 86_400_000), batchHours[0])
    : atHour(time, hour);
}

const atHour = (day: Date, hour: number): Date =>
  new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour));
