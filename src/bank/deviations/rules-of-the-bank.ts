import { requirementById } from '../../spec/catalogue.ts';
import { routesOf } from '../bank.ts';
import { compliantDesign } from '../compliant-design.ts';
import type { BankOperation, Rule } from '../design/route.ts';
import { shownOperations } from './deviation.ts';

/** What every operation shares (signature, certificate, clock) is broken at these; at others it would prove the same again. */
const fullyShown: Readonly<Partial<Record<BankOperation, string>>> = Object.fromEntries(
  Object.entries(shownOperations).map(([place, operation]) => [operation, place]),
);

/** Operations that it names, and of which it says a few things. */
const named: Readonly<Partial<Record<BankOperation, string>>> = {
  readPaymentStatus: 'status',
  deletePayment: 'deletion',
  listAccounts: 'accounts',
  readBalances: 'balances',
  readTransactions: 'transactions',
  listAgreements: 'agreements',
  startUserFlow: 'user',
  createConsent: 'consents',
};

/** A rule that a requirement demands, where it is in force. */
export interface DemandedRule {
  readonly requirement: string;
  readonly operation: BankOperation;
  /** The operation in ids. */
  readonly at: string;
  readonly isFullyShown: boolean;
  readonly rule: Rule;
}

/** Whether breaking a requirement can show in a run. */
export function isObservable(requirement: string): boolean {
  const found = requirementById.get(requirement);
  return found !== undefined && found.unobservable === undefined;
}

function rulesAt(operations: Readonly<Partial<Record<BankOperation, string>>>): readonly DemandedRule[] {
  return routesOf(compliantDesign).flatMap(({ operation, rules }) => {
    const at = operations[operation];
    if (at === undefined) return [];
    return rules
      .filter(({ ownChoice }) => ownChoice !== true)
      .flatMap((rule) =>
        [rule.requirement, ...(rule.also ?? [])].filter(isObservable).map((requirement) => ({
          requirement,
          operation,
          at,
          isFullyShown: operations === fullyShown,
          rule,
        })),
      );
  });
}

/**
 * Rules that are in force where no requirement demands them. A Digest is listed for payments only, and so is what it
 * signs; headers of the PSU are not listed for the sandbox; structured remittance exists in domestic payments only. A
 * payment that needs SCA may also be answered 201 with a scaRedirect link. What else account information is guarded by
 * is not shown.
 */
const notDemanded: readonly (readonly [requirements: RegExp, at: RegExp])[] = [
  [/^(?:DIG-|SGS-02|SGS-07)/, /basket|sandbox/],
  [/^SGS-0[456]/, /sandbox/],
  [/^ERR-02/, /cross-border/],
  [/^PST-10/, /deletion/],
  [/^SES-0[23]/, /domestic|cross-border|basket/],
  // Several rules lead to the same request for SCA: see the deviations of SCA.
  [/^(?:SCA-0[16]|ERR-03|ACC-0[15])/, /./],
];

const isDemanded = ({ requirement, at }: DemandedRule): boolean =>
  !notDemanded.some(([requirements, places]) => requirements.test(requirement) && places.test(at));

const ofFullyShown = rulesAt(fullyShown).filter(isDemanded);
const ofNamed = rulesAt(named).filter(isDemanded);

/**
 * Every requirement with the rules that serve it, read off the bank itself: a new rule is here without being written
 * down again. A rule of the bank's own choice breaks nothing when it is missing.
 */
export const demandedRules: readonly DemandedRule[] = withoutEchoes([
  ...ofFullyShown,
  ...withoutThoseOf(ofNamed, ofFullyShown),
]);

function withoutThoseOf(
  rules: readonly DemandedRule[],
  others: readonly DemandedRule[],
): readonly DemandedRule[] {
  const covered = new Set(others.map(({ requirement }) => requirement));
  return rules.filter(({ requirement }) => !covered.has(requirement));
}

/** A requirement that has rules of its own is broken by those, not by the rules that also serve it. */
function withoutEchoes(rules: readonly DemandedRule[]): readonly DemandedRule[] {
  const own = new Set(rules.map(({ rule }) => rule.requirement));
  return rules.filter(({ requirement, rule }) => rule.requirement === requirement || !own.has(requirement));
}
