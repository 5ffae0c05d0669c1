import { requirementById } from '../../spec/catalogue.ts';
import type { Readings } from '../../spec/interpretations.ts';
import { byProduct, everyProduct, type Product, products } from '../../spec/products.ts';
import type { ProfileId } from '../../spec/profiles.ts';
import { routesOf } from '../bank.ts';
import {
  allOf,
  type DesignChange,
  handling,
  serves,
  withRoutes,
  withRules,
  withVerdicts,
} from '../design/design-changes.ts';
import { type Condition, inHeader, type Mistake, withHeader } from '../design/requests.ts';
import type { BankOperation, BankRequest, Refusal, Rule } from '../design/route.ts';

export { handling } from '../design/design-changes.ts';
export {
  at,
  both,
  type Condition,
  either,
  type Form,
  inBody,
  inBytes,
  inElements,
  inHeader,
  inPath,
  inQuery,
  isNull,
  type Mistake,
  not,
  withBody,
  withCertificate,
  withHeader,
  withoutQuery,
  withParam,
  withQuery,
} from '../design/requests.ts';

/** A switch of the bank that breaks one requirement in one way. */
export interface Deviation {
  /** The requirement and the way: `NDC-11/one-longer`. */
  readonly id: string;
  /** The requirement that is broken. */
  readonly requirement: string;
  /** What the bank does, as a sentence without its subject: `takes a creditorName of 71 characters`. */
  readonly title: string;
  readonly apply: DesignChange;
  /** It shows only on a socket with TLS. */
  readonly needsTls?: true;
  /** It shows only in production. */
  readonly onlyInProduction?: true;
  /** It breaks the requirement under these readings only. */
  readonly under?: Partial<Readings>;
  /** It is exactly what another allowed value of a reading says, so that a target file may make it right. */
  readonly allowedUnder?: Partial<Readings>;
  /** The specification advises against it without forbidding it, so that a warning is all it can yield. */
  readonly isAdvisedAgainst?: true;
  /** A run tries it in one context, another one with the next seed, so that a condition on top would leave it to chance. */
  readonly inOneContext?: true;
  /** It refuses what has to be taken; all the others take what has to be refused, or refuse it wrongly. */
  readonly isTooStrict?: true;
  /** Where alone it shows, as ids and titles call the operation. */
  readonly place?: string;
  /** Fields and headers that it is about next to those of its requirement. */
  readonly about?: readonly string[];
  /** When alone it shows; it always does where there is none. */
  readonly condition?: string;
  /** Requirements that are broken along with it: whoever refuses a company its payment breaks what is said of companies. */
  readonly also?: readonly string[];
}

/** `deviation('NDC-11/one-longer', 'takes …', change)`: the id is made of the requirement and the way. */
const deviation = (
  id: `${string}/${string}`,
  title: string,
  ...changes: readonly DesignChange[]
): Deviation => ({
  id,
  requirement: requirementOf(id),
  title,
  apply: allOf(...changes),
});

/** The requirement that the id of a deviation begins with. */
const requirementOf = (id: string): string => id.slice(0, id.indexOf('/'));

export const isOfACompany = inHeader('psu-corporate-id');

/** Rules of a requirement, of the bank's own choice as well. */
export const ruleOf =
  (requirement: string) =>
  (rule: Rule): boolean =>
    rule.requirement === requirement;

/** Rules of a requirement by itself, not of those that they serve next to it. */
export const of =
  (...requirements: readonly string[]) =>
  (rule: Rule): boolean =>
    requirements.includes(rule.requirement) && rule.ownChoice !== true;

/** Rules that serve a requirement, by themselves or next to others. */
export const serving =
  (...requirements: readonly string[]) =>
  (rule: Rule): boolean =>
    requirements.some((requirement) => serves(rule, requirement));

/** The same without those of the bank's own choice. */
export const demandedBy =
  (requirement: string) =>
  (rule: Rule): boolean =>
    serves(rule, requirement) && rule.ownChoice !== true;

/** Some rules overlook some requests. */
export const overlooking = (matchesId: (rule: Rule) => boolean, isOverlooked: Condition): DesignChange =>
  withVerdicts(matchesId, (refusesIt, request, state) =>
    isOverlooked(request, state) ? undefined : refusesIt(request, state),
  );

