import { createHash } from 'node:crypto';
import { isoDate } from '../../spec/days.ts';
import { isBooleanWord } from '../../spec/formats.ts';
import { memberAt, textAt } from '../../spec/json.ts';
import { createdBy, defaultProduct } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import { type BankOperation, type BankRequest, type BankState, type Rule, rule } from '../design/route.ts';
import { type IdentifiedPsu, identifyPsu, tppIdOf } from '../sca/identify-psu.ts';
import type { Account } from '../state/customers.ts';

/**
 * Equal for logical duplicates: the same TPP pays the same amount from the same account to the same account, on the
 * same day and with the same message.
 */
export function likenessOf(request: BankRequest): string {
  const { body } = request;
  const facts = JSON.stringify([
    tppIdOf(request),
    request.operation,
    memberAt(body, 'debtorAccount'),
    memberAt(body, 'creditorAccount'),
    memberAt(body, 'instructedAmount'),
    memberAt(body, 'payments'),
    memberAt(body, 'requestedExecutionDate') ?? memberAt(body, 'startDate'),
    memberAt(body, 'remittanceInformationUnstructured'),
    memberAt(body, 'remittanceInformationStructured'),
    memberAt(body, 'remittanceInformationStructuredArray'),
  ]);
  // Kept for every payment, so it is kept short.
  return createHash('sha256').update(facts).digest('base64url');
}

/** What the bank asks of a payment beyond its form. Where the specification is silent the rule is the bank's own. */
export function paymentRules(operation: BankOperation, design: BankDesign): readonly Rule[] {
  const own = { ownChoice: true } as const;
  const product = createdBy(operation) ?? defaultProduct;
  const requirement = product.requirements.duplicateAllowed;
  const dateField = operation === 'createPeriodicPayment' ? 'startDate' : 'requestedExecutionDate';
  return [
    rule(
      requirement,
      'allowLogicalDuplicate is true or false',
      'query',
      ({ query }) =>
        !query.getAll('allowLogicalDuplicate').every(isBooleanWord)
          ? { text: 'allowLogicalDuplicate is neither true nor false.', path: 'allowLogicalDuplicate' }
          : undefined,
      own,
    ),
    rule('EXD-02', `${dateField} is not in the past`, 'executionDate', ({ body }, { clock }) => {
      const date = textAt(body, dateField);
      // UTC: where Norway has a new day already, yesterday there is still today for someone.
      return date !== undefined && date < isoDate(clock.now())
        ? { text: `${dateField} is in the past.`, path: dateField }
        : undefined;
    }),
    rule(
      requirement,
      'a logical duplicate is allowed explicitly where it is not wanted',
      'duplicate',
      (request, state) =>
        design.refusesDuplicates(request) && state.payments.alike(likenessOf(request)) !== undefined
          ? { text: 'A payment like this one exists, and allowLogicalDuplicate is not true.' }
          : undefined,
      own,
    ),
    rule(
      product.requirements.created,
      'the debtor account is of the PSU, or of the company for which it acts',
      'account',
      (request, state) =>
        isOfAnother(request, state)
          ? { text: 'The PSU cannot pay from this debtor account.', path: 'debtorAccount' }
          : undefined,
      own,
    ),
  ];
}

/** Bban and Iban (Limits). */
const longest = { bban: 30, iban: 34 } as const;

/** A debtor account that the PSU cannot pay from. What has no number, or one that is too long, other rules refuse. */
function isOfAnother(request: BankRequest, state: BankState): boolean {
  const psu = identifyPsu(request, state);
  if (psu === undefined || (psu.context === 'CORPORATE' && psu.agreementId === undefined)) return false;
  const { body } = request;
  const card = textAt(body, 'debtorAccount', 'other', 'identification');
  if (card !== undefined) {
    return !state.customers.reachableCardAccounts(psu).some(({ identification }) => identification === card);
  }
  const bban = textAt(body, 'debtorAccount', 'bban');
  const iban = textAt(body, 'debtorAccount', 'iban');
  if ((bban ?? iban) === undefined) return false;
  if ((bban ?? '').length > longest.bban || (iban ?? '').length > longest.iban) return false;
  return !payableAccounts(psu, request, state).some((account) =>
    bban === undefined ? account.iban === iban : account.bban === bban,
  );
}

/**
 * Under an agreement its accounts, otherwise those of the person. A representative has none but those of companies; and
 * who is named by X-PSU-IDENTITY alone chooses the context during SCA.
 */
function payableAccounts(
  { customerNumber, agreementId }: IdentifiedPsu,
  request: BankRequest,
  { customers }: BankState,
): readonly Account[] {
  if (agreementId !== undefined)
    return customers.reachableAccounts({ customerNumber, agreementId }, 'REGISTER');
  const own = customers.reachableAccounts({ customerNumber });
  if (own.length > 0 && request.header('psu-id') !== undefined) return own;
  const ofCompanies = customers
    .agreementsOf(customerNumber)
    .flatMap(({ id }) => customers.reachableAccounts({ customerNumber, agreementId: id }, 'REGISTER'));
  return [...own, ...ofCompanies];
}

/** Bulk and periodic payments: the framework's shapes, as far as a basket needs them to exist. */
export function severalPaymentRules(operation: BankOperation): readonly Rule[] {
  const own = { ownChoice: true } as const;
  const required = (id: string, field: string): Rule =>
    rule(
      id,
      `${field} is required`,
      'field',
      ({ body }) =>
        memberAt(body, field) === undefined ? { text: `${field} is missing.`, path: field } : undefined,
      own,
    );
  if (operation === 'createBulkPayment') {
    return [
      required('NDC-31', 'debtorAccount'),
      rule(
        'NDC-01',
        'payments holds at least one payment, each with an amount and a creditor',
        'field',
        ({ body }) => {
          const payments = memberAt(body, 'payments');
          const complete =
            Array.isArray(payments) &&
            payments.length > 0 &&
            payments.every(
              (payment: unknown) =>
                textAt(payment, 'instructedAmount', 'amount') !== undefined &&
                textAt(payment, 'creditorName') !== undefined,
            );
          return complete ? undefined : { text: 'payments holds no complete payment.', path: 'payments' };
        },
        own,
      ),
    ];
  }
  if (operation !== 'createPeriodicPayment') return [];
  return [
    ...['debtorAccount', 'instructedAmount', 'creditorName', 'startDate', 'frequency'].map((field) =>
      required('NDC-01', field),
    ),
    rule('VER-10', 'MonthlyVariable names each month once', 'field', ({ body }) => {
      const months = memberAt(body, 'monthsOfExecution');
      return textAt(body, 'frequency') === 'MonthlyVariable' &&
        Array.isArray(months) &&
        new Set(months.map(Number)).size < months.length
        ? { text: 'A month is named twice.', path: 'monthsOfExecution' }
        : undefined;
    }),
  ];
}
