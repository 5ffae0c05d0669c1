import type { CheckResult } from '../checks/verdict.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { shortened, tellingExchange } from './exchange-text.ts';

/** One thing in which a failing request differs from its control. */
export interface ChangedField {
  /** `instructedAmount.amount`, or the name of a header. */
  readonly name: string;
  /** What the control has there; undefined where it has nothing. */
  readonly control?: string;
  readonly failing?: string;
}

/** The control of a failure and its answer. */
export const controlExchange = ({ exchanges }: CheckResult): Exchange | undefined =>
  exchanges.find(({ purpose }) => purpose === 'control');

/** Where a failing request and its control differ, with what stands there in either: a diff of two lines each. */
export function changedFields(result: CheckResult): readonly ChangedField[] {
  const { counterexample } = result;
  const control = controlExchange(result);
  const failing = tellingExchange(result);
  if (counterexample?.changed === undefined) return [];
  const [before, after] = [bodyOf(counterexample.control), bodyOf(counterexample.value)];
  return counterexample.changed.flatMap((name) => {
    const inBody =
      name === 'body'
        ? { control: compact(counterexample.control), failing: compact(counterexample.value) }
        : { control: textAt(before, name), failing: textAt(after, name) };
    const inHeaders = { control: headerOf(control, name), failing: headerOf(failing, name) };
    const found = [inBody, inHeaders].find((pair) => pair.control !== pair.failing);
    return [
      {
        name,
        ...(found?.control === undefined ? {} : { control: found.control }),
        ...(found?.failing === undefined ? {} : { failing: found.failing }),
      },
    ];
  });
}

/** The same as lines of a text: the field, then what the control has there and what failed. */
export const changedLines = (result: CheckResult): readonly string[] =>
  changedFields(result).flatMap(({ name, control, failing }) => [
    `Changed:  ${name}`,
    `  - ${shortened(control ?? '(absent)', longestValue)}`,
    `  + ${shortened(failing ?? '(absent)', longestValue)}`,
  ]);

const longestValue = 300;

function bodyOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body as a whole, without the white space that makes it readable. */
const compact = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : (JSON.stringify(bodyOf(text)) ?? text);

/** What stands at `paymentIds[0]` or `instructedAmount.amount`, as JSON. */
function textAt(body: unknown, path: string): string | undefined {
  let value = body;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, index ?? name ?? '')
      ? (value as Readonly<Record<string, unknown>>)[index ?? name ?? '']
      : undefined;
  }
  return value === undefined ? undefined : JSON.stringify(value);
}

function headerOf(exchange: Exchange | undefined, name: string): string | undefined {
  const values = (exchange?.request.headers ?? [])
    .filter(([header]) => header.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
