import { randomBytes, randomInt } from 'node:crypto';
import { messageCodes } from '../../spec/code-lists.ts';
import { isObject, textAt } from '../../spec/json.ts';
import { creations, initiations, products } from '../../spec/products.ts';
import { unreadableBeforeApproval } from '../design/design.ts';
import { allOf, type DesignChange, withAnswers, withPayments } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';
import type { Payment, TransactionStatus } from '../state/payment-store.ts';
import {
  alsoDeciding,
  type Dialect,
  deciding,
  declaring,
  dialect,
  hiding,
  independent,
  whereScaBegins,
} from './dialect.ts';
import { scaFirstDialects } from './sca-first.ts';

const everything: readonly BankOperation[] = [
  ...initiations,
  'readPaymentStatus',
  'readPayment',
  'listAccounts',
  'readBalances',
];

type Body = Readonly<Record<string, unknown>>;

/** Who asks for a payment at once asks too early, and once more is enough; undefined where there is no such moment. */
const notAtOnce =
  (isReadable: (payment: Payment) => boolean | undefined): DesignChange =>
  (design) => {
    const asked = new Set<string>();
    return withPayments({
      isReadable: (payment) => {
        // Those that the bank was started with are known for long.
        const isKnown = payment.bodyBytes === undefined ? true : isReadable(payment);
        if (isKnown !== undefined) return isKnown;
        if (asked.has(payment.paymentId)) return true;
        asked.add(payment.paymentId);
        return false;
      },
    })(design);
  };

/** What a payment is in the ledger follows the approval. */
const domesticOnceApproved = ({ product, approvedAt }: Payment): boolean | undefined => {
  if (product !== products.domestic.path) return true;
  return approvedAt === undefined ? false : undefined;
};

const bodies = (operations: readonly BankOperation[], change: (body: Body) => unknown): DesignChange =>
  withAnswers(operations, (answer) =>
    isObject(answer.body) && answer.status < 300 ? { ...answer, body: change(answer.body) } : answer,
  );

/** As payments across the border are written. */
const inCapitals = (name: unknown): string =>
  String(name).toUpperCase().replaceAll('Æ', 'AE').replaceAll('Ø', 'OE').replaceAll('Å', 'AA');

const only =
  (...names: readonly string[]) =>
  (body: Body): Body =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

/** Payments have another status from the beginning, and are put into baskets with it. */
const created =
  (statusOnCreation: TransactionStatus): DesignChange =>
  (design) =>
    withPayments({ statusOnCreation })({ ...design, basketTakes: 'any-payment' });

const links = (
  change: (links: Body) => unknown,
  operations: readonly BankOperation[] = initiations,
): DesignChange =>
  bodies(operations, (body) => (isObject(body._links) ? { ...body, _links: change(body._links) } : body));

/** The link for SCA has to be followed, so that nothing about it may be odd. */
const eachLinkButSca = (change: (link: Body) => unknown): DesignChange =>
  links((sent) =>
    Object.fromEntries(
      Object.entries(sent).map(([name, link]) => [
        name,
        name === 'scaRedirect' || !isObject(link) ? link : change(link),
      ]),
    ),
  );

/** Payments and baskets are created without a link at which the PSU could approve them. */
export const linkless = ({ scaRedirect: _, startAuthorisation: __, ...others }: Body): Body => others;
export const withoutScaLinks: DesignChange = links(linkless);

/** Payments of that operation are executed at once, without SCA. */
export const executing = (
  operations: readonly BankOperation[],
  isExempt: (request: BankRequest, payment: Payment, state: BankState) => boolean,
): DesignChange =>
  withAnswers(operations, (answer, request, state) => {
    const { payments, clock } = state;
    const payment = payments.get(textAt(answer.body, 'paymentId') ?? '');
    if (payment === undefined || !isObject(answer.body) || !isExempt(request, payment, state)) return answer;
    payments.update({ ...payment, transactionStatus: 'ACSC', approvedAt: clock.now() });
    const { _links: all, ...body } = answer.body;
    const _links = isObject(all) ? linkless(all) : {};
    return { ...answer, body: { ...body, transactionStatus: 'ACSC', _links } };
  });