/** The bank refuses what it should accept. */
export const refusing = (
  requirement: string,
  operations: readonly BankOperation[],
  isRefused: Condition,
  refusal: Pick<Refusal, 'status' | 'code'> = { status: 400, code: 'BAD_REQUEST' },
  first = false,
): DesignChange => {
  const rule: Rule = {
    requirement,
    name: `a deviation from ${requirement}`,
    refuses: (request, state) =>
      isRefused(request, state) ? { ...refusal, text: 'This bank does not take that.' } : undefined,
  };
  return withRules((operation, rules) => {
    if (!operations.includes(operation)) return rules;
    return first ? [rule, ...rules] : [...rules, rule];
  });
};

/** What a row changes: a design, or something about the requirement that its id begins with. */
export type Change =
  | DesignChange
  /** Its rules, and those of some others, overlook some requests; `rules` where it is not only its own ones. */
  | {
      readonly overlook: Condition;
      readonly with?: readonly string[];
      readonly rules?: (requirement: string) => (rule: Rule) => boolean;
    }
  /** What it says is to be taken is refused, at every operation that it is about where the row names none. */
  | {
      readonly refuse: Condition;
      readonly at?: readonly BankOperation[];
      readonly as?: Pick<Refusal, 'status' | 'code'>;
      /** Before anything else is looked at. */
      readonly first?: true;
    };

function designChange(change: Change, requirement: string): DesignChange {
  if (typeof change === 'function') return change;
  if ('refuse' in change)
    return refusing(
      requirement,
      change.at ?? operationsOf(requirement),
      change.refuse,
      change.as,
      change.first,
    );
  const { overlook, with: others = [], rules = () => of(requirement, ...others) } = change;
  return overlooking(rules(requirement), overlook);
}

/** The operations that the specification shows of the profiles of a requirement. */
function operationsOf(requirement: string): readonly BankOperation[] {
  const shown: Partial<Record<ProfileId, readonly BankOperation[]>> = {
    ...Object.fromEntries(everyProduct.map(({ profile, creation }) => [profile, [creation]])),
    'signing-baskets': ['createSigningBasket'],
    sandbox: ['listSandboxCustomers'],
    core: Object.values(shownOperations),
  };
  const found = requirementById.get(requirement)?.profiles.flatMap((profile) => shown[profile] ?? []) ?? [];
  if (found.length === 0) throw new Error(`Where ${requirement} is to be refused has to be said.`);
  return found;
}

/** What else is to be known of a deviation, and the operations at which it stands alone as well. */
export type More = Partial<Omit<Deviation, 'id' | 'requirement' | 'title' | 'apply'>> & {
  readonly alsoAt?: readonly ShownOperation[];
};

export type Row = readonly [
  id: `${string}/${string}`,
  whatTheBankDoes: string,
  change: Change | readonly Change[],
  more?: More,
];
type Entry = Row | readonly Deviation[];

const isRow = (entry: Entry): entry is Row => typeof entry[0] === 'string';

function ofRow([id, title, change, { alsoAt: places = [], ...more } = {}]: Row): readonly Deviation[] {
  const changes = [change].flat().map((one) => designChange(one, requirementOf(id)));
  const isRefusal = [change].flat().some((one) => typeof one !== 'function' && 'refuse' in one);
  const marks = isRefusal ? { isTooStrict: true as const } : {};
  return alsoAt(places, { ...deviation(id, title, ...changes), ...marks, ...more });
}

/** Rows, and what became of other rows. */
export const table = (...entries: readonly Entry[]): readonly Deviation[] =>
  entries.flatMap((entry) => (isRow(entry) ? ofRow(entry) : entry));

/** The same row for each of some values. */
export const each = <const Value>(
  values: readonly Value[],
  row: (...value: Value extends readonly unknown[] ? [...Value] : [Value]) => Entry,
): readonly Deviation[] =>
  table(...values.map((value) => (row as (...value: readonly unknown[]) => Entry)(...[value].flat())));

/** What is to be known of all of them. */
export const marked = (more: Omit<More, 'alsoAt'>, ...entries: readonly Entry[]): readonly Deviation[] =>
  table(...entries).map((one) => ({ ...one, ...more }));

export const breakdown = { status: 500, code: 'SYSTEM_ERROR' } as const;

/** A deviation that refuses what its requirement says is to be taken. */
export const refuses = (
  id: `${string}/${string}`,
  title: string,
  operations: readonly BankOperation[],
  isRefused: Condition,
  refusal?: Pick<Refusal, 'status' | 'code'>,
): Deviation => ({
  ...deviation(id, title, refusing(requirementOf(id), operations, isRefused, refusal)),
  isTooStrict: true,
});

