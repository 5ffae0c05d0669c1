import { allOf, type DesignChange } from '../design/design-changes.ts';

/** A switch of the bank that is unusual and still compliant: something that the specification leaves open. */
export interface Dialect {
  /** `errors/problem-json` */
  readonly id: string;
  /** What the bank does, as a sentence without its subject. */
  readonly title: string;
  readonly apply: DesignChange;
  /** Dialects that decide the same question cannot be combined: what the question is. */
  readonly decides: string;
  /** Path before /v1. */
  readonly prefix?: string;
  /** It leaves no check of a full target open: one that is inconclusive counts as a false alarm. */
  readonly isWhollyJudged?: true;
  /** The bank signs its responses. */
  readonly signsResponses?: true;
  /** Customers of its sandbox were created or removed by hand. */
  readonly changedData?: true;
}

/** The id is made of the question and the answer to it; `decides` may name a narrower question. */
export const dialect = (
  id: `${string}/${string}`,
  title: string,
  ...changes: readonly DesignChange[]
): Dialect => ({
  id,
  title,
  apply: allOf(...changes),
  decides: id.slice(0, id.indexOf('/')),
});

/** One that the checks once blamed, or could not judge: it has to be judged to the end. */
export const whollyJudged = (unusual: Dialect): Dialect => ({ ...unusual, isWhollyJudged: true });

/** One that goes with others of its kind. */
export const independent = (
  id: `${string}/${string}`,
  title: string,
  ...changes: readonly DesignChange[]
): Dialect => ({
  ...dialect(id, title, ...changes),
  decides: id,
});
