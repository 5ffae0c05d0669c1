import type { RefusalAnswers, RefusalKind } from '../refusal-kinds.ts';
import type { BankRequest, Refusal, Rule } from '../route.ts';
import type { BankState } from '../state.ts';

/** What is wrong, and where. Status and code come from the kind of the refusal. */
export type Fault = Pick<Refusal, 'text' | 'path' | 'links'>;

export interface RuleExtras {
  readonly also?: readonly string[];
  readonly ownChoice?: true;
}

export type MakeRule = (
  requirement: string,
  name: string,
  kind: RefusalKind,
  faultIn: (request: BankRequest, state: BankState) => Fault | undefined,
  extras?: RuleExtras,
) => Rule;

/** Makes rules whose refusals are answered as the table says. */
export const ruleMaker =
  (refusals: RefusalAnswers): MakeRule =>
  (requirement, name, kind, faultIn, extras = {}) => ({
    requirement,
    name,
    ...extras,
    refuses(request, state) {
      const fault = faultIn(request, state);
      return fault === undefined ? undefined : { ...refusals[kind], ...fault };
    },
  });
