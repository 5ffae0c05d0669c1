import { currencies } from '../../spec/currencies.ts';
import { isObject, member } from '../../spec/json.ts';
import type { BankRequest, Refusal, Rule } from '../design/route.ts';
import { isIsoDate } from '../state/clock.ts';
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

/**
 * The rule that a body can be read, for a function that throws a fault where it cannot. The shapes are those that
 * clients of the interface use; the specification only says that the operations exist.
 */
export const bodyCanBeRead = (requirement: string, read: (request: BankRequest) => unknown): Rule => ({
  requirement,
  ownChoice: true,
  name: 'the sandbox data has the expected shape',
  refuses: (request) => {
    try {
      read(request);
      return undefined;
    } catch (fault) {
      if (!(fault instanceof BodyFault)) throw fault;
      return { status: 400, code: 'FORMAT_ERROR', path: fault.path, text: fault.message };
    }
  },
});

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

export const conflict = (path: string, text: string): Refusal => ({
  status: 409,
  code: 'CONFLICT',
  path,
  text,
});

export const unknown = (path: string, what: string): Refusal => ({
  status: 404,
  code: 'RESOURCE_UNKNOWN',
  path,
  text: `There is no such ${what}.`,
});

export const sandboxHasRoom: Rule = {
  requirement: 'SBX-46',
  ownChoice: true,
  name: 'the sandbox has room for more data',
  refuses: (_, { customers }) =>
    customers.size() >= mostRecords
      ? {
          status: 409,
          code: 'CONFLICT',
          text: 'The sandbox is full; POST /v1/sandbox/initialise empties it.',
        }
      : undefined,
};
