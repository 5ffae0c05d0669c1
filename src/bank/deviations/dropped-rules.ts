import { withoutRules, withRefusals } from '../design-changes.ts';
import type { BankOperation, Rule } from '../route.ts';
import { type Deviation, deviation } from './deviation.ts';
import { alsoChanged, redundant } from './more-than-a-rule.ts';
import { type DemandedRule, demandedRules } from './rules-of-the-bank.ts';

/** One rule, and the operations at which it is in force. */
interface SharedRule {
  readonly requirement: string;
  readonly name: string;
  /** Tells apart the rules of one requirement; empty where there is one. */
  readonly suffix: string;
  readonly places: readonly DemandedRule[];
}

const sharedRules: readonly SharedRule[] = groupedBy(demandedRules, ({ requirement }) => requirement).flatMap(
  (ofRequirement) => {
    const byName = groupedBy(ofRequirement, ({ rule }) => rule.name);
    return byName.flatMap((places) => {
      const [first] = places;
      if (first === undefined) return [];
      const { requirement, rule } = first;
      return [
        { requirement, name: rule.name, suffix: byName.length === 1 ? '' : `-${slug(rule.name)}`, places },
      ];
    });
  },
);

function groupedBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

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
        `does not see to it that ${name}${where}`,
        withoutRules(isRule(shared, operation)),
        ...(more === undefined ? [] : [more]),
      );
    const everywhere = dropped('unchecked', '');
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

/** What should be refused is answered with a server error, which is no refusal. */
export const serverErrors: readonly Deviation[] = sharedRules.map((shared) =>
  deviation(
    `${shared.requirement}/answered-500${shared.suffix}`,
    `breaks down instead of seeing to it that ${shared.name}`,
    withRefusals(isRule(shared), { status: 500, code: 'SYSTEM_ERROR' }),
  ),
);
