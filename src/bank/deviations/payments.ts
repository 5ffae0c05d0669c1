import { randomUUID } from 'node:crypto';
import { has, isObject, memberAt, textAt } from '../../spec/json.ts';
import { creations, everyProduct, fieldRequirement, products } from '../../spec/products.ts';
import {
  type DesignChange,
  withAnswers,
  withField,
  withRefusalKind,
  withRules,
} from '../design/design-changes.ts';
import type { PaymentDesign } from '../design/payment-design.ts';
import type { BankAnswer, BankRequest } from '../design/route.ts';
import { kidAccount } from '../rules/kid-rules.ts';
import { type Deviation, deviation, of, overlooking, refusing } from './deviation.ts';

const domestic = [products.domestic.creation];
const crossBorder = [products.crossBorder.creation];

const withPayments =
  (changes: Partial<PaymentDesign>): DesignChange =>
  (design) => ({ ...design, payments: { ...design.payments, ...changes } });

const withBody =
  (change: (body: Readonly<Record<string, unknown>>) => unknown) =>
  (answer: BankAnswer): BankAnswer =>
    isObject(answer.body) ? { ...answer, body: change(answer.body) } : answer;

const duplicates =
  (operation: string): DesignChange =>
  (design) => ({
    ...design,
    refusesDuplicates: (request) => request.operation === operation || design.refusesDuplicates(request),
  });

const withoutDuplicates = (request: BankRequest): boolean =>
  request.query.get('allowLogicalDuplicate') === 'false';
const hasAccount = (request: BankRequest, account: string, form: string): boolean =>
  has(memberAt(request.body, account), form);

const creation: readonly Deviation[] = [
  ...everyProduct.map(({ word, creation, requirements }) =>
    deviation(
      `${requirements.duplicateAllowed}/duplicates-refused`,
      `refuses the same ${word} payment although duplicates are allowed`,
      duplicates(creation),
    ),
  ),
  ...everyProduct.map(({ word, creation, requirements }) =>
    deviation(
      `${requirements.withoutDuplicate}/refused`,
      `refuses a ${word} payment that forbids duplicates`,
      refusing(requirements.withoutDuplicate, [creation], withoutDuplicates),
    ),
  ),
  deviation('PRS-21/one-for-all', 'gives two payments one id', withPayments({ newPaymentId: recurringId() })),
  deviation(
    'PRS-20/fee-left-out',
    'says that there is a fee and not how much it is',
    withAnswers(
      crossBorder,
      withBody(({ transactionFees: _, ...body }) => ({ ...body, transactionFeeIndicator: true })),
    ),
  ),
  ...['50', '50.0', '50.000'].map((amount) =>
    deviation(
      `PRS-23/${amount}`,
      `writes a fee of fifty kroner as ${amount}`,
      withPayments({ feeOf: () => ({ amount, currency: 'NOK' }) }),
    ),
  ),
  deviation(
    'VER-03/number',
    'writes fees as JSON numbers',
    withAnswers(
      crossBorder,
      withBody((body) => ({ ...body, transactionFees: { amount: 50, currency: 'NOK' } })),
    ),
  ),
  deviation(
    'PRS-16/one-longer-psu-message',
    'tells the PSU 513 characters',
    withPayments({ psuMessageOf: () => 'a'.repeat(513) }),
  ),
  deviation(
    'TRN-11/null-psu-message',
    'writes null where there is nothing to tell the PSU',
    withAnswers(
      creations,
      withBody((body) => ({ ...body, psuMessage: null })),
    ),
  ),
  deviation(
    'MSG-01/missing-in-a-warning',
    'leaves out the category of a warning',
    withAnswers(
      creations,
      withBody((body) => ({ ...body, tppMessages: [{ code: 'FORMAT_ERROR' }] })),
    ),
  ),
  deviation(
    'MSG-06/unlisted-in-a-warning',
    'warns with a code that is not listed',
    withAnswers(
      creations,
      withBody((body) => ({ ...body, tppMessages: [{ category: 'WARNING', code: 'DEPRECATED' }] })),
    ),
  ),
];

