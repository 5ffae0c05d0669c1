import { member } from '../spec/json.ts';

/** The accounts of a listing whose shape is not shown: a list, by itself or as accounts. */
export function listedAccounts(listing: unknown): readonly unknown[] {
  const accounts = Array.isArray(listing) ? listing : member(listing, 'accounts');
  return Array.isArray(accounts) ? accounts : [];
}

/** As people write them, an account number and an IBAN have dots and spaces. */
const unspaced = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.replaceAll(/[\s.]/g, '') : undefined;

/** The numbers and currencies of listed accounts. A Norwegian IBAN ends in the BBAN, where that does not stand by itself. */
export interface ListedDebtor {
  readonly bban: string;
  readonly currency: string;
}

export const listedDebtors = (listing: unknown): readonly ListedDebtor[] =>
  listedAccounts(listing).flatMap((account) => {
    const [bban, iban, currency] = ['bban', 'iban', 'currency'].map((name) => member(account, name));
    const number = unspaced(bban) ?? /^NO\d\d(\d{11})$/.exec(unspaced(iban) ?? '')?.[1];
    return number !== undefined
      ? [{ bban: number, currency: typeof currency === 'string' ? currency : 'NOK' }]
      : [];
  });
