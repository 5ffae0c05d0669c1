import { currencies } from '../../spec/currencies.ts';
import { isIsoDate } from '../../spec/days.ts';
import { has, isObject, member } from '../../spec/json.ts';
import { type BankRequest, type Finding, type Rule, rule } from '../design/route.ts';
import { toMinorUnits } from '../state/money.ts';

/** A body of a sandbox data operation that cannot be taken. */
export class BodyFault extends Error {
  override readonly name = 'BodyFault';
  readonly path: string;

  constructor(path: string, demand: string) {
    super(`${path} ${demand}.`);
    this.path = path;
  }
}

/** What keeps a body from being read, for a function that throws a fault where it cannot. */
export function faultInBody(read: () => unknown): Finding | undefined {
  try {
    read();
    return undefined;
  } catch (fault) {
    if (!(fault instanceof BodyFault)) throw fault;
    return { path: fault.path, text: fault.message };
  }
}

/** The shapes are those that clients of the interface use; the specification only says that the operations exist. */
export const bodyCanBeRead = (requirement: string, read: (request: BankRequest) => unknown): Rule =>
  rule(
    requirement,
    'the sandbox data has the expected shape',
    'field',
    (request) => faultInBody(() => read(request)),
    { ownChoice: true },
  );

const mostCharacters = 70;

/** A text of 1 to 70 characters. */
export function textIn(body: unknown, name: string, path = name): string {
  const value = member(body, name);
  if (typeof value === 'string' && value !== '' && [...value].length <= mostCharacters) return value;
  throw new BodyFault(path, `is a text of 1 to ${mostCharacters} characters`);
}

export const optionalTextIn = (body: unknown, name: string): string | undefined =>
  member(body, name) === undefined ? undefined : textIn(body, name);

/** A customer number: a national identity number, or the number of an organisation. */
export function customerNumberIn(body: unknown, name: string, path = name): string {
  const value = textIn(body, name, path);
  if (/^(\d{9}|\d{11})$/.test(value)) return value;
  throw new BodyFault(path, 'is a national identity number of 11 digits, or an organisation number of 9');
}

export function currencyIn(body: unknown, name = 'currency', path = name): string {
  const value = member(body, name);
  if (typeof value === 'string' && currencies.includes(value)) return value;
  throw new BodyFault(path, 'is a currency of the interface');
}

/** An amount in minor units. Clients send JSON numbers here; text is taken as well. */
export function amountIn(body: unknown, name: string, currency: string, path = name): bigint {
  const value = member(body, name);
  const minor =
    typeof value === 'number' || typeof value === 'string'
      ? toMinorUnits(String(value), currency)
      : undefined;
  if (minor !== undefined && minor > -(10n ** 18n) && minor < 10n ** 18n) return minor;
  throw new BodyFault(path, `is an amount in ${currency}`);
}

/** An amount, or an object with amount and currency: scripts of TPPs send either. Nothing when it is left out. */
export function optionalMoneyIn(body: unknown, name: string, currency: string): bigint {
  const value = member(body, name);
  if (value === undefined) return 0n;
  if (!isObject(value)) return amountIn(body, name, currency);
  if (has(value, 'currency') && currencyIn(value, 'currency', `${name}.currency`) !== currency) {
    throw new BodyFault(`${name}.currency`, 'is the currency of the account');
  }
  return amountIn(value, 'amount', currency, `${name}.amount`);
}

export function dateIn(body: unknown, name: string, otherwise: string): string {
  const value = member(body, name) ?? otherwise;
  if (typeof value === 'string' && isIsoDate(value)) return value;
  throw new BodyFault(name, 'is a date of the form YYYY-MM-DD');
}

export function listIn(body: unknown, name: string, path = name): readonly unknown[] {
  const value = member(body, name) ?? [];
  if (Array.isArray(value) && value.length <= 100) return value;
  throw new BodyFault(path, 'is a list of at most 100 elements');
}

export function objectIn(body: unknown, name: string, path = name): unknown {
  const value = member(body, name);
  if (isObject(value)) return value;
  throw new BodyFault(path, 'is an object');
}

/** `balances[0].balanceAmount`, in minor units; nothing when no balance is given. */
export function balanceIn(body: unknown, currency: string): bigint {
  const [first] = listIn(body, 'balances');
  if (first === undefined) return 0n;
  const path = 'balances[0].balanceAmount';
  const balance = objectIn(first, 'balanceAmount', path);
  if (currencyIn(balance, 'currency', `${path}.currency`) !== currency) {
    throw new BodyFault(`${path}.currency`, 'is the currency of the account');
  }
  return amountIn(balance, 'amount', currency, `${path}.amount`);
}

/** More than anyone needs, and little enough for a bank that keeps everything in memory. */
const mostRecords = 20_000;

/** What is there already, or has no room. */
export const conflict = (path: string, text: string): Finding => ({ kind: 'sandboxConflict', path, text });

export const unknown = (path: string, what: string): Finding => ({
  kind: 'sandboxUnknown',
  path,
  text: `There is no such ${what}.`,
});

export const sandboxHasRoom = rule(
  'SBX-46',
  'the sandbox has room for more data',
  'sandboxConflict',
  (_, { customers }) =>
    customers.size() >= mostRecords
      ? { text: 'The sandbox is full; POST /v1/sandbox/initialise empties it.' }
      : undefined,
  { ownChoice: true },
);