export const crossBorder = [products.crossBorder.creation] as const;

/**
 * The names that ids and titles use for operations whose requests and answers the specification shows in full, and for
 * the one that a bank may offer without any of them.
 */
export const shownOperations: Readonly<Record<ShownOperation, BankOperation>> = {
  ...byProduct('word', ({ creation }) => creation),
  basket: 'createSigningBasket',
  sandbox: 'listSandboxCustomers',
  accounts: 'listAccounts',
};

export type ShownOperation = Product['word'] | 'basket' | 'sandbox' | 'accounts';

/**
 * The rules of one operation, and what it does, come from the changed design; the others know nothing of it. Only the
 * clock is one for all of them.
 */
const onlyAt =
  (operation: BankOperation, change: DesignChange): DesignChange =>
  (design) => {
    const changed = change(design);
    const there = routesOf(changed).find((route) => route.operation === operation);
    return {
      ...withRoutes((route) => (route.operation === operation ? (there ?? route) : route))(design),
      clockOffsetSeconds: changed.clockOffsetSeconds,
    };
  };

/**
 * A deviation as it is, and at single operations: each of them has a check of its own, which no other check stands in
 * for.
 */
const alsoAt = (places: readonly ShownOperation[], whole: Deviation): readonly Deviation[] => [
  whole,
  ...places.map((place) => ({
    ...whole,
    id: `${whole.id}-at-${place}`,
    title: `${whole.title} (${place})`,
    place,
    apply: onlyAt(shownOperations[place], whole.apply),
  })),
];

export const atPayments: readonly ShownOperation[] = everyProduct.map(({ word }) => word);
export const atCreations: readonly ShownOperation[] = [...atPayments, 'basket'];
export const atAll: readonly ShownOperation[] = [...atCreations, 'sandbox', 'accounts'];

/** Operations that are only referred to, or have no body, where it is easily forgotten. */
export const easilyForgotten = [
  ['status', 'readPaymentStatus'],
  ['details', 'readPayment'],
  ['deletion', 'deletePayment'],
  ['basket-reading', 'readSigningBasket'],
  ['basket-status', 'readSigningBasketStatus'],
  ['basket-deletion', 'deleteSigningBasket'],
  ['account', 'readAccount'],
  ['balances', 'readBalances'],
  ['transaction', 'readTransaction'],
  ['cards', 'listCardAccounts'],
  ['card', 'readCardAccount'],
  ['card-balances', 'readCardBalances'],
  ['card-transactions', 'readCardTransactions'],
  ['agreements', 'listAgreements'],
  ['consents', 'createConsent'],
  ['bank-offered-consents', 'createBankOfferedConsent'],
  ['customer-creation', 'createSandboxCustomer'],
  ['customer-removal', 'sandboxData'],
] as const;

/** A date as people write it: DD.MM.YYYY. */
export const byDots = (value: unknown): string => String(value).split('-').toReversed().join('.');

/** Transactions are shown as if the PSU were present. */
export const asIfPresent = (isMeant: (request: BankRequest) => boolean = () => true): DesignChange =>
  handling('readTransactions', (request) =>
    isMeant(request) ? withHeader(request, 'psu-ip-address', '192.0.2.1') : request,
  );

/** Rules that ask who speaks for whom, and what they may see. Signature and certificate are not among them. */
const aboutThePsu: ReadonlySet<string> = new Set([
  ...['SCA-01', 'ERR-03', 'COR-01', 'COR-03', 'COR-04', 'SES-01', 'SES-02', 'SES-06', 'ACC-01', 'ACC-05'],
]);

/** The same, and whoever asks about the PSU is mistaken already. */
export const mistaking = (operation: BankOperation, mistake: Mistake): DesignChange =>
  allOf(
    withVerdicts(
      ({ requirement }, at) => at === operation && aboutThePsu.has(requirement),
      (refusesIt, request, state) => refusesIt(mistake(request, state), state),
    ),
    handling(operation, mistake),
  );

export const forbidden = { status: 403, code: 'FORBIDDEN' } as const;
/** What is to be known of a row. */
export const once = { inOneContext: true } as const;
export const advised = { isAdvisedAgainst: true } as const;
export const everywhere = { alsoAt: atPayments } as const;
export const strict = { isTooStrict: true } as const;
