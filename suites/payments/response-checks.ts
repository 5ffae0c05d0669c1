import { type Check, check } from '../../src/checks/check.ts';
import type { CheckContext, RunContext } from '../../src/checks/context.ts';
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
  /** A bank may never send such a body: then there is nothing to object to. */
  readonly optional?: true;
  /** Which demands are judged here. */
  readonly only?: (demand: Demand) => boolean;
}

/** One check for each demand on a response body; it looks at every such body that the run has seen. */
export function responseChecks(place: BodiesInAnswers): readonly Check[] {
  const demands = demandsOf(place.body).filter((demand) => place.only?.(demand) ?? true);
  const seen = new WeakMap<RunContext, Promise<Holders>>();
  const holdersIn = (context: CheckContext): Promise<Holders> => {
    const known = seen.get(context.run) ?? findHolders(context, place, demands);
    seen.set(context.run, known);
    return known;
  };
  return [...new Map(demands.map((demand) => [demand.id, demand])).values()].map(({ id, path }) =>
    check({
      id,
      requirement: id,
      title: `${place.title}: ${requirementById.get(id)?.statement.replace(/\.$/, '') ?? pathText(path)}`,
      steps: [`Look at ${place.title} wherever this run has seen one.`],
      expected: requirementById.get(id)?.statement ?? '',
      observes: true,
      async run(context) {
        judgeDemand(
          context,
          await holdersIn(context),
          demands.filter((demand) => demand.id === id),
        );
      },
    }),
  );
}

/** Something that may have the member that a demand is about, with the way to it and the answer that it stood in. */
interface Holder {
  readonly answer: Answer;
  readonly where: readonly string[];
  readonly value: unknown;
}

/** The holders by the path above a member. They are looked for once, since many checks look at the same ones. */
type Holders = ReadonlyMap<string, readonly Holder[]>;

async function findHolders(
  context: CheckContext,
  place: BodiesInAnswers,
  demands: readonly Demand[],
): Promise<Holders> {
  const answers = await place.answers(context);
  const found = answers.flatMap((answer) => place.valuesIn(answer).map((value) => ({ answer, value })));
  if (found.length === 0 && place.optional !== true)
    throw new Inconclusive(`This run has seen no ${place.title.replace(/^an? /, '')}.`);
  const above = new Map(demands.map(({ path }) => [pathText(path.slice(0, -1)), path.slice(0, -1)]));
  return new Map(
    [...above].map(([name, path]) => [
      name,
      found.flatMap(({ answer, value }) =>
        membersAt(value, path).map(([where, member]) => ({ answer, where, value: member })),
      ),
    ]),
  );
}

function judgeDemand(context: CheckContext, holders: Holders, demands: readonly Demand[]): void {
  let judged = 0;
  for (const demand of demands) {
    for (const { answer, where, value } of holders.get(pathText(demand.path.slice(0, -1))) ?? []) {
      const outcome = judgeMember(value, demand);
      if (outcome === 'absent') continue;
      judged += 1;
      context.evidence = [answer.exchange];
      if (outcome !== 'met') throw new ExpectationFailed(expectedOf(demand, where), outcome.actual);
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

/** Everything that stands at a path, with the way to it. */
function membersAt(
  value: unknown,
  path: readonly string[],
  where: readonly string[] = [],
): [readonly string[], unknown][] {
  const [step, ...rest] = path;
  if (step === undefined) return [[where, value]];
  if (typeof value !== 'object' || value === null) return [];
  if (step !== '*') {
    const member = (value as Record<string, unknown>)[step];
    return member === undefined ? [] : membersAt(member, rest, [...where, step]);
  }
  return Object.entries(value).flatMap(([name, member]) => membersAt(member, rest, [...where, name]));
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
