import { has, memberAt, textAt } from '../spec/json.ts';
import { type Operation, operations } from '../spec/operations.ts';
import { creations, everyProduct, initiations, products } from '../spec/products.ts';
import { judgedProfiles, ofPayments, type ProfileId } from '../spec/profiles.ts';
import {
  approvalOf,
  created,
  createdDomestic,
  createdOf,
  firstApproved,
  hasKid,
  isReportableAmount,
  isSigned,
  oneOf,
  provokedAndGoneOn,
  provokedAndRenewed,
  readingsIn,
} from './journey-evidence.ts';
import { type ProvocationId, provokingAmount } from './provocations.ts';
import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';

/** Something that a TPP brings about at the bank, from its first request to its end. */
export interface Journey {
  /** What `--until` takes. */
  readonly id: string;
  readonly title: string;
  /** One sentence for whoever runs the TPP. */
  readonly goal: string;
  /** The requests that fulfil it, in order. */
  readonly requests: readonly string[];
  /** The operations that it needs; a refusal of one of them may be what keeps it from completing. */
  readonly operations: readonly string[];
  /** The profiles to which nobody is conformant without it: whoever offers them meets it at every bank. */
  readonly mandatoryIn: readonly ProfileId[];
  /** What can be judged once it was seen. */
  readonly requirements: readonly string[];
  /** The exchanges that show it complete; undefined while it is not. */
  completedBy(session: Session): readonly SeenExchange[] | undefined;
}

/** KIDs that a TPP may pay with: both check digits are right. */
export const exampleKids = ['2345676', '12345678903'] as const;

const domestic = `POST ${operations[products.domestic.creation].path}`;
const crossBorder = `POST ${operations[products.crossBorder.creation].path}`;
const status = 'GET /v1/payments/{product}/{paymentId}/status';

const payment = (id: ProvocationId): string =>
  `${everyProduct.map((product) => `POST ${operations[product.creation].path} with NOK ${provokingAmount(id, product)}${product.meantFromOere > 0 ? ' (or as much of another currency)' : ''}`).join(', or ')}`;

const accountReadings = ['listAccounts', 'readBalances', 'readTransactions'];

