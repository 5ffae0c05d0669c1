import { compliantDesign } from '../bank/compliant-design.ts';
import type { BankDesign } from '../bank/design/design.ts';
import { allOf, withLatency } from '../bank/design/design-changes.ts';
import { type Deviation, deviationById } from '../bank/deviations/index.ts';
import {
  contradict,
  type Declared,
  type Dialect,
  dialectById,
  type Payable,
  payableBy,
  type WayTo,
  wayBy,
} from '../bank/dialects/index.ts';
import type { Readings } from '../spec/interpretations.ts';
import { nearest } from '../target/nearest.ts';

/** A deviation or dialect that is not known, or does not go with another. */
export class SwitchError extends Error {
  override readonly name = 'SwitchError';
}

export interface SwitchFlags {
  readonly deviation?: readonly string[];
  readonly dialect?: readonly string[];
  readonly latency?: number;
}

/** How the reference bank is to differ from the plain one. */
export interface BankSwitches {
  readonly deviations: readonly Deviation[];
  readonly dialects: readonly Dialect[];
  readonly design: BankDesign;
  /** The path that a dialect puts before /v1. */
  readonly prefix?: string;
  readonly signsResponses: boolean;
  /** Readings of the specification under which the deviations are deviations. */
  readonly readings: Partial<Readings>;
  /** What the target file says of such a bank, so that all of it is judged. */
  readonly declared: Required<Omit<Declared, keyof Payable | keyof WayTo>> & Payable;
  /** What it says of the way to it. */
  readonly way: WayTo;
  /** The sandbox is not as initialisation leaves it. */
  readonly changedData: boolean;
}

export function switchesIn({ deviation = [], dialect = [], latency }: SwitchFlags): BankSwitches {
  const deviations = deviation.map((id) => found('deviation', id, deviationById));
  const dialects = dialect.map((id) => found('dialect', id, dialectById));
  refuseContradiction(dialects);
  const prefix = dialects.find((candidate) => candidate.prefix !== undefined)?.prefix;
  const readings: Partial<Readings> = Object.assign({}, ...deviations.map(({ under }) => under ?? {}));
  const declared = dialects.flatMap((unusual) => unusual.declared ?? []);
  return {
    deviations,
    dialects,
    design: allOf(
      ...[...dialects, ...deviations].map(({ apply }) => apply),
      ...(latency === undefined ? [] : [withLatency(latency)]),
    )(compliantDesign),
    ...(prefix === undefined ? {} : { prefix }),
    signsResponses: dialects.some(({ signsResponses }) => signsResponses === true),
    readings,
    declared: {
      notOffered: declared.flatMap(({ notOffered = [] }) => notOffered),
      interpretations: Object.assign(
        {},
        ...declared.map(({ interpretations = {} }) => interpretations),
        readings,
      ),
      ...payableBy(declared),
    },
    way: wayBy(declared),
    changedData: dialects.some(({ changedData }) => changedData === true),
  };
}

function found<Switch>(kind: string, id: string, known: ReadonlyMap<string, Switch>): Switch {
  const value = known.get(id);
  if (value !== undefined) return value;
  const ids = [...known.keys()];
  const group = id.split('/', 1)[0]?.toLowerCase() ?? '';
  const siblings = ids.filter((candidate) => candidate.toLowerCase().startsWith(`${group}/`));
  const meant = nearest(id, siblings.length > 0 ? siblings : ids) ?? someOf(siblings);
  throw new SwitchError(
    `There is no ${kind} "${id}".${meant === undefined ? '' : ` Did you mean ${meant}?`} See: xs2a-conformance list --${kind}s`,
  );
}

/** So many show what there is; the list has them all. */
const mostNamed = 3;

const someOf = (ids: readonly string[]): string | undefined =>
  ids.length === 0 ? undefined : ids.slice(0, mostNamed).join(', ');

function refuseContradiction(dialects: readonly Dialect[]): void {
  for (const [index, dialect] of dialects.entries()) {
    const other = dialects.slice(0, index).find((one) => contradict(one, dialect));
    if (other !== undefined) {
      throw new SwitchError(`The dialects ${other.id} and ${dialect.id} decide the same thing. Choose one.`);
    }
  }
}
