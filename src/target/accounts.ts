import { ibanOf } from '../spec/check-digits.ts';
import type {
  CardAccount,
  CreditorAccount,
  DebtorAccount,
  Environment,
  ForeignCreditorAccount,
  TargetAccounts,
} from './target.ts';

export interface AccountParts {
  readonly debtor: DebtorAccount;
  readonly corporateDebtor?: DebtorAccount;
  readonly card?: CardAccount;
  readonly creditor?: CreditorAccount;
  readonly creditorForeign?: ForeignCreditorAccount;
}

export const defaultCreditor: CreditorAccount = { bban: '86011117947', currency: 'NOK' };

/** The example of the IBAN registry. */
const defaultForeignCreditor: ForeignCreditorAccount = {
  iban: 'DE89370400440532013000',
  agent: 'COBADEFFXXX',
  currency: 'EUR',
  country: 'DE',
};

/**
 * Fills in what follows from the rest. In production no foreign account is made up: money would go there. (The
 * domestic one is demanded of a production target that may create payments, when its file is loaded.)
 */
export function accountsOf(parts: AccountParts, environment: Environment): TargetAccounts {
  const creditorForeign =
    parts.creditorForeign ?? (environment === 'production' ? undefined : defaultForeignCreditor);
  return {
    debtor: withIban(parts.debtor),
    ...(parts.corporateDebtor === undefined ? {} : { corporateDebtor: withIban(parts.corporateDebtor) }),
    ...(parts.card === undefined ? {} : { card: parts.card }),
    creditor: withIban(parts.creditor ?? defaultCreditor),
    ...(creditorForeign === undefined ? {} : { creditorForeign }),
  };
}

/** Only Norwegian account numbers have eleven digits and an IBAN that follows from them. */
function withIban<Account extends { readonly bban: string; readonly iban?: string }>(
  account: Account,
): Account {
  return account.iban === undefined && /^\d{11}$/.test(account.bban)
    ? { ...account, iban: ibanOf(account.bban) }
    : account;
}

/** The account number inside a Norwegian IBAN. */
export function bbanOf(iban: string): string | undefined {
  return /^NO\d{2}(\d{11})$/.exec(iban)?.[1];
}