const executedAtOnce: DesignChange = executing([products.crossBorder.creation], () => true);

/** As PSD2 exempts remote payments of no more than EUR 30. */
const isSmall = ({ body }: BankRequest): boolean =>
  textAt(body, 'instructedAmount', 'currency') === 'NOK' &&
  Number(textAt(body, 'instructedAmount', 'amount')) < 400;

/** A payment is pending from its approval on, so that nothing is left to delete: its links say so. */
const pendingOnceApproved: DesignChange = allOf(
  (design) =>
    withPayments({
      isDeletable: (payment) => !awaitsExecution(payment) && design.payments.isDeletable(payment),
    })(design),
  withAnswers(['readPaymentStatus', 'readPayment'], (answer, { params }, { payments }) => {
    const payment = payments.get(params.paymentId ?? '');
    if (payment?.approvedAt === undefined || !isObject(answer.body)) return answer;
    const status = awaitsExecution(payment) ? { transactionStatus: 'PDNG' } : {};
    return { ...answer, body: JSON.parse(JSON.stringify({ ...answer.body, ...status }), withoutDeletion) };
  }),
);

const awaitsExecution = ({ approvedAt, transactionStatus }: Payment): boolean =>
  approvedAt !== undefined && transactionStatus === 'ACTC';

const withoutDeletion = (name: string, value: unknown): unknown =>
  name === 'verbs' && Array.isArray(value) ? value.filter((verb) => verb !== 'DELETE') : value;

const statuses: readonly Dialect[] = (['ACTC', 'ACCP', 'PDNG', 'ACSP', 'ACWC', 'PART'] as const).map(
  (status) => dialect(`initial-status/${status}`, `gives new payments the status ${status}`, created(status)),
);

/** Whoever cannot be asked to approve a payment cannot approve that of another (OWN-03). */
const withoutApproval = (unusual: Dialect): Dialect =>
  alsoDeciding(
    whereScaBegins,
    declaring(
      {
        notOffered: [
          { what: 'OWN-03', reason: 'Payments are exempted from SCA, so that nobody approves them.' },
        ],
      },
      unusual,
    ),
  );

