import { ibanOf, isBban, isIban } from '../spec/check-digits.ts';
import {
  type Creditors,
  type CreditorsSection,
  creditorsSchema,
  type ForeignCreditorAccount,
  foreignCreditor,
  foreignCreditorSchema,
  loadCreditors,
} from './creditors.ts';
import { section, value } from './json-schema.ts';
import type { LoadContext } from './key-path.ts';

/** What a run takes of a bank that sets aside what created payments need: about twice what it creates. */
export const fundsForARun = 'NOK 50 million';

export const accountsSchema = section(
  'Accounts to pay from and to pay to',
  {
    debtor: section(
      `The account of the PSU that payments are made from, with funds of well over NOK 100 000, or of ${fundsForARun} where the bank sets aside what created payments need. Give bban; iban follows from a Norwegian bban, and the other way round`,
      {
        bban: value.bban('account number', '95360573002'),
        iban: value.iban('IBAN of the same account', 'NO0995360573002'),
        currency: { ...value.currency(), default: 'NOK' },
      },
      {
        anyOf: [{ required: ['bban'] }, { required: ['iban'] }],
        examples: [{ bban: '95360573002', currency: 'NOK' }],
      },
    ),
    corporateDebtor: section(
      'The account that the corporate PSU pays from; without it that of debtor, or one that the bank lists for the company',
      {
        bban: value.bban('account number', '15030000002'),
        iban: value.iban('IBAN of the same account', 'NO5515030000002'),
        currency: { ...value.currency(), default: 'NOK' },
      },
      { anyOf: [{ required: ['bban'] }, { required: ['iban'] }] },
    ),
    otherDebtor: section(
      'The account in NOK that psu.other pays from; without it one that the bank lists for that customer',
      {
        bban: value.bban('account number', '95360574122'),
        iban: value.iban('IBAN of the same account', 'NO3395360574122'),
        currency: { ...value.currency(), default: 'NOK' },
      },
      { anyOf: [{ required: ['bban'] }, { required: ['iban'] }] },
    ),
    card: section(
      'A card account of the PSU that payments can be made from',
      {
        identification: value.text('reference from relatedAccount of the card account details'),
        currency: { ...value.currency(), default: 'NOK' },
      },
      { required: ['identification'] },
    ),
    creditor: section(
      'The Norwegian account that payments are made to',
      {
        bban: value.bban('account number', '86011117947'),
        iban: value.iban('IBAN of the same account', 'NO9386011117947'),
        currency: { ...value.currency(), default: 'NOK' },
        name: value.text('name of the account holder', { maxLength: 70 }),
        agent: value.bic('bank of the account'),
      },
      {
        anyOf: [{ required: ['bban'] }, { required: ['iban'] }],
        default: { bban: '86011117947', currency: 'NOK' },
      },
    ),
    kidCreditor: section(
      'A Norwegian account whose holder demands a KID of every payment; a wrong KID is judged there alone',
      {
        bban: value.bban('account number', '86011118013'),
        iban: value.iban('IBAN of the same account', 'NO5786011118013'),
        currency: { ...value.currency(), default: 'NOK' },
        name: value.text('name of the account holder', { maxLength: 70 }),
        agent: value.bic('bank of the account'),
        kidLength: {
          description:
            'how many digits its KIDs have, check digit included, where the holder has agreed on that with the bank',
          type: 'integer',
          minimum: 2,
          maximum: 25,
        },
      },
      { anyOf: [{ required: ['bban'] }, { required: ['iban'] }] },
    ),
    creditorForeign: foreignCreditorSchema('The account abroad that cross-border payments are made to'),
    creditors: creditorsSchema,
    manyTransactions: value.text(
      'an account of the PSU with more than 200 booked transactions, some of them of the last 90 days and some older: its id, BBAN or IBAN as GET /v1/accounts shows it',
      { examples: ['95360573002'] },
    ),
  },
  { required: ['debtor'], examples: [{ debtor: { bban: '95360573002', currency: 'NOK' } }] },
);

