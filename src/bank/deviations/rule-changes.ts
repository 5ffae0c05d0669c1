import { type DesignChange, withRules } from '../design-changes.ts';
import type { BankOperation, BankRequest, Refusal, Rule } from '../route.ts';
import type { BankState } from '../state.ts';

type Condition = (request: BankRequest, state: BankState) => boolean;

/** Rules of a requirement by itself, not of those that they serve next to it. */
export const of =
  (...requirements: readonly string[]) =>
  (rule: Rule): boolean =>
    requirements.includes(rule.requirement) && rule.ownChoice !== true;

/** Some rules overlook some requests. */
export const overlooking = (matchesId: (rule: Rule) => boolean, isOverlooked: Condition): DesignChange =>
  withRules((_, rules) =>
    rules.map((rule) =>
      matchesId(rule)
        ? {
            ...rule,
            refuses: (request, state) =>
              isOverlooked(request, state) ? undefined : rule.refuses(request, state),
          }
        : rule,
    ),
  );

/** The bank refuses what it should accept. */
export const refusing = (
  requirement: string,
  operations: readonly BankOperation[],
  isRefused: Condition,
  refusal: Pick<Refusal, 'status' | 'code'> = { status: 400, code: 'BAD_REQUEST' },
): DesignChange => {
  const rule: Rule = {
    requirement,
    name: `a deviation from ${requirement}`,
    refuses: (request, state) =>
      isRefused(request, state) ? { ...refusal, text: 'This bank does not take that.' } : undefined,
  };
  return withRules((operation, rules) => (operations.includes(operation) ? [...rules, rule] : rules));
};
