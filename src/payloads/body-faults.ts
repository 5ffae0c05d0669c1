import { laterBankingDaysAfter } from '../spec/banking-days.ts';
import { facets } from '../spec/facets.ts';
import { type Body, type Demand, demandsOf, pathText } from '../spec/field.ts';
import { changeAt, type Json, type JsonObject } from './json.ts';
import { referencesOf } from './kid.ts';

/** Exactly one violation in an otherwise valid body. */
export interface BodyFault {
  readonly requirement: string;
  readonly demand: Demand;
  /** What is wrong, as the end of a sentence: `creditorName is missing`. */
  readonly label: string;
  readonly apply: (body: JsonObject) => JsonObject;
  /** What it puts there has letters outside ASCII. */
  readonly isBeyondAscii?: true;
  /** There are many of its kind: to try it in one context will do. */
  readonly isOneOfMany?: true;
}

/** All faults of a body. */
export const bodyFaults = (body: Body): readonly BodyFault[] => demandsOf(body).flatMap(faultsOf);

/** The faults that break a demand, several where it can be broken in several ways. */
export const faultsOf = (demand: Demand): readonly BodyFault[] =>
  changesFor(demand)
    .flatMap((change) => inEveryPlace(demand, change))
    .map(({ label, ...change }) => ({
      ...change,
      requirement: demand.id,
      demand,
      label: `${pathText(demand.path)} ${label}`,
    }));

type Change = Pick<BodyFault, 'label' | 'apply' | 'isBeyondAscii' | 'isOneOfMany'>;

/** The violations of a facet, each put where the demand is. */
const changesFor = ({ facet, field, path }: Demand): readonly Change[] =>
  facets[facet].violations.request(field).map(({ of, ...violation }) => ({
    ...violation,
    apply: (body) =>
      changeAt(body, path, (old) => of(old ?? rightValue(field)) as Json | undefined) as JsonObject,
  }));

/** For a field that the body lacks. A date is near: one that is far away may be refused for that reason. */
const rightValue = ({ format, values }: Demand['field']): string | undefined =>
  format === 'date' ? laterBankingDaysAfter(new Date())[0] : values?.[0];

/**
 * A fault in an array stands in its first element, before one without, and in a third one behind two of those: whoever
 * looks at the first or at the last of them alone, or at a few, finds one of the two and not the other.
 */
function inEveryPlace({ path: [array, each] }: Demand, change: Change): readonly Change[] {
  if (array === undefined || each !== '*') return [change];
  const placed = (body: JsonObject, place: (faulty: Json, faultless: readonly Json[]) => readonly Json[]) => {
    const [faulty = null] = change.apply(body)[array] as readonly Json[];
    const [, ...others] = referencesOf(body['instructedAmount'], 3);
    return { ...body, [array]: place(faulty, others) };
  };
  return [
    { ...change, apply: (body) => placed(body, (faulty, [behind = null]) => [faulty, behind]) },
    {
      ...change,
      label: `${change.label} in the third element`,
      apply: (body) => placed(body, (faulty, others) => [...others, faulty]),
    },
  ];
}
