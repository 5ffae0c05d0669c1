import { randomUUID } from 'node:crypto';
import { type BehaviourChange, varying } from '../../certification/reference-tpp/behaviour.ts';
import type { JsonObject } from '../../payloads/json.ts';
import { creations, isCreation, products } from '../../spec/products.ts';
import { foreignDigest, verifyResponse } from '../../tpp/answer.ts';
import type { Call, Psu } from '../../tpp/call.ts';
import type { RequestDraft } from '../../tpp/signing-plan.ts';
import { oldTlsSession } from './certify.ts';
import {
  abroad,
  all,
  behaving,
  calling,
  home,
  ignoring,
  ofStatus,
  presenting,
  rows,
  sending,
  type TppDeviation,
  toABasket,
} from './deviation.ts';

/** Never sends the PSU to the link in an answer to these. */
const ignoringAt = (...operations: readonly Call['operation'][]): BehaviourChange =>
  ignoring((_, { operation }) => operations.includes(operation));

const inNewSession = (psu: Psu): Psu => ({ ...psu, sessionId: randomUUID() });

const naming = (psuId: (id: string) => string): BehaviourChange =>
  presenting((psu) => (psu.id === undefined ? psu : { ...psu, id: psuId(psu.id) }));

/** Keeps one of the customers whom it has named, and names others by what it has kept. */
const recalling =
  (
    isKept: (psu: Psu, call: Call, kept: Psu | undefined) => boolean,
    shown: (psu: Psu, kept: Psu, call: Call) => Psu,
  ): BehaviourChange =>
  (behaviour) => {
    let kept: Psu | undefined;
    return presenting((psu, call) => {
      if (isKept(psu, call, kept)) kept = psu;
      return kept === undefined ? psu : shown(psu, kept, call);
    })(behaviour);
  };

const isOfACompany = ({ corporateId }: Psu): boolean => corporateId !== undefined;

/** What a refused payment is sent with again: every time something else. */
const refusedAgain =
  (header: string, value: (count: number, was?: string) => string): BehaviourChange =>
  (behaviour) => {
    let count = 0;
    const counted = (was?: string): string => {
      count += 1;
      return value(count, was);
    };
    return all(sending({ [header]: counted }, creations), behaving({ repeatsRefused: true }))(behaviour);
  };

/** In the text of a payment, how many bodies were written. */
const counting: BehaviourChange = (behaviour) => {
  let count = 0;
  return {
    ...behaviour,
    body: (call, body) => {
      count += 1;
      const { remittanceInformationUnstructured: text, ...rest } = behaviour.body(call, body);
      return text === undefined ? rest : { ...rest, remittanceInformationUnstructured: `${text} ${count}` };
    },
  };
};

/** One more sign of the id in the path is percent-encoded each time. */
const writtenOtherwise: BehaviourChange = (behaviour) => {
  let count = 0;
  return calling(
    (target) => {
      count += 1;
      let place = 0;
      return target.replace(/[0-9a-f](?=[^/]*\/balances)/g, (sign) => {
        place += 1;
        return place === count ? `%${sign.charCodeAt(0).toString(16)}` : sign;
      });
    },
    ['readBalances'],
  )(behaviour);
};

/** Reads transactions while the PSU is away. */
const readingAway = (change: (target: string) => string): BehaviourChange =>
  calling(
    (target, { headers }) => (headers.has('PSU-IP-Address') ? target : change(target)),
    ['readTransactions'],
  );

const toPages = (name: string, value: string): BehaviourChange => behaving({ pageHeaders: [[name, value]] });

const basket = (basketIds: (ids: readonly string[]) => readonly string[]): BehaviourChange =>
  behaving({ basketIds });

/** The payments that are meant for the basket are sent as bulk payments. */
function asBulkPayment(draft: RequestDraft): void {
  const body: JsonObject = JSON.parse(draft.body?.toString() ?? '{}');
  if (body.creditorName !== 'Fellesinnkjøpet SA') return;
  const { debtorAccount = {}, ...payment } = body;
  draft.target = draft.target.replace('/payments/', '/bulk-payments/');
  draft.body = Buffer.from(JSON.stringify({ debtorAccount, payments: [payment] }));
}

const inventedPsuId = randomUUID();
const inventedAgreement = randomUUID();
const lastYear = new Date().getUTCFullYear() - 1;