/** In the order in which a TPP best goes through them. */
export const journeys: readonly Journey[] = [
  {
    id: 'first-request',
    title: 'First signed request',
    goal: 'Send a request whose signature verifies, with a certificate that the bank trusts.',
    requests: ['any request of the interface'],
    operations: Object.keys(operations),
    mandatoryIn: ['core'],
    requirements: ['TPP-03'],
    completedBy: (session) => oneOf(session.calls.filter(isSigned(session))),
  },
  {
    id: 'first-payment',
    title: 'First domestic payment',
    goal: 'Learn the PSU-ID of a customer by SCA, create a domestic payment, and let the customer approve it.',
    requests: [
      'GET /v1/user, answered 401 with scaRedirect: the PSU logs in there and comes back with a psu-id',
      `${domestic}, answered 201 with scaRedirect: the PSU approves there`,
    ],
    operations: ['startUserFlow', products.domestic.creation],
    mandatoryIn: ['domestic-payments'],
    requirements: ['TPP-03', 'TPP-14', 'TPP-16', 'TPP-20', 'TPP-21', 'TPP-26', 'TPP-28'],
    completedBy: (session) => firstApproved(session, createdDomestic(session)),
  },
  {
    id: 'status',
    title: 'Status after approval',
    goal: 'Ask for the status of a payment after the customer has approved it.',
    requests: [`${status}, after the PSU has come back`],
    operations: [...creations, 'readPaymentStatus'],
    mandatoryIn: ofPayments,
    requirements: ['TPP-03', 'TPP-40'],
    completedBy: (session) => {
      for (const { id, exchange } of session.payments) {
        const approval = approvalOf(session, exchange);
        const asked =
          approval &&
          session
            .of('readPaymentStatus')
            .find((each) => each.number > approval.number && each.status === 200 && each.isAbout(id));
        if (asked !== undefined) return [exchange, asked];
      }
      return undefined;
    },
  },
  {
    id: 'refused-payment',
    title: 'A payment that the bank refuses',
    goal: 'Create a payment that the bank refuses with 400, and do not send the same payment again.',
    requests: [`${payment('refused-payment')}, answered 400`, 'any other request'],
    operations: creations,
    mandatoryIn: ofPayments,
    requirements: ['TPP-38'],
    completedBy: (session) => provokedAndGoneOn(session, 'refused-payment'),
  },
  {
    id: 'session-expiry',
    title: 'A session that ends in the middle',
    goal: 'Cope with a session that the bank ends early: send the PSU to the link of the 401, then create the payment again.',
    requests: [
      `${payment('session-expiry')}, answered 401 with scaRedirect although SCA was passed`,
      'the PSU passes SCA there',
      `${payment('session-expiry')} again, answered 201`,
    ],
    operations: creations,
    mandatoryIn: ofPayments,
    requirements: ['TPP-20', 'TPP-24'],
    completedBy: (session) => provokedAndRenewed(session, 'session-expiry'),
  },
  {
    id: 'failed-sca',
    title: 'SCA that fails',
    goal: 'Take note of an SCA that fails: the redirect carries an error instead of a psu-id.',
    requests: [
      `${payment('failed-sca')}, answered 201 with scaRedirect: whatever the PSU does there fails (or cancel any other SCA)`,
      'any other request, such as the status of the payment, its deletion, or a new one',
    ],
    operations: creations,
    mandatoryIn: ofPayments,
    requirements: ['TPP-20'],
    completedBy: (session) => {
      const failed = session.returns.find(
        ({ exchange, passed }) => !passed && session.after(exchange).length > 0,
      );
      return failed && [failed.exchange];
    },
  },
  {
    id: 'busy',
    title: 'A bank that is busy',
    goal: 'Cope with 429: a payment that is created again is not created before Retry-After is over. It need not be.',
    requests: [
      `${payment('busy')}, answered 429 with Retry-After`,
      'any other request, or the same after the pause',
    ],
    operations: creations,
    mandatoryIn: [],
    requirements: ['TPP-39'],
    completedBy: (session) => provokedAndGoneOn(session, 'busy'),
  },
  {
    id: 'unavailable',
    title: 'A bank that is unavailable',
    goal: 'Cope with 503: a payment that is created again is not created before Retry-After is over. It need not be.',
    requests: [
      `${payment('unavailable')}, answered 503 with Retry-After`,
      'any other request, or the same after the pause',
    ],
    operations: creations,
    mandatoryIn: [],
    requirements: ['TPP-39'],
    completedBy: (session) => provokedAndGoneOn(session, 'unavailable'),
  },
  {
    id: 'forged-response',
    title: 'A response with a false signature',
    goal: 'Verify the signature of each response, and use nothing of one whose signature is false.',
    requests: [
      `${payment('forged-response')}, answered 201 with a signature that does not verify`,
      'anything that does not use its paymentId or its link, such as the same payment again, of whose answer the digest is not that of the body',
    ],
    operations: creations,
    mandatoryIn: [],
    requirements: ['TPP-05'],
    completedBy: (session) => provokedAndGoneOn(session, 'forged-response'),
  },
  {
    id: 'currency-account',
    title: 'Payment to a currency account',
    goal: 'Pay to a domestic account that is kept in another currency than NOK, and name its bank.',
    requests: [`${domestic} with a creditorAccount.currency other than NOK, and creditorAgent`],
    operations: [products.domestic.creation],
    mandatoryIn: [],
    requirements: ['TPP-26'],
    completedBy: (session) =>
      oneOf(
        createdDomestic(session).filter(
          ({ json }) =>
            (textAt(json, 'creditorAccount', 'currency') ?? 'NOK') !== 'NOK' && has(json, 'creditorAgent'),
        ),
      ),
  },
  {
    id: 'kid',
    title: 'Payment with KID',
    goal: `Pay an invoice with a KID, such as ${exampleKids.join(' or ')}, in the structured form.`,
    requests: [`${domestic} with remittanceInformationStructuredArray`],
    operations: [products.domestic.creation],
    mandatoryIn: [],
    requirements: ['TPP-29', 'TPP-33', 'TPP-34'],
    completedBy: (session) => oneOf(createdDomestic(session).filter(hasKid)),
  },
  {
    id: 'card-account',
    title: 'Payment from a card account',
    goal: 'Pay from a credit card account.',
    requests: [`${domestic} with debtorAccount.other`],
    operations: [products.domestic.creation],
    mandatoryIn: [],
    requirements: ['TPP-30'],
    completedBy: (session) =>
      oneOf(createdDomestic(session).filter(({ json }) => has(memberAt(json, 'debtorAccount'), 'other'))),
  },
  {
    id: 'cross-border',
    title: 'Cross-border payment',
    goal: 'Create a payment to an account abroad, and let the customer approve it.',
    requests: [`${crossBorder}, answered 201 with scaRedirect: the PSU approves there`],
    operations: [products.crossBorder.creation],
    mandatoryIn: ['cross-border-payments'],
    requirements: ['TPP-27', 'TPP-32'],
    completedBy: (session) => firstApproved(session, createdOf(session, products.crossBorder)),
  },
  {
    id: 'reporting',
    title: 'Payment that is reported',
    goal: 'Pay NOK 100 000 or more to an account abroad, and say what it is for.',
    requests: [`${crossBorder} with NOK 100 000.00 or more and both regulatory fields`],
    operations: [products.crossBorder.creation],
    mandatoryIn: [],
    requirements: ['TPP-31'],
    completedBy: (session) =>
      oneOf(createdOf(session, products.crossBorder).filter((exchange) => isReportableAmount(exchange.json))),
  },
  {
    id: 'basket',
    title: 'Basket of several payments',
    goal: 'Create several payments, put them into one basket, and let the customer approve them together.',
    requests: [
      `${domestic}, at least twice`,
      'POST /v1/signing-baskets with their ids, answered 201 with scaRedirect: the PSU approves there',
    ],
    operations: initiations,
    mandatoryIn: ['signing-baskets'],
    requirements: ['TPP-35', 'TPP-36', 'TPP-42'],
    completedBy: (session) => {
      for (const exchange of session.of('createSigningBasket').filter(created)) {
        const ids = memberAt(exchange.json, 'paymentIds');
        const approval = approvalOf(session, exchange);
        if (Array.isArray(ids) && ids.length > 1 && approval !== undefined) return [exchange, approval];
      }
      return undefined;
    },
  },
  {
    id: 'corporate',
    title: 'Corporate customer',
    goal: 'Let a customer act for a company, and create a payment with the PSU-Corporate-ID of the redirect.',
    requests: [
      'GET /v1/user in a session of its own, answered 401 with scaRedirect: the PSU chooses to act for a company',
      `${domestic} with PSU-ID and PSU-Corporate-ID`,
    ],
    operations: creations,
    mandatoryIn: [],
    requirements: ['TPP-22'],
    completedBy: (session) =>
      oneOf(
        session.creations.filter(
          (exchange) =>
            created(exchange) &&
            exchange.header('PSU-ID') !== undefined &&
            exchange.header('PSU-Corporate-ID') !== undefined,
        ),
      ),
  },
  {
    id: 'accounts',
    title: 'Account information',
    goal: 'Read the balances or transactions of an account with the customer present.',
    requests: [
      'GET /v1/accounts, answered 401 with scaRedirect until the PSU has chosen accounts',
      'GET /v1/accounts/{id}/balances or /transactions with PSU-IP-Address',
    ],
    operations: accountReadings,
    mandatoryIn: ['accounts'],
    requirements: ['TPP-23'],
    completedBy: (session) =>
      oneOf(readingsIn(session).filter((exchange) => exchange.header('PSU-IP-Address') !== undefined)),
  },
  {
    id: 'unattended',
    title: 'Account information without the customer',
    goal: 'Read the balances or transactions of an account while the customer is away.',
    requests: ['GET /v1/accounts/{id}/balances or /transactions without PSU-IP-Address'],
    operations: accountReadings,
    mandatoryIn: [],
    requirements: ['TPP-37', 'TPP-46'],
    completedBy: (session) =>
      oneOf(readingsIn(session).filter((exchange) => exchange.header('PSU-IP-Address') === undefined)),
  },
  {
    id: 'sandbox-listing',
    title: 'Sandbox listing',
    goal: 'List the customers of the sandbox.',
    requests: ['GET /v1/sandbox/customers'],
    operations: ['listSandboxCustomers'],
    mandatoryIn: [],
    requirements: ['TPP-16'],
    completedBy: (session) =>
      oneOf(session.of('listSandboxCustomers').filter((exchange) => exchange.status === 200)),
  },
];

