import { facets } from '../../spec/facets.ts';
import { type Body, type Demand, demandsOf, pathText } from '../../spec/field.ts';
import { isObject, member } from '../../spec/json.ts';
import type { BankDesign } from '../design/design.ts';
import type { Rule } from '../design/route.ts';
import { rule } from '../design/rule.ts';

/**
 * A rule for each demand of a body's field table, judged by its facet. Checks judge bodies by JSON schemas instead, and
 * a test holds the two together. Amounts have rules of their own.
 */
export function fieldRules(body: Body, design: BankDesign): readonly Rule[] {
  return demandsOf(body)
    .filter(({ facet, field }) => !(facet === 'format' && field.format === 'amount'))
    .map((demand) => {
      const sentence = facets[demand.facet].demand(demand.field);
      const name = pathText(demand.path);
      const isKept = keeps(demand, design);
      return rule(
        demand.id,
        `${name} ${sentence}`,
        'field',
        ({ body: sent }) => {
          const at = findPlace(sent, demand.path, isKept);
          return at === undefined ? undefined : { text: `${at} ${sentence}.`, path: at };
        },
        {
          place: name,
          ...(demand.facet === 'type' && demand.field.format === 'amount' ? { also: ['AMT-04'] } : {}),
        },
      );
    });
}

/** Whether a member keeps to a demand. What is not there breaks nothing, unless the object around it needs it. */
function keeps({ facet, field }: Demand, design: BankDesign): (value: unknown, holder: unknown) => boolean {
  const accepts = facets[facet].accepts(field, design.lengthOf);
  return facet === 'required'
    ? (value, holder) => !isObject(holder) || accepts(value)
    : (value) => value === undefined || accepts(value);
}

/** The first place at the end of a path, in each element at `*`, that does not keep to a demand. */
function findPlace(
  holder: unknown,
  [step, ...rest]: readonly string[],
  isKept: (value: unknown, holder: unknown) => boolean,
  at = '',
): string | undefined {
  const members: readonly (readonly [string, unknown])[] =
    step !== '*'
      ? [[at === '' ? `${step}` : `${at}.${step}`, member(holder, `${step}`)]]
      : Array.isArray(holder)
        ? holder.map((element, index) => [`${at}[${index}]`, element] as const)
        : [];
  for (const [place, value] of members) {
    const found =
      rest.length > 0 ? findPlace(value, rest, isKept, place) : isKept(value, holder) ? undefined : place;
    if (found !== undefined) return found;
  }
  return undefined;
}