export const successBodyDialects: readonly Dialect[] = [
  dialect(
    'links/no-verbs',
    'names no verb with its links, but for SCA',
    eachLinkButSca((link) => ({ ...link, verbs: [] })),
  ),
  dialect(
    'links/other-hosts',
    'links to another host, but for SCA',
    eachLinkButSca((link) => ({
      ...link,
      href: `https://api.other.example${new URL(String(link.href)).pathname}`,
    })),
  ),
  independent(
    'basket-ids/none',
    'gives baskets no id, which is optional',
    bodies(['createSigningBasket'], ({ basketId: _, ...body }) => body),
  ),
  dialect(
    'fees/zero',
    'says that payments cost nothing, and how much that is',
    withPayments({ feeOf: () => ({ amount: '0.00', currency: 'NOK' }) }),
    bodies(creations, (body) => ({ ...body, transactionFeeIndicator: false })),
  ),
  dialect(
    'psu-message/norwegian',
    'tells the PSU something in Norwegian, with a smile',
    withPayments({
      psuMessageOf: () => `Betalingen på kr 1 000 går når du har godkjent den 😊 ${'æ'.repeat(400)}`,
    }),
  ),
  ...(
    [
      ['200', '200 and what became of the payment', { body: { transactionStatus: 'CANC' } }],
      ['200-empty', '200 and nothing more', {}],
      ['200-message', '200 and a word', { body: { message: 'OK' } }],
    ] as const
  ).map(([way, title, said]) =>
    dialect(
      `deletion/${way}`,
      `answers a deletion with ${title}`,
      withAnswers(['deletePayment', 'deleteSigningBasket', 'deleteSandboxCustomer'], (answer) =>
        answer.status < 300 ? { status: 200, ...said } : answer,
      ),
    ),
  ),
  withoutApproval(
    dialect(
      'answers/minimal',
      'answers with required members only, and exempts payments from SCA',
      bodies(initiations, only('paymentId', 'transactionStatus')),
    ),
  ),
  withoutApproval(dialect('answers/exempt', 'exempts payments and baskets from SCA', withoutScaLinks)),
  declaring(
    {
      notOffered: [
        { what: 'BSK-19', reason: 'Cross-border payments are executed at once, without a signature.' },
      ],
    },
    dialect(
      'answers/executed-abroad',
      'executes cross-border payments at once, without SCA, so that there is nothing to sign in a basket',
      executedAtOnce,
    ),
  ),
  dialect(
    'answers/executed-small',
    'executes payments below NOK 400 at once, without SCA',
    executing(creations, isSmall),
  ),
  alsoDeciding(
    whereScaBegins,
    dialect(
      'answers/signed-in-baskets',
      'has payments signed in baskets: only those have a link, and domestic payments show themselves once approved',
      links(linkless, creations),
      withPayments({ isReadable: unreadableBeforeApproval }),
    ),
  ),
  withoutApproval(
    dialect(
      'answers/unsigned-and-unreadable',
      'sends no link with payments and baskets, and shows domestic payments only once they are approved',
      withoutScaLinks,
      withPayments({ isReadable: unreadableBeforeApproval }),
    ),
  ),
  withoutApproval(
    dialect(
      'answers/no-links',
      'sends no links at all',
      bodies(initiations, ({ _links: _, ...body }) => body),
    ),
  ),
  dialect(
    'answers/rich',
    'adds members of its own to every answer',
    bodies(everything, (body) => ({
      ...body,
      creationTime: '2026-03-03T10:00:00+00:00',
      'x-internal': { nested: [1, null, true], æøå: 'ja' },
      transaction_status: 0,
    })),
  ),
  hiding(
    independent(
      'answers/nulls',
      'writes null for every optional member that has no value',
      bodies(creations, (body) => ({ transactionFees: null, tppMessages: null, ...body, psuMessage: null })),
      bodies(['createSigningBasket'], (body) => ({ psuMessage: null, tppMessages: null, ...body })),
      bodies(['readPaymentStatus'], (body) => ({ fundsAvailable: null, psuMessage: null, ...body })),
    ),
  ),
  dialect(
    'links/many',
    'sends many links with every verb',
    links((sent) => ({
      ...sent,
      // Next to a link to SCA it need not be followed.
      ...(sent.scaRedirect === undefined
        ? {}
        : {
            startAuthorisation: {
              href: 'https://bank.example/a?b=c#d',
              verbs: ['GET', 'PUT', 'POST', 'DELETE'],
            },
          }),
      'x-help': { href: '', verbs: [] },
      scaStatus: { href: '/v1/relative', verbs: ['GET'], templated: false },
    })),
  ),
  dialect(
    'links/relative',
    'sends relative links, but for SCA',
    eachLinkButSca((link) => ({ ...link, href: String(link.href).replace(/^\w+:\/\/[^/]+/, '') })),
  ),
  dialect(
    'basket-status/partial',
    'reports a basket with a rejected payment as accepted in part',
    bodies(['createSigningBasket'], (body) =>
      body.transactionStatus === 'RJCT' ? { ...body, transactionStatus: 'PATC' } : body,
    ),
  ),
  ...scaFirstDialects,
  dialect(
    'approved-status/PDNG',
    'calls payments pending once they are approved, and no longer links to their deletion',
    pendingOnceApproved,
  ),
  ...statuses,
  dialect(
    'psu-message/longest',
    'tells the PSU 512 characters',
    withPayments({ psuMessageOf: () => 'ø'.repeat(512) }),
  ),
  dialect('psu-message/empty', 'tells the PSU an empty text', withPayments({ psuMessageOf: () => '' })),
  dialect('psu-message/none', 'tells the PSU nothing', withPayments({ psuMessageOf: () => undefined })),
  dialect('fees/none', 'charges no fees', withPayments({ feeOf: () => undefined })),
  dialect(
    'fees/always',
    'charges a fee for every payment',
    withPayments({ feeOf: () => ({ amount: '0.00', currency: 'NOK' }) }),
  ),
  dialect(
    'fees/in-yen',
    'charges fees in yen',
    withPayments({ feeOf: () => ({ amount: '50', currency: 'JPY' }) }),
  ),
  dialect(
    'fees/in-dinars',
    'charges fees in dinars',
    withPayments({ feeOf: () => ({ amount: '12345678901234.125', currency: 'KWD' }) }),
  ),
  dialect(
    'fees/untold',
    'sends fees without the indicator',
    bodies(creations, ({ transactionFeeIndicator: _, ...body }) => body),
  ),
  dialect(
    'warnings/every-code',
    'warns with every code that there is',
    withPayments({ warningsOf: () => messageCodes.map((code) => ({ category: 'WARNING', code })) }),
  ),
  dialect(
    'warnings/none',
    'sends an empty list of warnings',
    bodies(creations, (body) => ({ ...body, tppMessages: [] })),
  ),
  independent(
    'known-issue/unreadable',
    'shows domestic payments only once they are approved',
    withPayments({ isReadable: unreadableBeforeApproval }),
  ),
  deciding(
    'known-issue/unreadable',
    dialect(
      'known-issue/unreadable-for-a-moment',
      'shows domestic payments a moment after they are approved',
      notAtOnce(domesticOnceApproved),
    ),
  ),
  deciding(
    'known-issue/unreadable',
    dialect(
      'payments/read-from-a-copy',
      'shows payments a moment after they are created',
      notAtOnce(() => undefined),
    ),
  ),
  independent(
    'answers/status-inside',
    'tells the status of a payment in an object of its own',
    bodies(['readPaymentStatus'], ({ _links, ...paymentStatus }) => ({ paymentStatus, _links })),
  ),
  independent(
    'details/names-in-capitals',
    'tells names in capital letters of ASCII where it shows a payment',
    bodies(['readPayment'], (body) => ({ ...body, creditorName: inCapitals(body['creditorName']) })),
  ),
  dialect(
    'deletion/202',
    'answers a deletion with 202 and a body',
    withAnswers(['deletePayment'], () => ({ status: 202, body: { transactionStatus: 'CANC' } })),
  ),
  dialect(
    'deletion/none',
    'offers no deletion of payments',
    withAnswers(['deletePayment'], () => ({ status: 405 })),
  ),
];

const identifiedBy = (newId: () => string): DesignChange =>
  withPayments({ newPaymentId: newId, newBasketId: newId });

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64');

/** What ids look like is left open; those that need percent-encoding are seen in the wild. */
export const identifierDialects: readonly Dialect[] = [
  dialect(
    'ids/encrypted',
    'gives ids that need percent-encoding',
    identifiedBy(() => `enc!!${base64(24)}==`),
  ),
  // Whoever cannot process such letters gives no such ids.
  alsoDeciding(
    'letters',
    dialect(
      'ids/odd',
      'gives ids with slashes, spaces and letters beyond ASCII',
      identifiedBy(() => `år/2026 ${base64(9)}?&#%;+`),
    ),
  ),
  dialect(
    'ids/long',
    'gives ids of 500 characters',
    identifiedBy(() => randomBytes(250).toString('hex')),
  ),
  dialect(
    'ids/digits',
    'gives ids of digits alone',
    identifiedBy(() => String(randomInt(2 ** 47))),
  ),
];
