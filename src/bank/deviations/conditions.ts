import { remittanceFields } from '../../spec/bodies/domestic-payment.ts';
import { has, isObject, textAt } from '../../spec/json.ts';
import { type Product, products } from '../../spec/products.ts';
import type { BankRequest } from '../design/route.ts';

/** One request, and what the sound bank and the deviant one would say to it. */
interface Seen {
  readonly request: BankRequest;
  /** Whether the two differ, so that the request is one that the deviation is about. */
  readonly differs: boolean;
  /** Whether one of the few requests before was refused. */
  readonly afterRefusal: boolean;
  /** Whether others came at the same time. */
  readonly together: boolean;
  /** How many requests that the deviation is about came before. */
  readonly earlier: number;
  /** Whether it has another User-Agent than the first. */
  readonly fromAnotherClient: boolean;
}

/** A circumstance in which a plausible bug shows, while everything else goes on as it should. */
export interface Condition {
  /** The end of the id: `NDC-11/one-longer@corporate`. */
  readonly name: string;
  /** The end of the sentence: `takes a creditorName of 71 characters, but only …`. */
  readonly title: string;
  /** Only payments of this product can meet it. */
  readonly product?: Product;
  /**
   * Topics that it speaks of by itself, so that it cannot be combined with a deviation that is about one of them: headers,
   * fields, requirements, kinds of those, or deviations.
   */
  readonly about?: readonly string[];
  /** Topics of deviations that can be combined all the same. */
  readonly goesWith?: readonly string[];
  /** What is said of requests that meet it: broken as well where the deviation refuses them. */
  readonly also?: readonly string[];
  /** Nothing says that a bank takes everything so, and checks that something is taken do not ask for it. */
  readonly onlyForFaults?: true;
  readonly isMet: (seen: Seen) => boolean;
}

const isThere =
  (...path: readonly string[]) =>
  ({ request }: Seen): boolean => {
    let value: unknown = request.body;
    for (const step of path) value = isObject(value) ? value[step] : undefined;
    return value !== undefined;
  };

/** An agent is not among them: payments to some accounts need one. */
const optionalMembers = ['purposeCode', 'requestedExecutionDate', 'ultimateDebtor'];

/** Where one of them is demanded, the bank refuses what lacks it. */
const demandedMembers = [
  ...optionalMembers.map((member) => `NDC-69/demands-${member}`),
  'NCB-69/demands-purposeCode',
  'NCB-69/demands-requestedExecutionDate',
];

/** Great amounts go to an IBAN each, with an address in its country. */
const aboveTheLimit = ['REG-01', 'REG-02'].flatMap((id) =>
  ['32-bits', 'below-a-million', 'only-at'].map((name) => `${id}/${name}`),
);

/** Deviations that show where there is a date or several optional fields; or where one is alone. */
const ofOptionalMembers = [
  'NDC-55/any-day',
  'NDC-55/norwegian-dates',
  'NCB-46/any-day',
  'NDC-68/refused',
  'NDC-69/no-future-date',
  'NDC-69/some',
  'NCB-69/some',
  'NCB-69/in-one-message',
];

/** Deviations that show where a field is not there. */
const absences: Readonly<Record<string, readonly string[]>> = {
  purposeCode: ['NCB-69/no-purpose'],
  ultimateDebtor: ['NDC-69/no-ultimate-debtor'],
};

const ofWhoThePsuIs = ['PSU-Corporate-ID', 'PSU-Context', 'X-PSU-IDENTITY'];

/** Whether a transfer has to be reported follows from its amount. */
const ofAmounts = [
  'instructedAmount',
  'creditorAccount.currency',
  'debtorAccount.currency',
  'REG',
  'regulatoryReportingCode',
  'regulatoryReportingInformation',
  'AMT',
];

