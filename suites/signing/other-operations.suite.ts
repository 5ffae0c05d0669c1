import { type Check, type CheckDefinition, check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { askedOnce } from '../../src/checks/controls.ts';
import { expectAnswer, refused, rejectedWith } from '../../src/checks/expectation.ts';
import { NotOffered } from '../../src/checks/outcomes.ts';
import { freshPayments } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { products } from '../../src/spec/products.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Call } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { readablePayment } from '../payments/approved-payments.ts';
import { freshPayment, paramsOf } from '../payments/payments-at-hand.ts';
import { newCustomer, noteWhatStays, removalOf } from '../sandbox/new-customers.ts';
import { rememberCustomers } from '../sca/own-customers.ts';
import {
  accountData,
  accountIdsIn,
  accountOf,
  type Reader,
  readAlone,
  readingOf,
  withReadyReader,
} from '../sca/readers.ts';
import { callFor, newSession } from '../sca/walks.ts';
import { whereCertificatesAreJudged } from './certificate-trust.ts';
import { aCorporatePayment } from './corporate-requests.ts';
import { limit } from './dates.ts';
import {
  type Fault,
  judgeAll,
  malformed,
  type Operation,
  possibleOnes,
  timely,
  unsigned,
  untimely,
  untrusted,
} from './operation-faults.ts';

/** A request that is unsigned and names nobody is rejected for that: who it is for is asked of a TPP that is known. */
const ofNobody = 'GET /v1/accounts without PSU-ID';

function operationsFor(
  context: CheckContext,
  reader: Reader,
  { unnamed }: { readonly unnamed: boolean },
): readonly Operation[] {
  const reading = (what: string, call: Call): Operation => ({
    what,
    send: (variation, purpose) => reader.call(call, variation, purpose),
  });
  const starting = (
    what: string,
    operation: 'startUserFlow' | 'createConsent' | 'listAccounts',
  ): Operation => ({
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
    ...accountData.map((data) => reading(`GET /v1/accounts/{id}/${data}`, readingOf(data, params))),
    reading('GET /v1/agreements', { operation: 'listAgreements' }),
    starting('GET /v1/user', 'startUserFlow'),
    starting('POST /v1/consents', 'createConsent'),
    ...(unnamed ? [{ ...starting(ofNobody, 'listAccounts'), takesNoneOfMany: true as const }] : []),
  ];
}

async function statusIn(context: CheckContext): Promise<Operation> {
  const call: Call = { operation: 'readPaymentStatus', params: paramsOf(await readablePayment(context)) };
  return {
    what: 'the status of a payment',
    send: (variation, purpose) => context.call(call, variation, purpose),
  };
}

/** A deletion that is refused leaves the payment there for the next one. */
async function deletionIn(context: CheckContext): Promise<Operation> {
  const call: Call = { operation: 'deletePayment', params: paramsOf(await freshPayment(context)) };
  return {
    what: 'DELETE of a payment',
    send: (variation, purpose) => context.call(call, variation, purpose),
    renewed: () => deletionIn(context),
  };
}

/** What a company may read, where the target file names one that is not the reader itself. */
async function balancesOfTheCompany(context: CheckContext): Promise<readonly Operation[]> {
  const lacks = (['corporate-psu', 'private-psu'] as const).some(
    (need) => context.missing(need) !== undefined,
  );
  if (lacks) return [];
  const psu = corporatePsu(context);
  const question = 'accounts of the company';
  const listing = await askedOnce(context, question, (sender) =>
    sender.call({ operation: 'listAccounts', psu }, {}, question),
  );
  const [accountId] = listing.isSuccess ? accountIdsIn(listing.json) : [];
  if (accountId === undefined) return [];
  const call = { ...readingOf('balances', { accountId }), psu };
  return [
    { what: 'balances of a company', send: (variation, purpose) => context.call(call, variation, purpose) },
  ];
}

interface Asked {
  readonly asked: readonly Fault[];
}

/** Calls without the PSU are few, and those that are refused are none of them: there is no control. */
async function mustBeRefusedInOtherWays(
  context: CheckContext,
  reader: Reader,
  faults: readonly Fault[],
  ofCompanies: readonly Fault[],
): Promise<void> {
  const alone = (what: string, call: Call): Operation & Asked => ({
    what: `${what} without the PSU present`,
    send: (variation, purpose) => readAlone(context, reader, call, variation, purpose),
    asked: faults,
  });
  const operations: readonly (Operation & Asked)[] = [
    alone('balances', readingOf('balances', accountOf(reader))),
    alone('accounts', { operation: 'listAccounts' }),
    ...(await balancesOfTheCompany(context)).map((each) => ({ ...each, asked: [...faults, ...ofCompanies] })),
  ];
  for (const { what, send, asked } of operations)
    for (const { how, variation, expected, requirement } of asked) {
      const answer = await send(await variation(context), `${what}, ${how}`);
      if (!answer.isSuccess) continue;
      context.showing(requirement, () => expectAnswer(context, answer, expected, `for ${what}, ${how}`));
    }
}

interface AtOtherOperations extends Pick<CheckDefinition, 'id' | 'requirement' | 'title' | 'levelUnder'> {
  readonly others: readonly string[];
  /** Faults that are tried at each of them. */
  readonly faults: readonly Fault[];
  /** What each of them has to be taken with. */
  readonly taken?: (context: CheckContext) => readonly Fault[];
  /** What that is, as a step. */
  readonly takenStep?: string;
  /** Faults of which each is tried at one of them. */
  readonly spread?: (context: CheckContext) => readonly Fault[];
  /** What these are, as a step. */
  readonly spreadStep?: string;
  readonly withPayments: boolean;
  /** Whether a request that names nobody is one of them. */
  readonly unnamed?: true;
}

const atOtherOperations = ({
  faults,
  taken,
  takenStep,
  spread,
  spreadStep,
  withPayments,
  unnamed,
  ...definition
}: AtOtherOperations): Check =>
  check({
    ...definition,
    profiles: ['accounts'],
    needs: ['aisp-role'],
    steps: [
      `Send ${faults.map(({ how }) => how).join(', and ')}: balances, transactions, agreements, GET /v1/user and a consent${unnamed === true ? `, and ${ofNobody}` : ''}${withPayments ? ', and the status and deletion of a payment' : ''}.`,
      ...(spreadStep === undefined ? [] : [spreadStep]),
      ...(takenStep === undefined ? [] : [takenStep]),
      'Send each of them without any fault, as control: those that do not go through are not judged.',
      'Ask for balances and accounts with each of these faults and without PSU-IP-Address, and for balances of a company where the target file names one: what goes through needs no control.',
    ],
    expected: [...new Set(faults.map(({ expected }) => expected.text))].join(', or '),
    run: (context) =>
      withReadyReader(context, async (reader) => {
        const onPayments = withPayments && context.missing('create-payments') === undefined;
        const operations = [
          ...operationsFor(context, reader, { unnamed: unnamed === true }),
          ...(onPayments ? [await statusIn(context), await deletionIn(context)] : []),
        ];
        const each = [...possibleOnes(context, faults), ...(taken?.(context) ?? [])];
        await judgeAll(context, operations, each, spread?.(context));
        await mustBeRefusedInOtherWays(
          context,
          reader,
          possibleOnes(context, faults),
          spread?.(context) ?? [],
        );
      }),
  });

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
  title:
    'reading accounts and agreements, and reading or deleting a payment, is refused without X-Request-ID',
  levelUnder: whereNotShown,
  needs: ['aisp-role'],
  steps: [
    'Ask for accounts without X-Request-ID, for the status of a payment, and for its deletion.',
    'Send each of them with it, as control: those that do not go through are not judged.',
    'Ask for balances, agreements, the details of a payment and the status of a basket, and create a sandbox customer, without it as well: what goes through needs no control.',
  ],
  expected: refused().text,
  run: (context) =>
    withReadyReader(context, async (reader) => {
      const { call } = reader;
      const listing: Operation = {
        what: 'GET /v1/accounts',
        send: (variation, purpose) => call({ operation: 'listAccounts' }, variation, purpose),
      };
      const pays = context.missing('create-payments') === undefined;
      const operations = [listing, ...(pays ? [await statusIn(context), await deletionIn(context)] : [])];
      await judgeAll(context, operations, [withoutRequestId]);
      await furtherOnesMustBeRefused(context, reader, pays);
      await creatingACustomerMustBeRefused(context);
    }),
});

