import { type Check, check } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { requirementById } from '../../src/spec/catalogue.ts';
import { type Body, type Demand, demandsOf, pathText } from '../../src/spec/field.ts';
import { amountPattern } from '../../src/spec/json-schema.ts';
import type { Answer } from '../../src/tpp/answer.ts';

/** Where bodies of a kind are found among the answers of a run. */
export interface BodiesInAnswers {
  readonly body: Body;
  /** `a payment creation response` */
  readonly title: string;
  readonly answers: (context: CheckContext) => Promise<readonly Answer[]>;
  /** The values of that kind in an answer. */
  readonly valuesIn: (answer: Answer) => readonly unknown[];
  /** Which demands are judged here. */
  readonly only?: (demand: Demand) => boolean;
}

/** One check for each demand on a response body; it looks at every such body that the run has seen. */
export function responseChecks(place: BodiesInAnswers): readonly Check[] {
  const demands = demandsOf(place.body).filter((demand) => place.only?.(demand) ?? true);
  return [...new Map(demands.map((demand) => [demand.id, demand])).values()].map((demand) =>
    check({
      id: demand.id,
      requirements: [demand.id],
      title: `${place.title}: ${requirementById.get(demand.id)?.statement.replace(/\.$/, '') ?? pathText(demand.path)}`,
      steps: [`Look at ${place.title} wherever this run has seen one.`],
      expected: requirementById.get(demand.id)?.statement ?? '',
      observes: true,
      run: (context) =>
        judgeDemand(
          context,
          place,
          demands.filter(({ id }) => id === demand.id),
        ),
    }),
  );
}

async function judgeDemand(
  context: CheckContext,
  place: BodiesInAnswers,
  demands: readonly Demand[],
): Promise<void> {
  const answers = await place.answers(context);
  const found = answers.flatMap((answer) => place.valuesIn(answer).map((value) => ({ answer, value })));
  if (found.length === 0) throw new Inconclusive(`This run has seen no ${place.title.replace(/^an? /, '')}.`);
  let judged = 0;
  for (const { answer, value } of found) {
    for (const demand of demands) {
      for (const [where, holder] of holdersOf(value, demand.path.slice(0, -1))) {
        const outcome = judgeMember(holder, demand);
        if (outcome === 'absent') continue;
        judged += 1;
        context.evidence = [answer.exchange];
        if (outcome !== 'met') throw new ExpectationFailed(expectedOf(demand, where), outcome.actual);
      }
    }
  }
  context.cases = judged;
  const [first] = demands;
  if (judged === 0 && first !== undefined) {
    context.note(
      `The bank sent no ${pathText(first.path)}, which is optional: there was nothing to object to.`,
    );
  }
}

/** Every object or array that stands at a path, with the way to it. */
function holdersOf(
  value: unknown,
  path: readonly string[],
  where: readonly string[] = [],
): [readonly string[], unknown][] {
  const [step, ...rest] = path;
  if (step === undefined) return [[where, value]];
  if (typeof value !== 'object' || value === null) return [];
  const members =
    step === '*' ? Object.entries(value) : Object.entries(value).filter(([name]) => name === step);
  return members.flatMap(([name, member]) => holdersOf(member, rest, [...where, name]));
}

type Outcome = 'met' | 'absent' | { readonly actual: string };

/** Judges the last step of a demand's path in the object or array that holds it. */
function judgeMember(holder: unknown, demand: Demand): Outcome {
  if (typeof holder !== 'object' || holder === null) return 'absent';
  const name = demand.path.at(-1) ?? '';
  const members = name === '*' ? Object.values(holder) : [(holder as Record<string, unknown>)[name]];
  const outcomes = members.map((member) => judgeValue(member, holder, demand));
  return (
    outcomes.find((outcome) => typeof outcome === 'object') ??
    outcomes.find((outcome) => outcome === 'met') ??
    'absent'
  );
}

function judgeValue(value: unknown, holder: object, { facet, field }: Demand): Outcome {
  if (facet === 'required')
    return Array.isArray(holder) ? 'absent' : value === undefined ? { actual: 'nothing' } : 'met';
  if (value === undefined) return 'absent';
  if (facet === 'type') return isOfType(value, field.type) ? 'met' : { actual: shown(value) };
  if (typeof value !== 'string') return 'absent';
  switch (facet) {
    case 'nonEmpty':
      return value === '' ? { actual: 'an empty string' } : 'met';
    case 'maxLength': {
      const length = [...value].length;
      return length <= (field.maxLength ?? 0) ? 'met' : { actual: `${length} characters` };
    }
    case 'values':
      return field.values?.includes(value) === true ? 'met' : { actual: shown(value) };
    case 'format':
      return field.format !== 'amount' || amountPattern.test(value) ? 'met' : { actual: shown(value) };
  }
}

function isOfType(value: unknown, type: Demand['field']['type']): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
    case 'map':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);

function expectedOf({ facet, field, path }: Demand, where: readonly string[]): string {
  const name = [...where, path.at(-1) === '*' ? 'each element' : path.at(-1)].join('.');
  switch (facet) {
    case 'required':
      return `${name} to be present`;
    case 'type':
      return `${name} to be of type ${field.type === 'map' ? 'object' : field.type}`;
    case 'nonEmpty':
      return `${name} not to be empty`;
    case 'maxLength':
      return `${name} to have at most ${field.maxLength} characters`;
    case 'values':
      return `${name} to be one of ${field.values?.slice(0, 30).join(', ')}`;
    case 'format':
      return `${name} to be a plain decimal amount`;
  }
}
