import { randomBytes, randomInt } from 'node:crypto';
import { messageCodes } from '../../spec/code-lists.ts';
import { isObject } from '../../spec/json.ts';
import { creations, initiations, products } from '../../spec/products.ts';
import {
  addresses,
  eachLinkButSca,
  inHeader,
  inList,
  inLists,
  namingPages,
  withErrorLinks,
  withListedLinks,
} from '../design/answer-changes.ts';
import { executing, linkless, links, withoutScaLinks } from '../design/approval-changes.ts';
import { unreadableBeforeApproval } from '../design/design.ts';
import {
  allOf,
  differing,
  inSuccesses,
  perBank,
  withAnswers,
  withAnswerText,
  withEveryAnswerText,
  withPayments,
} from '../design/design-changes.ts';
import { amountIn, currencyIn } from '../design/requests.ts';
import type { BankAnswer, BankOperation, BankRequest } from '../design/route.ts';
import type { Payment, TransactionStatus } from '../state/payment-store.ts';
import { scaFirstDialects } from './authorisations.ts';
import { hidesOthers, itself, lacking, type Row, rows, topic, whereScaBegins } from './dialect.ts';

export { withoutScaLinks } from '../design/approval-changes.ts';

const everything: readonly BankOperation[] = [
  ...initiations,
  'readPaymentStatus',
  'readPayment',
  'listAccounts',
  'readBalances',
];

/** Who asks for a payment at once asks too early, and once more is enough; undefined where there is no such moment. */
const notAtOnce = (isReadable: (payment: Payment) => boolean | undefined) =>
  perBank(() => {
    const asked = new Set<string>();
    return withPayments({
      // Those that the bank was started with are known for long.
      isReadable: (payment) =>
        (payment.bodyBytes === undefined ? true : isReadable(payment)) ??
        asked.size === asked.add(payment.paymentId).size,
    });
  });

const domesticOnceApproved = ({ product, approvedAt }: Payment): boolean | undefined => {
  if (product !== products.domestic.path) return true;
  return approvedAt === undefined ? false : undefined;
};

const inCapitals = (name: unknown): string =>
  String(name).toUpperCase().replaceAll('Æ', 'AE').replaceAll('Ø', 'OE').replaceAll('Å', 'AA');

const created = (statusOnCreation: TransactionStatus) =>
  allOf(withPayments({ statusOnCreation }), differing({ basketTakes: 'any-payment' }));

const isSmall = (request: BankRequest) => currencyIn(request) === 'NOK' && amountIn(request) < 400;

const awaitsExecution = ({ approvedAt, transactionStatus }: Payment): boolean =>
  approvedAt !== undefined && transactionStatus === 'ACTC';

const withoutDeletion = (name: string, value: unknown): unknown =>
  name === 'verbs' && Array.isArray(value) ? value.filter((verb) => verb !== 'DELETE') : value;

const pendingOnceApproved = allOf(
  differing(({ payments }) => ({
    payments: {
      ...payments,
      isDeletable: (payment) => !awaitsExecution(payment) && payments.isDeletable(payment),
    },
  })),
  withAnswers(['readPaymentStatus', 'readPayment'], (answer, { params }, { payments }) => {
    const payment = payments.get(params.paymentId ?? '');
    if (payment?.approvedAt === undefined || !isObject(answer.body)) return answer;
    const body = { ...answer.body, ...(awaitsExecution(payment) ? { transactionStatus: 'PDNG' } : {}) };
    return { ...answer, body: JSON.parse(JSON.stringify(body), withoutDeletion) };
  }),
);

const charging = (amount: string, currency: string) => withPayments({ feeOf: () => ({ amount, currency }) });
const informing = (message: string | undefined) => withPayments({ psuMessageOf: () => message });
const unreadable = withPayments({ isReadable: unreadableBeforeApproval });

const deleted = (operations: readonly BankOperation[], told: BankAnswer) =>
  withAnswers(operations, (answer) => (answer.status < 300 ? told : answer));
const deletions = ['deletePayment', 'deleteSigningBasket', 'deleteSandboxCustomer'] as const;

/** Whoever cannot be asked to approve a payment cannot approve that of another (OWN-03). */
const exempted = ['answers', whereScaBegins];
const nobodyApproves = lacking('Payments are exempted from SCA, so that nobody approves them.', 'OWN-03');

