import type { Readings } from '../../spec/interpretations.ts';
import type { ProductName } from '../../spec/products.ts';
import { allOf, type DesignChange } from '../design/design-changes.ts';

/** A switch of the bank that is unusual and still compliant: something that the specification leaves open. */
export interface Dialect {
  /** `errors/problem-json`: what it is about, and the answer to that. */
  readonly id: string;
  readonly title: string;
  readonly apply: DesignChange;
  /** Dialects that decide the same question cannot be combined: what the questions are. */
  readonly decides: readonly string[];
  /** It takes away what others do, or answers before they could: whatever they decide, it meets the checks alone. */
  readonly hidesOthers?: true;
  readonly prefix?: string;
  /** Without it some requirement stays unjudged: nothing shows it at such a bank, or a reading is to be taken. */
  readonly declared?: Declared;
  readonly signsResponses?: true;
  /** Customers of its sandbox were created or removed by hand. */
  readonly changedData?: true;
}

/** What a target file says of the way to such a bank. */
export interface WayTo {
  /** Where it puts its operations, where that differs. */
  readonly paths?: Readonly<Partial<Record<`${ProductName}Payments`, string>>>;
  /** Headers that it wants on every request, next to those of the specification. */
  readonly customHeaders?: Readonly<Record<string, string>>;
}

/** What a target file says of such a bank beyond its addresses, people and accounts. */
export interface Declared extends WayTo {
  /** What the bank does not have and need not, by requirement, profile or operation. */
  readonly notOffered?: readonly { readonly what: string; readonly reason: string }[];
  readonly interpretations?: Partial<Readings>;
  /** That of the account abroad which the target file names, where it is not the usual one. */
  readonly currencyAbroad?: string;
  /** All accounts that it pays, where it pays no others. */
  readonly creditors?: {
    readonly domestic: readonly {
      readonly bban: string;
      readonly currency: string;
      readonly agent?: string;
    }[];
    readonly crossBorder: readonly {
      readonly iban?: string;
      readonly bban?: string;
      readonly agent?: string;
      readonly currency: string;
      readonly country: string;
    }[];
  };
}

/** What a target file says of the accounts that can be paid. */
export type Payable = Pick<Declared, 'creditors' | 'currencyAbroad'>;

/** Each is said by one of them: dialects that decide the same question are never combined. */
const said = <Name extends keyof Declared>(
  declared: readonly Declared[],
  ...names: readonly Name[]
): Pick<Declared, Name> =>
  Object.assign(
    {},
    ...declared.map((each) =>
      Object.fromEntries(names.flatMap((name) => (name in each ? [[name, each[name]]] : []))),
    ),
  );
export const payableBy = (declared: readonly Declared[]): Payable =>
  said(declared, 'creditors', 'currencyAbroad');
export const wayBy = (declared: readonly Declared[]): WayTo => said(declared, 'paths', 'customHeaders');

export const contradict = (one: Dialect, other: Dialect): boolean =>
  one.decides.some((question) => other.decides.includes(question));

type Besides = Omit<Dialect, 'id' | 'title' | 'apply' | 'decides'>;

/** Its id, what the bank does, what it decides, what is changed in the bank, and what its target file says of it. */
export type Row = readonly [
  id: `${string}/${string}`,
  title: string,
  decides: string | readonly string[],
  change: DesignChange | readonly DesignChange[],
  besides?: Besides,
];

/** In the column of what is decided: what the id begins with, or nothing that any other does. */
export const topic = 'its topic';
export const itself = 'itself';

/** Further questions of that column. Somewhere the PSU passes SCA: who has payments only does not exempt them all. */
export const whereScaBegins = 'where SCA begins';
/** Whoever is known by a number of the bank's own has no day of birth in it. */
export const numbersOfCustomers = 'numbers of customers';
/** None goes with another that looks into a form, as those do that ask for accounts in their own way. */
export const accountsPage = 'accounts-page';

export const rows = (...several: readonly Row[]): readonly Dialect[] =>
  several.map(([id, title, decides, change, besides]) => ({
    id,
    title,
    apply: allOf(...[change].flat()),
    decides: [decides].flat().map((question) => {
      if (question === itself) return id;
      return question === topic ? id.slice(0, id.indexOf('/')) : question;
    }),
    ...besides,
  }));

export const hidesOthers = { hidesOthers: true } as const;
export const changedData = { changedData: true } as const;
export const declaring = (declared: Declared): Besides => ({ declared });
export const under = (interpretations: Partial<Readings>): Besides => declaring({ interpretations });
export const lacking = (reason: string, ...lacks: readonly string[]): Besides =>
  declaring({ notOffered: lacks.map((what) => ({ what, reason })) });
