import type { Readings } from '../../spec/interpretations.ts';
import type { ProductName } from '../../spec/products.ts';
import { allOf, type DesignChange } from '../design/design-changes.ts';

/** A switch of the bank that is unusual and still compliant: something that the specification leaves open. */
export interface Dialect {
  /** `errors/problem-json` */
  readonly id: string;
  /** What the bank does, as a sentence without its subject. */
  readonly title: string;
  readonly apply: DesignChange;
  /** Dialects that decide the same question cannot be combined: what the questions are. */
  readonly decides: readonly string[];
  /** Next to it others do not show, whatever they decide, so that it meets checks alone. */
  readonly hidesOthers?: true;
  /** Path before /v1. */
  readonly prefix?: string;
  /** Without it some requirement stays unjudged: nothing shows it at such a bank, or a reading is to be taken. */
  readonly declared?: Declared;
  /** The bank signs its responses. */
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

/** The first word on it, since dialects that decide the same question are never combined. */
export const payableBy = (declared: readonly Declared[]): Payable => {
  const creditors = declared.find((each) => each.creditors !== undefined)?.creditors;
  const currencyAbroad = declared.find((each) => each.currencyAbroad !== undefined)?.currencyAbroad;
  return {
    ...(creditors === undefined ? {} : { creditors }),
    ...(currencyAbroad === undefined ? {} : { currencyAbroad }),
  };
};

/** Each is said by one of them: dialects that decide the same question are never combined. */
export const wayBy = (declared: readonly Declared[]): WayTo =>
  Object.assign(
    {},
    ...declared.map(({ paths, customHeaders }) => ({
      ...(paths && { paths }),
      ...(customHeaders && { customHeaders }),
    })),
  );

/** The id is made of the question and the answer to it; `decides` may name a narrower question. */
export const dialect = (
  id: `${string}/${string}`,
  title: string,
  ...changes: readonly DesignChange[]
): Dialect => ({
  id,
  title,
  apply: allOf(...changes),
  decides: [id.slice(0, id.indexOf('/'))],
});

/** One that is judged to the end only where its target file says so much. */
export const declaring = (declared: Declared, unusual: Dialect): Dialect => ({ ...unusual, declared });

/** One that decides another question than its id says, since it cannot be seen next to others that decide that. */
export const deciding = (question: string, unusual: Dialect): Dialect => ({
  ...unusual,
  decides: [question],
});

/** One that decides a further question. */
export const alsoDeciding = (question: string, unusual: Dialect): Dialect => ({
  ...unusual,
  decides: [...unusual.decides, question],
});

/** Somewhere the PSU has to pass SCA: a bank that has nothing but payments does not exempt all of them. */
export const whereScaBegins = 'where SCA begins';

/** Whoever is known by a number of the bank's own has no day of birth in it. */
export const numbersOfCustomers = 'numbers of customers';

/** Whether no bank can be both. */
export const contradict = (one: Dialect, other: Dialect): boolean =>
  one.decides.some((question) => other.decides.includes(question));

/** One that takes away what others do, or answers before they could. */
export const hiding = (unusual: Dialect): Dialect => ({ ...unusual, hidesOthers: true });

/** One that goes with others of its kind. */
export const independent = (
  id: `${string}/${string}`,
  title: string,
  ...changes: readonly DesignChange[]
): Dialect => ({
  ...dialect(id, title, ...changes),
  decides: [id],
});
