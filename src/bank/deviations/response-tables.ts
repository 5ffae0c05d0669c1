import { bodies } from '../../spec/bodies/index.ts';
import { type Body, type Demand, demandsOf, type Field, pathText } from '../../spec/field.ts';
import { creations } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import { type DesignChange, withAnswers } from '../design/design-changes.ts';
import type { BankOperation } from '../design/route.ts';
import { type Change, changedAt, removed } from './changed-json.ts';
import { type Deviation, deviation } from './deviation.ts';

/** Where the bodies of a table are sent. */
interface Sending {
  readonly body: Body;
  readonly prefixes: readonly string[];
  /** Steps before those of the table: a listing is an array of customers. */
  readonly before?: readonly string[];
  readonly change: (path: readonly string[], change: Change) => DesignChange;
}

const answersOf =
  (...operations: readonly BankOperation[]) =>
  (path: readonly string[], change: Change): DesignChange =>
    withAnswers(operations, (answer) => ({ ...answer, body: changedAt(answer.body, path, change) }));

/** Refusals come from rules, not from the handler of an operation. */
const refusals = (path: readonly string[], change: Change): DesignChange =>
  changedRefusals((body) => changedAt(body, path, change));

const changedRefusals =
  (change: Change): DesignChange =>
  (design: BankDesign) => ({
    ...design,
    answers: {
      ...design.answers,
      refusal: (refusal) => {
        const answer = design.answers.refusal(refusal);
        return { ...answer, body: change(answer.body) };
      },
    },
  });

const creation = answersOf(...creations);

const sendings: readonly Sending[] = [
  { body: bodies.paymentResponse, prefixes: ['PRS-', 'LNK-'], change: creation },
  { body: bodies.basketResponse, prefixes: ['BKR-'], change: answersOf('createSigningBasket') },
  {
    body: bodies.sandboxCustomer,
    prefixes: ['SBX-', 'AGR-'],
    before: ['*'],
    change: answersOf('listSandboxCustomers'),
  },
  { body: bodies.paymentStatusResponse, prefixes: ['PST-'], change: answersOf('readPaymentStatus') },
  { body: bodies.errorResponse, prefixes: ['MSG-', 'ERR-'], change: refusals },
];

interface Fault {
  readonly way: string;
  readonly title: string;
  readonly change: Change;
}

const becomes = (way: string, title: string, value: unknown): Fault => ({ way, title, change: () => value });

function faultsOf({ facet, field, path }: Demand): readonly Fault[] {
  const name = pathText(path);
  switch (facet) {
    case 'required':
      return [{ way: 'missing', title: `leaves out ${name}`, change: () => removed }];
    case 'type':
      return wrongTypes[field.type].map(([way, value]) =>
        becomes(way, `sends ${JSON.stringify(value)} as ${name}`, value),
      );
    case 'nonEmpty':
      return [becomes('empty', `sends an empty ${name}`, '')];
    case 'maxLength': {
      const length = (field.maxLength ?? 0) + 1;
      return [becomes('one-longer', `sends ${length} characters as ${name}`, 'å'.repeat(length))];
    }
    case 'values':
      return [becomes('unlisted', `sends a value as ${name} that is not listed`, 'UNLISTED')];
    case 'format':
      return field.format === 'amount'
        ? [
            becomes('comma', `writes ${name} with a comma`, '50,00'),
            becomes('exponent', `writes ${name} with an exponent`, '5.0e1'),
          ]
        : [];
  }
}

const wrongTypes: Readonly<Record<Field['type'], readonly (readonly [string, unknown])[]>> = {
  string: [
    ['number', 4711],
    ['null', null],
  ],
  boolean: [['text', 'false']],
  object: [
    ['text', 'text'],
    ['array', []],
  ],
  array: [
    ['text', 'text'],
    ['object', {}],
  ],
  map: [['array', []]],
};

/** Every demand on an answer, broken: a member missing, of another type, outside its list, too long. */
export const responseTableDeviations: readonly Deviation[] = sendings.flatMap(
  ({ body, prefixes, before = [], change }) => {
    const demands = demandsOf(body).filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix)));
    const once = [...new Map(demands.map((demand) => [demand.id, demand])).values()];
    return once.flatMap((demand) =>
      faultsOf(demand).map((fault) =>
        deviation(
          `${demand.id}/${fault.way}`,
          fault.title,
          change([...before, ...demand.path], fault.change),
        ),
      ),
    );
  },
);
