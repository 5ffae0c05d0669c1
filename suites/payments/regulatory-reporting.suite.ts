import type fc from 'fast-check';
import { withBody } from '../../src/checks/call-body.ts';
import { type Check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { wentThrough } from '../../src/checks/expectation.ts';
import { NotOffered } from '../../src/checks/outcomes.ts';
import { aCrossBorderPayment, drawCall, type OpenPayment, type Subject } from '../../src/checks/subject.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { decimal } from '../../src/payloads/amounts.ts';
import { accountsIn, canBePaidIn } from '../../src/payloads/creditors.ts';
import { type JsonObject, removeAt, setAt } from '../../src/payloads/json.ts';
import { limits } from '../../src/spec/limits.ts';
import { products } from '../../src/spec/products.ts';
import type { Call } from '../../src/tpp/call.ts';
import { carrierOf, reportingCodes } from './carried-lists.ts';

const limit = limits.regulatoryReportingFromOere;
const both = ['regulatoryReportingCode', 'regulatoryReportingInformation'] as const;

const inNok = (body: JsonObject, oere: number): JsonObject =>
  setAt(body, ['instructedAmount'], { amount: decimal(oere, 2), currency: 'NOK' });

const without = (body: JsonObject, ...fields: readonly string[]): JsonObject =>
  fields.reduce((rest, field) => removeAt(rest, [field]), body);

/**
 * A transfer of so many øre, with both regulatory fields unless it lacks them. The limit is one exact amount, which another payment may
 * have had before, so it says that it may be a duplicate.
 */
const transferOf = (
  title: string,
  oere: (unique: number) => number,
  lacking: readonly string[] = [],
): Subject => {
  const base = aCrossBorderPayment({ amount: 'meant' });
  const amounting = (bodies: fc.Arbitrary<JsonObject>, { amounts }: CheckContext): fc.Arbitrary<JsonObject> =>
    bodies.map((body) => without(inNok(body, oere(amounts.nextMinor('NOK'))), ...lacking));
  return {
    ...base,
    title,
    bodies: (context) => amounting(base.bodies(context), context),
    ...(base.payment === undefined ? {} : { payment: withBodies(base.payment, amounting) }),
    call: async (context, body) => ({
      ...(await base.call(context, body)),
      query: { allowLogicalDuplicate: 'true' },
    }),
  };
};

type Change = (bodies: fc.Arbitrary<JsonObject>, context: CheckContext) => fc.Arbitrary<JsonObject>;

const withBodies = (payment: OpenPayment, change: Change): OpenPayment => ({
  ...payment,
  bodiesWith: (context, optional) => change(payment.bodiesWith(context, optional), context),
});

const atTheLimit = transferOf('a transfer of exactly NOK 100 000', () => limit);
const aboveTheLimit = transferOf('a transfer of more than NOK 100 000', (unique) => limit + unique);
const oneOereBelow = transferOf('a transfer of NOK 99 999.99', () => limit - 1);
const oneOereBelowBare = transferOf('a transfer of NOK 99 999.99 without them', () => limit - 1, both);

/** Much more, without a field. Whoever cannot pay so much refuses it for that, which is as good. */
const great = (call: Call, { amounts }: CheckContext, least: number, field: string): Call =>
  withBody(call, (body) => without(inNok(body, least + amounts.nextMinor('NOK')), field));

/** To an account that is held in the currency of the limit, without a field. */
const inKroner = (call: Call, { facts }: CheckContext, field: string): Call =>
  withBody(call, (body) => ({ ...without(body, field), ...accountsIn.crossBorder('NOK', facts) }));

/** In øre, where numbers of 32 bits begin again at nothing. */
const beyond32Bits = 2 ** 32;

/**
 * The product is meant for NOK 100 000 and more (What the service does): a bank may take nothing else. One that takes less may
 * do so without the fields alone, which it has no need of. What it takes, if anything.
 */
async function lessTaken(context: CheckContext): Promise<Subject | undefined> {
  if (context.readings.smallTransfers === 'not-taken') return undefined;
  const isTaken = async (subject: Subject, purpose: string): Promise<boolean> =>
    wentThrough(await context.call(await drawCall(context, subject), {}, purpose), context.readings);
  for (const less of [oneOereBelow, oneOereBelowBare])
    if (await isTaken(less, 'is less than the limit taken')) return less;
  // Where neither is taken, nothing is known of the limit: the control says so.
  return (await isTaken(aboveTheLimit, 'is more than the limit taken')) ? undefined : oneOereBelow;
}

/** Who takes both, and neither, has no reason to demand the one for the other. */
const oneOfThem = both.map(
  (field): Twist => ({
    label: `${field} alone is missing at NOK 99 999.99`,
    points: field,
    body: (body) => without(body, field),
    isOneOfMany: true,
  }),
);

const withoutFields = (control: Subject): Check =>
  accepts({
    id: 'REG-03',
    requirement: 'REG-03',
    title: 'a transfer of NOK 99 999.99 is accepted without the regulatory fields',
    of: oneOereBelow,
    twists: [
      {
        label: 'both regulatory fields are missing at NOK 99 999.99',
        body: (body) => without(body, ...both),
      },
      // Where the control went through without them, they may be refused where they are not needed.
      ...(control === oneOereBelow ? oneOfThem : []),
    ],
    control,
    cases: 1,
  });

/** Where the account lacks the funds for the control, nothing is known of the limit. */
const exactlyTheLimit = (control: Subject): Check =>
  accepts({
    id: 'REG-04',
    requirement: 'REG-04',
    title: 'a transfer of exactly NOK 100 000 with both regulatory fields is accepted',
    of: atTheLimit,
    twists: [{ label: 'everything is valid' }],
    control,
    cases: 1,
  });

export default suite(
  'Regulatory reporting',
  section('Resources and their fields', 'NCBCT payment request body'),
  () => [
    ...(
      [
        // An empty code is none of those listed; what a purpose has to say is not told.
        { id: 'REG-01', above: 'REG-01-above', field: 'regulatoryReportingCode', nothing: [null, ''] },
        { id: 'REG-02', above: 'REG-02-above', field: 'regulatoryReportingInformation', nothing: [null] },
      ] as const
    ).flatMap(({ id, above, field, nothing }) => [
      refuses({
        id,
        requirement: id,
        title: `a transfer of NOK 100 000 without ${field} is refused`,
        of: atTheLimit,
        twists: [
          {
            label: `${field} is missing at NOK 100 000.00`,
            points: field,
            body: (body) => without(body, field),
          },
          ...nothing.map(
            (value): Twist => ({
              label: `${field} is ${value === '' ? 'empty' : 'null'} at NOK 100 000.00`,
              points: field,
              body: (body) => setAt(body, [field], value),
            }),
          ),
        ],
        cases: 1,
      }),
      refuses({
        id: above,
        requirement: id,
        title: `a transfer of more than NOK 100 000 without ${field} is refused`,
        of: aboveTheLimit,
        twists: [
          {
            label: `${field} is missing above NOK 100 000`,
            points: field,
            body: (body) => without(body, field),
          },
          {
            label: `${field} is missing above NOK 1 000 000`,
            points: field,
            call: (call, context) => great(call, context, 10 * limit, field),
          },
          {
            label: `${field} is missing above NOK 42 949 672, which no number of 32 bits holds in øre`,
            points: field,
            call: (call, context) => great(call, context, beyond32Bits, field),
          },
          {
            label: `${field} is missing above NOK 100 000, to an account in NOK`,
            points: field,
            under: (_, { accounts }) => canBePaidIn('NOK', 'crossBorder', accounts),
            call: (call, context) => inKroner(call, context, field),
            isOneOfMany: true,
          },
        ],
        // To an IBAN, with an address in its country each: one within Europe may be taken for one at home.
        fixed: ['creditor'],
        cases: 3,
      }),
    ]),
    refuses({
      id: 'REG-01-both',
      requirement: 'REG-01',
      others: ['REG-02'],
      title: 'a transfer of NOK 100 000 without either regulatory field is refused',
      of: atTheLimit,
      twists: [
        {
          label: 'both regulatory fields are missing at NOK 100 000.00',
          points: 'regulatoryReporting',
          body: (body) => without(body, ...both),
        },
      ],
      cases: 1,
    }),
    {
      ...withoutFields(oneOereBelow),
      async run(context) {
        const less = await lessTaken(context);
        if (less !== undefined) return withoutFields(less).run(context);
        throw new NotOffered(
          'The bank takes no transfer below NOK 100 000, although it takes larger ones, which the product is meant for.',
        );
      },
    },
    {
      ...exactlyTheLimit(oneOereBelow),
      async run(context) {
        return exactlyTheLimit((await lessTaken(context)) ?? aboveTheLimit).run(context);
      },
    },
    accepts({
      id: 'REG-04-codes',
      requirement: 'REG-04',
      others: ['NCB-48'],
      title: 'a transfer of more than NOK 100 000 is accepted with each of the sixteen codes',
      of: aboveTheLimit,
      twists: reportingCodes,
      carrier: carrierOf(products.crossBorder),
    }),
  ],
);
