import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { withHeader } from '../../src/tpp/call.ts';
import { everyRequest } from '../subjects.ts';
import { dated, justEnough, limit, timeAtBank, tooMany } from './dates.ts';

/** A Date so many seconds from the bank's clock, negative for the past. */
const datedTwist = (label: string, seconds: (context: CheckContext) => number): Twist => ({
  label,
  points: 'Date',
  request: dated(seconds),
});

/** Of each hour, day or zone that a bank may lose sight of, payments and a request that reads will do. */
const aWholeWay = (label: string, hours: (context: CheckContext) => number): Twist => ({
  ...datedTwist(label, (context) => 3600 * hours(context)),
  isOneOfMany: true,
});

/** How far the clocks of Norway are ahead of those of Greenwich: one hour, and two in summer. */
function osloHours({ client }: CheckContext): number {
  const now = client.clock.now();
  const local = now.toLocaleString('sv-SE', { timeZone: 'Europe/Oslo' });
  return Math.round((Date.parse(`${local.replace(' ', 'T')}Z`) - now.getTime()) / 3_600_000);
}

const datedAs = (value: string): Twist => ({
  label: `Date is "${value}"`,
  points: 'Date',
  request: withHeader('Date', value),
});

/** No dates of HTTP, and long past: whoever reads them as dates refuses them as well. */
const longPast = ['2001-09-09T01:46:40Z', '1000000000'];

export default suite('Clock', section('Authentication', 'Transport and signing'), () => [
  everyRequest.map(({ suffix, of }) =>
    accepts({
      id: `CLK-01${suffix}`,
      requirement: 'CLK-01',
      title: `${of.title} with a Date just inside ${limit} seconds behind the bank’s clock is accepted`,
      of,
      twists: [datedTwist(`Date is almost ${limit} seconds old`, (context) => -justEnough(context))],
      cases: 1,
    }),
  ),
  everyRequest.map(({ suffix, of }) =>
    accepts({
      id: `CLK-02${suffix}`,
      requirement: 'CLK-02',
      title: `${of.title} with a Date just inside ${limit} seconds ahead of the bank’s clock is accepted`,
      of,
      twists: [datedTwist(`Date is almost ${limit} seconds ahead`, justEnough)],
      cases: 1,
    }),
  ),
  everyRequest.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `CLK-03${suffix}`,
      requirement: 'CLK-03',
      title: `${of.title} with a Date more than ${limit} seconds behind the bank’s clock is refused`,
      of,
      twists: [
        datedTwist(`Date is a little more than ${limit} seconds old`, (context) => -tooMany(context)),
        aWholeWay('Date is an hour old', () => -1),
        aWholeWay('Date is twelve hours old', () => -12),
        aWholeWay('Date is exactly a day old', () => -24),
        aWholeWay('Date is exactly 365 days old', () => -365 * 24),
        aWholeWay('Date is the beginning of 1970', (context) => -timeAtBank(context).getTime() / 3_600_000),
      ],
      sharesList,
      cases: 2,
    }),
  ),
  everyRequest.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `CLK-04${suffix}`,
      requirement: 'CLK-04',
      title: `${of.title} with a Date more than ${limit} seconds ahead of the bank’s clock is refused`,
      of,
      twists: [
        datedTwist(`Date is a little more than ${limit} seconds ahead`, tooMany),
        aWholeWay('Date is the time of Norway, called GMT', osloHours),
        aWholeWay('Date is twelve hours ahead', () => 12),
        aWholeWay('Date is exactly a day ahead', () => 24),
        aWholeWay('Date is twenty years ahead', () => 20 * 365.25 * 24),
      ],
      sharesList,
      cases: 2,
    }),
  ),
  everyRequest.map(({ suffix, of }) =>
    refuses({
      id: `CLK-05${suffix}`,
      requirement: 'CLK-05',
      title: `${of.title} without Date is refused`,
      of,
      twists: [
        {
          label: 'Date is missing',
          points: 'Date',
          request: { beforeSigning: ({ headers }) => headers.remove('Date') },
        },
      ],
      cases: 1,
    }),
  ),
  everyRequest.map(({ suffix, of }) =>
    refuses({
      id: `CLK-06${suffix}`,
      requirement: 'CLK-06',
      title: `${of.title} whose Date is no date is refused`,
      of,
      twists: [
        ...['yesterday', 'Foo, 99 Bar 2026 25:61:61 GMT'].map(datedAs),
        ...longPast.map((value) => ({ ...datedAs(value), isOneOfMany: true as const })),
      ],
      cases: 2,
    }),
  ),
]);
