import { requirementById } from '../../spec/catalogue.ts';
import { isUuid } from '../../spec/formats.ts';
import { groupedBy } from '../../spec/grouped-by.ts';
import { headerId } from '../../spec/headers.ts';
import { routesOf } from '../bank.ts';
import { compliantDesign } from '../compliant-design.ts';
import { allOf, type DesignChange, withoutRules, withRefusals, withStore } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, PsuStanding, Rule } from '../design/route.ts';
import { breakdown, each, shownOperations, table } from './deviation.ts';

/** What every operation shares (signature, certificate, clock) is broken at these; at others it would prove the same again. */
const fullyShown = new Map<BankOperation, string>(
  Object.entries(shownOperations).map(([place, operation]) => [operation, place]),
);

/** Operations that it names, and of which it says a few things. */
const named = new Map<BankOperation, string>([
  ['readPaymentStatus', 'status'],
  ['deletePayment', 'deletion'],
  ['listAccounts', 'accounts'],
  ['readBalances', 'balances'],
  ['readTransactions', 'transactions'],
  ['listAgreements', 'agreements'],
  ['startUserFlow', 'user'],
  ['createConsent', 'consents'],
]);

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

/**
 * Several rules lead to the same request for SCA, and an account that is not granted is not shown either way: these
 * are broken by deviations of their own, not by leaving one rule out.
 */
const servedBySeveralRules: ReadonlySet<string> = new Set([
  ...['SCA-01', 'SCA-06', 'SCA-15', 'SCA-16', 'SCA-17', 'ERR-03'],
  ...['ACC-01', 'ACC-05', 'ACC-19', 'ACC-20', 'SCA-09'],
]);

/** A bank may apply a rule where no requirement demands it, and breaks nothing by leaving it out there. */
function isDemanded(requirement: string, operation: BankOperation): boolean {
  const operations = requirementById.get(requirement)?.demandedOf;
  return (
    isObservable(requirement) &&
    !servedBySeveralRules.has(requirement) &&
    (operations === undefined || operations.includes(operation))
  );
}

const rulesAt = (operations: ReadonlyMap<BankOperation, string>): readonly DemandedRule[] =>
  routesOf(compliantDesign).flatMap(({ operation, rules }) =>
    rules.flatMap((rule) => {
      const at = operations.get(operation);
      if (at === undefined || rule.ownChoice === true) return [];
      return [rule.requirement, ...(rule.also ?? [])]
        .filter((requirement) => isDemanded(requirement, operation))
        .map((requirement) => ({
          requirement,
          operation,
          at,
          isFullyShown: operations === fullyShown,
          rule,
        }));
    }),
  );

const everywhereShown = rulesAt(fullyShown);

/** Accounts show in full what holds for every request; what is particular to them is said of them by name. */
const keyOf = ({ requirement, rule }: DemandedRule): string => `${requirement} ${rule.name}`;
const sharedKeys: ReadonlySet<string> = new Set(
  everywhereShown.filter(({ operation }) => operation !== 'listAccounts').map(keyOf),
);
const ofFullyShown = everywhereShown.filter(
  (demanded) =>
    demanded.operation !== 'listAccounts' ||
    (sharedKeys.has(keyOf(demanded)) &&
      requirementById.get(demanded.requirement)?.profiles.includes('core') === true),
);

const covered = new Set(ofFullyShown.map(({ requirement }) => requirement));
const all = [...ofFullyShown, ...rulesAt(named).filter(({ requirement }) => !covered.has(requirement))];
const own = new Set(all.map(({ rule }) => rule.requirement));

/**
 * Every requirement with the rules that serve it, read off the bank itself: a new rule is here without being written
 * down again. A rule of the bank's own choice breaks nothing when it is missing. A requirement that has rules of its own
 * is broken by those, not by the rules that also serve it.
 */
export const demandedRules: readonly DemandedRule[] = all.filter(
  ({ requirement, rule }) => rule.requirement === requirement || !own.has(requirement),
);

/** The bank takes some requests for those of a PSU who has passed SCA. */
export const trustsPsuWhen = (
  isTrusted: (request: BankRequest, standing: PsuStanding['standing']) => boolean,
): DesignChange =>
  withStore('psus', (psus) => ({
    standingOf: (request, state) => {
      const psu = psus.standingOf(request, state);
      return isTrusted(request, psu.standing) ? { standing: 'authenticated', customerId: undefined } : psu;
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
const alsoChanged: ReadonlyMap<string, DesignChange> = new Map(
  (['domestic', 'crossBorder', 'basket'] as const).flatMap((profile) => [
    [headerId(profile, 8), sessionless],
    [headerId(profile, 15), nameless],
    [headerId(profile, 16), oddlyNamed],
  ]),
);

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Every requirement and rule of it, and the operations at which that is in force. Ids tell apart the rules of one requirement. */
const sharedRules = [...groupedBy(demandedRules, ({ requirement }) => requirement)].flatMap(
  ([requirement, ofRequirement]) => {
    const byName = [...groupedBy(ofRequirement, ({ rule }) => rule.name)];
    return byName.map(([name, places]) => {
      const [{ rule } = { rule: undefined }] = places;
      const suffix = byName.length === 1 ? '' : `-${slug(rule?.place ?? name)}`;
      // Of a requirement that a rule of another one serves, that one is broken with it.
      const along =
        rule === undefined || rule.requirement === requirement ? {} : { also: [rule.requirement] };
      return [requirement, name, suffix, along, places] as const;
    });
  },
);

const isRule =
  (name: string, operation?: BankOperation) =>
  (rule: Rule, at: BankOperation): boolean =>
    rule.name === name && (operation === undefined || at === operation);

/**
 * The rule is not there: nowhere, or missing at one of the operations that have it. A requirement that other rules
 * serve along the way is broken everywhere only: at one operation it would be the same bank as theirs.
 */
export const droppedRules = each(
  // A payment id that is no string is the id of no payment: another rule refuses it for good.
  sharedRules.filter(([requirement]) => requirement !== 'BSK-03'),
  (requirement, name, suffix, along, places) => {
    const dropped = (operation?: BankOperation): readonly DesignChange[] => [
      withoutRules(isRule(name, operation)),
      alsoChanged.get(requirement) ?? allOf(),
    ];
    const title = `does not enforce that ${name}`;
    const single = places.filter(
      ({ rule, isFullyShown }) => isFullyShown && rule.requirement === requirement,
    );
    return table(
      [`${requirement}/unchecked${suffix}`, title, dropped(), along],
      each(single.length < 2 ? [] : single, ({ at, operation }) => [
        `${requirement}/unchecked-at-${at}${suffix}`,
        `${title} (${at})`,
        dropped(operation),
        { place: at },
      ]),
    );
  },
);

/** Whoever breaks a requirement breaks what the rules of it serve besides. */
export const servedBesides = (requirement: string): readonly string[] =>
  demandedRules.flatMap(({ rule }) => (rule.requirement === requirement ? (rule.also ?? []) : []));

/** What should be refused is answered with a server error, which is no refusal. */
export const serverErrors = each(sharedRules, (requirement, name, suffix, along) => [
  `${requirement}/answered-500${suffix}`,
  `answers 500 instead of a refusal when this does not hold: ${name}`,
  withRefusals(isRule(name), breakdown),
  along,
]);
