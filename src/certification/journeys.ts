import { isKid } from '../spec/check-digits.ts';
import { has, memberAt, textAt } from '../spec/json.ts';
import { limits } from '../spec/limits.ts';
import { operations } from '../spec/operations.ts';
import { products } from '../spec/products.ts';
import { type ProvocationId, provokingAmounts } from './provocations.ts';
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
  /** Without it there is no verdict `conformant`: every initiator of payments meets it at every bank. */
  readonly mandatory: boolean;
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

const created = (exchange: SeenExchange): boolean =>
  exchange.status === 201 && exchange.recorded.provocation !== 'forged-response';

const createdDomestic = (session: Session): readonly SeenExchange[] =>
  session.of(products.domestic.creation).filter(created);

/** The PSU's return after approving what an answer asked approval for. */
function approvalOf(session: Session, exchange: SeenExchange): SeenExchange | undefined {
  const link = session.linkOf(exchange);
  return link && session.passed(link.flowId)?.exchange;
}

/** Payments whose creation is enough. */
const oneOf = (found: readonly SeenExchange[]): readonly SeenExchange[] | undefined =>
  found.length === 0 ? undefined : found.slice(0, 1);

const amountOf = ({ json }: SeenExchange): string | undefined => textAt(json, 'instructedAmount', 'amount');

const provoked = (session: Session, id: ProvocationId): readonly SeenExchange[] =>
  session.requests.filter(({ recorded }) => recorded.provocation === id);

/** A provocation after which the TPP went on with anything at all. */
function provokedAndGoneOn(session: Session, id: ProvocationId): readonly SeenExchange[] | undefined {
  const exchange = provoked(session, id).find((candidate) => session.after(candidate).length > 0);
  return exchange && [exchange];
}

/** A provocation after which the same payment went through. */
function provokedAndRepeated(session: Session, id: ProvocationId): readonly SeenExchange[] | undefined {
  for (const exchange of provoked(session, id)) {
    const again = session
      .after(exchange)
      .find((later) => created(later) && amountOf(later) === amountOf(exchange));
    if (again !== undefined) return [exchange, again];
  }
  return undefined;
}

const payment = (id: ProvocationId): string => `${domestic} with NOK ${provokingAmounts[id]}`;

