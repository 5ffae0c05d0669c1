import { type AccountParts, bbanOf } from '../accounts.ts';
import type { DebtorAccount } from '../target.ts';
import type { AccountEntry, AccountsSection } from '../target-file.ts';
import type { LoadContext } from './context.ts';

/** Completes each account from its other number; nothing where the debtor is unusable. */
export function loadAccounts(
  context: LoadContext,
  given: AccountsSection | undefined,
): AccountParts | undefined {
  const debtor = norwegian(context, 'debtor', given?.debtor);
  const corporateDebtor = norwegian(context, 'corporateDebtor', given?.corporateDebtor);
  const creditor = norwegian(context, 'creditor', given?.creditor);
  const { card, creditorForeign: foreign } = given ?? {};
  if (debtor === undefined) return undefined;
  return {
    debtor,
    ...(corporateDebtor === undefined ? {} : { corporateDebtor }),
    ...(creditor === undefined ? {} : { creditor: { ...given?.creditor, ...creditor } }),
    ...(card?.identification === undefined
      ? {}
      : { card: { identification: card.identification, currency: card.currency ?? 'NOK' } }),
    ...(foreign?.currency === undefined || foreign.country === undefined
      ? {}
      : { creditorForeign: { ...foreign, currency: foreign.currency, country: foreign.country } }),
  };
}

function norwegian(
  { complain }: LoadContext,
  name: 'debtor' | 'corporateDebtor' | 'creditor',
  account: AccountEntry | undefined,
): DebtorAccount | undefined {
  if (account === undefined) return undefined;
  const { iban, currency = 'NOK' } = account;
  const inside = iban === undefined ? undefined : bbanOf(iban);
  const bban = account.bban ?? inside;
  if (bban === undefined) {
    if (iban !== undefined) {
      complain(['accounts', name, 'bban'], 'This is missing, and only follows from a Norwegian IBAN.');
    }
    return undefined;
  }
  if (inside !== undefined && inside !== bban) {
    complain(
      ['accounts', name, 'iban'],
      'This is the IBAN of another account than bban. Leave one of them out.',
    );
  }
  return { bban, ...(iban === undefined ? {} : { iban }), currency };
}