interface AccountEntry {
  readonly bban?: string;
  readonly iban?: string;
  readonly currency?: string;
  readonly name?: string;
  readonly agent?: string;
  readonly country?: string;
}

export interface AccountsSection {
  readonly debtor?: AccountEntry;
  readonly corporateDebtor?: AccountEntry;
  readonly otherDebtor?: AccountEntry;
  readonly card?: { readonly identification?: string; readonly currency?: string };
  readonly creditor?: AccountEntry;
  readonly kidCreditor?: AccountEntry & { readonly kidLength?: number };
  readonly creditorForeign?: AccountEntry;
  readonly creditors?: CreditorsSection;
  readonly manyTransactions?: string;
}

export interface TargetAccounts {
  readonly debtor: DebtorAccount;
  readonly corporateDebtor?: DebtorAccount;
  /** Of `psu.other`. */
  readonly otherDebtor?: DebtorAccount;
  readonly card?: CardAccount;
  readonly creditor: CreditorAccount;
  /** Payments to it need a KID. */
  readonly kidCreditor?: KidCreditorAccount;
  readonly creditorForeign?: ForeignCreditorAccount;
  /** All that can be paid, where the bank pays no others. */
  readonly creditors?: Creditors;
  /** Numbers of the creditors that were named, and not made up: whoever refuses these does not do so for not knowing them. */
  readonly namedCreditors: readonly string[];
  /** Id, BBAN or IBAN of an account with more than a page of transactions. */
  readonly manyTransactions?: string;
}

export interface DebtorAccount {
  readonly bban: string;
  /** Derived for Norwegian accounts of eleven digits. */
  readonly iban?: string;
  readonly currency: string;
}

export interface CardAccount {
  readonly identification: string;
  readonly currency: string;
}

export interface CreditorAccount {
  readonly bban: string;
  readonly iban?: string;
  readonly currency: string;
  readonly name?: string;
  /** BIC. */
  readonly agent?: string;
}

export interface KidCreditorAccount extends CreditorAccount {
  /** As agreed between the holder and the bank; any where that is not given. */
  readonly kidLength?: number;
}

export interface AccountParts {
  readonly debtor: DebtorAccount;
  readonly corporateDebtor?: DebtorAccount;
  readonly otherDebtor?: DebtorAccount;
  readonly card?: CardAccount;
  readonly creditor?: CreditorAccount;
  readonly kidCreditor?: KidCreditorAccount;
  readonly creditorForeign?: ForeignCreditorAccount;
  readonly creditors?: Creditors;
  readonly manyTransactions?: string;
}

const defaultCreditor: CreditorAccount = { bban: '86011117947', currency: 'NOK' };

/** The example of the IBAN registry. */
const defaultForeignCreditor: ForeignCreditorAccount = {
  iban: 'DE89370400440532013000',
  agent: 'COBADEFFXXX',
  currency: 'EUR',
  country: 'DE',
};

/**
 * Fills in what follows from the rest. Outside a sandbox no account is made up: money would go there. What would be
 * paid, were it ever sent, goes back to the debtor. (A production target that may create payments must name its
 * creditor when its file is loaded.)
 */
export function accountsOf(parts: AccountParts, isSandbox: boolean): TargetAccounts {
  const { creditors = {} } = parts;
  const listed = creditors.domestic?.find(({ currency }) => currency === 'NOK') ?? creditors.domestic?.[0];
  const listedForeign = creditors.crossBorder?.find(({ iban }) => iban !== undefined);
  const mayMakeUp = isSandbox && creditors.crossBorder === undefined;
  const creditorForeign =
    parts.creditorForeign ?? listedForeign ?? (mayMakeUp ? defaultForeignCreditor : undefined);
  return {
    debtor: withIban(parts.debtor),
    ...(parts.corporateDebtor === undefined ? {} : { corporateDebtor: withIban(parts.corporateDebtor) }),
    ...(parts.otherDebtor === undefined ? {} : { otherDebtor: withIban(parts.otherDebtor) }),
    ...(parts.card === undefined ? {} : { card: parts.card }),
    creditor: withIban(parts.creditor ?? listed ?? (isSandbox ? defaultCreditor : parts.debtor)),
    ...(parts.creditors === undefined ? {} : { creditors }),
    namedCreditors: numbersOf(parts),
    ...(parts.kidCreditor === undefined ? {} : { kidCreditor: withIban(parts.kidCreditor) }),
    ...(creditorForeign === undefined ? {} : { creditorForeign }),
    ...(parts.manyTransactions === undefined ? {} : { manyTransactions: parts.manyTransactions }),
  };
}

