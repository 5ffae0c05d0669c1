import { textAt } from '../../spec/json.ts';
import { creations } from '../../spec/products.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { alsoAt, atPayments, type Deviation, deviation, of, overlooking, refusing } from './deviation.ts';

const days = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' });
const isDated =
  (daysFromToday: number) =>
  ({ body }: BankRequest, { clock }: BankState): boolean =>
    textAt(body, 'requestedExecutionDate') ===
    days.format(new Date(clock.now().getTime() + daysFromToday * 86_400_000));

/** Payments for today, for tomorrow and for the past. */
export const executionDateDeviations: readonly Deviation[] = [
  ...alsoAt(
    atPayments,
    deviation(
      'EXD-01/not-today',
      'takes no payment for today any more',
      refusing('EXD-01', creations, isDated(0)),
    ),
  ),
  ...alsoAt(
    atPayments,
    deviation(
      'EXD-01/not-tomorrow',
      'takes no payment for tomorrow',
      refusing('EXD-01', creations, isDated(1)),
    ),
  ),
  ...alsoAt(
    atPayments,
    deviation(
      'EXD-02/yesterday',
      'takes a payment for the last few days',
      overlooking(
        of('EXD-02'),
        ({ body }, { clock }) =>
          Date.parse(textAt(body, 'requestedExecutionDate') ?? '') > clock.now().getTime() - 7 * 86_400_000,
      ),
    ),
  ),
];
