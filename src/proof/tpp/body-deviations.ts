import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type BehaviourChange, varying, withBody } from '../../certification/reference-tpp/behaviour.ts';
import { type Json, type JsonObject, removeAt, setAt } from '../../payloads/json.ts';
import { creations, products } from '../../spec/products.ts';
import type { Call } from '../../tpp/call.ts';
import type { RequestDraft } from '../../tpp/signing-plan.ts';
import { deviation, type TppDeviation } from './deviation.ts';

const domestic = (change: (body: JsonObject) => JsonObject): BehaviourChange =>
  withBody(products.domestic.creation, change);
const crossBorder = (change: (body: JsonObject) => JsonObject): BehaviourChange =>
  withBody(products.crossBorder.creation, change);
const setting =
  (path: string, value: Json) =>
  (body: JsonObject): JsonObject =>
    setAt(body, path.split('.'), value);
const removing =
  (path: string) =>
  (body: JsonObject): JsonObject =>
    removeAt(body, path.split('.'));

const has = (body: JsonObject, name: string): boolean => body[name] !== undefined;

/** The amount of a payment, as text. */
const amountIn = (body: JsonObject): string => String((body.instructedAmount as JsonObject).amount);

const bytes =
  (write: (body: JsonObject) => Buffer): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    bytes: (call, body) => (call.operation === 'createSigningBasket' ? undefined : write(body)),
  });

const calledOtherwise = (contentType: string): BehaviourChange =>
  varying({ beforeSigning: ({ headers }) => headers.set('Content-Type', contentType) }, creations);

/** Fields that are sent with another value, or (undefined) not at all. */
const changedFields: readonly (readonly [
  id: string,
  title: string,
  product: typeof domestic,
  path: string,
  value: Json | undefined,
])[] = [
  ['TPP-53/domestic', 'writes null where a domestic payment has no purpose', domestic, 'purposeCode', null],
  ['TPP-26/address', 'sends no address of the creditor', domestic, 'creditorAddress', undefined],
  ['TPP-26/country', 'sends an address without country', domestic, 'creditorAddress.country', undefined],
  ['TPP-26/name', 'sends a name of 71 characters', domestic, 'creditorName', 'N'.repeat(71)],
  ['TPP-26/number', 'sends account numbers as numbers', domestic, 'creditorAccount.bban', 86011117947],
  ['TPP-26/currency', 'pays in a currency that is not listed', domestic, 'creditorAccount.currency', 'nok'],
  [
    'TPP-26/date',
    'writes the date of execution as 31.12.2030',
    domestic,
    'requestedExecutionDate',
    '31.12.2030',
  ],
  ['TPP-26/agent', 'names no bank for a currency account', domestic, 'creditorAgent', undefined],
  ['TPP-26/purpose', 'sends a purpose that is not listed', domestic, 'purposeCode', 'GDDS'],
  [
    'TPP-27/date',
    'writes the date of execution as 31.12.2030',
    crossBorder,
    'requestedExecutionDate',
    '31.12.2030',
  ],
  ['TPP-27/name', 'sends no name of the creditor', crossBorder, 'creditorName', undefined],
  ['TPP-27/purpose', 'sends a purpose that is not listed', crossBorder, 'purposeCode', 'GDDS'],
  ['TPP-31/code', 'sends no regulatory code', crossBorder, 'regulatoryReportingCode', undefined],
  [
    'TPP-31/information',
    'sends no regulatory information',
    crossBorder,
    'regulatoryReportingInformation',
    undefined,
  ],
  ['TPP-32/agent', 'names no bank for a BBAN abroad', crossBorder, 'creditorAgent', undefined],
];

