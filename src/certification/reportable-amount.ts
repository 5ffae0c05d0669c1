import { textAt } from '../spec/json.ts';
import { limits } from '../spec/limits.ts';

/**
 * Whether a transfer needs regulatory reporting. Only NOK can be judged: no rate is given for others. The reference bank
 * compares amounts by itself, on purpose: an error in one of the two shows as a difference.
 */
export function isReportableAmount(body: unknown): boolean {
  const [, whole, fraction = ''] =
    /^(\d{1,20})(?:\.(\d{1,5}))?$/.exec(textAt(body, 'instructedAmount', 'amount') ?? '') ?? [];
  if (whole === undefined || textAt(body, 'instructedAmount', 'currency') !== 'NOK') return false;
  const oere = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  return oere >= BigInt(limits.regulatoryReportingFromOere);
}
