import type { PspRole } from '../../signing/certificate.ts';
import { isCreation } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import { type BankOperation, type Rule, rule } from '../design/route.ts';

const at = (text: string) => ({ text, path: 'TPP-Signature-Certificate' });

/** Authentication, Transport and signing: the certificate, its issuer, its validity and its roles. */
export function certificateRules(operation: BankOperation, design: BankDesign): readonly Rule[] {
  return [
    rule('CRT-06', 'TPP-Signature-Certificate is a certificate', 'certificateUnreadable', (request) =>
      request.header('tpp-signature-certificate') !== undefined && request.certificate === undefined
        ? at('The header is not the base64 of a certificate, on one line.')
        : undefined,
    ),
    rule('CRT-01', 'the certificate is from a trusted authority', 'certificate', ({ certificate }, state) =>
      certificate !== undefined && !state.trust.trusts(certificate)
        ? at(`The certificate authority "${certificate.issuer}" is not trusted.`)
        : undefined,
    ),
    rule('CRT-02', 'the certificate has not expired', 'certificate', ({ certificate }, { clock }) =>
      certificate !== undefined && clock.now() > certificate.notAfter
        ? at(`The certificate expired at ${certificate.notAfter.toISOString()}.`)
        : undefined,
    ),
    rule('CRT-03', 'the certificate is valid already', 'certificate', ({ certificate }, { clock }) =>
      certificate !== undefined && clock.now() < certificate.notBefore
        ? at(`The certificate is not valid before ${certificate.notBefore.toISOString()}.`)
        : undefined,
    ),
    rule('CRT-08', 'the TPP is registered', 'certificate', ({ certificate }, { registry }) =>
      registry !== undefined &&
      certificate !== undefined &&
      !registry.has(certificate.authorisationNumber ?? '')
        ? at('The TPP is not registered.')
        : undefined,
    ),
    ...roleRules(operation, design),
  ];
}

function roleRules(operation: BankOperation, design: BankDesign): readonly Rule[] {
  const needed = design.roles(operation);
  if (needed.length === 0) return [];
  return [
    rule(
      requirementOn(operation, needed),
      `the TPP has the role ${needed.join(' or ')}`,
      'role',
      ({ certificate }) =>
        certificate !== undefined && !needed.some((role) => certificate.roles.includes(role))
          ? at(`The certificate does not carry the role ${needed.join(' or ')}.`)
          : undefined,
      // Only creating a payment is said to need the role of a PISP.
      operation.startsWith('create') || needed.includes('PSP_AI') ? {} : { ownChoice: true },
    ),
  ];
}

/** Where the role of either is enough, some role is. */
const requirementOn = (operation: BankOperation, needed: readonly PspRole[]): string => {
  if (rolesByOperation[operation] === forEither) return 'CRT-09';
  return needed.includes('PSP_AI') ? 'CRT-05' : 'CRT-04';
};

const forPayments: readonly PspRole[] = ['PSP_PI'];
const forAccounts: readonly PspRole[] = ['PSP_AI'];
const forEither: readonly PspRole[] = ['PSP_PI', 'PSP_AI'];
const rolesByOperation: Partial<Record<BankOperation, readonly PspRole[]>> = {
  createBulkPayment: forPayments,
  createPeriodicPayment: forPayments,
  createSigningBasket: forPayments,
  readSigningBasket: forPayments,
  readSigningBasketStatus: forPayments,
  deleteSigningBasket: forPayments,
  readPaymentStatus: forPayments,
  readPayment: forPayments,
  deletePayment: forPayments,
  startPaymentAuthorisation: forPayments,
  readPaymentAuthorisation: forPayments,
  startPaymentCancellation: forPayments,
  startBasketAuthorisation: forPayments,
  listAccounts: forAccounts,
  readAccount: forAccounts,
  readBalances: forAccounts,
  readTransactions: forAccounts,
  readTransaction: forAccounts,
  listCardAccounts: forAccounts,
  readCardAccount: forAccounts,
  readCardBalances: forAccounts,
  readCardTransactions: forAccounts,
  createConsent: forAccounts,
  createBankOfferedConsent: forAccounts,
  startUserFlow: forEither,
  listAgreements: forEither,
};

/** A PISP creates payments, an AISP reads account data (What the service does); one of the roles is enough, and every TPP holds one. */
export const neededRoles = (operation: BankOperation): readonly PspRole[] =>
  isCreation(operation) ? forPayments : (rolesByOperation[operation] ?? []);
