import type { Check, CheckDefinition } from '../../src/checks/check.ts';
import { aPaymentToAStranger } from '../../src/checks/strangers.ts';
import { drawBody, type Subject } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { type BodyFault, faultsOf } from '../../src/payloads/body-faults.ts';
import { type JsonObject, removeAt, setAt } from '../../src/payloads/json.ts';
import { referencesOf } from '../../src/payloads/kid.ts';
import { selectionsOf } from '../../src/payloads/payment-parts.ts';
import { facets } from '../../src/spec/facets.ts';
import { type Body, type Demand, demandsOf, pathText } from '../../src/spec/field.ts';
import { textOfLength } from '../../src/spec/formats.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { everyProduct, products, staysInAscii } from '../../src/spec/products.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { suffixes } from '../id-suffixes.ts';
import { carrierOf } from './carried-lists.ts';
import { listOf } from './listed-values.ts';

/** A valid request to start from, and what it needs. */
export interface BodyBase {
  readonly of: Subject;
  readonly needs?: readonly Capability[];
}

/** How the checks of a body are made: which valid request a fault is put into, and what that needs. */
export interface BodyUnderTest {
  readonly body: Body;
  /** A valid request that has as little as possible to do with any demand. */
  readonly plain: Subject;
  readonly baseFor: (demand: Demand) => BodyBase;
  /** What listed values are put into, where it is not the same: some go with few other fields only. */
  readonly baseForListed?: (demand: Demand) => BodyBase | undefined;
  /** Tells apart the places in which a shared table is used: `REM-01-array`. */
  readonly suffixFor: (demand: Demand) => string;
  /** Listed values that a realistic request can carry; others are never sent. */
  readonly sendsListedValues: (demand: Demand) => boolean;
  /** What fills a field that may not hold any text. */
  readonly fullValue?: (demand: Demand) => FullValue | undefined;
}

export interface FullValue {
  readonly label: string;
  /** Each payment has one of its own: a reference may be paid once. */
  readonly valueIn: (body: JsonObject) => string;
  /** What is tried beforehand, as a step; it throws where such a value cannot be tried. */
  readonly step: string;
  readonly mustBePossible: (send: (value: string) => Promise<Answer>) => Promise<void>;
}

/** One check for each demand that a request can break, and for each bound and list the check that keeps to it. */
export function bodyChecks(test: BodyUnderTest): readonly Check[] {
  return demandsOf(test.body).flatMap((demand) => [
    ...refusalOf(test, demand),
    // Account numbers have the length that they have, whatever their field allows.
    ...(demand.facet === 'maxLength' && demand.field.characters === undefined
      ? [fullLength(test, demand)]
      : []),
    ...(demand.facet === 'values' && test.sendsListedValues(demand) ? [listedValues(test, demand)] : []),
  ]);
}

function refusalOf(test: BodyUnderTest, demand: Demand): readonly Check[] {
  const faults = faultsOf(demand);
  if (faults.length === 0) return [];
  const { of, needs = [] } = test.baseFor(demand);
  return [
    refuses({
      id: `${demand.id}${test.suffixFor(demand)}`,
      requirement: demand.id,
      title: `${of.title} is refused when ${pathText(demand.path)} ${facets[demand.facet].broken(demand.field)}`,
      of,
      needs,
      twists: faults.map((fault) => asTwist(test, fault)),
      cases: 2,
    }),
  ];
}

const asTwist = (
  { body }: BodyUnderTest,
  { label, apply, demand, isBeyondAscii, isOneOfMany }: BodyFault,
): Twist => ({
  label,
  body: apply,
  points: pathText(demand.path),
  ...(isOneOfMany === true ? { isOneOfMany } : {}),
  ...(isBeyondAscii === true ? { under: processesLetters(body) } : {}),
});

/** Whether the bank can process letters beyond ASCII is a reading, and so is how they count. */
const processesLetters =
  (body: Body) =>
  ({ letters }: Readings): boolean =>
    !everyProduct.some(({ table, name }) => table === body && staysInAscii(letters, name));

const countsLetters =
  (body: Body) =>
  (readings: Readings): boolean =>
    readings.lengthUnit === 'unicode-characters' && processesLetters(body)(readings);

/** Of references in an array the second one has it as well: several are taken (NDC-65). */
function setInEach(body: JsonObject, path: readonly string[], text: string): JsonObject {
  const [array, each, ...member] = path;
  if (array === undefined || each !== '*') return setAt(body, path, text);
  const references = referencesOf(body['instructedAmount'], 2);
  return { ...body, [array]: references.map((reference) => setAt(reference, member, text)) };
}

/** A bank may look at the first reference in one way and at those after it in another. */
function setInSecond(body: JsonObject, path: readonly string[], text: string): JsonObject {
  const [array = '', , ...member] = path;
  const [first = {}, second = {}] = referencesOf(body['instructedAmount'], 2);
  return { ...body, [array]: [first, setAt(second, member, text)] };
}

