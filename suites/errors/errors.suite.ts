import fc from 'fast-check';
import { check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporateFacts, corporatePsu } from '../../src/checks/context.ts';
import { mustGoThrough } from '../../src/checks/controls.ts';
import { acceptedOr400, describeAnswer, rejectedWith } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import { aDomesticPayment, drawBody, drawCall, type Subject } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { accepts } from '../../src/checks/trial.ts';
import { bodyFaults } from '../../src/payloads/body-faults.ts';
import { type JsonObject, setAt } from '../../src/payloads/json.ts';
import { kidOfLength, longestKid, referencesOf, wrongKidOf } from '../../src/payloads/kid.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { payments } from '../subjects.ts';
import { sendOddRequests } from './odd-requests.ts';

const forms = [
  { remittance: 'array', path: ['remittanceInformationStructuredArray', '*'] },
  { remittance: 'single', path: ['remittanceInformationStructured'] },
] as const;

/** How a reference may be marked as a KID: the specification does not say, so all that clients use are tried. */
const markings: readonly Readonly<Record<string, string>>[] = [
  {},
  { referenceType: 'KID' },
  { referenceType: 'OCR' },
];

const wrongKid = (marking: JsonObject, { instructedAmount }: JsonObject): JsonObject => ({
  ...marking,
  reference: wrongKidOf(instructedAmount),
});

/** A run of this check alone has seen no faults yet, and no other check sends a byte order mark. */
async function sendFaults(context: CheckContext): Promise<void> {
  const of = aDomesticPayment();
  const faults = bodyFaults(bodies.domesticPayment).filter(({ demand }) => demand.path[0] === 'creditorName');
  const drawn = fc.sample(of.bodies(context), { seed: context.seed, numRuns: faults.length });
  await Promise.allSettled([
    ...faults.map(async ({ apply, label }, index) =>
      context.call(await of.call(context, apply(drawn[index] ?? {})), {}, label),
    ),
    ...payments.map((kind) => sendBehindAMark(context, kind.of)),
  ]);
}

/** RFC 8259, 8.1: none is to be sent, and who reads one may pass it by or refuse it. */
async function sendBehindAMark(context: CheckContext, of: Subject): Promise<void> {
  const call = await drawCall(context, of);
  const marked = Buffer.from(`\uFEFF${JSON.stringify(call.body)}`);
  await context.call({ ...call, body: marked }, {}, 'a byte order mark stands before the body');
}

/** A wrong KID behind a right one is as wrong as the first. */
async function secondIsLookedAt(context: CheckContext, marking: JsonObject): Promise<void> {
  const of = aDomesticPayment({ remittance: 'array', creditor: 'kid' });
  const body = drawBody(context, of, markings.length);
  const references: readonly JsonObject[] = [
    { ...marking, ...referencesOf(body['instructedAmount'], 1)[0] },
    wrongKid(marking, body),
  ];
  const call = await of.call(context, { ...body, remittanceInformationStructuredArray: references });
  const answer = await callThroughSca(context, call, 'a wrong KID behind a right one');
  context.evidence = [answer.exchange];
  const { met, text } = rejectedWith(400);
  if (!met(answer, context.readings)) {
    throw new ExpectationFailed(`${text} for a wrong KID behind a right one`, describeAnswer(answer));
  }
}

/** What no KID can be, whatever its check digit is by whichever modulus. */
const kidsOfWrongForm: readonly (readonly [how: string, kid: (body: JsonObject) => string])[] = [
  [
    `longer than ${longestKid} digits`,
    ({ instructedAmount }) => kidOfLength(longestKid + 1, instructedAmount),
  ],
  ['with letters in it', ({ instructedAmount }) => `FAKTURA${kidOfLength(10, instructedAmount)}`],
  // Its own check digit is a digit by either modulus, and the hyphen is only ever the remainder of one.
  [
    'that ends in a hyphen in place of its digit',
    ({ instructedAmount }) => kidOfLength(10, instructedAmount).replace(/\d$/, '-'),
  ],
];

async function formIsLookedAt(context: CheckContext, marking: JsonObject): Promise<void> {
  const of = aDomesticPayment({ remittance: 'array', creditor: 'kid' });
  for (const [index, [how, kid]] of kidsOfWrongForm.entries()) {
    // Payments of their own (freedom refusals/repeated-ids).
    const body = drawBody(context, of, 2 * markings.length + index);
    const references: readonly JsonObject[] = [{ ...marking, reference: kid(body) }];
    const call = await of.call(context, { ...body, remittanceInformationStructuredArray: references });
    const answer = await callThroughSca(context, call, `a KID ${how}`);
    context.evidence = [answer.exchange];
    const { met, text } = rejectedWith(400);
    if (!met(answer, context.readings))
      throw new ExpectationFailed(`${text} for a KID ${how}`, describeAnswer(answer));
  }
}

