import { type BrokenDemand, brokenDemands } from '../../src/checks/broken-demands.ts';
import { type Check, check } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { KeptInRun } from '../../src/checks/kept-in-run.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { requirementById } from '../../src/spec/catalogue.ts';
import { facets } from '../../src/spec/facets.ts';
import { type Body, type Demand, demandsOf, pathText, type SharedRow } from '../../src/spec/field.ts';
import { isObject } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { beginningOf } from '../../src/tpp/limits.ts';

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
  /** Which rows of its table are judged here: its own unless told otherwise. Shared ones are judged once for all bodies. */
  readonly rows?: 'own' | 'all' | SharedRow['table'];
  /** Tells apart the places in which the same rows are judged: `LNK-01-sca`. */
  readonly suffix?: string;
}

/** What an answer says. One without a body, or with JSON that is no object, lacks all that has to be in it. */
export const bodyOf = ({ json, bytes }: Answer): readonly unknown[] => [
  bytes.length === 0 || (json !== undefined && !isObject(json)) ? {} : json,
];

/** One check for each demand on a response body; it looks at every such body that the run has seen. */
export function responseChecks(place: BodiesInAnswers): readonly Check[] {
  const demands = demandsOf(place.body).filter((demand) => isJudgedHere(demand, place));
  const judged = new KeptInRun<BodiesInAnswers, Promise<readonly JudgedBody[]>>();
  const bodiesIn = (context: CheckContext): Promise<readonly JudgedBody[]> =>
    judged.of(context.run, place, () => judgeBodies(context, place));
  return [...new Map(demands.map((demand) => [demand.id, demand])).values()].map(({ id, path }) =>
    check({
      id: `${id}${place.suffix ?? ''}`,
      requirement: id,
      title: `${place.title}: ${requirementById.get(id)?.statement.replace(/\.$/, '') ?? pathText(path)}`,
      steps: [`Look at ${place.title} wherever this run has seen one.`],
      expected: requirementById.get(id)?.statement ?? '',
      observes: true,
      async run(context) {
        demandKept(
          context,
          await bodiesIn(context),
          demands.filter((demand) => demand.id === id),
        );
      },
    }),
  );
}

const isJudgedHere = ({ field }: Demand, { rows = 'own' }: BodiesInAnswers): boolean =>
  rows === 'all' || (field.shared?.table ?? 'own') === rows;

/** A body that the run has seen, the answer that it stood in, and what is wrong with it. */
interface JudgedBody {
  readonly answer: Answer;
  readonly value: unknown;
  readonly broken: readonly BrokenDemand[];
}

/** They are judged once, since many checks look at the same ones. */
async function judgeBodies(context: CheckContext, place: BodiesInAnswers): Promise<readonly JudgedBody[]> {
  const answers = await place.answers(context);
  const found = answers.flatMap((answer) =>
    place.valuesIn(answer).map((value) => ({ answer, value, broken: brokenDemands(place.body, value) })),
  );
  if (found.length === 0 && place.optional !== true)
    throw new Inconclusive(`This run has seen no ${place.title.replace(/^an? /, '')}.`);
  return found;
}

/** Throws at the first body that breaks one of the demands; they differ in the place that they are about, not in the id. */
function demandKept(context: CheckContext, found: readonly JudgedBody[], demands: readonly Demand[]): void {
  let judged = 0;
  for (const { answer, value, broken } of found) {
    const cases = demands.reduce((count, demand) => count + countOf(value, demand), 0);
    const fault = broken.find(({ demand }) => demands.some(({ id }) => id === demand.id));
    if (cases > 0 || fault !== undefined) context.evidence = [answer.exchange];
    if (fault !== undefined && 'facet' in fault.demand) throw asFailure(fault, fault.demand);
    judged += cases;
  }
  context.cases = judged;
  const [first] = demands;
  if (judged === 0 && first !== undefined) {
    context.note(
      `The bank sent no ${pathText(first.path)}, which is optional: there was nothing to object to.`,
    );
  }
}

/** In how many places a demand could have been broken: members that are there, or objects that need one. */
function countOf(value: unknown, { facet, path }: Demand): number {
  return facet === 'required'
    ? valuesAt(value, path.slice(0, -1)).filter((holder) => !Array.isArray(holder) && isHolder(holder)).length
    : valuesAt(value, path).length;
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Everything that stands at a path; `*` is each element of an array or member of a map. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return value === undefined ? [] : [value];
  if (!isHolder(value)) return [];
  if (step === '*') return Object.values(value).flatMap((member) => valuesAt(member, rest));
  return valuesAt((value as Readonly<Record<string, unknown>>)[step], rest);
}

function asFailure({ place, value }: BrokenDemand, { facet, field }: Demand): ExpectationFailed {
  const { expected, actual = shown } = facets[facet];
  return new ExpectationFailed(`${place} ${expected(field)}`, actual(value));
}

const shown = (value: unknown): string => beginningOf(JSON.stringify(value) ?? 'nothing', 200);
