import { type DesignChange, serves, withRules } from '../design/design-changes.ts';
import { type Dialect, independent } from './dialect.ts';

/** Payments that a sandbox is delivered with have no creator: its documentation names them to every TPP. */
const forEverybody: DesignChange = withRules((operation, rules) =>
  rules.map((rule) =>
    operation !== 'deletePayment' && ['OWN-01', 'OWN-02'].some((requirement) => serves(rule, requirement))
      ? {
          ...rule,
          refuses: (request, state) =>
            state.payments.get(request.params.paymentId ?? '')?.standsStill === true
              ? undefined
              : rule.refuses(request, state),
        }
      : rule,
  ),
);

export const handedOutDialects: readonly Dialect[] = [
  independent(
    'payments/handed-out',
    'shows everybody the payments that its sandbox is delivered with',
    forEverybody,
  ),
];
