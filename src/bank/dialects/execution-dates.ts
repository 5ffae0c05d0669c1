import { isBankingDay, nextBankingHour, osloDate, osloHour } from '../../spec/banking-days.ts';
import { textAt } from '../../spec/json.ts';
import { creations, products } from '../../spec/products.ts';
import type { DesignChange } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { type Dialect, deciding, dialect, independent } from './dialect.ts';
import { alsoRefusing } from './own-choice.ts';

const dateOf = ({ body }: BankRequest): string | undefined => textAt(body, 'requestedExecutionDate');

const invalidDate = { status: 400, code: 'EXECUTION_DATE_INVALID' } as const;

const day = 86_400_000;
const month = 31 * day;

/** A transfer abroad is made ready so many banking days ahead. */
const daysAbroad = 3;

/** A test environment may look no further ahead than so many. */
const daysAhead = 8;

/** The moment at which a banking day begins, so many after today. */
function bankingDayIn(days: number, now: Date): number {
  let time = Date.parse(`${osloDate(now)}T00:00:00Z`);
  for (let left = days; left > 0; left -= isBankingDay(new Date(time)) ? 1 : 0) time += day;
  return time;
}

/** From this hour on nothing is executed on the same day. */
const cutOff = 13;

const inTheAfternoon: DesignChange = (design) => {
  const now = new Date();
  const ahead = nextBankingHour(now, cutOff + 2).getTime() - now.getTime();
  return { ...design, clockOffsetSeconds: Math.round(ahead / 1000) };
};

/** When a payment can be executed is not said: banks have holidays, and an hour after which the day is over. */
export const executionDateDialects: readonly Dialect[] = [
  independent(
    'dates/within-a-month',
    'executes payments within a month, and has no need of a date for those of today',
    alsoRefusing(
      creations,
      (request, { clock }) => {
        const date = dateOf(request);
        const today = clock.now();
        return date === osloDate(today) || Date.parse(date ?? '') > today.getTime() + month;
      },
      invalidDate,
    ),
  ),
  independent(
    'dates/three-days-abroad',
    'wants to know of a transfer abroad three banking days before',
    alsoRefusing(
      [products.crossBorder.creation],
      (request, { clock }) =>
        Date.parse(`${dateOf(request)}T00:00:00Z`) < bankingDayIn(daysAbroad, clock.now()),
      invalidDate,
    ),
  ),
  independent(
    'dates/days-ahead',
    'executes payments within eight banking days',
    alsoRefusing(
      creations,
      (request, { clock }) =>
        Date.parse(`${dateOf(request)}T00:00:00Z`) > bankingDayIn(daysAhead, clock.now()),
      invalidDate,
    ),
  ),
  dialect(
    'dates/banking-days',
    'executes payments on banking days only',
    alsoRefusing(
      creations,
      (request) => {
        const date = new Date(`${dateOf(request)}T00:00:00Z`);
        // What is no date at all is refused for that.
        return !Number.isNaN(date.getTime()) && !isBankingDay(date);
      },
      invalidDate,
    ),
  ),
  deciding(
    'clock',
    dialect(
      'dates/cut-off',
      'executes nothing on the same day in the afternoon, which it is',
      inTheAfternoon,
      alsoRefusing(
        creations,
        (request, { clock }) => dateOf(request) === osloDate(clock.now()) && osloHour(clock.now()) >= cutOff,
        invalidDate,
      ),
    ),
  ),
];
