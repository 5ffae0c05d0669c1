import { type JsonSchema, section, value } from './json-schema.ts';

const list = (description: string, items: JsonSchema): JsonSchema => ({
  description,
  type: 'array',
  minItems: 1,
  items,
});

const country: JsonSchema = {
  description: 'country of the creditor, a code of two capital letters',
  type: 'string',
  pattern: '^[A-Z]{2}$',
  examples: ['DE'],
};

/** One account abroad. */
export const foreignCreditorSchema = (description: string): JsonSchema =>
  section(
    `${description}. Give iban, or bban with agent`,
    {
      iban: value.iban('IBAN', 'DE89370400440532013000'),
      bban: value.bban('account number in a country without IBAN', '021000021123456789'),
      agent: value.bic('bank of the account'),
      currency: value.currency('EUR'),
      country,
    },
    {
      required: ['currency', 'country'],
      anyOf: [{ required: ['iban'] }, { required: ['bban', 'agent'] }],
    },
  );

export const creditorsSchema = section(
  'All accounts that payments can be made to, where the bank pays only accounts that it knows: none is made up then, and currencies and forms of accounts that none of them has are not judged',
  {
    domestic: list(
      'Norwegian accounts',
      section(
        'an account, and its bank where it is held in another currency than NOK',
        {
          bban: value.bban('account number', '86011117947'),
          currency: { ...value.currency(), default: 'NOK' },
          agent: value.bic('bank of the account'),
        },
        { required: ['bban'] },
      ),
    ),
    crossBorder: list('Accounts abroad', foreignCreditorSchema('an account')),
  },
);

export interface CreditorsSection {
  readonly domestic?: readonly (Partial<PayableAccount> | undefined)[];
  readonly crossBorder?: readonly (Partial<ForeignCreditorAccount> | undefined)[];
}

/** A Norwegian account that can be paid. */
export interface PayableAccount {
  readonly bban: string;
  readonly currency: string;
  readonly agent?: string;
}

/** An IBAN, or a BBAN with the agent that it needs. */
export interface ForeignCreditorAccount {
  readonly iban?: string;
  readonly bban?: string;
  readonly agent?: string;
  readonly currency: string;
  readonly country: string;
}

/** By product: the accounts that can be paid, where no other can. */
export interface Creditors {
  readonly domestic?: readonly PayableAccount[];
  readonly crossBorder?: readonly ForeignCreditorAccount[];
}

export function foreignCreditor(
  given: Partial<ForeignCreditorAccount> | undefined,
): ForeignCreditorAccount | undefined {
  const { currency, country, ...account } = given ?? {};
  return currency === undefined || country === undefined ? undefined : { ...account, currency, country };
}

/** An entry that was wrong has left a hole, and was complained of. */
export function loadCreditors({ domestic, crossBorder }: CreditorsSection): Creditors {
  return {
    ...(domestic === undefined
      ? {}
      : {
          domestic: domestic.flatMap((account) =>
            account?.bban === undefined ? [] : [{ currency: 'NOK', ...account, bban: account.bban }],
          ),
        }),
    ...(crossBorder === undefined
      ? {}
      : { crossBorder: crossBorder.flatMap((account) => foreignCreditor(account) ?? []) }),
  };
}
