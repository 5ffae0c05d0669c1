import { withBody } from '../../src/checks/call-body.ts';
import { section, suite } from '../../src/checks/check.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { setAt } from '../../src/payloads/json.ts';
import { dayAfter, isBankingDay, osloDate, osloHour } from '../../src/spec/banking-days.ts';
import { isoDate } from '../../src/spec/days.ts';
import { payments } from '../subjects.ts';

const dated = (label: string, dateOf: (now: Date) => string): Twist => ({
  label,
  points: 'requestedExecutionDate',
  call: (call, { facts }) =>
    withBody(call, (body) => setAt(body, ['requestedExecutionDate'], dateOf(facts.now))),
});

/** The day in Norway: in the hours before midnight by UTC it is tomorrow there already. */
const inOslo =
  (days: number) =>
  (now: Date): string =>
    dayAfter(osloDate(now), days);

/** From this hour on the cut-off of some bank may have passed: those across the border are the first. */
const earliestCutOff = 10;

/** A day that a bank can still execute payments on: none does so on a holiday, or after its cut-off. */
const executable = (label: string, days: number): Twist => ({
  ...dated(label, inOslo(days)),
  under: (_, __, now) =>
    isBankingDay(new Date(`${inOslo(days)(now)}T00:00:00Z`)) && (days > 0 || osloHour(now) < earliestCutOff),
});

/** Before today in Oslo and by UTC alike: Oslo is never behind. */
const past =
  (days: number) =>
  (now: Date): string =>
    dayAfter(isoDate(now), -days);

export default suite('Execution dates', section('Resources and their fields'), () => [
  payments.map(({ suffix, of }) =>
    accepts({
      id: `EXD-01${suffix}`,
      requirement: 'EXD-01',
      title: `${of.title} for today before ten and for tomorrow, as it is in Oslo, is accepted on banking days`,
      of,
      twists: [
        executable('requestedExecutionDate is today in Oslo', 0),
        executable('requestedExecutionDate is tomorrow in Oslo', 1),
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
