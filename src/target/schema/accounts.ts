import { section } from './json-schema.ts';
import { value } from './values.ts';

export const accountsSchema = section(
  'Accounts to pay from and to pay to',
  {
    debtor: section(
      'The account of the PSU that payments are made from, with funds of well over NOK 100 000. Give bban; iban follows from a Norwegian bban, and the other way round',
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
    creditorForeign: section(
      'The account abroad that cross-border payments are made to. Give iban, or bban with agent',
      {
        iban: value.iban('IBAN', 'DE89370400440532013000'),
        bban: value.bban('account number in a country without IBAN', '021000021123456789'),
        agent: value.bic('bank of the account'),
        currency: value.currency('EUR'),
        country: {
          description: 'country of the creditor, a code of two capital letters',
          type: 'string',
          pattern: '^[A-Z]{2}$',
          examples: ['DE'],
        },
      },
      {
        required: ['currency', 'country'],
        anyOf: [{ required: ['iban'] }, { required: ['bban', 'agent'] }],
      },
    ),
  },
  { required: ['debtor'], examples: [{ debtor: { bban: '95360573002', currency: 'NOK' } }] },
);
