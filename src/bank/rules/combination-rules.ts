import { has, isObject, memberAt, textAt } from '../../spec/json.ts';
import type { Product, ProductName } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import { type Rule, rule } from '../design/route.ts';

/** What a payment's fields demand of each other. */
export const combinationRules = ({ name }: Product, design: BankDesign): readonly Rule[] =>
  rulesByProduct[name]?.(design) ?? [];

const rulesByProduct: Readonly<Partial<Record<ProductName, (design: BankDesign) => readonly Rule[]>>> = {
  domestic: domesticRules,
  crossBorder: (design) => [...crossBorderRules(), ...regulatoryRules(design)],
};

type Combination = (body: unknown) => boolean;

const combination = (
  requirement: string,
  name: string,
  broken: string,
  path: string,
  isFaulty: Combination,
): Rule =>
  rule(requirement, name, 'fieldCombination', ({ body }) =>
    isFaulty(body) ? { text: `${broken}.`, path } : undefined,
  );

/** Whether a list without an element counts as set is not said, so that it is let through. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** NDCT payment request body. */
function domesticRules(): readonly Rule[] {
  const debtor = (body: unknown) => memberAt(body, 'debtorAccount');
  return [
    combination(
      'NDC-60',
      'debtorAccount has not both bban and other',
      'debtorAccount has both bban and other',
      'debtorAccount',
      (body) => has(debtor(body), 'bban') && has(debtor(body), 'other'),
    ),
    combination(
      'NDC-61',
      'debtorAccount has bban or other',
      'debtorAccount has neither bban nor other',
      'debtorAccount',
      (body) => isObject(debtor(body)) && !has(debtor(body), 'bban') && !has(debtor(body), 'other'),
    ),
    combination(
      'NDC-63',
      'remittanceInformationUnstructured and remittanceInformationStructuredArray are not both set',
      'remittanceInformationUnstructured and remittanceInformationStructuredArray are both set: send one of them',
      'remittanceInformationUnstructured',
      (body) =>
        has(body, 'remittanceInformationUnstructured') &&
        has(body, 'remittanceInformationStructuredArray') &&
        !isEmptyList(memberAt(body, 'remittanceInformationStructuredArray')),
    ),
    combination(
      'NDC-70',
      'creditorAgent is set for a payment to a currency account',
      'creditorAgent is missing in a payment to a currency account',
      'creditorAgent',
      (body) => {
        const currency = textAt(body, 'creditorAccount', 'currency') ?? 'NOK';
        return currency !== 'NOK' && !has(body, 'creditorAgent');
      },
    ),
  ];
}

/** NCBCT payment request body. */
function crossBorderRules(): readonly Rule[] {
  const neither =
    (account: string): Combination =>
    (body) => {
      const value = memberAt(body, account);
      return isObject(value) && !has(value, 'bban') && !has(value, 'iban');
    };
  const both =
    (account: string): Combination =>
    (body) => {
      const value = memberAt(body, account);
      return has(value, 'bban') && has(value, 'iban');
    };
  return [
    combination(
      'NCB-60',
      'creditorAccount has bban or iban',
      'creditorAccount has neither bban nor iban',
      'creditorAccount',
      neither('creditorAccount'),
    ),
    combination(
      'NCB-61',
      'creditorAccount has not both bban and iban',
      'creditorAccount has both bban and iban',
      'creditorAccount',
      both('creditorAccount'),
    ),
    combination(
      'NCB-62',
      'debtorAccount has bban or iban',
      'debtorAccount has neither bban nor iban',
      'debtorAccount',
      neither('debtorAccount'),
    ),
    combination(
      'NCB-63',
      'debtorAccount has not both bban and iban',
      'debtorAccount has both bban and iban',
      'debtorAccount',
      both('debtorAccount'),
    ),
    combination(
      'NCB-64',
      'creditorAgent is set when creditorAccount is a BBAN',
      'creditorAgent is missing, and creditorAccount is a BBAN',
      'creditorAgent',
      (body) => has(memberAt(body, 'creditorAccount'), 'bban') && !has(body, 'creditorAgent'),
    ),
  ];
}

/** Regulatory reporting; only NOK amounts are judged, because no rate is given for others. */
function regulatoryRules(design: BankDesign): readonly Rule[] {
  const needed =
    (field: string): Combination =>
    (body) =>
      isReportable(
        textAt(body, 'instructedAmount', 'amount') ?? '',
        textAt(body, 'instructedAmount', 'currency') ?? '',
        design,
      ) && !has(body, field);
  const name = (field: string): string => `${field} is set for a transfer of NOK 100 000 or more`;
  const broken = (field: string): string => `${field} is missing in a transfer of NOK 100 000 or more`;
  return [
    combination(
      'REG-01',
      name('regulatoryReportingCode'),
      broken('regulatoryReportingCode'),
      'regulatoryReportingCode',
      needed('regulatoryReportingCode'),
    ),
    combination(
      'REG-02',
      name('regulatoryReportingInformation'),
      broken('regulatoryReportingInformation'),
      'regulatoryReportingInformation',
      needed('regulatoryReportingInformation'),
    ),
  ];
}

/** Compared in øre, as whole numbers: an amount of 18 digits does not fit a JavaScript number. */
function isReportable(amount: string, currency: string, design: BankDesign): boolean {
  const match = /^(\d{1,20})(?:\.(\d{1,5}))?$/.exec(amount);
  if (match === null || currency !== 'NOK') return false;
  const [, whole = '0', fraction = ''] = match;
  const oere = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  return oere >= BigInt(design.limits.regulatoryReportingFromOere);
}