/** Optional fields that have another value where they are sent. */
const changedWhereSent: readonly (readonly [
  id: string,
  title: string,
  product: typeof domestic,
  path: string,
  value: Json,
])[] = [
  ['TPP-26/null-agent', 'writes null for the bank of a currency account', domestic, 'creditorAgent', null],
  ['TPP-31/null-code', 'writes null for the regulatory code', crossBorder, 'regulatoryReportingCode', null],
  [
    'TPP-26/text',
    'sends a text of 141 characters',
    domestic,
    'remittanceInformationUnstructured',
    'x'.repeat(141),
  ],
  ['TPP-26/empty-text', 'sends an empty text', domestic, 'remittanceInformationUnstructured', ''],
  ['TPP-27/number', 'sends regulatory codes as numbers', crossBorder, 'regulatoryReportingCode', 14],
  [
    'TPP-27/information',
    'sends 141 characters of regulatory information',
    crossBorder,
    'regulatoryReportingInformation',
    'x'.repeat(141),
  ],
  [
    'TPP-31/blank-information',
    'sends regulatory information of a space',
    crossBorder,
    'regulatoryReportingInformation',
    ' ',
  ],
  ['TPP-55/name', 'names the bank abroad by its name', crossBorder, 'creditorAgent', 'Bank of Tokyo'],
  [
    'TPP-55/routing-number',
    'names the bank of a currency account by a number',
    domestic,
    'creditorAgent',
    '021000021',
  ],
];

export const bodyDeviations: readonly TppDeviation[] = [
  ...changedFields.map(([id, title, product, path, value]) =>
    deviation(id, title, product(value === undefined ? removing(path) : setting(path, value))),
  ),
  ...changedWhereSent.map(([id, title, product, field, value]) =>
    deviation(
      id,
      title,
      product((body) => (has(body, field) ? setting(field, value)(body) : body)),
    ),
  ),
  deviation('TPP-25/xml', 'sends XML', (behaviour) =>
    calledOtherwise('application/xml')(bytes(() => Buffer.from('<Document/>'))(behaviour)),
  ),
  deviation(
    'TPP-25/latin-1',
    'writes JSON in ISO-8859-1',
    bytes((body) => Buffer.from(JSON.stringify(body), 'latin1')),
  ),
  deviation(
    'TPP-25/comma',
    'leaves a comma at the end of its JSON',
    bytes((body) => Buffer.from(JSON.stringify(body).replace(/\}$/, ',}'))),
  ),
  deviation(
    'TPP-25/packed',
    'packs its JSON',
    bytes((body) => gzipSync(JSON.stringify(body))),
  ),
  deviation('TPP-25/form', 'calls its JSON a form', calledOtherwise('application/x-www-form-urlencoded')),
  deviation('TPP-26/array', 'sends a payment in an array', inArray(products.domestic.creation)),
  deviation('TPP-27/array', 'sends a payment in an array', inArray(products.crossBorder.creation)),
  deviation(
    'TPP-27/account',
    'pays to an account without a number',
    crossBorder((body) => removing('creditorAccount.iban')(removing('creditorAccount.bban')(body))),
  ),
  deviation(
    'TPP-27/empty-account',
    'pays to an account whose number is empty',
    crossBorder((body) => setting('creditorAccount.iban', '')(removing('creditorAccount.bban')(body))),
  ),
  deviation(
    'TPP-28/number',
    'sends amounts as numbers',
    domestic((body) => setting('instructedAmount.amount', Number(amountIn(body)))(body)),
  ),
  deviation(
    'TPP-28/no-decimals',
    'sends amounts without decimals',
    domestic((body) => setting('instructedAmount.amount', amountIn(body).replace(/\..*/, ''))(body)),
  ),
  deviation(
    'TPP-28/comma',
    'writes a comma in amounts',
    domestic((body) => setting('instructedAmount.amount', amountIn(body).replace('.', ','))(body)),
  ),
  deviation(
    'TPP-28/yen',
    'sends yen with decimals',
    crossBorder((body) =>
      amountIn(body).includes('.') ? body : setting('instructedAmount.amount', `${amountIn(body)}.00`)(body),
    ),
  ),
  deviation(
    'TPP-28/negative',
    'sends negative amounts',
    domestic((body) => setting('instructedAmount.amount', `-${amountIn(body)}`)(body)),
  ),
  deviation(
    'TPP-29/both',
    'sends a text next to the KID',
    domestic((body) =>
      has(body, 'remittanceInformationStructuredArray')
        ? { ...body, remittanceInformationUnstructured: 'Invoice' }
        : body,
    ),
  ),
  deviation(
    'TPP-30/both',
    'names an account next to the card',
    domestic((body) =>
      setting(
        'debtorAccount.bban',
        '95360573002',
      )(
        setting('debtorAccount.other', {
          identification: '95379010017',
          schemeNameProprietary: 'creditCardAccount',
        })(body),
      ),
    ),
  ),
  deviation(
    'TPP-30/neither',
    'names no account of the debtor',
    domestic((body) => removing('debtorAccount.other')(removing('debtorAccount.bban')(body))),
  ),
  ...(
    [
      ['text', 'as a text', (kid) => kid],
      ['named', 'as a text, behind "KID"', (kid) => `KID: ${kid}`],
      ['numbered', 'as a text, behind "KID nr"', (kid) => `KID nr. ${kid}`],
      ['abbreviated', 'as a text, behind "KID.nr"', (kid) => `KID.nr ${kid}`],
      ['among-words', 'in the middle of a text', (kid) => `Faktura 12, KID ${kid}, takk`],
      ['named-behind', 'in a text that calls it so behind it', (kid) => `Strøm ${kid} (KID)`],
    ] satisfies readonly [string, string, (kid: string) => string][]
  ).map(([way, how, write]) =>
    deviation(`TPP-33/${way}`, `writes the KID ${how}`, domestic(kidAsText(write))),
  ),
  deviation('TPP-34/single', 'sends the KID as a single object', domestic(singleReference)),
];

