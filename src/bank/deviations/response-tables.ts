import { bodies } from '../../spec/bodies/index.ts';
import { facets } from '../../spec/facets.ts';
import { type Body, type Demand, demandsOf, pathText, type SharedRow } from '../../spec/field.ts';
import { isObject } from '../../spec/json.ts';
import { creations } from '../../spec/products.ts';
import { type DesignChange, withAnswers, withRefusalAnswers } from '../design/design-changes.ts';
import type { BankOperation } from '../design/route.ts';
import { type Deviation, deviation } from './deviation.ts';

/** What becomes of a member: another value, or `undefined` where it goes. */
type Change = (old: unknown) => unknown;

/** Where the bodies of a table are sent. */
interface Sending {
  readonly body: Body;
  /** A shared table that is broken here, once for all bodies that use it. */
  readonly shared?: SharedRow['table'];
  /** Steps before those of the table: a listing is an array of customers. */
  readonly before?: readonly string[];
  /** Tells apart the places in which the same rows are broken. */
  readonly suffix?: string;
  readonly change: (path: readonly string[], change: Change) => DesignChange;
}

const answersOf =
  (...operations: readonly BankOperation[]) =>
  (path: readonly string[], change: Change): DesignChange =>
    withAnswers(operations, (answer) => ({ ...answer, body: changedAt(answer.body, path, change) }));

/** Refusals come from rules, not from the handler of an operation. */
const refusals = (path: readonly string[], change: Change): DesignChange =>
  changedRefusals((body) => changedAt(body, path, change));

const changedRefusals = (change: Change): DesignChange =>
  withRefusalAnswers((answer) => ({ ...answer, body: change(answer.body) }));

const creation = answersOf(...creations);

/** What a 401 that asks for SCA carries besides its messages. */
const linksOfRefusals: Body = {
  ...bodies.paymentResponse,
  fields: bodies.paymentResponse.fields
    .filter(({ name }) => name === '_links')
    .map((links) => ({ ...links, ids: {} })),
};

const sendings: readonly Sending[] = [
  { body: bodies.paymentResponse, shared: 'link', change: creation },
  { body: bodies.basketResponse, change: answersOf('createSigningBasket') },
  {
    body: bodies.sandboxCustomer,
    before: ['*'],
    change: answersOf('listSandboxCustomers'),
  },
  { body: bodies.paymentStatusResponse, change: answersOf('readPaymentStatus') },
  { body: bodies.errorResponse, shared: 'message', change: refusals },
  { body: linksOfRefusals, shared: 'link', suffix: '-in-401', change: refusals },
];

const isBrokenHere = ({ field }: Demand, { shared }: Sending): boolean =>
  field.shared === undefined || field.shared.table === shared;

/** Every demand on an answer, broken in each way that its facet knows. */
export const responseTableDeviations: readonly Deviation[] = sendings.flatMap((sending) => {
  const { body, before = [], suffix = '', change } = sending;
  const demands = demandsOf(body).filter((demand) => isBrokenHere(demand, sending));
  const once = [...new Map(demands.map((demand) => [demand.id, demand])).values()];
  return once.flatMap(({ id, facet, field, path }) =>
    facets[facet].violations
      .response(field)
      .map(({ way, label, of }) =>
        deviation(
          `${id}/${way}${suffix}`,
          `sends ${suffix === '' ? 'a body' : 'a 401'} in which ${pathText(path)} ${label}`,
          change([...before, ...path], of),
        ),
      ),
  );
});

/**
 * JSON with one place changed; `*` is the last element of an array, or the last member of an object, that has the
 * rest of the path. A fault in one of many is harder to see than one in all of them.
 */
function changedAt(value: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (step === '*')
    return Array.isArray(value) ? inLast(value, rest, change) : inLastMember(value, rest, change);
  if (!isObject(value)) return value;
  if (rest.length > 0 && value[step] === undefined) return value;
  const { [step]: old, ...others } = value;
  const changed = changedAt(old, rest, change);
  return changed === undefined ? others : { ...value, [step]: changed };
}

function inLast(elements: readonly unknown[], rest: readonly string[], change: Change): unknown {
  const index = elements.findLastIndex((element) => reaches(element, rest));
  if (index < 0) return elements;
  const changed = changedAt(elements[index], rest, change);
  return changed === undefined ? elements.toSpliced(index, 1) : elements.with(index, changed);
}

function inLastMember(value: unknown, rest: readonly string[], change: Change): unknown {
  if (!isObject(value)) return value;
  const name = Object.keys(value).findLast((key) => reaches(value[key], rest));
  return name === undefined ? value : changedAt(value, [name, ...rest], change);
}

/** Whether all steps but the last lead somewhere. */
function reaches(value: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  if (step === '*') {
    const members: readonly unknown[] = isObject(value)
      ? Object.values(value)
      : Array.isArray(value)
        ? value
        : [];
    return members.some((member) => reaches(member, rest));
  }
  return isObject(value) && (rest.length === 0 || reaches(value[step], rest));
}