// biome-ignore format: a table
export const successBodyDialects = rows(
  ['links/no-verbs', 'names no verb with its links, but for SCA', topic, eachLinkButSca(() => ({ verbs: [] }))],
  ['links/other-hosts', 'links to another host, but for SCA', topic,
    eachLinkButSca((href) => ({ href: `https://api.other.example${new URL(href).pathname}` }))],
  ['basket-ids/none', 'gives baskets no id, which is optional', itself, inSuccesses(['createSigningBasket'], ({ basketId: _, ...body }) => body)],
  ['fees/zero', 'says that payments cost nothing, and how much that is', topic,
    [charging('0.00', 'NOK'), inSuccesses(creations, (body) => ({ ...body, transactionFeeIndicator: false }))]],
  ['psu-message/norwegian', 'tells the PSU something in Norwegian, with a smile', topic,
    informing(`Betalingen på kr 1 000 går når du har godkjent den 😊 ${'æ'.repeat(400)}`)],
  ['deletion/200', 'answers a deletion with 200 and what became of the payment', topic, deleted(deletions, { status: 200, body: { transactionStatus: 'CANC' } })],
  ['deletion/200-empty', 'answers a deletion with 200 and nothing more', topic, deleted(deletions, { status: 200 })],
  ['deletion/200-message', 'answers a deletion with 200 and a word', topic, deleted(deletions, { status: 200, body: { message: 'OK' } })],
  ['answers/minimal', 'answers with required members only, and exempts payments from SCA', exempted,
    inSuccesses(initiations, (body) => Object.fromEntries(Object.entries(body).filter(([name]) => /^(?:paymentId|transactionStatus)$/.test(name)))), nobodyApproves],
  ['answers/exempt', 'exempts payments and baskets from SCA', exempted, withoutScaLinks, nobodyApproves],
  ['answers/executed-abroad', 'executes cross-border payments at once, without SCA, so that there is nothing to sign in a basket', topic,
    executing([products.crossBorder.creation], () => true), lacking('Cross-border payments are executed at once, without a signature.', 'BSK-19')],
  ['answers/executed-small', 'executes payments below NOK 400 at once, without SCA', topic, executing(creations, isSmall)],
  ['answers/signed-in-baskets', 'has payments signed in baskets: only those have a link, and domestic payments show themselves once approved', exempted,
    [links(linkless, creations), unreadable]],
  ['answers/unsigned-and-unreadable', 'sends no link with payments and baskets, and shows domestic payments only once they are approved', exempted,
    [withoutScaLinks, unreadable], nobodyApproves],
  ['answers/no-links', 'sends no links at all', exempted, inSuccesses(initiations, ({ _links: _, ...body }) => body), nobodyApproves],
  ['answers/rich', 'adds members of its own to every answer', topic, inSuccesses(everything, (body) => ({
    ...body, creationTime: '2026-03-03T10:00:00+00:00', 'x-internal': { nested: [1, null, true], æøå: 'ja' }, transaction_status: 0,
  }))],
  ['answers/nulls', 'writes null for every optional member that has no value', itself, [
    inSuccesses(creations, (body) => ({ transactionFees: null, tppMessages: null, ...body, psuMessage: null })),
    inSuccesses(['createSigningBasket'], (body) => ({ psuMessage: null, tppMessages: null, ...body })),
    inSuccesses(['readPaymentStatus'], (body) => ({ fundsAvailable: null, psuMessage: null, ...body })),
  ], hidesOthers],
  ['links/many', 'sends many links with every verb', topic, links((sent) => ({
    ...sent,
    ...(sent.scaRedirect === undefined ? {} : { startAuthorisation: { href: 'https://bank.example/a?b=c#d', verbs: ['GET', 'PUT', 'POST', 'DELETE'] } }),
    'x-help': { href: '', verbs: [] },
    scaStatus: { href: '/v1/relative', verbs: ['GET'], templated: false },
  }))],
  ['links/relative', 'sends relative links, but for SCA', topic, eachLinkButSca((href) => ({ href: href.replace(/^\w+:\/\/[^/]+/, '') }))],
  ['basket-status/partial', 'reports a basket with a rejected payment as accepted in part', topic,
    inSuccesses(['createSigningBasket'], (body) => (body.transactionStatus === 'RJCT' ? { ...body, transactionStatus: 'PATC' } : body))],
).concat(scaFirstDialects, rows(
  ['approved-status/PDNG', 'calls payments pending once they are approved, and no longer links to their deletion', topic, pendingOnceApproved],
  ...(['ACTC', 'ACCP', 'PDNG', 'ACSP', 'ACWC', 'PART'] as const).map((status): Row =>
    [`initial-status/${status}`, `gives new payments the status ${status}`, topic, created(status)]),
  ['psu-message/longest', 'tells the PSU 512 characters', topic, informing('ø'.repeat(512))],
  ['psu-message/empty', 'tells the PSU an empty text', topic, informing('')],
  ['psu-message/none', 'tells the PSU nothing', topic, informing(undefined)],
  ['fees/none', 'charges no fees', topic, withPayments({ feeOf: () => undefined })],
  ['fees/always', 'charges a fee for every payment', topic, charging('0.00', 'NOK')],
  ['fees/in-yen', 'charges fees in yen', topic, charging('50', 'JPY')],
  ['fees/in-dinars', 'charges fees in dinars', topic, charging('12345678901234.125', 'KWD')],
  ['fees/untold', 'sends fees without the indicator', topic, inSuccesses(creations, ({ transactionFeeIndicator: _, ...body }) => body)],
  ['warnings/every-code', 'warns with every code that there is', topic,
    withPayments({ warningsOf: () => messageCodes.map((code) => ({ category: 'WARNING', code })) })],
  ['warnings/none', 'sends an empty list of warnings', topic, inSuccesses(creations, (body) => ({ ...body, tppMessages: [] }))],
  ['known-issue/unreadable', 'shows domestic payments only once they are approved', itself, unreadable],
  ['known-issue/unreadable-for-a-moment', 'shows domestic payments a moment after they are approved', 'known-issue/unreadable', notAtOnce(domesticOnceApproved)],
  ['payments/read-from-a-copy', 'shows payments a moment after they are created', 'known-issue/unreadable', notAtOnce(() => undefined)],
  ['answers/status-inside', 'tells the status of a payment in an object of its own', itself,
    inSuccesses(['readPaymentStatus'], ({ _links, ...paymentStatus }) => ({ paymentStatus, _links }))],
  ['details/names-in-capitals', 'tells names in capital letters of ASCII where it shows a payment', itself,
    inSuccesses(['readPayment'], (body) => ({ ...body, creditorName: inCapitals(body['creditorName']) }))],
  ['deletion/202', 'answers a deletion with 202 and a body', topic, withAnswers(['deletePayment'], () => ({ status: 202, body: { transactionStatus: 'CANC' } }))],
  ['deletion/none', 'offers no deletion of payments', topic, withAnswers(['deletePayment'], () => ({ status: 405 }))],
));