/** Every second payment has the id of the one before it. */
function recurringId(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `payment-${count % 2 === 0 ? count - 1 : count}`;
  };
}

const shortened = (field: string, bytes: number): DesignChange =>
  refusing('TRN-04', creations, ({ body }) => Buffer.byteLength(textAt(body, field) ?? '') > bytes);

const isLarge = ({ body }: BankRequest): boolean =>
  textAt(body, 'instructedAmount', 'currency') === 'NOK' &&
  Number(textAt(body, 'instructedAmount', 'amount')) >= 100_000;

const bodies: readonly Deviation[] = [
  deviation(
    'NDC-62/refused',
    'takes no card account as debtor account',
    refusing('NDC-62', domestic, (request) => hasAccount(request, 'debtorAccount', 'other')),
  ),
  deviation(
    'NDC-64/refused',
    'takes no unstructured remittance information',
    refusing('NDC-64', domestic, ({ body }) => has(body, 'remittanceInformationUnstructured')),
  ),
  deviation(
    'NDC-65/refused',
    'takes no structured array',
    refusing('NDC-65', domestic, ({ body }) => has(body, 'remittanceInformationStructuredArray')),
  ),
  deviation(
    'NDC-66/refused',
    'takes no single structured reference any more',
    refusing('NDC-66', domestic, ({ body }) => has(body, 'remittanceInformationStructured')),
  ),
  deviation(
    'NDC-68/refused',
    'takes no creditorAgent in a domestic payment',
    refusing('NDC-68', domestic, ({ body }) => has(body, 'creditorAgent')),
  ),
  deviation(
    'NDC-69/no-future-date',
    'executes every payment at once, and refuses another date',
    refusing('NDC-69', domestic, ({ body }) => has(body, 'requestedExecutionDate')),
  ),
  deviation(
    'NDC-69/no-ultimate-debtor',
    'refuses an ultimateDebtor',
    refusing('NDC-69', domestic, ({ body }) => has(body, 'ultimateDebtor')),
  ),
  deviation(
    'NCB-69/no-purpose',
    'refuses a purposeCode',
    refusing('NCB-69', crossBorder, ({ body }) => has(body, 'purposeCode')),
  ),
  deviation(
    'NCB-66/no-bban',
    'takes no BBAN as creditor account',
    refusing('NCB-66', crossBorder, (request) => hasAccount(request, 'creditorAccount', 'bban')),
  ),
  deviation(
    'NCB-66/no-iban',
    'takes no IBAN as creditor account',
    refusing('NCB-66', crossBorder, (request) => hasAccount(request, 'creditorAccount', 'iban')),
  ),
  deviation(
    'NCB-67/no-bban',
    'takes no BBAN as debtor account',
    refusing('NCB-67', crossBorder, (request) => hasAccount(request, 'debtorAccount', 'bban')),
  ),
  deviation(
    'NCB-67/no-iban',
    'takes no IBAN as debtor account',
    refusing('NCB-67', crossBorder, (request) => hasAccount(request, 'debtorAccount', 'iban')),
  ),
  deviation(
    'NCB-68/refused',
    'takes no creditorAddress at all',
    refusing('NCB-68', crossBorder, ({ body }) => has(body, 'creditorAddress')),
  ),
  deviation(
    'REG-04/refused',
    'takes no transfer of NOK 100 000 or more',
    refusing('REG-04', crossBorder, isLarge),
  ),
  deviation('REM-11/refused', 'takes no KID', (design) => ({ ...design, isValidKid: () => false })),
  deviation(
    'ERR-02/array-only',
    'looks at KIDs in the array only',
    overlooking(of('ERR-02'), ({ body }) => has(body, 'remittanceInformationStructured')),
  ),
  deviation(
    'ERR-02/single-only',
    'looks at the KID of the single form only',
    overlooking(of('ERR-02'), ({ body }) => has(body, 'remittanceInformationStructuredArray')),
  ),
  deviation(
    'ERR-02/401-elsewhere',
    'answers 401 to a wrong KID where nobody demands one',
    withRules((_, rules) =>
      rules.map((rule) =>
        of('ERR-02')(rule)
          ? {
              ...rule,
              refuses: (request, state) => {
                const refusal = rule.refuses(request, state);
                const isElsewhere = textAt(request.body, 'creditorAccount', 'bban') !== kidAccount;
                return refusal === undefined || !isElsewhere ? refusal : { ...refusal, status: 401 };
              },
            }
          : rule,
      ),
    ),
  ),
  deviation('NDC-11/in-bytes', 'counts the bytes of a text instead of its characters', (design) => ({
    ...design,
    lengthOf: (text) => Buffer.byteLength(text),
  })),
  ...everyProduct
    .map((product) => fieldRequirement(product, 'requestedExecutionDate', 'format'))
    .map((requirement) =>
      deviation(
        `${requirement}/any-day`,
        'takes days that no calendar has',
        overlooking(of(requirement), ({ body }) =>
          /^\d{4}-\d{2}-\d{2}$/.test(textAt(body, 'requestedExecutionDate') ?? ''),
        ),
      ),
    ),
  deviation(
    'NDC-55/norwegian-dates',
    'takes dates in the Norwegian form',
    // Its own rule on the past would take most of them for one.
    overlooking(
      ({ requirement }) => ['NDC-55', 'EXD-02'].includes(requirement),
      ({ body }) => /^\d{2}\.\d{2}\.\d{4}$/.test(textAt(body, 'requestedExecutionDate') ?? ''),
    ),
  ),
  deviation(
    'TRN-04/in-bytes',
    'limits creditorName by bytes, not by characters',
    shortened('creditorName', 14),
  ),
  deviation(
    'NCB-24/as-domestic-names',
    'lets a street have 140 characters',
    withField('crossBorderPayment', 'creditorAddress.street', (field) => ({ ...field, maxLength: 140 })),
  ),
];

