import { minorUnits } from '../../spec/currencies.ts';
import { dayMs, isoDate } from '../../spec/days.ts';
import { textAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import type { BankState } from '../design/route.ts';
import { type Account, availableFunds, type CardAccount } from '../state/customers.ts';
import { toMinorUnits } from '../state/money.ts';
import type { Payment } from '../state/payment-store.ts';

/** NOK for a hundred of the currency. The sandbox simulates: a rate that is roughly right is right enough. */
const nokForHundred: Readonly<Record<string, bigint>> = {
  NOK: 100n,
  EUR: 1150n,
  USD: 1050n,
  GBP: 1350n,
  SEK: 100n,
  DKK: 155n,
};
const rateOf = (currency: string): bigint => nokForHundred[currency] ?? 100n;
const unitsIn = (currency: string): bigint => 10n ** BigInt(minorUnits.get(currency) ?? 2);

/** An amount in minor units of one currency, in minor units of another. */
function exchanged(minor: bigint, from: string, to: string): bigint {
  if (from === to) return minor;
  return (minor * rateOf(from) * unitsIn(to)) / (rateOf(to) * unitsIn(from));
}

/** The account that a payment is taken from, if it is one of this bank. */
function debtorOf({ body }: Payment, { customers }: BankState): Account | CardAccount | undefined {
  const card = textAt(body, 'debtorAccount', 'other', 'identification');
  if (card !== undefined) return customers.cardAccountByIdentification(card);
  const bban = textAt(body, 'debtorAccount', 'bban');
  const iban = textAt(body, 'debtorAccount', 'iban');
  return bban === undefined && iban === undefined ? undefined : customers.accountByReference({ bban, iban });
}

/** An account of another bank is not ours to judge: its funds count as there. */
function hasFunds(payment: Payment, state: BankState): boolean {
  const debtor = debtorOf(payment, state);
  return debtor === undefined || availableFunds(debtor) >= amountIn(debtor.currency, payment);
}

function amountIn(currency: string, { body }: Payment): bigint {
  const ofPayment = textAt(body, 'instructedAmount', 'currency') ?? currency;
  const minor = toMinorUnits(textAt(body, 'instructedAmount', 'amount') ?? '0', ofPayment) ?? 0n;
  return exchanged(minor, ofPayment, currency);
}

/** Enters a payment at the debtor, and once it is settled at a creditor in this bank: pending becomes booked. */
function enter(payment: Payment, bookingStatus: 'pending' | 'booked', state: BankState): void {
  const debtor = debtorOf(payment, state);
  if (debtor !== undefined && 'maskedPan' in debtor) enterCard(payment, debtor, bookingStatus, state);
  else if (debtor !== undefined) enterAccount(payment, debtor, -1n, bookingStatus, state);
  const creditor = creditorOf(payment, state);
  if (creditor !== undefined && bookingStatus === 'booked') {
    enterAccount(payment, creditor, 1n, bookingStatus, state);
  }
}

function creditorOf({ body }: Payment, { customers }: BankState): Account | undefined {
  const bban = textAt(body, 'creditorAccount', 'bban');
  const iban = textAt(body, 'creditorAccount', 'iban');
  return bban === undefined && iban === undefined ? undefined : customers.accountByReference({ bban, iban });
}

function enterAccount(
  payment: Payment,
  account: Account,
  sign: 1n | -1n,
  bookingStatus: 'pending' | 'booked',
  { customers, clock }: BankState,
): void {
  const { body, paymentId } = payment;
  const today = isoDate(clock.now());
  customers.putTransaction(account.id, {
    transactionId: `${paymentId}${sign > 0n ? '-credit' : ''}`,
    bookingStatus,
    bookingDate: today,
    valueDate: today,
    amount: sign * amountIn(account.currency, payment),
    counterparty: textAt(body, 'creditorName') ?? '',
    counterpartyAccount:
      textAt(body, 'creditorAccount', 'bban') ?? textAt(body, 'creditorAccount', 'iban') ?? '',
    text: textAt(body, 'remittanceInformationUnstructured') ?? 'Payment',
    paymentId,
  });
}

function enterCard(
  payment: Payment,
  card: CardAccount,
  bookingStatus: 'pending' | 'booked',
  { customers, clock }: BankState,
): void {
  const today = isoDate(clock.now());
  const currency = textAt(payment.body, 'instructedAmount', 'currency') ?? card.currency;
  customers.putCardTransaction(card.id, {
    transactionId: payment.paymentId,
    bookingStatus,
    transactionDate: today,
    bookingDate: today,
    amount: -amountIn(card.currency, payment),
    original: { amount: -amountIn(currency, payment), currency },
    merchant: textAt(payment.body, 'creditorName') ?? '',
    city: '',
  });
}

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
  return hour === undefined ? atHour(new Date(time.getTime() + dayMs), batchHours[0]) : atHour(time, hour);
}

const atHour = (day: Date, hour: number): Date =>
  new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour));
