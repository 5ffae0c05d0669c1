import type { RefusalKind } from './refusal-kinds.ts';
import type { BankRequest, BankState, Fault, Rule } from './route.ts';

/** What is wrong, and where. Another kind only where one rule refuses in two ways. */
export type Finding = Omit<Fault, 'kind'> & { readonly kind?: RefusalKind };

export type RuleExtras = Pick<Rule, 'also' | 'ownChoice' | 'place' | 'hasEffects'>;

/** The one way to make a rule of the bank. Status and code come from the design's table, by the kind of refusal. */
export const rule = (
  requirement: string,
  name: string,
  kind: RefusalKind,
  findIn: (request: BankRequest, state: BankState) => Finding | undefined,
  extras: RuleExtras = {},
): Rule => ({
  requirement,
  name,
  ...extras,
  refuses(request, state) {
    const finding = findIn(request, state);
    return finding === undefined ? undefined : { kind, ...finding };
  },
});

/** Several rules look at different sides of one finding; it is made once for each request. */
export function oncePerRequest<Finding>(
  find: (request: BankRequest) => Finding,
): (request: BankRequest) => Finding {
  const findings = new WeakMap<BankRequest, { readonly finding: Finding }>();
  return (request) => {
    const known = findings.get(request);
    if (known !== undefined) return known.finding;
    const finding = find(request);
    findings.set(request, { finding });
    return finding;
  };
}