/** Some of the fields and not all of them: what is taken alone, and all together, is not taken in between. */
const someOf =
  (...names: readonly string[]) =>
  ({ body }: BankRequest): boolean => {
    const present = names.filter((name) => has(body, name)).length;
    return present > 0 && present < names.length;
  };

const reports = ({ body }: BankRequest, code: string): boolean =>
  textAt(body, 'regulatoryReportingCode') === code;

const combinations: readonly Deviation[] = [
  deviation(
    'NDC-15/iban-instead',
    'takes an IBAN in place of the BBAN of a creditor',
    overlooking(of('NDC-15'), (request) => hasAccount(request, 'creditorAccount', 'iban')),
  ),
  deviation(
    'NDC-15/nothing-instead',
    'takes a creditor without any account number',
    overlooking(of('NDC-15'), (request) => !hasAccount(request, 'creditorAccount', 'iban')),
  ),
  deviation(
    'NDC-69/some',
    'takes no, or all, of three optional fields',
    refusing('NDC-69', domestic, someOf('ultimateDebtor', 'purposeCode', 'requestedExecutionDate')),
  ),
  deviation(
    'NCB-69/some',
    'takes no, or all, of three optional fields',
    refusing(
      'NCB-69',
      crossBorder,
      someOf('remittanceInformationUnstructured', 'purposeCode', 'requestedExecutionDate'),
    ),
  ),
  deviation(
    'NCB-69/country-alone',
    'refuses an address that is a country alone, where nothing else is told of the payment',
    refusing('NCB-69', crossBorder, ({ body }) => {
      const address = memberAt(body, 'creditorAddress');
      const isCountryAlone = isObject(address) && Object.keys(address).length === 1;
      return isCountryAlone && !has(body, 'purposeCode') && !has(body, 'requestedExecutionDate');
    }),
  ),
  deviation(
    'NCB-69/in-one-message',
    'has room for 350 characters in all texts together',
    refusing(
      'NCB-69',
      crossBorder,
      ({ body }) =>
        [
          textAt(body, 'creditorName'),
          textAt(body, 'creditorAddress', 'street'),
          textAt(body, 'remittanceInformationUnstructured'),
          textAt(body, 'regulatoryReportingInformation'),
        ].join('').length > 350,
    ),
  ),
  deviation(
    'NDC-67/with-a-date',
    'demands remittance information of a payment with a date',
    refusing(
      'NDC-67',
      domestic,
      ({ body }) =>
        has(body, 'requestedExecutionDate') &&
        isObject(body) &&
        !Object.keys(body).some((name) => name.startsWith('remittanceInformation')),
    ),
  ),
  deviation(
    'NCB-65/with-an-address',
    'demands creditorAgent where there is an address',
    refusing(
      'NCB-65',
      crossBorder,
      ({ body }) => has(body, 'creditorAddress') && !has(body, 'creditorAgent'),
    ),
  ),
  deviation(
    'NCB-48/not-on-small-ones',
    'takes no reporting code 31 on a transfer that needs none',
    refusing('NCB-48', crossBorder, (request) => reports(request, '31') && !isLarge(request)),
  ),
  deviation(
    'NCB-48/not-on-large-ones',
    'takes no reporting code 31 on a transfer that needs one',
    refusing('NCB-48', crossBorder, (request) => reports(request, '31') && isLarge(request)),
  ),
  {
    ...deviation('NDC-63/one-pair-only', 'takes a single reference next to another form', (design) => ({
      ...design,
    })),
    under: { remittancePairs: 'any-pair' },
  },
];