/** By what a TPP shows that it uses a profile: it creates payments and baskets, and reads accounts. */
const shownBy: Readonly<Partial<Record<ProfileId, Operation['method']>>> = {
  'domestic-payments': 'POST',
  'cross-border-payments': 'POST',
  'signing-baskets': 'POST',
  accounts: 'GET',
};

const everyOperation: Readonly<Partial<Record<string, Operation>>> = operations;

function profileShownBy(name: string): ProfileId | undefined {
  const operation = everyOperation[name];
  return operation !== undefined && shownBy[operation.profile] === operation.method
    ? operation.profile
    : undefined;
}

/** The profiles that a TPP is judged by: those declared, or those that it has used; all of them while it used none. */
export function profilesFor(session: Session): readonly ProfileId[] {
  const used = new Set(session.calls.map(({ operation }) => profileShownBy(operation)));
  const declared = session.start.profiles ?? [...used].filter((id) => id !== undefined);
  return judgedProfiles('tpp', certificationEnvironment, declared.length === 0 ? undefined : declared);
}

/** What reports name as the environment of a certification. */
export const certificationEnvironment = 'certification';

export const isMandatory = ({ mandatoryIn }: Journey, profiles: readonly ProfileId[]): boolean =>
  mandatoryIn.some((id) => profiles.includes(id));