export const conditions: readonly Condition[] = [
  {
    name: 'corporate',
    title: 'for a company',
    // A card is that of a private PSU, and the header that SGS-09 lists without sending it is sent for a company. Where a
    // bank objects to the account of a company, the account may be wrong, and nothing is judged.
    about: [
      ...ofWhoThePsuIs,
      'SGS-09',
      'debtorAccount.other',
      'NDC-60',
      'NDC-62',
      'NCB-67/demands-debtorAccount.bban',
      'NCB-67/demands-debtorAccount.iban',
    ],
    also: ['COR-02'],
    isMet: ({ request }) => request.header('psu-corporate-id') !== undefined,
  },
  {
    name: 'iban',
    title: 'when the debtor account is given as IBAN',
    product: products.crossBorder,
    // Another fault of the account next to an IBAN would be two of them; its currency goes with each form.
    about: ['debtorAccount', 'NCB-63'],
    goesWith: ['debtorAccount.currency'],
    also: ['NCB-67'],
    isMet: isThere('debtorAccount', 'iban'),
  },
  {
    name: 'card',
    title: 'when a card account is debited',
    product: products.domestic,
    // A company has no card, and accounts are as above.
    about: ['debtorAccount', 'SGS-05'],
    goesWith: ['debtorAccount.currency'],
    also: ['NDC-62'],
    onlyForFaults: true,
    isMet: isThere('debtorAccount', 'other'),
  },
  {
    name: 'sha-512',
    title: 'when the Digest is made with SHA-512',
    about: ['DIG', 'Digest', 'SGS-07'],
    also: ['DIG-02'],
    isMet: ({ request }) => /^sha-512=/i.test(request.header('digest') ?? ''),
  },
  {
    name: 'encoded-signature',
    title: 'when the Signature header is an encoded word',
    about: ['SIG-01', 'Signature'],
    onlyForFaults: true,
    isMet: ({ request }) => request.header('signature')?.startsWith('=?') === true,
  },
  {
    name: 'several-references',
    title: 'when there are several references',
    product: products.domestic,
    // The optional fields are chosen from next to what is unstructured.
    about: ['REM', ...remittanceFields, 'NDC-63', 'NDC-64', 'NDC-65', 'NDC-66', 'NDC-69/some'],
    goesWith: ['NDC-65/refused', 'REM-11/refused'],
    also: ['NDC-65'],
    isMet: ({ request: { body } }) =>
      isObject(body) &&
      Array.isArray(body['remittanceInformationStructuredArray']) &&
      body['remittanceInformationStructuredArray'].length > 1,
  },
  ...['purposeCode', 'requestedExecutionDate', 'ultimateDebtor'].map(
    (member): Condition => ({
      name: `with-${member}`,
      title: `when ${member} is there`,
      ...(member === 'ultimateDebtor' ? { product: products.domestic } : {}),
      about: [member, ...ofOptionalMembers, ...(absences[member] ?? [])],
      also: ['NDC-69', 'NCB-69'],
      isMet: isThere(member),
    }),
  ),
  {
    name: 'bare',
    title: 'when there are no optional fields',
    // Whoever has a fault in one of them has one of them, unless the fault is that it is demanded.
    about: [...optionalMembers, ...ofOptionalMembers, 'NDC-69/no-ultimate-debtor', 'NCB-69/no-purpose'],
    goesWith: demandedMembers,
    also: ['NDC-69', 'NCB-69'],
    isMet: ({ request: { body } }) => !optionalMembers.some((member) => has(body, member)),
  },
  {
    name: 'spaced',
    title: 'when the body has white space in it',
    about: ['DIG-03', 'DIG-04', 'DIG-05', 'DIG-06', 'DIG-07', 'DIG-10', 'Digest', 'SGS-07'],
    also: ['DIG-04'],
    isMet: ({ request: { bytes } }) => /[\n\t]|" ?: |, "/.test(bytes.toString('utf8')),
  },
  {
    name: 'optional-headers',
    title: 'when the optional headers are there',
    about: ['PSU-Geo-Location'],
    also: ['HDN-02', 'HDC-02'],
    isMet: ({ request }) => request.header('psu-geo-location') !== undefined,
  },
  {
    name: 'lower-case-names',
    title: 'when header names are in lower case',
    onlyForFaults: true,
    isMet: ({ request: { headerNames } }) => headerNames.every((name) => name === name.toLowerCase()),
  },
  {
    name: 'charset',
    title: 'when Content-Type has a charset',
    onlyForFaults: true,
    isMet: ({ request }) => /charset/i.test(request.header('content-type') ?? ''),
  },
  {
    name: 'with-query',
    title: 'when duplicates are allowed',
    about: ['SGS-12', 'SGS-13'],
    onlyForFaults: true,
    isMet: ({ request }) => request.query.has('allowLogicalDuplicate'),
  },
  {
    name: 'psu-context',
    title: 'when PSU-Context is PRIVATE',
    // SGS-05 is about the header of a company.
    about: [...ofWhoThePsuIs, 'SGS-05'],
    onlyForFaults: true,
    isMet: ({ request }) => request.header('psu-context') === 'PRIVATE',
  },
  {
    name: 'euro',
    title: 'when the amount is in EUR',
    about: ofAmounts,
    onlyForFaults: true,
    isMet: ({ request: { body } }) => textAt(body, 'instructedAmount', 'currency') === 'EUR',
  },
  {
    name: 'small-amount',
    title: 'when the amount is less than 100',
    about: ofAmounts,
    onlyForFaults: true,
    isMet: ({ request: { body } }) => Number(textAt(body, 'instructedAmount', 'amount')) < 100,
  },
  {
    name: 'whole-amount',
    title: 'when the amount has nothing behind the point',
    about: ofAmounts,
    onlyForFaults: true,
    isMet: ({ request: { body } }) => textAt(body, 'instructedAmount', 'amount')?.endsWith('.00') === true,
  },
  {
    name: 'norwegian-name',
    title: 'when there is a letter of Norway in creditorName',
    product: products.domestic,
    about: ['creditorName'],
    also: ['TRN-05', 'NDC-11'],
    isMet: ({ request: { body } }) => /[æøå]/i.test(textAt(body, 'creditorName') ?? ''),
  },
  {
    name: 'ipv6',
    title: 'when PSU-IP-Address is an address of IPv6',
    about: ['PSU-IP-Address'],
    onlyForFaults: true,
    isMet: ({ request }) => request.header('psu-ip-address')?.includes(':') === true,
  },
  {
    name: 'redirect-query',
    title: 'when TPP-Redirect-URI has a query',
    about: ['TPP-Redirect-URI'],
    onlyForFaults: true,
    isMet: ({ request }) => request.header('tpp-redirect-uri')?.includes('?') === true,
  },
  {
    name: 'in-the-app',
    title: 'when TPP-Redirect-Preferred is false',
    about: ['TPP-Redirect-Preferred'],
    onlyForFaults: true,
    isMet: ({ request }) => request.header('tpp-redirect-preferred') === 'false',
  },
  {
    name: 'creditor-bban',
    title: 'when the creditor account is given as BBAN',
    product: products.crossBorder,
    about: ['creditorAccount', 'creditorAgent', 'NCB-61', 'NCB-64', ...aboveTheLimit],
    goesWith: ['creditorAccount.currency'],
    onlyForFaults: true,
    isMet: isThere('creditorAccount', 'bban'),
  },
  {
    name: 'after-refusal',
    title: 'in the three requests after one that it has refused',
    // What has to be taken comes right after a refusal in a run, among the requests of other checks: here they are not sent.
    onlyForFaults: true,
    isMet: ({ afterRefusal }) => afterRefusal,
  },
  {
    name: 'another-client',
    title: 'when another client asks than the first',
    about: ['TRN-18', 'TRN-19'],
    onlyForFaults: true,
    isMet: ({ fromAnotherClient }) => fromAnotherClient,
  },
  { name: 'together', title: 'when other requests come at the same time', isMet: ({ together }) => together },
  { name: 'second-time', title: 'from the second time on', isMet: ({ earlier }) => earlier > 0 },
];
