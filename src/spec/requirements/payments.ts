import { everyProduct } from '../products.ts';
import { ofPayments } from '../profiles.ts';
import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const shared = statements('bank', ofPayments, 'Resources and their fields', 'Shared value types');
const domestic = statements(
  'bank',
  ['domestic-payments'],
  'Resources and their fields',
  'NDCT payment request body',
);
const crossBorder = statements(
  'bank',
  ['cross-border-payments'],
  'Resources and their fields',
  'NCBCT payment request body',
);
const remittance = statements(
  'bank',
  ['domestic-payments'],
  'Resources and their fields',
  'Remittance reference (structured)',
);
const response = statements(
  'bank',
  ofPayments,
  'Resources and their fields',
  'Payment creation response (NDCT and NCBCT)',
);
const status = statements(
  'bank',
  ['payment-lifecycle'],
  'Endpoints',
  'GET /v1/payments/{payment-product}/{payment-id}/status',
);

const dates = statements('bank', ofPayments, 'Resources and their fields');
const owner = statements('bank', ['payment-lifecycle'], 'Authentication', 'PSU identification and SCA');

export const paymentRequirements: readonly Requirement[] = [
  shared(
    'AMT-01',
    'An amount with exactly the minor units of its currency is accepted, for every currency.',
    { reading: 'currencies', remedies: ['twoDigitsAssumed'] },
  ),
  shared('AMT-02', 'An amount with more fraction digits than its currency has is refused.', {
    reading: 'amountFractionDigits',
    remedies: ['twoDigitsAssumed'],
  }),
  shared('AMT-03', 'An amount with fewer fraction digits than its currency has is refused.', {
    reading: 'amountFractionDigits',
    remedies: ['twoDigitsAssumed'],
  }),
  shared('AMT-04', 'An amount is a string: a JSON number is refused.', {
    reading: 'amountForm',
    remedies: ['amountAsNumber'],
  }),
  shared(
    'AMT-05',
    'An amount is a plain decimal number: exponents, plus signs, commas, spaces and words are refused.',
    {
      reading: 'amountForm',
      remedies: ['amountAsNumber'],
    },
  ),
  shared('AMT-06', 'A negative amount is refused.', { reading: 'amountForm', remedies: ['amountAsNumber'] }),
  shared('AMT-07', 'An amount of more than 18 digits is refused.', { remedies: ['amountAsNumber'] }),
  shared('AMT-08', 'Amounts in withdrawn currencies and MGA follow the same digits.', {
    level: 'advisory',
    remedies: ['twoDigitsAssumed'],
  }),

  dates(
    'EXD-01',
    'A payment for today or for tomorrow, as it is in Norway, is accepted on banking days and before the cut-off.',
    {
      level: 'advisory',
      remedies: ['dayOfAnotherZone'],
    },
  ),
  dates('EXD-02', 'A payment whose requestedExecutionDate is in the past is refused.', {
    level: 'advisory',
    remedies: ['dayOfAnotherZone'],
  }),

  domestic('NDC-60', 'A debtor account with both bban and other is refused.', {
    remedies: ['otherProductForgotten'],
  }),
  domestic('NDC-61', 'A debtor account with neither bban nor other is refused.', {
    remedies: ['otherProductForgotten'],
  }),
  domestic('NDC-62', 'A card account is accepted as debtor account through other.', {
    remedies: ['otherProductForgotten'],
  }),
  domestic(
    'NDC-63',
    'remittanceInformationUnstructured and remittanceInformationStructuredArray together are refused.',
    {
      reading: 'remittancePairs',
      remedies: ['otherProductForgotten'],
    },
  ),
  domestic('NDC-64', 'remittanceInformationUnstructured alone is accepted.', {
    remedies: ['otherProductForgotten'],
  }),
  domestic('NDC-65', 'remittanceInformationStructuredArray alone is accepted.', {
    remedies: ['otherProductForgotten'],
  }),
  domestic('NDC-66', 'remittanceInformationStructured alone is accepted, although it is to be deprecated.', {
    remedies: ['otherProductForgotten'],
  }),
  domestic('NDC-67', 'A payment without any remittance information is accepted.', {
    remedies: ['optionalDemanded', 'otherProductForgotten'],
  }),
  domestic('NDC-68', 'creditorAgent is accepted, and not required for payments to accounts in NOK.', {
    remedies: ['optionalDemanded', 'otherProductForgotten'],
  }),
  domestic('NDC-70', 'creditorAgent is required for payments to currency accounts.', {
    // Advisory: which accounts are currency accounts may be known to the creditor's bank only.
    level: 'advisory',
    remedies: ['otherProductForgotten'],
  }),
  domestic('NDC-71', 'remittanceInformationUnstructured may be truncated or re-encoded during processing.', {
    level: 'advisory',
    unobservable: 'a permission; nothing a bank does here is wrong',
  }),

  crossBorder('NCB-60', 'A creditor account with neither bban nor iban is refused.', {
    reading: 'accountReference',
    remedies: ['otherProductForgotten'],
  }),
  crossBorder('NCB-61', 'A creditor account with both bban and iban is refused.', {
    level: 'advisory',
    reading: 'accountReference',
    remedies: ['otherProductForgotten'],
  }),
  crossBorder('NCB-62', 'A debtor account with neither bban nor iban is refused.', {
    reading: 'accountReference',
    remedies: ['otherProductForgotten'],
  }),
  crossBorder('NCB-63', 'A debtor account with both bban and iban is refused.', {
    level: 'advisory',
    reading: 'accountReference',
    remedies: ['otherProductForgotten'],
  }),
  crossBorder('NCB-64', 'creditorAgent is required when the creditor account uses a BBAN.', {
    remedies: ['otherProductForgotten'],
  }),
  crossBorder('NCB-65', 'creditorAgent is not required when the creditor account uses an IBAN.', {
    remedies: ['optionalDemanded', 'otherProductForgotten'],
  }),
  crossBorder('NCB-66', 'The creditor account may be given as BBAN or as IBAN.', {
    remedies: ['otherProductForgotten'],
  }),
  crossBorder('NCB-67', 'The debtor account may be given as BBAN or as IBAN.', {
    remedies: ['otherProductForgotten'],
  }),
  crossBorder('NCB-68', 'creditorAddress is optional.', {
    remedies: ['optionalDemanded', 'otherProductForgotten'],
  }),
  crossBorder('REG-01', 'A transfer of NOK 100 000 or more without regulatoryReportingCode is refused.', {
    reading: 'regulatoryCurrency',
    remedies: ['limitOffByOne'],
  }),
  crossBorder(
    'REG-02',
    'A transfer of NOK 100 000 or more without regulatoryReportingInformation is refused.',
    {
      reading: 'regulatoryCurrency',
      remedies: ['limitOffByOne'],
    },
  ),
  crossBorder('REG-03', 'A transfer below NOK 100 000 needs neither regulatory field.', {
    reading: 'regulatoryCurrency',
    remedies: ['limitOffByOne'],
  }),
  crossBorder(
    'REG-04',
    'A transfer of NOK 100 000 or more with both regulatory fields is accepted, with each of the codes.',
    { remedies: ['limitOffByOne'] },
  ),

  ...everyProduct.map(({ table, requirements, profile }) =>
    statements(
      'bank',
      [profile],
      'Resources and their fields',
      `${table.name} body`,
    )(requirements.anyOptionalFields, 'A valid payment is accepted whatever optional fields it has.', {
      remedies: ['optionalDemanded', 'otherProductForgotten'],
    }),
  ),
  remittance('REM-11', 'An OCR/KID reference is accepted in the structured form.', {
    remedies: ['oneCheckDigitMethod'],
  }),
  remittance('REM-12', 'The array form is preferred to the single-object form.', {
    level: 'advisory',
    unobservable: 'a preference that shows in no answer',
  }),

  response('PRS-20', 'When transactionFeeIndicator is true the total is in transactionFees.', {
    remedies: ['feesApart'],
  }),
  response('PRS-21', 'Different payments have different payment ids.', {
    remedies: ['idsRepeat'],
  }),
  response('PRS-22', 'transactionFees is the total fee, currency-conversion fees included.', {
    unobservable: 'the parts of a fee are not shown',
  }),
  response('PRS-23', 'The fraction digits of a fee match the minor units of its currency.', {
    remedies: ['feesApart'],
  }),
  response(
    'PRS-24',
    'transactionFeeIndicator tells whether the payment incurs a fee: it is not false where transactionFees is more than zero.',
    { remedies: ['feesApart'] },
  ),
  ...everyProduct.flatMap(({ word, path, requirements, profile }) => {
    const endpoint = statements('bank', [profile], 'Endpoints', `POST /v1/payments/${path}`);
    return [
      endpoint(requirements.created, `A created ${word} payment is answered 201.`, {
        reading: 'paymentSca',
        status: 201,
        remedies: ['createdOtherwise'],
      }),
      endpoint(
        requirements.duplicateAllowed,
        `allowLogicalDuplicate=true lets the same ${word} payment be created twice.`,
        { reading: 'logicalDuplicates', remedies: ['duplicateControl'] },
      ),
      endpoint(
        requirements.withoutDuplicate,
        `allowLogicalDuplicate=false is accepted with a ${word} payment that has no duplicate.`,
        { remedies: ['falseRefused'] },
      ),
    ];
  }),
  status('PST-01', 'The status of an approved payment can be read.', {
    reading: 'statusBeforeApproval',
    remedies: ['unknownIdBreaks'],
  }),
  status('PST-10', 'The status of an unknown payment is refused.', {
    demandedOf: ['readPaymentStatus'],
    remedies: ['unknownIdBreaks'],
  }),
  status('PST-12', 'The status of a payment is refused under another product than its own.', {
    level: 'should',
    remedies: ['unknownIdBreaks'],
  }),
  status('PST-13', 'A payment is neither read in full nor deleted under another product than its own.', {
    level: 'should',
    remedies: ['unknownIdBreaks'],
  }),
  status('PST-14', 'A payment that was deleted is gone: it is unknown from then on, or cancelled.', {
    level: 'should',
    remedies: ['stateInSeveralSystems'],
  }),
  status('PST-15', 'Deleting a payment leaves all others as they were.', {
    level: 'should',
    remedies: ['stateInSeveralSystems'],
  }),
  owner(
    'OWN-01',
    'A payment is neither read nor deleted, nor its approval begun, by another TPP than the one that created it.',
    {
      reading: 'paymentOwnership',
      remedies: ['ownerNotAsked'],
    },
  ),
  owner(
    'OWN-02',
    'A payment is neither read nor deleted, nor its approval begun, for another PSU than the one it was created for.',
    {
      reading: 'paymentOwnership',
      remedies: ['ownerNotAsked'],
    },
  ),
  owner('OWN-03', 'A payment is approved by nobody but the PSU it was created for.', {
    profiles: ['sca-redirect'],
    reading: 'paymentOwnership',
    remedies: ['ownerNotAsked'],
  }),
  status(
    'PST-11',
    'Before the PSU has approved it, the status of a domestic payment may be unreadable, which is a 4xx and no server error.',
    {
      reading: 'statusBeforeApproval',
      remedies: ['unknownIdBreaks'],
    },
  ),
];
