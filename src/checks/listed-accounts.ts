import { isObject, member } from '../spec/json.ts';

/**
 * The accounts of a listing whose shape is not shown: a list, by itself, as accounts, or under whatever name it has whose
 * elements have the number of an account.
 */
export function listedAccounts(listing: unknown): readonly unknown[] {
  const accounts = Array.isArray(listing) ? listing : member(listing, 'accounts');
  return Array.isArray(accounts) ? accounts : (numberedList(listing, 3) ?? []);
}

/** A list in an object, next to others or deeper inside. */
function numberedList(value: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.some(hasNumber) ? value : undefined;
  if (!isObject(value) || depth === 0) return undefined;
  for (const inside of Object.values(value)) {
    const found = numberedList(inside, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const hasNumber = (account: unknown): boolean =>
  ['bban', 'iban'].some((name) => typeof member(account, name) === 'string');

/** As people write them, an account number and an IBAN have dots and spaces. */
export const unspaced = (value: unknown): string | undefined =>
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
