import type { RefusalKind } from '../bank/design/refusal-kinds.ts';
import type { BankRequest, BankState, Rule } from '../bank/design/route.ts';
import type { AnsweredRequest } from '../bank/http/dispatch.ts';

/** A rule that refuses a request, or would have, had no rule before it done so. */
export interface FoundRefusal {
  readonly requirement: string;
  readonly rule: string;
  /** What the bank says is wrong. */
  readonly text: string;
  readonly path?: string;
  readonly kind?: RefusalKind;
}

/**
 * All rules that refuse a request, in the order of the bank; the first is the one that did. What a rule looks at is as
 * it was, because this is asked before the answer is sent.
 */
export function refusalsOf({
  request,
  refusedBy,
  rules = [],
  state,
}: AnsweredRequest): readonly FoundRefusal[] {
  if (request === undefined || refusedBy === undefined) return [];
  const first = rules.indexOf(refusedBy);
  const spectator = lookingOnly(state);
  return rules.slice(Math.max(0, first)).flatMap((rule) => {
    // What counts or has turns is told of only when it was the one that refused.
    if (rule.hasEffects === true && rule !== refusedBy) return [];
    return refusalBy(rule, request, spectator);
  });
}

function refusalBy(rule: Rule, request: BankRequest, state: BankState): readonly FoundRefusal[] {
  try {
    const fault = rule.hasEffects === true ? { text: rule.name } : rule.refuses(request, state);
    if (fault === undefined) return [];
    return [
      {
        requirement: rule.requirement,
        rule: rule.name,
        text: fault.text,
        ...('path' in fault && fault.path !== undefined ? { path: fault.path } : {}),
        ...('kind' in fault ? { kind: fault.kind } : {}),
      },
    ];
  } catch {
    // A later rule may build on what an earlier one makes sure of, such as a body that can be read.
    return [];
  }
}

/** The same memory, in which looking starts no SCA: thousands of refusals would push out the flows that PSUs are in. */
const lookingOnly = (state: BankState): BankState => ({
  ...state,
  psus: { ...state.psus, startSca: () => ({ href: '', verbs: ['GET'] }) },
  flows: {
    ...state.flows,
    start: (start) => ({
      ...start,
      id: '',
      startedAt: state.clock.now(),
      step: 'identify',
      failedAttempts: 0,
    }),
  },
});
