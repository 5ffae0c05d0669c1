import { randomUUID } from 'node:crypto';
import { type BehaviourChange, varying, withBody } from '../../certification/reference-tpp/behaviour.ts';
import { type Json, type JsonObject, removeAt, setAt } from '../../payloads/json.ts';
import { creations, products } from '../../spec/products.ts';
import type { Call } from '../../tpp/call.ts';
import type { RequestDraft } from '../../tpp/signing-plan.ts';
import { deviation, type TppDeviation } from './deviation.ts';

const initiations: readonly Call['operation'][] = [...creations, 'createSigningBasket'];

const without = (name: string, operations?: readonly Call['operation'][]): BehaviourChange =>
  varying({ beforeSigning: ({ headers }) => headers.remove(name) }, operations);

const having = (name: string, value: string, operations?: readonly Call['operation'][]): BehaviourChange =>
  varying({ beforeSigning: ({ headers }) => headers.set(name, value) }, operations);

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

/** Calls another path. */
const calling = (
  change: (target: string) => string,
  operations?: readonly Call['operation'][],
): BehaviourChange =>
  varying(
    {
      beforeSigning: (draft) => {
        draft.target = change(draft.target);
      },
    },
    operations,
  );

export const headerDeviations: readonly TppDeviation[] = [
  deviation(
    'TPP-15/constant',
    'sends the same X-Request-ID every time',
    having('X-Request-ID', randomUUID()),
  ),
  deviation(
    'TPP-15/retries',
    'keeps the X-Request-ID when it tries a payment again',
    varying(
      { beforeSigning: ({ headers, body }) => headers.set('X-Request-ID', idFrom(body?.toString() ?? '')) },
      [products.domestic.creation],
    ),
  ),
  deviation(
    'TPP-16/request-id',
    'sends no X-Request-ID when it reads',
    without('X-Request-ID', ['readPaymentStatus', 'readBalances']),
  ),
  deviation(
    'TPP-16/request-id-of-payment',
    'sends no X-Request-ID with payments',
    without('X-Request-ID', creations),
  ),
  deviation('TPP-16/session', 'sends no TPP-Session-ID with payments', without('TPP-Session-ID', creations)),
  deviation(
    'TPP-16/redirect',
    'sends no TPP-Redirect-URI with baskets',
    without('TPP-Redirect-URI', ['createSigningBasket']),
  ),
  deviation('TPP-16/digest', 'sends no Digest', varying({ signing: { digest: () => undefined } }, creations)),
  deviation('TPP-16/psu-id', 'sends no PSU-ID with payments', without('PSU-ID', creations)),
  deviation(
    'TPP-16/certificate',
    'sends no certificate when it lists customers',
    varying({ afterSigning: ({ headers }) => headers.remove('TPP-Signature-Certificate') }, [
      'listSandboxCustomers',
    ]),
  ),
  deviation(
    'TPP-17/relative',
    'sends a relative TPP-Redirect-URI',
    having('TPP-Redirect-URI', '/redirect', initiations),
  ),
  deviation(
    'TPP-17/script',
    'sends a script as TPP-Redirect-URI',
    having('TPP-Redirect-URI', 'javascript:alert(1)', initiations),
  ),
  deviation(
    'TPP-18/method',
    'sends PSU-HTTP-Method in lower case',
    having('PSU-HTTP-Method', 'post', creations),
  ),
  deviation('TPP-18/context', 'sends a PSU-Context of its own', having('PSU-Context', 'PERSONAL', creations)),
  deviation(
    'TPP-18/device',
    'sends a PSU-Device-ID that is no UUID',
    having('PSU-Device-ID', 'pixel-9', creations),
  ),
  deviation('TPP-18/psu-id', 'sends the name of its user as PSU-ID', having('PSU-ID', 'kari', creations)),
  deviation('TPP-19/payments', 'sends no x-accept-fix with payments', without('x-accept-fix', creations)),
  deviation(
    'TPP-19/baskets',
    'sends no x-accept-fix with baskets',
    without('x-accept-fix', ['createSigningBasket']),
  ),
  deviation(
    'TPP-19/semicolons',
    'writes semicolons between fixes',
    having('x-accept-fix', 'amount-as-string;longer-names', initiations),
  ),
  deviation('TPP-23/missing', 'sends no PSU-IP-Address with payments', without('PSU-IP-Address', creations)),
  deviation('TPP-23/nobody', 'sends 0.0.0.0 when the PSU is away', nobodysAddress('0.0.0.0')),
  deviation('TPP-23/word', 'sends "batch" when the PSU is away', nobodysAddress('batch')),
  deviation(
    'TPP-43/yes',
    'asks for duplicates with "yes"',
    calling((target) => `${target}?allowLogicalDuplicate=yes`, [products.domestic.creation]),
  ),
  deviation(
    'TPP-43/one',
    'asks for accounts with 1',
    calling((target) => target.replace('withAccounts=true', 'withAccounts=1'), ['listSandboxCustomers']),
  ),
  deviation('TPP-44/put', 'puts payments instead of posting them', method('PUT', creations)),
  deviation('TPP-44/post', 'posts where it only reads', method('POST', ['readPaymentStatus'])),
  deviation(
    'TPP-45/status',
    'asks for the status under the other product',
    calling(
      (target) => target.replace(products.domestic.path, products.crossBorder.path),
      ['readPaymentStatus'],
    ),
  ),
  deviation(
    'TPP-47/pem',
    'sends the certificate with the lines of its PEM',
    varying({
      afterSigning: ({ headers }) =>
        headers.set(
          'TPP-Signature-Certificate',
          `-----BEGIN CERTIFICATE----- ${headers.get('TPP-Signature-Certificate')} -----END CERTIFICATE-----`,
        ),
    }),
  ),
  deviation(
    'TPP-47/escaped-lines',
    'sends the certificate as PEM, with percent signs for line breaks',
    varying({
      afterSigning: ({ headers }) => {
        const base64 = headers.get('TPP-Signature-Certificate') ?? '';
        headers.set(
          'TPP-Signature-Certificate',
          encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${base64}\n`),
        );
      },
    }),
  ),
  deviation(
    'TPP-47/encoded-pem',
    'sends the Base64 of the PEM with baskets',
    varying(
      {
        afterSigning: ({ headers }) =>
          headers.set(
            'TPP-Signature-Certificate',
            Buffer.from(
              `-----BEGIN CERTIFICATE-----\n${headers.get('TPP-Signature-Certificate')}\n-----END CERTIFICATE-----\n`,
            ).toString('base64'),
          ),
      },
      ['createSigningBasket'],
    ),
  ),
  deviation(
    'TPP-48/reading',
    'sends X-PSU-IDENTITY when it reads accounts',
    having('X-PSU-IDENTITY', '01819010001', ['listAccounts', 'readBalances']),
  ),
  deviation(
    'TPP-49/missing',
    'initiates payments with a single SCA and without PSU-Context',
    varying(
      {
        beforeSigning: ({ headers }) => {
          if (headers.has('PSU-Corporate-ID')) return;
          headers.remove('PSU-ID');
          headers.remove('PSU-Context');
          headers.set('TPP-Session-ID', randomUUID());
          headers.set('X-PSU-IDENTITY', '01819010001');
        },
      },
      creations,
    ),
  ),
  deviation(
    'TPP-54/context',
    'sends PSU-Context with baskets',
    having('PSU-Context', 'PRIVATE', ['createSigningBasket']),
  ),
  deviation(
    'TPP-54/brand',
    'sends its brand when it asks for a status',
    having('TPP-Brand-Logging-Information', 'Test TPP', ['readPaymentStatus']),
  ),
  deviation(
    'TPP-56/short',
    'cuts the first digit of X-PSU-IDENTITY',
    having('X-PSU-IDENTITY', '1819010001', creations),
  ),
  deviation(
    'TPP-52/repeated',
    'sends its TPP-Session-ID twice',
    varying({
      beforeSigning: ({ headers }) => headers.add('TPP-Session-ID', headers.get('TPP-Session-ID') ?? ''),
    }),
  ),
  deviation(
    'TPP-40/no-version',
    'calls the listing without a version',
    calling((target) => target.replace('/v1', ''), ['listSandboxCustomers']),
  ),
  deviation(
    'TPP-40/other-version',
    'asks for the status under /v2',
    calling((target) => target.replace('/v1', '/v2'), ['readPaymentStatus']),
  ),
];

export const bodyDeviations: readonly TppDeviation[] = [
  deviation('TPP-25/xml', 'sends XML', (behaviour) =>
    having('Content-Type', 'application/xml', creations)(bytes(() => Buffer.from('<Document/>'))(behaviour)),
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
    'TPP-25/form',
    'calls its JSON a form',
    having('Content-Type', 'application/x-www-form-urlencoded', creations),
  ),
  deviation('TPP-26/array', 'sends a payment in an array', inArray(products.domestic.creation)),
  deviation(
    'TPP-53/domestic',
    'writes null where a domestic payment has no purpose',
    domestic(setting('purposeCode', null)),
  ),
  deviation('TPP-26/address', 'sends no address of the creditor', domestic(removing('creditorAddress'))),
  deviation(
    'TPP-26/country',
    'sends an address without country',
    domestic(removing('creditorAddress.country')),
  ),
  deviation(
    'TPP-26/name',
    'sends a name of 71 characters',
    domestic(setting('creditorName', 'N'.repeat(71))),
  ),
  deviation(
    'TPP-26/text',
    'sends a text of 141 characters',
    domestic((body) =>
      has(body, 'remittanceInformationUnstructured')
        ? setting('remittanceInformationUnstructured', 'x'.repeat(141))(body)
        : body,
    ),
  ),
  deviation(
    'TPP-26/empty-text',
    'sends an empty text',
    domestic((body) =>
      has(body, 'remittanceInformationUnstructured')
        ? setting('remittanceInformationUnstructured', '')(body)
        : body,
    ),
  ),
  deviation(
    'TPP-26/number',
    'sends account numbers as numbers',
    domestic(setting('creditorAccount.bban', 86011117947)),
  ),
  deviation(
    'TPP-26/currency',
    'pays in a currency that is not listed',
    domestic(setting('creditorAccount.currency', 'nok')),
  ),
  deviation(
    'TPP-26/date',
    'writes the date of execution as 31.12.2030',
    domestic(setting('requestedExecutionDate', '31.12.2030')),
  ),
  deviation('TPP-26/agent', 'names no bank for a currency account', domestic(removing('creditorAgent'))),
  deviation('TPP-26/purpose', 'sends a purpose that is not listed', domestic(setting('purposeCode', 'GDDS'))),
  deviation(
    'TPP-27/number',
    'sends regulatory codes as numbers',
    crossBorder((body) =>
      has(body, 'regulatoryReportingCode') ? setting('regulatoryReportingCode', 14)(body) : body,
    ),
  ),
  deviation(
    'TPP-27/date',
    'writes the date of execution as 31.12.2030',
    crossBorder(setting('requestedExecutionDate', '31.12.2030')),
  ),
  deviation('TPP-27/array', 'sends a payment in an array', inArray(products.crossBorder.creation)),
  deviation('TPP-27/name', 'sends no name of the creditor', crossBorder(removing('creditorName'))),
  deviation(
    'TPP-27/purpose',
    'sends a purpose that is not listed',
    crossBorder(setting('purposeCode', 'GDDS')),
  ),
  deviation(
    'TPP-27/information',
    'sends 141 characters of regulatory information',
    crossBorder((body) =>
      has(body, 'regulatoryReportingInformation')
        ? setting('regulatoryReportingInformation', 'x'.repeat(141))(body)
        : body,
    ),
  ),
  deviation(
    'TPP-27/account',
    'pays to an account without a number',
    crossBorder((body) => removing('creditorAccount.iban')(removing('creditorAccount.bban')(body))),
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
  deviation('TPP-31/code', 'sends no regulatory code', crossBorder(removing('regulatoryReportingCode'))),
  deviation(
    'TPP-31/information',
    'sends no regulatory information',
    crossBorder(removing('regulatoryReportingInformation')),
  ),
  deviation(
    'TPP-55/name',
    'names the bank abroad by its name',
    crossBorder((body) =>
      has(body, 'creditorAgent') ? setting('creditorAgent', 'Bank of Tokyo')(body) : body,
    ),
  ),
  deviation(
    'TPP-55/routing-number',
    'names the bank of a currency account by a number',
    domestic((body) => (has(body, 'creditorAgent') ? setting('creditorAgent', '021000021')(body) : body)),
  ),
  deviation('TPP-32/agent', 'names no bank for a BBAN abroad', crossBorder(removing('creditorAgent'))),
  deviation('TPP-33/text', 'writes the KID as a text', domestic(kidAsText(''))),
  deviation('TPP-33/named', 'writes "KID" and the number as a text', domestic(kidAsText('KID: '))),
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
    'TPP-42/upper-case',
    'keeps ids in upper case',
    basket((ids) => ids.map((id) => id.toUpperCase())),
  ),
];

function method(name: string, operations: readonly Call['operation'][]): BehaviourChange {
  return varying(
    {
      beforeSigning: (draft) => {
        draft.method = name;
      },
    },
    operations,
  );
}

function inArray(operation: Call['operation']): BehaviourChange {
  return (behaviour) => ({
    ...behaviour,
    bytes: (call, body) =>
      call.operation === operation ? Buffer.from(JSON.stringify([body])) : behaviour.bytes(call, body),
  });
}

/** A UUID that follows from a text. */
function idFrom(text: string): string {
  const hex = Buffer.from(text).toString('hex').padEnd(64, '0').slice(20, 52);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function nobodysAddress(value: string): BehaviourChange {
  return varying(
    {
      beforeSigning: ({ headers }) => {
        if (!headers.has('PSU-IP-Address')) headers.set('PSU-IP-Address', value);
      },
    },
    ['readBalances'],
  );
}

function kidAsText(label: string) {
  return ({ remittanceInformationStructuredArray: references, ...body }: JsonObject): JsonObject => {
    if (references === undefined) return body;
    const [first] = references as readonly JsonObject[];
    return { ...body, remittanceInformationUnstructured: `${label}${first?.reference}` };
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
