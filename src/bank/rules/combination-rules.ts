import { has, isObject, memberAt, textAt } from '../../spec/json.ts';
import type { Product, ProductName } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import type { Rule } from '../design/route.ts';
import { type MakeRule, ruleMaker } from '../design/rule.ts';

/** What a payment's fields demand of each other. */
export const combinationRules = ({ name }: Product, design: BankDesign): readonly Rule[] =>
  rulesByProduct[name](ruleMaker(design.refusals), design);

const rulesByProduct: Readonly<Record<ProductName, (rule: MakeRule, design: BankDesign) => readonly Rule[]>> =
  {
    domestic: domesticRules,
    crossBorder: (rule, design) => [...crossBorderRules(rule), ...regulatoryRules(rule, design)],
  };

type Combination = (body: unknown) => boolean;

const combination =
  (rule: MakeRule) =>
  (requirement: string, name: string, path: string, isFaulty: Combination): Rule =>
    rule(requirement, name, 'fieldCombination', ({ body }) =>
      isFaulty(body) ? { text: `${name}.`, path } : undefined,
    );

/** NDCT payment request body. */
function domesticRules(rule: MakeRule): readonly Rule[] {
  const of = combination(rule);
  const debtor = (body: unknown) => memberAt(body, 'debtorAccount');
  return [
    of(
      'NDC-60',
      'debtorAccount has not both bban and other',
      'debtorAccount',
      (body) => has(debtor(body), 'bban') && has(debtor(body), 'other'),
    ),
    of(
      'NDC-61',
      'debtorAccount has bban or other',
      'debtorAccount',
      (body) => isObject(debtor(body)) && !has(debtor(body), 'bban') && !has(debtor(body), 'other'),
    ),
    of(
      'NDC-63',
      'remittanceInformationUnstructured and remittanceInformationStructuredArray are not both set',
      'remittanceInformationUnstructured',
      (body) =>
        has(body, 'remittanceInformationUnstructured') && has(body, 'remittanceInformationStructuredArray'),
    ),
  ];
}

/** NCBCT payment request body. */
function crossBorderRules(rule: MakeRule): readonly Rule[] {
  const of = combination(rule);
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
    of('NCB-60', 'creditorAccount has bban or iban', 'creditorAccount', neither('creditorAccount')),
    of('NCB-61', 'creditorAccount has not both bban and iban', 'creditorAccount', both('creditorAccount')),
    of('NCB-62', 'debtorAccount has bban or iban', 'debtorAccount', neither('debtorAccount')),
    of('NCB-63', 'debtorAccount has not both bban and iban', 'debtorAccount', both('debtorAccount')),
    of(
      'NCB-64',
      'creditorAgent is set when creditorAccount is a BBAN',
      'creditorAgent',
      (body) => has(memberAt(body, 'creditorAccount'), 'bban') && !has(body, 'creditorAgent'),
    ),
  ];
}

/** Regulatory reporting; only NOK amounts are judged, because no rate is given for others. */
function regulatoryRules(rule: MakeRule, design: BankDesign): readonly Rule[] {
  const of = combination(rule);
  const needed =
    (field: string): Combination =>
    (body) =>
      design.needsRegulatoryReporting(
        textAt(body, 'instructedAmount', 'amount') ?? '',
        textAt(body, 'instructedAmount', 'currency') ?? '',
        design,
      ) && !has(body, field);
  const name = (field: string): string => `${field} is set for a transfer of NOK 100 000 or more`;
  return [
    of(
      'REG-01',
      name('regulatoryReportingCode'),
      'regulatoryReportingCode',
      needed('regulatoryReportingCode'),
    ),
    of(
      'REG-02',
      name('regulatoryReportingInformation'),
      'regulatoryReportingInformation',
      needed('regulatoryReportingInformation'),
    ),
  ];
}

/** Compared in øre, as whole numbers: an amount of 18 digits does not fit a JavaScript number. */
export function isReportable(amount: string, currency: string, design: BankDesign): boolean {
  const match = /^(\d{1,20})(?:\.(\d{1,5}))?$/.exec(amount);
  if (match === null || currency !== 'NOK') return false;
  const [, whole = '0', fraction = ''] = match;
  const oere = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  return oere >= BigInt(design.limits.regulatoryReportingFromOere);
}