/** Those that payments may go to by what the target file says; those to pay from are known to the bank as well. */
const numbersOf = ({
  creditors = {},
  manyTransactions: _,
  card: __,
  ...single
}: AccountParts): readonly string[] =>
  [...Object.values(single), ...(creditors.domestic ?? []), ...(creditors.crossBorder ?? [])].flatMap(
    (account: { readonly bban?: string; readonly iban?: string }) =>
      [account.bban ?? [], account.iban ?? []].flat(),
  );

/** Only Norwegian account numbers have eleven digits and an IBAN that follows from them. */
export function withIban<Account extends { readonly bban: string; readonly iban?: string }>(
  account: Account,
): Account {
  return account.iban === undefined && /^\d{11}$/.test(account.bban)
    ? { ...account, iban: ibanOf(account.bban) }
    : account;
}

/** The account number inside a Norwegian IBAN. */
function bbanOf(iban: string): string | undefined {
  return /^NO\d{2}(\d{11})$/.exec(iban)?.[1];
}

/** Completes each account from its other number; nothing where the debtor is unusable. */
export function loadAccounts(
  context: LoadContext,
  given: AccountsSection | undefined,
): AccountParts | undefined {
  const debtor = norwegian(context, 'debtor', given?.debtor);
  const corporateDebtor = norwegian(context, 'corporateDebtor', given?.corporateDebtor);
  const otherDebtor = norwegian(context, 'otherDebtor', given?.otherDebtor);
  const creditor = norwegian(context, 'creditor', given?.creditor);
  const kidCreditor = norwegian(context, 'kidCreditor', given?.kidCreditor);
  const { card, creditors, manyTransactions } = given ?? {};
  const creditorForeign = foreignCreditor(given?.creditorForeign);
  if (debtor === undefined) return undefined;
  return {
    debtor,
    ...(corporateDebtor === undefined ? {} : { corporateDebtor }),
    ...(otherDebtor === undefined ? {} : { otherDebtor }),
    ...(creditor === undefined ? {} : { creditor: { ...given?.creditor, ...creditor } }),
    ...(kidCreditor === undefined ? {} : { kidCreditor: { ...given?.kidCreditor, ...kidCreditor } }),
    ...(card?.identification === undefined
      ? {}
      : { card: { identification: card.identification, currency: card.currency ?? 'NOK' } }),
    ...(creditorForeign === undefined ? {} : { creditorForeign }),
    ...(creditors === undefined ? {} : { creditors: loadCreditors(creditors) }),
    ...(manyTransactions === undefined ? {} : { manyTransactions }),
  };
}

function norwegian(
  { complain, warn }: LoadContext,
  name: 'debtor' | 'corporateDebtor' | 'otherDebtor' | 'creditor' | 'kidCreditor',
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
  // A sandbox may have numbers of its own making, but most of these are misspelt.
  const misspelt = 'Its check digit is wrong. Is it typed right?';
  if (/^\d{11}$/.test(bban) && !isBban(bban))
    warn(['accounts', name, account.bban === undefined ? 'iban' : 'bban'], misspelt);
  else if (iban !== undefined && !isIban(iban)) warn(['accounts', name, 'iban'], misspelt);
  return { bban, ...(iban === undefined ? {} : { iban }), currency };
}