const identifiedBy = (newId: () => string) => withPayments({ newPaymentId: newId, newBasketId: newId });
const base64 = (bytes: number): string => randomBytes(bytes).toString('base64');

/** What ids look like is left open; those that need percent-encoding are seen in the wild. */
// biome-ignore format: a table
export const identifierDialects = rows(
  ['ids/encrypted', 'gives ids that need percent-encoding', topic, identifiedBy(() => `enc!!${base64(24)}==`)],
  // Whoever cannot process such letters gives no such ids.
  ['ids/odd', 'gives ids with slashes, spaces and letters beyond ASCII', ['ids', 'letters'], identifiedBy(() => `år/2026 ${base64(9)}?&#%;+`)],
  ['ids/long', 'gives ids of 500 characters', topic, identifiedBy(() => randomBytes(250).toString('hex'))],
  ['ids/digits', 'gives ids of digits alone', topic, identifiedBy(() => String(randomInt(2 ** 47)))],
);

/** How links are written where the specification shows no body: the framework has them as its own do. */
// biome-ignore format: a table
export const linkFormDialects = rows(
  ['page-links/listed', 'lists links, each with its name in it', topic, withListedLinks(inList)],
  ['page-links/several', 'lists the links of a name, as HAL does', topic, withListedLinks(inLists)],
  ['page-links/addresses', 'links by the addresses alone', topic, withListedLinks(addresses)],
  ['page-links/named', 'calls its pages nextPage and previousPage', topic, withListedLinks(namingPages)],
  ['page-links/end-of-path', 'links to its pages by the end of their paths', topic,
    withAnswerText(['readTransactions'], (text) => text.replaceAll(/"[^"]*\/transactions\/?(?=\?)/g, '"transactions'))],
  ['links/without-prefix', 'links to /v1/… although its address has a prefix, but for SCA', ['links', 'prefix/psd2'],
    withEveryAnswerText((text) => text.replaceAll(/"href":"(?:https?:\/\/[^/"]+)?\/api\/v1\/(?!sca\/)/g, '"href":"/v1/')), { prefix: '/api' }],
  ['sca-links/listed', 'lists the links of errors, each with its name in it', topic, withErrorLinks((sent) => ({ body: { _links: inList(sent) } }))],
  ['sca-links/several', 'lists the links of a name where it refuses, as HAL does', topic, withErrorLinks((sent) => ({ body: { _links: inLists(sent) } }))],
  ['sca-links/in-header', 'asks for SCA by a link in a header', topic, withErrorLinks((sent) => ({ headers: { Link: inHeader(sent) } }))],
);
