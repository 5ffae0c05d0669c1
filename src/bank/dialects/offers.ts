import type { DesignChange } from '../design-changes.ts';
import type { BankOperation } from '../route.ts';
import { type Dialect, independent } from './dialect.ts';

/** The operation is not there: it is mentioned by path only. */
const without =
  (...operations: readonly BankOperation[]): DesignChange =>
  (design) => ({
    ...design,
    adaptRoutes: (routes) =>
      design.adaptRoutes(routes).filter(({ operation }) => !operations.includes(operation)),
  });

export const offerDialects: readonly Dialect[] = [
  independent('offers/no-consents', 'has only the successor of /v1/consents', without('createConsent')),
  independent(
    'offers/no-bank-offered-consents',
    'has no successor of /v1/consents yet',
    without('createBankOfferedConsent'),
  ),
  independent('offers/no-user', 'has no /v1/user', without('startUserFlow')),
  independent('offers/no-agreements', 'has no /v1/agreements', without('listAgreements')),
  independent('offers/no-deletion', 'has no deletion of payments', without('deletePayment')),
];
