import { isUuid } from '../../spec/formats.ts';
import { groupedBy } from '../../spec/grouped-by.ts';
import { type DesignChange, withoutRules, withRefusals } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState, PsuStanding, Rule } from '../design/route.ts';
import { type Deviation, deviation } from './deviation.ts';
import { type DemandedRule, demandedRules } from './rules-of-the-bank.ts';

/** The bank takes some requests for those of a PSU who has passed SCA. */
const trustsPsuWhen =
  (
    isTrusted: (request: BankRequest, standing: PsuStanding['standing'], state: BankState) => boolean,
  ): DesignChange =>
  (design) => ({
    ...design,
    adaptState: (original) => {
      const state = design.adaptState(original);
      return {
        ...state,
        psus: {
          ...state.psus,
          standingOf: (request, now) => {
            const psu = state.psus.standingOf(request, now);
            return isTrusted(request, psu.standing, now)
              ? { standing: 'authenticated', customerId: undefined, context: 'PRIVATE' }
              : psu;
          },
        },
      };
    },
  });

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
    `answers 500 instead of a refusal when this does not hold: ${shared.name}`,
    withRefusals(isRule(shared), { status: 500, code: 'SYSTEM_ERROR' }),
  ),
);
