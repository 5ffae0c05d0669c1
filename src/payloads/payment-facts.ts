/** The target's own accounts and the bank's date: what every payment is made of. */
export interface PaymentFacts {
  readonly debtor: { readonly bban: string; readonly iban?: string; readonly currency: string };
  readonly card?: { readonly identification: string; readonly currency: string };
  readonly creditor: {
    readonly bban: string;
    readonly currency: string;
    readonly name?: string;
    readonly agent?: string;
  };
  readonly creditorForeign?: {
    readonly iban?: string;
    readonly bban?: string;
    readonly agent?: string;
    readonly currency: string;
    readonly country: string;
  };
  /** The bank's time. */
  readonly now: Date;
}

/** An account abroad, with everything a transfer to it may need. */
export interface ForeignAccount {
  readonly iban: string;
  readonly agent: string;
  readonly country: string;
}

/** Published example accounts: their check digits are right, national ones included. */
export const foreignAccounts: readonly ForeignAccount[] = [
  { iban: 'DE89370400440532013000', agent: 'COBADEFFXXX', country: 'DE' },
  { iban: 'GB29NWBK60161331926819', agent: 'NWBKGB2LXXX', country: 'GB' },
  { iban: 'NL91ABNA0417164300', agent: 'ABNANL2AXXX', country: 'NL' },
  { iban: 'BE68539007547034', agent: 'TRIOBEBBXXX', country: 'BE' },
  { iban: 'ES9121000418450200051332', agent: 'CAIXESBBXXX', country: 'ES' },
];

/** An account where there are no IBANs. */
export const accountWithoutIban = { bban: '12345678901', agent: 'CHASUS33XXX', country: 'US' } as const;

export const domesticAgent = 'DNBANOKKXXX';
