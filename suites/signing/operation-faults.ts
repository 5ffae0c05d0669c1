import type { CheckContext } from '../../src/checks/context.ts';
import {
  describeAnswer,
  type Expectation,
  expectAnswer,
  refused,
  rejectedWith,
  succeededOrAskedForSca,
} from '../../src/checks/expectation.ts';
import { LostOnTheWay, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import { formatKeyId, type KeyId } from '../../src/signing/signature-header.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Variation } from '../../src/tpp/call.ts';
import { nearTo } from '../near-ids.ts';
import { areCertificatesJudged } from './certificate-trust.ts';
import { dated, isUnknown, justEnough, limit, timeAtBank, tooMany } from './dates.ts';
import { anotherIssuer, overAnotherText, signatureWithout } from './signature-faults.ts';

/** What every request can be refused for, whatever it asks for, or has to be taken with. */
export interface Fault {
  readonly how: string;
  readonly variation: (context: CheckContext) => Variation | Promise<Variation>;
  readonly needs?: Capability;
  readonly under?: (readings: Readings) => boolean;
  readonly expected: Expectation;
  /** What it breaks, where the faults of a check break different requirements. */
  readonly requirement?: string;
  /** Unusual and no fault, so that it serves as the control as well. */
  readonly mustGoThrough?: true;
}

export const unsigned: readonly Fault[] = [
  {
    how: 'without a Signature header',
    variation: () => ({ signing: { format: () => undefined } }),
    expected: rejectedWith(400),
    requirement: 'SIG-01',
  },
  {
    how: 'with the signature of another text',
    variation: () => ({ signing: overAnotherText }),
    expected: rejectedWith(400),
    requirement: 'SIG-02',
  },
];

/** Faults of the Signature header alone: each is tried at one of the operations, another one with the next seed. */
export const malformed = ({ readings }: CheckContext): readonly Fault[] => [
  ...(['keyId', 'headers', 'signature'] as const).map((part) => ({
    how: `whose Signature header lacks its ${part} part`,
    variation: () => ({ signing: { format: signatureWithout(part) } }),
    expected: refused(),
    requirement: { keyId: 'SGH-05', headers: 'SGH-07', signature: 'SGH-08' }[part],
  })),
  {
    how: 'whose Signature header is no list of parts',
    variation: () => ({ signing: { format: () => 'signed' } }),
    expected: rejectedWith(400),
    requirement: 'SGH-12',
  },
  ...(readings.signatureForm === 'key-id'
    ? [
        {
          how: 'whose keyId bears another serial number than the certificate',
          variation: keyIdWith(({ serialNumber, issuer }) => ({
            serialNumber: nearTo(serialNumber),
            issuer,
          })),
          expected: refused(),
          requirement: 'SGH-01',
        },
        {
          how: 'whose keyId names another issuer than the certificate’s',
          variation: keyIdWith(({ serialNumber }) => ({ serialNumber, issuer: anotherIssuer })),
          expected: refused(),
          requirement: 'SGH-02',
        },
      ]
    : []),
];

const keyIdWith =
  (change: (certificate: KeyId) => KeyId): Fault['variation'] =>
  ({ target }) => {
    const keyId = formatKeyId(change(target.identities.main.certificate));
    return { signing: { parts: (parts) => ({ ...parts, keyId }) } };
  };

export const untimely: readonly Fault[] = [
  {
    how: `with a Date a little more than ${limit} seconds old`,
    variation: dated((context) => -tooMany(context)),
    expected: refused(),
    requirement: 'CLK-03',
  },
  {
    how: `with a Date a little more than ${limit} seconds ahead`,
    variation: dated(tooMany),
    expected: refused(),
    requirement: 'CLK-04',
  },
  {
    how: 'without a Date',
    variation: () => ({ beforeSigning: ({ headers }) => headers.remove('Date') }),
    expected: refused(),
    requirement: 'CLK-05',
  },
];

/** Dates that are just right. A bank that hides its clock shows nothing of them. */
export const timely = (context: CheckContext): readonly Fault[] =>
  isUnknown(context)
    ? []
    : [
        {
          how: `with a Date almost ${limit} seconds old`,
          variation: dated((each) => -justEnough(each)),
          expected: succeededOrAskedForSca(),
          requirement: 'CLK-01',
          mustGoThrough: true,
        },
        {
          how: `with a Date almost ${limit} seconds ahead`,
          variation: dated(justEnough),
          expected: succeededOrAskedForSca(),
          requirement: 'CLK-02',
          mustGoThrough: true,
        },
      ];

const signedAs =
  (name: 'unknownTpp' | 'expired'): Fault['variation'] =>
  async (context) => {
    const identity = await context.target.identities[name]?.(timeAtBank(context));
    if (identity === undefined) throw new NotApplicable(`Add signing.identities.${name} to the target file.`);
    return { signing: { identity } };
  };

export const untrusted: readonly Fault[] = [
  {
    how: 'signed with a certificate of an authority that nobody has heard of',
    variation: signedAs('unknownTpp'),
    under: areCertificatesJudged,
    expected: refused(),
    requirement: 'CRT-01',
  },
  {
    how: 'signed with an expired certificate',
    variation: signedAs('expired'),
    under: areCertificatesJudged,
    expected: refused(),
    requirement: 'CRT-02',
    needs: 'identity:expired',
  },
];

/** Those that are faults as the specification is read, and that the target has the certificates for. */
export const possibleOnes = (context: CheckContext, faults: readonly Fault[]): readonly Fault[] =>
  faults.filter(
    ({ needs, under }) =>
      (needs === undefined || context.missing(needs) === undefined) && under?.(context.readings) !== false,
  );

type Send = (variation: Variation, purpose: string) => Promise<Answer>;

/** An operation that the specification only refers to, ready to be sent. */
export interface Operation {
  readonly what: string;
  readonly send: Send;
  /** The same on something new: where it goes through, what it was sent for is gone. */
  readonly renewed?: () => Promise<Operation>;
  /** Faults of which each is tried at one operation are tried at others. */
  readonly takesNoneOfMany?: true;
}

/**
 * Something between the suite and the bank may answer for it now and then: what would be used up by being taken is sent
 * once more for something new before the bank is blamed.
 */
async function sentWith(
  context: CheckContext,
  operation: Operation,
  fault: Fault,
): Promise<readonly [Operation, Answer]> {
  const purpose = `${operation.what} ${fault.how}`;
  const answer = await operation.send(await fault.variation(context), purpose);
  if (!answer.isSuccess || operation.renewed === undefined) return [operation, answer];
  const next = await operation.renewed();
  return [next, await next.send(await fault.variation(context), `${purpose}, once more`)];
}

/**
 * What it answers without any fault. One that died on the way may have been carried out, so that the next has to show it;
 * where that dies as well, as with servers that write something behind a 204, nothing is known of this operation alone.
 */
async function controlOf(context: CheckContext, operation: Operation): Promise<Answer | undefined> {
  const { what, renewed } = operation;
  const sent = (current: Operation): Promise<Answer> => current.send({}, `${what}, as control`);
  if (renewed === undefined) return sent(operation);
  try {
    return await sent(operation).catch(async (error: unknown) => {
      if (!(error instanceof LostOnTheWay)) throw error;
      return sent(await renewed());
    });
  } catch (error) {
    if (!(error instanceof LostOnTheWay)) throw error;
    context.note(`${what} is not judged: ${error.message}`);
    return undefined;
  }
}

/**
 * Faults come before the control, which may use up what it is sent for. A refusal counts where the control goes through;
 * what is taken with a fault needs none.
 */
export async function judgeOperation(
  context: CheckContext,
  operation: Operation,
  faults: readonly Fault[],
): Promise<boolean> {
  const { what } = operation;
  let current = operation;
  const judge = ({ expected, how, requirement }: Fault, answer: Answer): void => {
    context.showing(requirement, () => expectAnswer(context, answer, expected, `for ${what} ${how}`));
  };
  const goesThrough = (answer: Answer): boolean => answer.isSuccess || answer.asksForSca;
  const answers: (readonly [Fault, Answer])[] = [];
  let early: Answer | undefined;
  for (const fault of faults) {
    if (operation.renewed !== undefined && fault.mustGoThrough) continue;
    const [next, answer] = await sentWith(context, current, fault);
    current = next;
    if (answer.isSuccess) judge(fault, answer);
    answers.push([fault, answer]);
    if (!answer.isAbsent || early !== undefined) continue;
    // Either nothing is there, or that is how the bank refuses: without the fault it shows.
    early = await controlOf(context, current);
    if (early === undefined || !goesThrough(early)) return false;
    if (current.renewed !== undefined) current = await current.renewed();
    else if (answer.exchange.request.method === 'DELETE') break;
  }
  const through = answers.find(([{ mustGoThrough }, answer]) => mustGoThrough && goesThrough(answer));
  const control = through?.[1] ?? early ?? (await controlOf(context, current));
  if (control === undefined) return false;
  if (!goesThrough(control)) {
    context.note(`${what} is not judged: it is answered ${describeAnswer(control)} without any fault.`);
    return false;
  }
  for (const [fault, answer] of answers) {
    // What was asked for first may have lacked what only its refusal has told: such as a period.
    const isRefused = fault.mustGoThrough && !goesThrough(answer);
    judge(fault, isRefused ? (await sentWith(context, current, fault))[1] : answer);
  }
  return true;
}

/** What the target file declares away is one operation, and says nothing of the others. */
const leavingOut =
  (context: CheckContext, { what }: Operation) =>
  (error: unknown): false => {
    if (!(error instanceof NotOffered)) throw error;
    context.note(`${what} is not judged: ${error.message}`);
    return false;
  };

export async function judgeAll(
  context: CheckContext,
  operations: readonly Operation[],
  faults: readonly Fault[],
  spread: readonly Fault[] = [],
): Promise<void> {
  context.cases = 0;
  // What an operation cannot tell, since the bank does not have it, is left to the next.
  let left: readonly Fault[] = [];
  const takingOne = operations.filter(({ takesNoneOfMany }) => takesNoneOfMany !== true);
  for (const operation of operations) {
    const isItsOwn = (_: Fault, index: number) =>
      takingOne[(index + context.run.seed) % takingOne.length] === operation;
    const tried = [...faults, ...left, ...spread.filter(isItsOwn)];
    const isJudged = await judgeOperation(context, operation, tried).catch(leavingOut(context, operation));
    if (isJudged) context.cases += tried.length;
    left = isJudged ? [] : tried.slice(faults.length);
  }
  if (context.cases === 0) throw new NotApplicable('None of these operations went through without a fault.');
}