function fullLength(test: BodyUnderTest, demand: Demand): Check {
  const { of, needs = [] } = test.baseFor(demand);
  const length = demand.field.maxLength ?? 0;
  const name = pathText(demand.path);
  const full = test.fullValue?.(demand);
  const texts = (['ascii', 'norwegian'] as const).map((alphabet) => ({
    label: `${name} has ${length} characters${alphabet === 'norwegian' ? ' with Norwegian letters' : ''}`,
    body: (body: JsonObject) => setInEach(body, demand.path, textOfLength(length, alphabet)),
    ...(alphabet === 'norwegian' ? { under: countsLetters(test.body) } : {}),
  }));
  const filled = accepts({
    id: `${demand.id}${test.suffixFor(demand)}${suffixes.accepted}`,
    requirement: demand.id,
    title: `${of.title} is accepted when ${name} has ${length} characters`,
    of,
    needs,
    twists:
      full === undefined
        ? texts
        : [setAt, ...(demand.path[1] === '*' ? [setInSecond] : [])].map((set) => ({
            label: `${name} ${full.label}${set === setInSecond ? ' in the second element' : ''}`,
            body: (body: JsonObject) => set(body, demand.path, full.valueIn(body)),
          })),
    cases: 2,
  });
  if (full === undefined) return filled;
  return {
    ...filled,
    steps: [full.step, ...filled.steps],
    async run(context) {
      await full.mustBePossible(async (value) => {
        const body = setAt(drawBody(context, of), demand.path, value);
        // SCA may be required on any transaction.
        return callThroughSca(context, await of.call(context, body), 'can it be tried');
      });
      await filled.run(context);
    },
  };
}

/**
 * A check that a payment is accepted with each of the {@link selectionsOf} its optional fields: more of them, or fewer,
 * never make the difference.
 */
export const everySelection = (
  definition: Pick<CheckDefinition, 'id' | 'title' | 'requirement'> & { readonly of: Subject },
  optional: readonly string[],
): Check =>
  accepts({
    ...definition,
    control: 'none',
    twists: selectionsOf(optional).map((selection) => {
      const left = optional.filter((name) => !selection.includes(name));
      return {
        label: `the optional fields are ${selection.length === 0 ? 'none' : selection.join(', ')}`,
        body: (body) => left.reduce((rest, name) => removeAt(rest, name.split('.')), body),
      };
    }),
    cases: 30,
  });

/** Each text within its bound: what a bank passes on has room for all of them together. */
export const fullTexts =
  (table: Body, names: readonly string[]) =>
  (body: JsonObject): JsonObject =>
    demandsOf(table)
      .filter(({ facet, field }) => facet === 'maxLength' && names.includes(field.name))
      .reduce(
        (filled, { path, field }) => setAt(filled, path, textOfLength(field.maxLength ?? 0, 'ascii')),
        body,
      );

/** Nothing but the street has a bound, and none of them a form. */
export const british = {
  street: 'Hall Plain',
  buildingNumber: '1A',
  postalCode: 'NR30 2QF',
  city: 'Great Yarmouth',
  country: 'GB',
};

/**
 * Where postal codes have letters, and names of cities a space; who cannot be paid otherwise is left out (freedom
 * payments/addresses).
 */
export const withAddressAbroad = ({
  of,
  otherwise,
  ...definition
}: Pick<CheckDefinition, 'id' | 'requirement'> &
  Pick<Twist, 'otherwise'> & { readonly of: Subject }): Check =>
  accepts({
    ...definition,
    title: `${of.title} whose creditorAddress has letters and a space in its postal code is accepted`,
    of,
    twists: [
      {
        label: 'creditorAddress is one in Great Britain',
        points: 'creditorAddress',
        body: (body) => setAt(body, ['creditorAddress'], british),
        ...(otherwise === undefined ? {} : { otherwise }),
        ...(otherwise?.under === undefined ? {} : { under: otherwise.under }),
      },
    ],
    cases: 1,
  });

/** A BIC has eight characters, and three more where it names a branch: XXX is the head office (ISO 9362). */
export const withEitherBic = ({
  of,
  ...definition
}: Pick<CheckDefinition, 'id' | 'requirement'> & { readonly of: Subject }): Check =>
  accepts({
    ...definition,
    title: `${of.title} is accepted with a BIC of eight or eleven characters`,
    of,
    twists: [
      ['eight', (bic: string) => bic.slice(0, 8)] as const,
      ['eleven', (bic: string) => bic.padEnd(11, 'X')] as const,
    ].map(([length, write]) => ({
      label: `creditorAgent has ${length} characters`,
      points: 'creditorAgent',
      body: (body) => {
        const bic = body['creditorAgent'];
        return typeof bic === 'string' ? setAt(body, ['creditorAgent'], write(bic)) : body;
      },
    })),
    cases: 1,
  });

/** With the only value that there is, a request without it is the better control. */
const controlOf = ({ plain }: BodyUnderTest, { field: { values = [] } }: Demand, usual: Subject): Subject =>
  values.length === 1 ? plain : usual;

function listedValues(test: BodyUnderTest, demand: Demand): Check {
  const { of, needs = [] } = test.baseForListed?.(demand) ?? test.baseFor(demand);
  const name = pathText(demand.path);
  const product = everyProduct.find(({ table }) => table === test.body);
  const list = listOf(test.body, demand);
  return accepts({
    id: `${demand.id}${test.suffixFor(demand)}${suffixes.accepted}`,
    requirement: demand.id,
    title: `${of.title} is accepted with each listed value of ${name}`,
    of,
    control: controlOf(
      test,
      demand,
      list.toStrangers === undefined ? of : aPaymentToAStranger(products[list.toStrangers]),
    ),
    needs: [...needs, ...(list.needs ?? [])],
    twists: list.twists,
    cases: 1,
    ...(list.sharesList === undefined ? {} : { sharesList: list.sharesList }),
    ...(product === undefined ? {} : { carrier: carrierOf(product) }),
  });
}
