import { regulatoryReportingCodes } from '../code-lists.ts';
import { atLeastOne, type Body, object, string } from '../field.ts';
import {
  amount,
  bban,
  country,
  currency,
  dealtCurrency,
  iban,
  purposeCode,
  unlistedValues,
} from './shared-types.ts';

/** NCBCT payment request body. */
export const crossBorderPayment: Body = {
  name: 'NCBCT payment request',
  section: ['Resources and their fields', 'NCBCT payment request body'],
  profiles: ['cross-border-payments'],
  origin: 'specification',
  direction: 'request',
  level: 'must',
  fields: [
    object('instructedAmount', { required: 'NCB-01', type: 'NCB-02' }, [
      amount({ required: 'NCB-03', type: 'NCB-04', format: 'NCB-05' }),
      dealtCurrency({ required: 'NCB-06', type: 'NCB-07', values: 'NCB-08' }),
    ]),
    string('creditorName', { required: 'NCB-09', type: 'NCB-10', maxLength: 'NCB-11' }, { maxLength: 70 }),
    string(
      'creditorAgent',
      { type: 'NCB-12' },
      { optionalBy: 'NCB-65', note: 'BIC; required when creditorAccount uses a BBAN' },
    ),
    object('creditorAccount', { required: 'NCB-13', type: 'NCB-14' }, [
      bban({ type: 'NCB-15', maxLength: 'NCB-16' }, { optionalBy: 'NCB-66' }),
      iban({ type: 'NCB-17', maxLength: 'NCB-18' }, { optionalBy: 'NCB-66' }),
      dealtCurrency({ required: 'NCB-19', type: 'NCB-20', values: 'NCB-21' }),
    ]),
    object(
      'creditorAddress',
      { type: 'NCB-22' },
      [
        string('street', { type: 'NCB-23', maxLength: 'NCB-24' }, { maxLength: 70 }),
        string('buildingNumber', { type: 'NCB-25' }),
        string('postalCode', { type: 'NCB-26' }),
        string('city', { type: 'NCB-27' }),
        country({ required: 'NCB-28', type: 'NCB-29', values: 'NCB-30' }),
      ],
      { optionalBy: 'NCB-68' },
    ),
    object('debtorAccount', { required: 'NCB-31', type: 'NCB-32' }, [
      bban({ type: 'NCB-33', maxLength: 'NCB-34' }, { optionalBy: 'NCB-67' }),
      iban({ type: 'NCB-35', maxLength: 'NCB-36' }, { optionalBy: 'NCB-67' }),
      currency({ required: 'NCB-37', type: 'NCB-38', values: 'NCB-39' }),
    ]),
    string(
      'remittanceInformationUnstructured',
      { type: 'NCB-40', nonEmpty: 'NCB-41', maxLength: 'NCB-42' },
      { maxLength: 140, note: 'ASCII or UTF-8; may be truncated or re-encoded' },
    ),
    purposeCode({ type: 'NCB-43', values: 'NCB-44' }),
    string('requestedExecutionDate', { type: 'NCB-45', format: 'NCB-46' }, { format: 'date' }),
    string(
      'regulatoryReportingCode',
      { type: 'NCB-47', values: 'NCB-48' },
      {
        values: [...regulatoryReportingCodes.keys()],
        unlisted: unlistedValues.regulatoryReportingCodes,
        optionalBy: 'REG-03',
        note: 'required for transfers of NOK 100 000 or more',
      },
    ),
    string(
      'regulatoryReportingInformation',
      { type: 'NCB-49', maxLength: 'NCB-50' },
      { maxLength: 140, optionalBy: 'REG-03', note: 'required for transfers of NOK 100 000 or more' },
    ),
  ],
  // That an account has not both is advisory, so the schema takes both.
  combinations: [
    ...(['creditorAccount', 'debtorAccount'] as const).map((account) => ({
      id: { creditorAccount: 'NCB-60', debtorAccount: 'NCB-62' }[account],
      path: [account],
      broken: `${account} has neither bban nor iban`,
      schema: atLeastOne('bban', 'iban'),
    })),
    {
      id: 'NCB-64',
      path: [],
      broken: 'creditorAccount has a bban and creditorAgent is missing',
      schema: {
        type: 'object',
        if: {
          properties: { creditorAccount: { type: 'object', required: ['bban'] } },
          required: ['creditorAccount'],
        },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
        then: { required: ['creditorAgent'] },
      },
    },
  ],
  example: {
    instructedAmount: { amount: '100.00', currency: 'EUR' },
    creditorName: 'Erika Mustermann',
    creditorAccount: { iban: 'DE89370400440532013000', currency: 'EUR' },
    debtorAccount: { bban: '95360573002', currency: 'NOK' },
  },
};