// biome-ignore format: a table
export const conductDeviations: readonly TppDeviation[] = [
  ...rows(['TPP-01/tls-1.1', 'connects with TLS 1.1', all()]).map((row) => ({ ...row, certify: oldTlsSession })),
  ...rows(
    ['TPP-05/believes', 'believes whatever comes', behaving({ trusts: () => true })],
    ['TPP-05/digest', 'verifies signatures, and holds no digest against its body', behaving({
      trusts: (answer) => {
        const verdict = verifyResponse(answer);
        return verdict.state !== 'broken' || verdict.problem === foreignDigest;
      },
    })],
    ['TPP-20/access', 'asks again instead of sending the PSU to SCA', ignoring((reason) => reason === 'access')],
    ['TPP-20/renewal', 'takes a session for valid although the bank says otherwise', ignoring((reason) => reason === 'renewal')],
    ['TPP-20/payment', 'takes a created payment for a paid one', ignoring((reason) => reason === 'payment')],
    ['TPP-20/basket', 'takes a created basket for a paid one', all(ignoring((reason) => reason === 'basket'), behaving({ baskets: 2 }))],
    ['TPP-20/cross-border', 'takes payments across the border for paid ones', all(ignoringAt(abroad), behaving({ product: products.crossBorder }))],
    ['TPP-20/corporate', 'takes payments of companies for paid ones',
      all(ignoring((_, { operation }, psu) => isCreation(operation) && isOfACompany(psu)), behaving({ corporatePayments: 3 }))],
    ['TPP-21/upper-case', 'keeps PSU-IDs in upper case', naming((id) => id.toUpperCase())],
    ['TPP-21/invented', 'sends PSU-IDs of its own', naming(() => inventedPsuId)],
    ['TPP-21/empty', 'sends an empty PSU-ID when it reads balances', sending({ 'PSU-ID': '' }, ['readBalances'])],
    ['TPP-21/reading', 'does not say whose balances it reads', sending({ 'PSU-ID': undefined }, ['readBalances'])],
    ['TPP-21/nobody-on-reading', 'names neither PSU nor session when it reads balances', sending({ 'PSU-ID': undefined, 'TPP-Session-ID': undefined }, ['readBalances'])],
    ['TPP-21/following', 'does not say whose payment it asks for, and leaves the link', all(sending({ 'PSU-ID': undefined }, ofStatus), ignoringAt(...ofStatus))],
    ['TPP-21/nobody', 'asks for payments in a session of its own, and for nobody',
      all(sending({ 'PSU-ID': undefined, 'TPP-Session-ID': randomUUID() }, ofStatus), ignoringAt(...ofStatus))],
    ['TPP-21/other-psu', 'asks for the payments of a customer in the name of another', all(
      recalling(isOfACompany, (psu, company, { operation }) => (ofStatus.includes(operation) ? company : psu)),
      behaving({ dropOuts: 1 }),
    )],
    ['TPP-21/other-session', 'lists accounts in the name of whoever paid last', all(
      recalling((_, { operation }) => isCreation(operation),
        (psu, { id }, { operation }) => (operation === 'listAccounts' && id !== undefined ? { ...psu, id } : psu)),
      ignoringAt('listAccounts'),
    )],
    ['TPP-22/missing', 'sends no PSU-Corporate-ID', presenting(({ corporateId: _, ...psu }) => psu)],
    ['TPP-22/invented', 'sends a PSU-Corporate-ID of its own', presenting((psu) => (isOfACompany(psu) ? { ...psu, corporateId: inventedAgreement } : psu))],
    ['TPP-22/private', 'sends a PSU-Corporate-ID of its own for private customers',
      presenting((psu) => (psu.id === undefined ? psu : { corporateId: inventedAgreement, ...psu }), creations)],
    ['TPP-22/other-psu', 'names an agreement next to another PSU', recalling(({ id }, _, first) => first === undefined && id !== undefined,
      (psu, { id }) => (isOfACompany(psu) && id !== undefined ? { ...psu, id } : psu))],
    ['TPP-22/alone', 'lists the accounts of a company with PSU-Corporate-ID alone', all(
      recalling(isOfACompany, (psu, { id: _, ...company }, { operation }) => (operation === 'listAccounts' ? company : psu)),
      ignoringAt('listAccounts'),
    )],
    ['TPP-24/fresh', 'makes a new TPP-Session-ID for every request', presenting(inNewSession)],
    ['TPP-24/basket', 'makes a new TPP-Session-ID for every basket', presenting(inNewSession, toABasket)],
    ['TPP-24/upper-case', 'writes its TPP-Session-ID in upper case with baskets', presenting((psu) => ({ ...psu, sessionId: psu.sessionId.toUpperCase() }), toABasket)],
    ['TPP-24/cut', 'keeps only the first 20 characters of its TPP-Session-ID with baskets',
      presenting((psu) => ({ ...psu, sessionId: psu.sessionId.slice(0, 20) }), toABasket)],
    ['TPP-24/status', 'asks for every status in a session of its own', all(presenting(inNewSession, ofStatus), ignoringAt(...ofStatus))],

    ['TPP-35/101', 'puts 101 payments into a basket', basket((ids) => Array.from({ length: 101 }, (_, index) => ids[index % ids.length] ?? ''))],
    ['TPP-36/unknown', 'puts a payment into a basket that nobody created', basket((ids) => [...ids, randomUUID()])],
    ['TPP-36/empty', 'creates an empty basket', basket(() => [])],
    ['TPP-36/bulk', 'puts a bulk payment into a basket', varying({ beforeSigning: asBulkPayment }, [home])],
    ['TPP-42/cut', 'keeps only the first 20 characters of an id', basket((ids) => ids.map((id) => id.slice(0, 20)))],
    ['TPP-42/dashes', 'keeps ids without their dashes', basket((ids) => ids.map((id) => id.replaceAll('-', '')))],
    ['TPP-42/upper-case', 'keeps ids in upper case', basket((ids) => ids.map((id) => id.toUpperCase()))],
    ['TPP-42/address', 'keeps the addresses of its payments in place of their ids', basket((ids) => ids.map((id) => `/v1/payments/${products.domestic.path}/${id}`))],

    ['TPP-37/five', 'reads balances five times without the PSU', behaving({ unattendedReads: 5 })],
    ['TPP-37/otherwise-written', 'reads balances five times without the PSU, and writes the id in its path another way each time',
      all(behaving({ unattendedReads: 5 }), writtenOtherwise)],
    ['TPP-37/second-page', 'reads the second page of transactions five times without the PSU', all(
      behaving({ unattendedReads: 5 }),
      calling((target) => target.replace(/\/balances$/, '/transactions?bookingStatus=booked&offset=200'), ['readBalances']),
    )],
    ['TPP-38/again', 'sends a refused payment again', behaving({ repeatsRefused: true })],
    ['TPP-38/other-browser', 'sends a refused payment again for another browser', refusedAgain('PSU-User-Agent', (count) => `Mozilla/5.${count}`)],
    ['TPP-38/traced', 'sends a refused payment again under another name for its traces', refusedAgain('X-Correlation-ID', (count) => `payment-${count}`)],
    ['TPP-38/state', 'sends a refused payment again with another state in its address', refusedAgain('TPP-Redirect-URI', (count, was) => `${was}?state=${count}`)],
    ['TPP-39/other-text', 'tries again at once, and counts its attempts in the payment', all(behaving({ pauseAfter: () => 0 }), counting)],
    ['TPP-39/at-once', 'tries again at once', behaving({ pauseAfter: () => 0 })],
    ['TPP-39/half', 'waits half as long as it was asked to', (behaviour) => ({ ...behaviour, pauseAfter: (...about) => behaviour.pauseAfter(...about) / 2 })],
    ['TPP-46/from', 'reads transactions of four months without the PSU', behaving({ unattendedDays: 120 })],
    ['TPP-46/to', 'reads transactions up to a day of last year without the PSU', readingAway((target) => target.replace(/dateFrom=[^&]*/, `dateTo=${lastYear}-06-30`))],
    ['TPP-46/second', 'names a second first day, of last year, without the PSU', readingAway((target) => `${target}&dateFrom=${lastYear}-06-30`)],
    ['TPP-46/time', 'reads transactions from a day and time of last year without the PSU',
      readingAway((target) => target.replace(/dateFrom=[^&]*/, `dateFrom=${lastYear}-06-30T00:00:00Z`))],
    ['TPP-51/signature', 'opens the page of the bank by itself, with its certificate', toPages('TPP-Signature-Certificate', 'MIIB')],
    ['TPP-51/psu-id', 'sends a PSU-ID to the page of the bank', toPages('PSU-ID', inventedPsuId)],
    ['TPP-51/session', 'sends a TPP-Session-ID to the page of the bank', toPages('TPP-Session-ID', randomUUID())],
  ),
];
