import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { corporatePsu } from '../../src/checks/context.ts';
import { isAbsent } from '../../src/checks/controls.ts';
import {
  describeAnswer,
  type Expectation,
  expectAnswer,
  refused,
  rejectedWith,
} from '../../src/checks/expectation.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import { aSimplePayment, freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import { formatKeyId, type KeyId } from '../../src/signing/signature-header.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { products } from '../../src/spec/products.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Variation } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { accountOf, type Reader, withReadyReader } from '../sca/readers.ts';
import { newSession } from '../sca/walks.ts';
import { aCorporatePayment } from './corporate-requests.ts';
import { anotherIssuer, flippingOneBit, otherSerialNumber, signatureWithout } from './signature-faults.ts';

/** What every request can be refused for, whatever it asks for. */
interface Fault {
  readonly how: string;
  readonly variation: (context: CheckContext) => Variation | Promise<Variation>;
  readonly needs?: Capability;
  readonly expected: Expectation;
  /** What it breaks, where the faults of a check break different requirements. */
  readonly requirement?: string;
}

const hours =
  (count: number): Fault['variation'] =>
  ({ client }) => ({
    beforeSigning: ({ headers }) =>
      headers.set('Date', new Date(client.clock.now().getTime() + count * 3_600_000).toUTCString()),
  });

const unsigned: readonly Fault[] = [
  {
    how: 'without a Signature header',
    variation: () => ({ signing: { format: () => undefined } }),
    expected: rejectedWith(400),
    requirement: 'SIG-01',
  },
  {
    how: 'with a signature that does not verify',
    variation: () => ({ signing: { parts: flippingOneBit } }),
    expected: rejectedWith(400),
    requirement: 'SIG-02',
  },
];