/** Nor is one of a company right: what it is let through with has no other reason. */
async function companyIsLookedAt(context: CheckContext, marking: JsonObject): Promise<void> {
  if (context.missing('corporate-psu') !== undefined) return;
  const of = aDomesticPayment({ remittance: 'array', creditor: 'kid' });
  const body = drawBody(context, of, 20);
  const { bban, currency } = corporateFacts(context).debtor;
  const answer = await context.call(
    {
      ...(await of.call(context, {
        ...body,
        debtorAccount: { bban, currency },
        remittanceInformationStructuredArray: [wrongKid(marking, body)],
      })),
      psu: corporatePsu(context),
    },
    {},
    'a wrong KID of a company',
  );
  context.evidence = [answer.exchange];
  const { text } = rejectedWith(400);
  if (answer.isSuccess)
    throw new ExpectationFailed(`${text} for a wrong KID of a company`, describeAnswer(answer));
}

export default suite('Errors', section('Errors'), () => [
  ...forms.map(({ remittance, path }) => {
    const of = aDomesticPayment({ remittance, creditor: 'kid' });
    return check({
      id: remittance === 'array' ? 'ERR-02' : 'ERR-02-single',
      requirement: 'ERR-02',
      needs: ['kid-creditor'],
      title: `a KID whose check digit is wrong is answered 400, in the ${remittance} form`,
      steps: [
        'Send a domestic payment to an account that demands a KID, with a KID that is right, as control: it must go through.',
        'Send payments with KIDs that fail mod 10 and mod 11 alike, with and without a reference type that says KID or OCR.',
        ...(remittance === 'array'
          ? [
              'Send such a KID behind one that is right, one longer than 25 digits, one with letters, one that ends in a hyphen in place of its digit, and one as a company.',
            ]
          : []),
      ],
      expected: 'status 400 for at least one of the markings, and no other refusal for any',
      async run(context) {
        const control = await mustGoThrough(context, of);
        // Where even a right one is asked for SCA, that is how a bank accepts.
        const isAccepted = (answer: Answer): boolean =>
          answer.isSuccess || (control.asksForSca && answer.asksForSca);
        const { met, text } = rejectedWith(400);
        const answers = await Promise.all(
          markings.map(async (marking, index) => {
            const right = drawBody(context, of, index);
            const body = setAt(right, path, wrongKid(marking, right));
            const call = await of.call(context, body);
            const purpose = `a wrong KID ${marking['referenceType'] ?? 'without a type'}`;
            return callThroughSca(context, call, purpose);
          }),
        );
        context.cases = answers.length;
        const otherwise = answers.find((answer) => !isAccepted(answer) && !met(answer, context.readings));
        if (otherwise !== undefined) {
          context.evidence = [otherwise.exchange];
          throw new ExpectationFailed(text, describeAnswer(otherwise));
        }
        if (!answers.some((answer) => met(answer, context.readings))) {
          context.evidence = answers.map(({ exchange }) => exchange);
          if (!answers.some(({ isSuccess }) => isSuccess)) {
            throw new Inconclusive(
              'The bank asks for SCA before it looks at the KID: set psu.sca to form or module and give psu.nationalId, by which it is passed.',
            );
          }
          throw new ExpectationFailed(text, 'every wrong KID was accepted');
        }
        const noticed = markings[answers.findIndex((answer) => met(answer, context.readings))];
        if (remittance === 'single') return;
        await secondIsLookedAt(context, { ...noticed });
        await formIsLookedAt(context, { ...noticed });
        await companyIsLookedAt(context, { ...noticed });
      },
    });
  }),
  accepts({
    id: 'ERR-02-elsewhere',
    requirement: 'ERR-02',
    title: 'a KID whose check digit is wrong is accepted or answered 400 where no KID is demanded',
    of: aDomesticPayment({ remittance: 'none' }),
    twists: forms.flatMap(({ remittance, path }) =>
      markings.map((marking) => ({
        label: `a wrong KID ${marking['referenceType'] ?? 'without a type'} stands in the ${remittance} form`,
        body: (body: JsonObject) =>
          setAt(
            body,
            path.slice(0, 1),
            remittance === 'array' ? [wrongKid(marking, body)] : wrongKid(marking, body),
          ),
      })),
    ),
    expected: acceptedOr400(),
    cases: 1,
  }),
  check({
    id: 'ERR-06',
    requirement: 'ERR-06',
    title: 'no request of the run was answered with a server error',
    steps: [
      'Send domestic payments whose creditorName is missing, too long or no text.',
      'Send a payment of each kind behind a byte order mark, which may be accepted or refused.',
      'Send what may be taken or refused: a payment with allowLogicalDuplicate=maybe or of an unknown product, withAccounts=maybe, transactions with values of dateFrom, dateTo, limit, offset and bookingStatus that mean nothing, ids of a thousand digits or of odd letters, an emoji in a code, a BIC or an account number, headers of hundreds of characters, no Content-Type, no address as PSU-IP-Address, null as body, a member that is nested deeply, a basket and a transaction that are not there, and a payment twice although it is to have no duplicate.',
      'Look at every answer that any check of this run has had.',
    ],
    expected: 'no 5xx but 501, which says that an operation is not offered',
    observes: true,
    async run(context) {
      await Promise.all([successes(context), sendFaults(context), sendOddRequests(context)]);
      context.cases = context.run.observations.seen;
      const broken = context.run.observations.kept.find(({ answer }) => answer.isBrokenDown);
      if (broken === undefined) return;
      context.evidence = [broken.exchange];
      throw new ExpectationFailed(
        `no server error for “${broken.exchange.purpose}”`,
        describeAnswer(broken.answer),
      );
    },
  }),
]);
