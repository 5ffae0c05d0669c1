import { accountSchemes } from '../code-lists.ts';
import { array, atLeastOne, type Body, notBoth, object, string } from '../field.ts';
import {
  amount,
  bban,
  country,
  currency,
  dealtCurrency,
  purposeCode,
  remittanceReferenceFields,
  unlistedValues,
} from './shared-types.ts';

/** NDCT payment request body. */
export const domesticPayment: Body = {
  name: 'NDCT payment request',
  section: ['Resources and their fields', 'NDCT payment request body'],
  profiles: ['domestic-payments'],
  origin: 'specification',
  direction: 'request',
  level: 'must',
  fields: [
    object('instructedAmount', { required: 'NDC-01', type: 'NDC-02' }, [
      amount({ required: 'NDC-03', type: 'NDC-04', format: 'NDC-05' }),
      dealtCurrency({ required: 'NDC-06', type: 'NDC-07', values: 'NDC-08' }),
    ]),
    string('creditorName', { required: 'NDC-09', type: 'NDC-10', maxLength: 'NDC-11' }, { maxLength: 70 }),
    string(
      'creditorAgent',
      { type: 'NDC-12' },
      {
        optionalBy: 'NDC-68',
        note: 'BIC; for domestic payments required only for payments to currency accounts',
      },
    ),
    object('creditorAccount', { required: 'NDC-13', type: 'NDC-14' }, [
      bban({ required: 'NDC-15', type: 'NDC-16', maxLength: 'NDC-17' }),
      dealtCurrency({ required: 'NDC-18', type: 'NDC-19', values: 'NDC-20' }),
    ]),
    object('creditorAddress', { required: 'NDC-21', type: 'NDC-22' }, [
      string('street', { type: 'NDC-23', maxLength: 'NDC-24' }, { maxLength: 70 }),
      string('buildingNumber', { type: 'NDC-25' }),
      string('postalCode', { type: 'NDC-26' }),
      string('city', { type: 'NDC-27' }),
      country({ required: 'NDC-28', type: 'NDC-29', values: 'NDC-30' }),
    ]),
    object('debtorAccount', { required: 'NDC-31', type: 'NDC-32' }, [
      currency({ required: 'NDC-33', type: 'NDC-34', values: 'NDC-35' }),
      bban({ type: 'NDC-36', maxLength: 'NDC-37' }, { optionalBy: 'NDC-62' }),
      object('other', { type: 'NDC-38' }, [
        string('identification', { required: 'NDC-39', type: 'NDC-40' }),
        string(
          'schemeNameProprietary',
          { required: 'NDC-41', type: 'NDC-42', values: 'NDC-43' },
          { values: accountSchemes, unlisted: unlistedValues.accountSchemes },
        ),
      ]),
    ]),
    string('ultimateDebtor', { type: 'NDC-44', maxLength: 'NDC-45' }, { maxLength: 70 }),
    string(
      'remittanceInformationUnstructured',
      { type: 'NDC-46', nonEmpty: 'NDC-47', maxLength: 'NDC-48' },
      {
        maxLength: 140,
        optionalBy: 'NDC-67',
        note: 'ASCII or UTF-8; may be truncated or re-encoded during processing',
      },
    ),
    object('remittanceInformationStructured', { type: 'NDC-49' }, remittanceReferenceFields, {
      optionalBy: 'NDC-67',
      note: 'to be deprecated in favour of the array form',
    }),
    array(
      'remittanceInformationStructuredArray',
      { type: 'NDC-50' },
      object('*', { type: 'NDC-51' }, remittanceReferenceFields),
      { optionalBy: 'NDC-67' },
    ),
    purposeCode({ type: 'NDC-52', values: 'NDC-53' }),
    string('requestedExecutionDate', { type: 'NDC-54', format: 'NDC-55' }, { format: 'date' }),
  ],
  combinations: [
    {
      id: 'NDC-60',
      path: ['debtorAccount'],
      broken: 'debtorAccount has both bban and other',
      schema: notBoth('bban', 'other'),
    },
    {
      id: 'NDC-61',
      path: ['debtorAccount'],
      broken: 'debtorAccount has neither bban nor other',
      schema: atLeastOne('bban', 'other'),
    },
    {
      id: 'NDC-63',
      path: [],
      broken: 'remittanceInformationUnstructured and remittanceInformationStructuredArray are both set',
      schema: notBoth('remittanceInformationUnstructured', 'remittanceInformationStructuredArray'),
    },
  ],
  example: {
    instructedAmount: { amount: '100.00', currency: 'NOK' },
    creditorName: 'Ola Nordmann',
    creditorAccount: { bban: '86011117947', currency: 'NOK' },
    creditorAddress: { country: 'NO' },
    debtorAccount: { bban: '95360573002', currency: 'NOK' },
  },
};

/** The forms in which a payment tells what it is for; two of them together may be a fault. */
export const remittanceFields: readonly string[] = domesticPayment.fields
  .map(({ name }) => name)
  .filter((name) => name.startsWith('remittanceInformation'));
