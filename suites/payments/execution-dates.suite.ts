import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { dayAfter, isBankingDay, isoDate, osloDate } from '../../src/payloads/banking-days.ts';
import { type JsonObject, setAt } from '../../src/payloads/json.ts';
import type { Call } from '../../src/tpp/call.ts';
import { payments } from '../subjects.ts';

const dated = (label: string, dateOf: (context: CheckContext) => string): Twist => ({
  label,
  points: 'requestedExecutionDate',
  call: (call: Call, context: CheckContext) => {
    const date = dateOf(context);
    if (!isBankingDay(new Date(`${date}T00:00:00Z`)))
      context.note(`${date} is no banking day in Norway: a bank may refuse it for that.`);
    return { ...call, body: setAt(call.body as JsonObject, ['requestedExecutionDate'], date) };
  },
});

/** The day in Norway: in the hours before midnight by UTC it is tomorrow there already. */
const inOslo =
  (days: number) =>
  ({ facts }: CheckContext): string =>
    dayAfter(osloDate(facts.now), days);

/** Before today in Oslo and by UTC alike: Oslo is never behind. */
const past =
  (days: number) =>
  ({ facts }: CheckContext): string =>
    dayAfter(isoDate(facts.now), -days);

export default suite('Execution dates', section('Resources and their fields'), [
  payments.map(({ suffix, of }) =>
    accepts({
      id: `EXD-01${suffix}`,
      requirement: 'EXD-01',
      title: `${of.title} for today and for tomorrow, as it is in Oslo, is accepted`,
      of,
      twists: [
        dated('requestedExecutionDate is today in Oslo', inOslo(0)),
        dated('requestedExecutionDate is tomorrow in Oslo', inOslo(1)),
      ],
      cases: 1,
    }),
  ),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `EXD-02${suffix}`,
      requirement: 'EXD-02',
      title: `${of.title} for a day of the past is refused`,
      of,
      twists: [
        dated('requestedExecutionDate is yesterday, in Oslo and by UTC', past(1)),
        dated('requestedExecutionDate is a year ago', past(365)),
      ],
      cases: 1,
    }),
  ),
]);