const basket =
  (ids: (ids: readonly string[]) => readonly string[]): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    basketIds: ids,
  });

export const basketDeviations: readonly TppDeviation[] = [
  deviation(
    'TPP-35/101',
    'puts 101 payments into a basket',
    basket((ids) => Array.from({ length: 101 }, (_, index) => ids[index % ids.length] ?? '')),
  ),
  deviation(
    'TPP-36/unknown',
    'puts a payment into a basket that nobody created',
    basket((ids) => [...ids, randomUUID()]),
  ),
  deviation(
    'TPP-36/empty',
    'creates an empty basket',
    basket(() => []),
  ),
  deviation(
    'TPP-36/bulk',
    'puts a bulk payment into a basket',
    varying({ beforeSigning: asBulkPayment }, [products.domestic.creation]),
  ),
  deviation(
    'TPP-42/cut',
    'keeps only the first 20 characters of an id',
    basket((ids) => ids.map((id) => id.slice(0, 20))),
  ),
  deviation(
    'TPP-42/dashes',
    'keeps ids without their dashes',
    basket((ids) => ids.map((id) => id.replaceAll('-', ''))),
  ),
  deviation(
    'TPP-42/upper-case',
    'keeps ids in upper case',
    basket((ids) => ids.map((id) => id.toUpperCase())),
  ),
  deviation(
    'TPP-42/address',
    'keeps the addresses of its payments in place of their ids',
    basket((ids) => ids.map((id) => `/v1/payments/${products.domestic.path}/${id}`)),
  ),
];

function inArray(operation: Call['operation']): BehaviourChange {
  return (behaviour) => ({
    ...behaviour,
    bytes: (call, body) =>
      call.operation === operation ? Buffer.from(JSON.stringify([body])) : behaviour.bytes(call, body),
  });
}

function kidAsText(write: (kid: string) => string) {
  return ({ remittanceInformationStructuredArray: references, ...body }: JsonObject): JsonObject => {
    if (references === undefined) return body;
    const [first] = references as readonly JsonObject[];
    return { ...body, remittanceInformationUnstructured: write(String(first?.reference)) };
  };
}

function singleReference({
  remittanceInformationStructuredArray: references,
  ...body
}: JsonObject): JsonObject {
  if (references === undefined) return body;
  const [first = {}] = references as readonly JsonObject[];
  return { ...body, remittanceInformationStructured: first };
}

/** The payments that are meant for the basket are sent as bulk payments. */
function asBulkPayment(draft: RequestDraft): void {
  const body: JsonObject = JSON.parse(draft.body?.toString() ?? '{}');
  if (body.creditorName !== 'Fellesinnkjøpet SA') return;
  const { debtorAccount = {}, ...payment } = body;
  draft.target = draft.target.replace('/payments/', '/bulk-payments/');
  draft.body = Buffer.from(JSON.stringify({ debtorAccount, payments: [payment] }));
}