/** Where they are refused, or not offered, nothing is known of why: the others tell enough. */
async function furtherOnesMustBeRefused(context: CheckContext, reader: Reader, pays: boolean): Promise<void> {
  const { how, variation, expected } = withoutRequestId;
  const mustBeRefused = async (call: Call, send: Reader['call']): Promise<void> => {
    const answer = await send(call, await variation(context), how).catch(unlessNotOffered);
    if (answer?.isSuccess) expectAnswer(context, answer, expected, `for ${call.operation} ${how}`);
  };
  await mustBeRefused(readingOf('balances', accountOf(reader)), reader.call);
  await mustBeRefused({ operation: 'listAgreements' }, reader.call);
  if (!pays) return;
  const params = paramsOf(await readablePayment(context));
  const own = callFor(context, {}, context.psu);
  await mustBeRefused({ operation: 'readPayment', params }, own);
  if (context.unjudged(['signing-baskets']) !== undefined) return;
  const body = { paymentIds: await freshPayments(context, 1) };
  const basket = await callThroughSca(context, { operation: 'createSigningBasket', body }, 'a basket');
  const basketId = basket.text('basketId');
  if (basketId !== undefined)
    await mustBeRefused({ operation: 'readSigningBasketStatus', params: { basketId } }, own);
}