/** In the order in which a TPP best goes through them. */
export const journeys: readonly Journey[] = [
  {
    id: 'first-payment',
    title: 'First domestic payment',
    goal: 'Learn the PSU-ID of a customer by SCA, create a domestic payment, and let the customer approve it.',
    requests: [
      'GET /v1/user, answered 401 with scaRedirect: the PSU logs in there and comes back with a psu-id',
      `${domestic}, answered 201 with scaRedirect: the PSU approves there`,
    ],
    mandatory: true,
    requirements: ['TPP-03', 'TPP-14', 'TPP-16', 'TPP-20', 'TPP-21', 'TPP-26', 'TPP-28'],
    completedBy: (session) => {
      for (const exchange of createdDomestic(session)) {
        const approval = approvalOf(session, exchange);
        if (approval !== undefined) return [exchange, approval];
      }
      return undefined;
    },
  },
  {
    id: 'status',
    title: 'Status after approval',
    goal: 'Ask for the status of a payment after the customer has approved it.',
    requests: [`${status}, after the PSU has come back`],
    mandatory: true,
    requirements: ['TPP-03', 'TPP-40'],
    completedBy: (session) => {
      for (const { id, exchange } of session.payments) {
        const approval = approvalOf(session, exchange);
        const asked =
          approval &&
          session
            .of('readPaymentStatus')
            .find(
              ({ path, number, status: answered }) =>
                number > approval.number && answered === 200 && path.includes(`/${encodeURIComponent(id)}/`),
            );
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
    mandatory: true,
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
    mandatory: true,
    requirements: ['TPP-20', 'TPP-24'],
    completedBy: (session) => {
      const repeated = provokedAndRepeated(session, 'session-expiry');
      const [exchange] = repeated ?? [];
      return exchange !== undefined && approvalOf(session, exchange) !== undefined ? repeated : undefined;
    },
  },
  {
    id: 'failed-sca',
    title: 'SCA that fails',
    goal: 'Take note of an SCA that fails: the redirect carries an error instead of a psu-id.',
    requests: [
      `${payment('failed-sca')}, answered 201 with scaRedirect: whatever the PSU does there fails (or cancel any other SCA)`,
      'any other request, such as the status of the payment, its deletion, or a new one',
    ],
    mandatory: true,
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
    goal: 'Cope with 429: wait as long as Retry-After says, then create the payment again.',
    requests: [`${payment('busy')}, answered 429 with Retry-After`, 'the same again after the pause'],
    mandatory: true,
    requirements: ['TPP-39'],
    completedBy: (session) => provokedAndRepeated(session, 'busy'),
  },
  {
    id: 'unavailable',
    title: 'A bank that is unavailable',
    goal: 'Cope with 503: wait as long as Retry-After says, then create the payment again.',
    requests: [`${payment('unavailable')}, answered 503 with Retry-After`, 'the same again after the pause'],
    mandatory: true,
    requirements: ['TPP-39'],
    completedBy: (session) => provokedAndRepeated(session, 'unavailable'),
  },
  {
    id: 'forged-response',
    title: 'A response with a false signature',
    goal: 'Verify the signature of each response, and use nothing of one whose signature is false.',
    requests: [
      `${payment('forged-response')}, answered 201 with a signature that does not verify`,
      'anything that does not use its paymentId or its link, such as the same payment again',
    ],
    mandatory: false,
    requirements: ['TPP-05'],
    completedBy: (session) => provokedAndGoneOn(session, 'forged-response'),
  },
  {
    id: 'currency-account',
    title: 'Payment to a currency account',
    goal: 'Pay to a domestic account that is kept in another currency than NOK, and name its bank.',
    requests: [`${domestic} with a creditorAccount.currency other than NOK, and creditorAgent`],
    mandatory: false,
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
    mandatory: false,
    requirements: ['TPP-29', 'TPP-33', 'TPP-34'],
    completedBy: (session) => oneOf(createdDomestic(session).filter(hasKid)),
  },
  {
    id: 'card-account',
    title: 'Payment from a card account',
    goal: 'Pay from a credit card account.',
    requests: [`${domestic} with debtorAccount.other`],
    mandatory: false,
    requirements: ['TPP-30'],
    completedBy: (session) =>
      oneOf(createdDomestic(session).filter(({ json }) => has(memberAt(json, 'debtorAccount'), 'other'))),
  },
  {
    id: 'cross-border',
    title: 'Cross-border payment',
    goal: 'Pay NOK 100 000 or more to an account abroad, and say what it is for.',
    requests: [`${crossBorder} with NOK 100 000.00 or more and both regulatory fields`],
    mandatory: false,
    requirements: ['TPP-27', 'TPP-31', 'TPP-32'],
    completedBy: (session) =>
      oneOf(
        session
          .of(products.crossBorder.creation)
          .filter((exchange) => created(exchange) && isReportableAmount(exchange.json)),
      ),
  },
  {
    id: 'basket',
    title: 'Basket of several payments',
    goal: 'Create several payments, put them into one basket, and let the customer approve them together.',
    requests: [
      `${domestic}, at least twice`,
      'POST /v1/signing-baskets with their ids, answered 201 with scaRedirect: the PSU approves there',
    ],
    mandatory: false,
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
    mandatory: false,
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
    goal: 'Read the balances or transactions of an account with the customer present, and once without.',
    requests: [
      'GET /v1/accounts, answered 401 with scaRedirect until the PSU has chosen accounts',
      'GET /v1/accounts/{id}/balances or /transactions with PSU-IP-Address',
      'the same without PSU-IP-Address',
    ],
    mandatory: false,
    requirements: ['TPP-23', 'TPP-37'],
    completedBy: (session) => {
      const read = session
        .of('readBalances', 'readTransactions')
        .filter((exchange) => exchange.status === 200);
      const attended = read.find((exchange) => exchange.header('PSU-IP-Address') !== undefined);
      const alone = read.find((exchange) => exchange.header('PSU-IP-Address') === undefined);
      return attended !== undefined && alone !== undefined ? [attended, alone] : undefined;
    },
  },
  {
    id: 'sandbox-listing',
    title: 'Sandbox listing',
    goal: 'List the customers of the sandbox.',
    requests: ['GET /v1/sandbox/customers'],
    mandatory: false,
    requirements: ['TPP-16'],
    completedBy: (session) =>
      oneOf(session.of('listSandboxCustomers').filter((exchange) => exchange.status === 200)),
  },
];

function hasKid({ json }: SeenExchange): boolean {
  const several = memberAt(json, 'remittanceInformationStructuredArray');
  const references = [
    memberAt(json, 'remittanceInformationStructured'),
    ...(Array.isArray(several) ? several : []),
  ];
  return references.some((reference) => isKid(textAt(reference, 'reference') ?? ''));
}

/**
 * Whether a transfer needs regulatory reporting. Only NOK can be judged: no rate is given for others. The reference bank
 * compares amounts by itself, on purpose: an error in one of the two shows as a difference.
 */
export function isReportableAmount(body: unknown): boolean {
  const [, whole, fraction = ''] =
    /^(\d{1,20})(?:\.(\d{1,5}))?$/.exec(textAt(body, 'instructedAmount', 'amount') ?? '') ?? [];
  if (whole === undefined || textAt(body, 'instructedAmount', 'currency') !== 'NOK') return false;
  const oere = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  return oere >= BigInt(limits.regulatoryReportingFromOere);
}
