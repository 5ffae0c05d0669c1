import { facets } from '../../spec/facets.ts';
import { type Body, type Demand, demandsOf, pathText, placedFields } from '../../spec/field.ts';
import { isObject, member, textAt } from '../../spec/json.ts';
import type { BankDesign } from '../design/design.ts';
import { type BankRequest, type Rule, rule } from '../design/route.ts';

/**
 * A rule for each demand of a body's field table, judged by its facet. Checks judge bodies by JSON schemas instead, and
 * a test holds the two together. Amounts have rules of their own.
 */
export function fieldRules(body: Body, design: BankDesign): readonly Rule[] {
  return demandsOf(body)
    .filter(({ facet, field }) => !(facet === 'format' && field.format === 'amount'))
    .map((demand) => {
      const { demand: demandOf, broken } = facets[demand.facet];
      const sentence = demandOf(demand.field);
      const send = demand.facet === 'values' ? `: it ${sentence}` : '';
      const name = pathText(demand.path);
      const isKept = keeps(demand, design);
      return rule(
        demand.id,
        `${name} ${sentence}`,
        'field',
        ({ body: sent }) => {
          const at = findPlace(sent, demand.path, isKept);
          return at === undefined ? undefined : { text: `${at} ${broken(demand.field)}${send}.`, path: at };
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

/** An amount that is a number, as far as its other sides can be judged. */
interface PlainAmount {
  readonly digits: number;
  readonly fractionDigits: number;
  readonly negative: boolean;
}

/** Shared value types, Amount: rules for each amount of a body. */
export function amountRules(body: Body, design: BankDesign): readonly Rule[] {
  return placedFields(body.fields)
    .filter(({ field, path }) => field.format === 'amount' && !path.includes('*'))
    .flatMap(({ field, path }) => rulesOfAmount(path, field.ids.format, design));
}

function rulesOfAmount(
  path: readonly string[],
  formatId: string | undefined,
  design: BankDesign,
): readonly Rule[] {
  const name = pathText(path);
  const holder = path.slice(0, -1);
  const on = (
    requirement: string,
    sentence: string,
    broken: string,
    isFaulty: (text: string, request: BankRequest) => boolean,
  ): Rule =>
    rule(
      requirement,
      `${name} ${sentence}`,
      'amount',
      (request) => {
        const text = textAt(request.body, ...path);
        return text !== undefined && isFaulty(text, request)
          ? { text: `${name} ${broken}.`, path: name }
          : undefined;
      },
      formatId === undefined ? {} : { also: [formatId] },
    );
  const unitsOf = (request: BankRequest): number | undefined =>
    design.minorUnits.get(textAt(request.body, ...holder, 'currency') ?? '');
  return [
    on(
      'AMT-05',
      'is a plain decimal number',
      'is no plain decimal number',
      (text) => plainAmount(text) === undefined,
    ),
    on('AMT-06', 'is not negative', 'is negative', (text) => plainAmount(text)?.negative === true),
    on(
      'AMT-07',
      `has at most ${design.limits.amountPrecision} digits`,
      `has more than ${design.limits.amountPrecision} digits`,
      (text) => (plainAmount(text)?.digits ?? 0) > design.limits.amountPrecision,
    ),
    on(
      'AMT-02',
      'has no more fraction digits than its currency',
      'has more fraction digits than its currency',
      (text, request) => {
        const amount = plainAmount(text);
        return (
          amount !== undefined && amount.fractionDigits > (unitsOf(request) ?? design.limits.amountScale)
        );
      },
    ),
    on(
      'AMT-03',
      'has no fewer fraction digits than its currency',
      'has fewer fraction digits than its currency',
      (text, request) => {
        const amount = plainAmount(text);
        return amount !== undefined && amount.fractionDigits < (unitsOf(request) ?? 0);
      },
    ),
  ];
}

/**
 * Written here and not taken from the tables, on purpose: checks judge amounts by a pattern of their own, and an error
 * in one of the two shows as a difference.
 */
const plainNumber = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

function plainAmount(text: string): PlainAmount | undefined {
  const negative = text.startsWith('-');
  const absolute = negative ? text.slice(1) : text;
  if (!plainNumber.test(absolute)) return undefined;
  const [whole = '', fraction = ''] = absolute.split('.');
  return { digits: whole.length + fraction.length, fractionDigits: fraction.length, negative };
}