/** One that is created all the same is removed again. */
async function creatingACustomerMustBeRefused(context: CheckContext): Promise<void> {
  const isPossible = context.unjudged(['sandbox']) === undefined && !context.missing('sandbox-changes');
  if (!isPossible) return;
  await rememberCustomers(context);
  const customer = newCustomer(context);
  const { how, variation, expected } = withoutRequestId;
  const answer = await context.call(customer.creation, await variation(context), how).catch(unlessNotOffered);
  if (!answer?.isSuccess) return;
  const removal = await removalOf(context, customer);
  if (removal === undefined || !(await context.call(removal, {}, 'remove the customer')).isSuccess)
    noteWhatStays(context);
  expectAnswer(context, answer, expected, `for POST /v1/sandbox/customers ${how}`);
}

function unlessNotOffered(error: unknown): undefined {
  if (!(error instanceof NotOffered)) throw error;
}

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

export default suite('What every request shows', section('Authentication', 'Transport and signing'), () => [
  atOtherOperations({
    id: `SIG-01${suffixes.elsewhere}`,
    requirement: 'SIG-01',
    others: ['SIG-02', 'SGH-01', 'SGH-02', 'SGH-05', 'SGH-07', 'SGH-08', 'SGH-12'],
    title: 'operations that are only referred to are rejected with 400 unless they are signed',
    faults: unsigned,
    spread: malformed,
    spreadStep:
      'Send each of these to one of them, another one with the next seed: a Signature header without its keyId, headers or signature part, one that is no list of parts, and a keyId with another serial number or issuer than those of the certificate; and each to the balances of a company. They are refused.',
    withPayments: false,
    unnamed: true,
  }),
  atOtherOperations({
    id: `CLK-03${suffixes.elsewhere}`,
    requirement: 'CLK-03',
    others: ['CLK-04', 'CLK-05', 'CLK-01', 'CLK-02'],
    title:
      'operations that are only referred to are refused without a Date and with one too far off, and not before',
    faults: untimely,
    taken: timely,
    takenStep: `Send each of them but the deletion with a Date almost ${limit} seconds old, and one almost ${limit} seconds ahead: they go through.`,
    withPayments: true,
  }),
  atOtherOperations({
    id: `CRT-01${suffixes.elsewhere}`,
    requirement: 'CRT-01',
    others: ['CRT-02'],
    levelUnder: whereCertificatesAreJudged('must'),
    title: 'operations that are only referred to are refused with a certificate that is not to be trusted',
    faults: untrusted,
    withPayments: true,
  }),
  requestIds,
  corporateIds,
]);
