import { requirementById } from '../../spec/catalogue.ts';
import { isUuid } from '../../spec/formats.ts';
import { groupedBy } from '../../spec/grouped-by.ts';
import { routesOf } from '../bank.ts';
import { compliantDesign } from '../compliant-design.ts';
import { type DesignChange, withoutRules, withRefusals, withState } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, PsuStanding, Rule } from '../design/route.ts';
import { type Deviation, deviation, shownOperations } from './deviation.ts';

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
interface DemandedRule {
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
  ...['ACC-01', 'ACC-05', 'ACC-19', 'ACC-20', 'SCA-09'],
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
const sharedKeys: ReadonlySet<string> = new Set(
  everywhereShown.filter(({ operation }) => operation !== 'listAccounts').map(keyOf),
);
const holdsThere = (demanded: DemandedRule): boolean =>
  demanded.operation !== 'listAccounts' ||
  (sharedKeys.has(keyOf(demanded)) &&
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

/** The bank takes some requests for those of a PSU who has passed SCA. */
export const trustsPsuWhen = (
  isTrusted: (request: BankRequest, standing: PsuStanding['standing']) => boolean,
): DesignChange =>
  withState(({ psus }) => ({
    psus: {
      ...psus,
      standingOf: (request, state) => {
        const psu = psus.standingOf(request, state);
        return isTrusted(request, psu.standing) ? { standing: 'authenticated', customerId: undefined } : psu;
      },
    },
  }));

const sessionless = trustsPsuWhen(
  (request, standing) => standing === 'no-session' && request.header('tpp-session-id') === undefined,
);
const nameless = trustsPsuWhen(
  (request, standing) =>
    standing === 'unknown-psu' &&
    request.header('psu-id') === undefined &&
    request.header('x-psu-identity') === undefined,
);
const oddlyNamed = trustsPsuWhen(
  (request, standing) => standing === 'unknown-psu' && !isUuid(request.header('psu-id') ?? ''),
);

/**
 * Requirements that the bank keeps in more than one place: without the rule alone it would refuse for another reason.
 * The value is what has to change with the rule.
 */
const alsoChanged: Readonly<Partial<Record<string, DesignChange>>> = {
  'HDN-08': sessionless,
  'HDC-08': sessionless,
  'HDB-08': sessionless,
  'HDN-15': nameless,
  'HDC-15': nameless,
  'HDB-15': nameless,
  'HDN-16': oddlyNamed,
  'HDC-16': oddlyNamed,
  'HDB-16': oddlyNamed,
};

/** Rules whose absence breaks nothing, because another rule refuses the same requests for good. */
const redundant: readonly string[] = [
  // A payment id that is no string is the id of no payment.
  'BSK-03',
];

/** One rule, and the operations at which it is in force. */
interface SharedRule {
  readonly requirement: string;
  readonly name: string;
  /** Tells apart the rules of one requirement; empty where there is one. */
  readonly suffix: string;
  readonly places: readonly DemandedRule[];
}

const sharedRules: readonly SharedRule[] = [
  ...groupedBy(demandedRules, ({ requirement }) => requirement).values(),
].flatMap((ofRequirement) => {
  const byName = [...groupedBy(ofRequirement, ({ rule }) => rule.name).values()];
  return byName.flatMap((places) => {
    const [first] = places;
    if (first === undefined) return [];
    const { requirement, rule } = first;
    return [
      {
        requirement,
        name: rule.name,
        suffix: byName.length === 1 ? '' : `-${slug(rule.place ?? rule.name)}`,
        places,
      },
    ];
  });
});

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const isRule =
  ({ name }: SharedRule, operation?: BankOperation) =>
  (rule: Rule, at: BankOperation): boolean =>
    rule.name === name && (operation === undefined || at === operation);

/** Of a requirement that a rule of another one serves, that one is broken with it. */
const alongWithItsRule = (broken: Deviation, [first]: readonly DemandedRule[]): Deviation =>
  first === undefined || first.rule.requirement === broken.requirement
    ? broken
    : { ...broken, also: [first.rule.requirement] };

/**
 * The rule is not there: nowhere, or missing at one of the operations that have it. A requirement that other rules
 * serve along the way is broken everywhere only: at one operation it would be the same bank as theirs.
 */
export const droppedRules: readonly Deviation[] = sharedRules
  .filter(({ requirement }) => !redundant.includes(requirement))
  .flatMap((shared) => {
    const { requirement, name, suffix, places } = shared;
    const more = alsoChanged[requirement];
    const dropped = (way: string, where: string, operation?: BankOperation): Deviation =>
      deviation(
        `${requirement}/${way}${suffix}`,
        `does not enforce that ${name}${where}`,
        withoutRules(isRule(shared, operation)),
        ...(more === undefined ? [] : [more]),
      );
    const everywhere = alongWithItsRule(dropped('unchecked', ''), places);
    const single = places.filter(
      ({ rule, isFullyShown }) => isFullyShown && rule.requirement === requirement,
    );
    return single.length < 2
      ? [everywhere]
      : [
          everywhere,
          ...single.map(({ at, operation }) => dropped(`unchecked-at-${at}`, ` (${at})`, operation)),
        ];
  });

/** Whoever breaks a requirement breaks what the rules of it serve besides. */
export const servedBesides = (requirement: string): readonly string[] =>
  demandedRules.flatMap(({ rule }) => (rule.requirement === requirement ? (rule.also ?? []) : []));

/** What should be refused is answered with a server error, which is no refusal. */
export const serverErrors: readonly Deviation[] = sharedRules.map((shared) =>
  alongWithItsRule(
    deviation(
      `${shared.requirement}/answered-500${shared.suffix}`,
      `answers 500 instead of a refusal when this does not hold: ${shared.name}`,
      withRefusals(isRule(shared), { status: 500, code: 'SYSTEM_ERROR' }),
    ),
    shared.places,
  ),
);