/** Faults of the Signature header alone: each is tried at one of the operations, another one with the next seed. */
const malformed = ({ readings }: CheckContext): readonly Fault[] => [
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
            serialNumber: otherSerialNumber(serialNumber),
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

const untimely: readonly Fault[] = [
  {
    how: 'with a Date that is an hour old',
    variation: hours(-1),
    expected: refused(),
    requirement: 'CLK-03',
  },
  {
    how: 'with a Date that is exactly a day ahead',
    variation: hours(24),
    expected: refused(),
    requirement: 'CLK-04',
  },
];

const signedAs =
  (name: 'unknownTpp' | 'expired'): Fault['variation'] =>
  async ({ target }) => {
    const identity = await target.identities[name]?.();
    if (identity === undefined) throw new NotApplicable(`add signing.identities.${name} to the target file`);
    return { signing: { identity } };
  };

const untrusted: readonly Fault[] = [
  {
    how: 'signed with a certificate of an authority that nobody has heard of',
    variation: signedAs('unknownTpp'),
    expected: refused(),
    requirement: 'CRT-01',
  },
  {
    how: 'signed with an expired certificate',
    variation: signedAs('expired'),
    expected: refused(),
    requirement: 'CRT-02',
    needs: 'identity:expired',
  },
];

type Send = (variation: Variation, purpose: string) => Promise<Answer>;

/** An operation that the specification only refers to, ready to be sent; the last one is gone once it went through. */
interface Operation {
  readonly what: string;
  readonly send: Send;
}

function operationsFor(context: CheckContext, reader: Reader): readonly Operation[] {
  const reading = (what: string, call: Call): Operation => ({
    what,
    send: (variation, purpose) => reader.call(call, variation, purpose),
  });
  const starting = (what: string, operation: 'startUserFlow' | 'createConsent'): Operation => ({
    what,
    send: (variation, purpose) =>
      context.call(
        { operation, psu: newSession(context), ...(operation === 'createConsent' ? { body: {} } : {}) },
        variation,
        purpose,
      ),
  });
  const params = accountOf(reader);
  return [
    reading('GET /v1/accounts/{id}/balances', { operation: 'readBalances', params }),
    reading('GET /v1/accounts/{id}/transactions', {
      operation: 'readTransactions',
      params,
      query: { bookingStatus: 'both' },
    }),
    reading('GET /v1/agreements', { operation: 'listAgreements' }),
    starting('GET /v1/user', 'startUserFlow'),
    starting('POST /v1/consents', 'createConsent'),
  ];
}

/** The status of a payment that can be read: an approved one, or a cross-border one (known issue). */
async function statusIn(context: CheckContext): Promise<Operation> {
  const [approved] = context.target.payments.approved;
  const product = products.crossBorder;
  const { product: path, id } = approved ?? {
    product: product.path,
    id: (await freshPayments(context, 1, aSimplePayment(product)))[0] ?? '',
  };
  return {
    what: 'the status of a payment',
    send: (variation, purpose) =>
      context.call(
        { operation: 'readPaymentStatus', params: { product: path, paymentId: id } },
        variation,
        purpose,
      ),
  };
}

/** A payment that nobody else knows: a deletion that is refused leaves it there for the next one. */
async function deletionOf(context: CheckContext): Promise<Operation> {
  const product = offeredProduct(context);
  const [paymentId = ''] = await freshPayments(context, 1, aSimplePayment(product));
  return {
    what: 'DELETE of a payment',
    send: (variation, purpose) =>
      context.call(
        { operation: 'deletePayment', params: { product: product.path, paymentId } },
        variation,
        purpose,
      ),
  };
}

/**
 * Faults come before the control, which may use up what it is sent for. A refusal counts where the control goes through;
 * what is taken with a fault needs none.
 */
async function judgeOperation(
  context: CheckContext,
  { what, send }: Operation,
  faults: readonly Fault[],
): Promise<boolean> {
  const judge = ({ expected, how, requirement }: Fault, answer: Answer): void => {
    context.broken = requirement;
    expectAnswer(context, answer, expected, `for ${what} ${how}`);
    context.broken = undefined;
  };
  const answers: (readonly [Fault, Answer])[] = [];
  for (const fault of faults) {
    const answer = await send(await fault.variation(context), `${what} ${fault.how}`);
    if (isAbsent(answer)) return false;
    if (answer.isSuccess) judge(fault, answer);
    answers.push([fault, answer]);
  }
  const control = await send({}, `${what}, as control`);
  if (!control.isSuccess && !control.asksForSca) {
    context.note(`${what} is not judged: it is answered ${describeAnswer(control)} without any fault.`);
    return false;
  }
  for (const [fault, answer] of answers) judge(fault, answer);
  return true;
}

interface AtOtherOperations extends Pick<Check, 'id' | 'requirement' | 'title'> {
  readonly others: readonly string[];
  /** Faults that are tried at each of them. */
  readonly faults: readonly Fault[];
  /** Faults of which each is tried at one of them. */
  readonly spread?: (context: CheckContext) => readonly Fault[];
  /** What these are, as a step. */
  readonly spreadStep?: string;
  readonly withPayments: boolean;
}

const atOtherOperations = ({
  faults,
  spread,
  spreadStep,
  withPayments,
  ...definition
}: AtOtherOperations): Check =>
  check({
    ...definition,
    profiles: ['accounts'],
    needs: ['aisp-role'],
    steps: [
      `Send ${faults.map(({ how }) => how).join(', and ')}: balances, transactions, agreements, GET /v1/user and a consent${withPayments ? ', and the status and deletion of a payment' : ''}.`,
      ...(spreadStep === undefined ? [] : [spreadStep]),
      'Send each of them without any fault, as control: those that do not go through are not judged.',
    ],
    expected: [...new Set(faults.map(({ expected }) => expected.text))].join(', or '),
    run: (context) =>
      withReadyReader(context, async (reader) => {
        const onPayments = withPayments && context.missing('create-payments') === undefined;
        const operations = [
          ...operationsFor(context, reader),
          ...(onPayments ? [await statusIn(context), await deletionOf(context)] : []),
        ];
        const possible = faults.filter(
          ({ needs }) => needs === undefined || context.missing(needs) === undefined,
        );
        await judgeAll(context, operations, possible, spread?.(context));
      }),
  });

async function judgeAll(
  context: CheckContext,
  operations: readonly Operation[],
  faults: readonly Fault[],
  spread: readonly Fault[] = [],
): Promise<void> {
  context.cases = 0;
  // What an operation cannot tell, since the bank does not have it, is left to the next.
  let left: readonly Fault[] = [];
  for (const [place, operation] of operations.entries()) {
    const isItsOwn = (_: Fault, index: number) => (index + context.run.seed) % operations.length === place;
    const tried = [...faults, ...left, ...spread.filter(isItsOwn)];
    const isJudged = await judgeOperation(context, operation, tried);
    if (isJudged) context.cases += tried.length;
    left = isJudged ? [] : tried.slice(faults.length);
  }
  if (context.cases === 0) throw new NotApplicable('None of these operations went through without a fault.');
}

const withoutRequestId: Fault = {
  how: 'without X-Request-ID',
  variation: () => ({ beforeSigning: ({ headers }) => headers.remove('X-Request-ID') }),
  expected: refused(),
};

const whereNotShown = ({ unshownRequests }: Readings): Level =>
  unshownRequests === 'required' ? 'must' : 'advisory';

const requestIds: Check = check({
  id: 'HDO-01',
  requirement: 'HDO-01',
  title: 'accounts, and the status and deletion of a payment, are refused without X-Request-ID',
  levelUnder: whereNotShown,
  needs: ['aisp-role'],
  steps: [
    'Ask for accounts without X-Request-ID, for the status of a payment, and for its deletion.',
    'Send each of them with it, as control: those that do not go through are not judged.',
  ],
  expected: refused().text,
  run: (context) =>
    withReadyReader(context, async ({ call }) => {
      const listing: Operation = {
        what: 'GET /v1/accounts',
        send: (variation, purpose) => call({ operation: 'listAccounts' }, variation, purpose),
      };
      const pays = context.missing('create-payments') === undefined;
      const operations = [listing, ...(pays ? [await statusIn(context), await deletionOf(context)] : [])];
      await judgeAll(context, operations, [withoutRequestId]);
    }),
});

/** A payment of the company; each request names the company, or does not. */
async function ofTheCompany(context: CheckContext): Promise<readonly Operation[]> {
  const product = products.crossBorder;
  const [paymentId = ''] = await freshPayments(context, 1, aCorporatePayment(product));
  const params = { product: product.path, paymentId };
  return (['readPaymentStatus', 'deletePayment'] as const).map((operation) => ({
    what:
      operation === 'deletePayment' ? 'DELETE of a corporate payment' : 'the status of a corporate payment',
    send: (variation, purpose) =>
      context.call({ operation, params, psu: corporatePsu(context) }, variation, purpose),
  }));
}

const corporateIds: Check = check({
  id: 'COR-07',
  requirement: 'COR-07',
  title: 'the status and the deletion of a corporate payment without PSU-Corporate-ID are answered 400',
  levelUnder: whereNotShown,
  needs: ['corporate-psu', 'create-payments'],
  steps: [
    'Create a cross-border payment with PSU-Corporate-ID.',
    'Ask for its status, and delete it, without PSU-Corporate-ID.',
    'Do both with it, as control: what does not go through is not judged.',
  ],
  expected: rejectedWith(400).text,
  run: async (context) =>
    judgeAll(context, await ofTheCompany(context), [
      {
        how: 'without PSU-Corporate-ID',
        variation: () => ({ beforeSigning: ({ headers }) => headers.remove('PSU-Corporate-ID') }),
        expected: rejectedWith(400),
      },
    ]),
});

export default suite('What every request shows', section('Authentication', 'Transport and signing'), [
  atOtherOperations({
    id: `SIG-01${suffixes.elsewhere}`,
    requirement: 'SIG-01',
    others: ['SIG-02', 'SGH-01', 'SGH-02', 'SGH-05', 'SGH-07', 'SGH-08', 'SGH-12'],
    title: 'operations that are only referred to are rejected with 400 unless they are signed',
    faults: unsigned,
    spread: malformed,
    spreadStep:
      'Send each of these to one of them, another one with the next seed: a Signature header without its keyId, headers or signature part, one that is no list of parts, and a keyId with another serial number or issuer than those of the certificate. They are refused.',
    withPayments: false,
  }),
  atOtherOperations({
    id: `CLK-03${suffixes.elsewhere}`,
    requirement: 'CLK-03',
    others: ['CLK-04'],
    title: 'operations that are only referred to are refused with a Date that is far off',
    faults: untimely,
    withPayments: true,
  }),
  atOtherOperations({
    id: `CRT-01${suffixes.elsewhere}`,
    requirement: 'CRT-01',
    others: ['CRT-02'],
    title: 'operations that are only referred to are refused with a certificate that is not to be trusted',
    faults: untrusted,
    withPayments: true,
  }),
  requestIds,
  corporateIds,
]);
