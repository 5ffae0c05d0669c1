import { purposeCodes, regulatoryReportingCodes } from '../code-lists.ts';
import { countries } from '../countries.ts';
import { currencies } from '../currencies.ts';
import { type Body, object, string } from '../field.ts';

/** NCBCT payment request body. */
export const crossBorderPayment: Body = {
  name: 'NCBCT payment request',
  section: ['Resources and their fields', 'NCBCT payment request body'],
  origin: 'specification',
  direction: 'request',
  level: 'must',
  fields: [
    object('instructedAmount', { required: 'NCB-01', type: 'NCB-02' }, [
      string('amount', { required: 'NCB-03', type: 'NCB-04', format: 'NCB-05' }, { format: 'amount' }),
      string('currency', { required: 'NCB-06', type: 'NCB-07', values: 'NCB-08' }, { values: currencies }),
    ]),
    string('creditorName', { required: 'NCB-09', type: 'NCB-10', maxLength: 'NCB-11' }, { maxLength: 70 }),
    string('creditorAgent', { type: 'NCB-12' }, { note: 'BIC; required when creditorAccount uses a BBAN' }),
    object('creditorAccount', { required: 'NCB-13', type: 'NCB-14' }, [
      string('bban', { type: 'NCB-15', maxLength: 'NCB-16' }, { maxLength: 30 }),
      string('iban', { type: 'NCB-17', maxLength: 'NCB-18' }, { maxLength: 34 }),
      string('currency', { required: 'NCB-19', type: 'NCB-20', values: 'NCB-21' }, { values: currencies }),
    ]),
    object('creditorAddress', { type: 'NCB-22' }, [
      string('street', { type: 'NCB-23', maxLength: 'NCB-24' }, { maxLength: 70 }),
      string('buildingNumber', { type: 'NCB-25' }),
      string('postalCode', { type: 'NCB-26' }),
      string('city', { type: 'NCB-27' }),
      string('country', { required: 'NCB-28', type: 'NCB-29', values: 'NCB-30' }, { values: countries }),
    ]),
    object('debtorAccount', { required: 'NCB-31', type: 'NCB-32' }, [
      string('bban', { type: 'NCB-33', maxLength: 'NCB-34' }, { maxLength: 30 }),
      string('iban', { type: 'NCB-35', maxLength: 'NCB-36' }, { maxLength: 34 }),
      string('currency', { required: 'NCB-37', type: 'NCB-38', values: 'NCB-39' }, { values: currencies }),
    ]),
    string(
      'remittanceInformationUnstructured',
      { type: 'NCB-40', nonEmpty: 'NCB-41', maxLength: 'NCB-42' },
      { maxLength: 140, note: 'ASCII or UTF-8; may be truncated or re-encoded' },
    ),
    string('purposeCode', { type: 'NCB-43', values: 'NCB-44' }, { values: purposeCodes }),
    string('requestedExecutionDate', { type: 'NCB-45', format: 'NCB-46' }, { format: 'date' }),
    string(
      'regulatoryReportingCode',
      { type: 'NCB-47', values: 'NCB-48' },
      { values: [...regulatoryReportingCodes.keys()], note: 'required for transfers of NOK 100 000 or more' },
    ),
    string(
      'regulatoryReportingInformation',
      { type: 'NCB-49', maxLength: 'NCB-50' },
      { maxLength: 140, note: 'required for transfers of NOK 100 000 or more' },
    ),
  ],
};