const missingKids: readonly Deviation[] = [
  deviation(
    'ERR-02/missing-401',
    'answers 401 where a KID is missing',
    withRefusalKind('kidMissing', { status: 401 }),
  ),
  deviation(
    'ERR-02/message-instead',
    'takes a message in place of a KID that is demanded',
    overlooking(of('ERR-02'), ({ body }) => has(body, 'remittanceInformationUnstructured')),
  ),
];

const isDomestic = (product: string): boolean => product === products.domestic.path;

const statuses: readonly Deviation[] = [
  deviation(
    'PST-01/never-readable',
    'never shows the status of a domestic payment',
    withPayments({ isReadable: ({ product }) => !isDomestic(product) }),
  ),
  deviation(
    'PST-01/not-after-approval',
    'loses sight of a domestic payment when it is approved',
    withPayments({
      isReadable: ({ product, approvedAt, standsStill }) =>
        !isDomestic(product) || approvedAt === undefined || standsStill === true,
    }),
  ),
  deviation(
    'PST-01/not-cross-border',
    'never shows the status of a cross-border payment',
    withPayments({ isReadable: ({ product }) => isDomestic(product) }),
  ),
  deviation(
    'PST-01/not-decoded',
    'gives ids that need percent-encoding, and does not know them again when they are encoded',
    withPayments({ newPaymentId: () => `enc/${randomUUID()}==` }),
    refusing('PST-01', ['readPaymentStatus'], ({ params }) => (params.paymentId ?? '').includes('/')),
  ),
  deviation(
    'PST-01/not-of-old',
    'does not show the status of payments from before the run',
    withPayments({ isReadable: ({ standsStill }) => standsStill !== true }),
  ),
  deviation(
    'ERR-05/rejected',
    'reports a payment that lacks funds as RJCT',
    withAnswers(
      ['readPaymentStatus'],
      withBody((body) => (body.fundsAvailable === false ? { ...body, transactionStatus: 'RJCT' } : body)),
    ),
  ),
  deviation(
    'ERR-05/funds-untold',
    'does not tell that funds are lacking',
    withAnswers(
      ['readPaymentStatus'],
      withBody(({ fundsAvailable: _, ...body }) => body),
    ),
  ),
  deviation(
    'ERR-05/funds-available',
    'reports funds as available when they are lacking',
    withAnswers(
      ['readPaymentStatus'],
      withBody((body) => ('fundsAvailable' in body ? { ...body, fundsAvailable: true } : body)),
    ),
  ),
];

export const paymentDeviations: readonly Deviation[] = [
  ...creation,
  ...bodies,
  ...combinations,
  ...missingKids,
  ...statuses,
];
