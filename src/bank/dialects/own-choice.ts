import { type DesignChange, withRules } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState, Refusal, Rule } from '../design/route.ts';

/** A refusal of the bank's own choice, after all that the specification demands. */
export const alsoRefusing = (
  operations: readonly BankOperation[],
  isRefused: (request: BankRequest, state: BankState) => boolean,
  refusal: Pick<Refusal, 'status' | 'code'> = { status: 400, code: 'FORMAT_ERROR' },
): DesignChange => {
  const rule: Rule = {
    requirement: 'ERR-06',
    ownChoice: true,
    name: 'a choice of this bank',
    refuses: (request, state) =>
      isRefused(request, state) ? { ...refusal, text: 'This bank is strict.' } : undefined,
  };
  return withRules((operation, rules) => (operations.includes(operation) ? [...rules, rule] : rules));
};
