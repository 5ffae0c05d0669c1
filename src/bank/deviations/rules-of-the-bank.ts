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
 * Several rules lead to the same request for SCA, and an account that is not granted is not shown either way: these
 * are broken by deviations of their own, not by leaving one rule out.
 */
const servedBySeveralRules: ReadonlySet<string> = new Set([
  ...['SCA-01', 'SCA-06', 'SCA-15', 'SCA-16', 'SCA-17', 'ERR-03'],
  ...['ACC-01', 'ACC-05', 'ACC-19', 'ACC-20'],
]);

/** A bank may apply a rule where no requirement demands it, and breaks nothing by leaving it out there. */
function isDemanded({ requirement, operation }: DemandedRule): boolean {
  if (servedBySeveralRules.has(requirement)) return false;
  const operations = requirementById.get(requirement)?.demandedOf;
  return operations === undefined || operations.includes(operation);
}

const everywhereShown = rulesAt(fullyShown).filter(isDemanded);

/** Accounts show in full what holds for every request; what is particular to them is said of them by name. */
const keyOf = ({ requirement, rule }: DemandedRule): string => `${requirement} ${rule.name}`;
const sharedRules: ReadonlySet<string> = new Set(
  everywhereShown.filter(({ operation }) => operation !== 'listAccounts').map(keyOf),
);
const holdsThere = (demanded: DemandedRule): boolean =>
  demanded.operation !== 'listAccounts' ||
  (sharedRules.has(keyOf(demanded)) &&
    requirementById.get(demanded.requirement)?.profiles.includes('core') === true);

const ofFullyShown = everywhereShown.filter(holdsThere);
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
