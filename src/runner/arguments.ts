import { InvalidArgumentError } from 'commander';
import { isShard, mostShards, type Shard } from '../report/shard.ts';
import { isoDate } from '../spec/days.ts';

/** How the text of an argument becomes a value; each refuses what it cannot read, with what to give instead. */

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1 || number > 2 ** 31 - 1) {
    throw new InvalidArgumentError('Give a whole number from 1 to 2147483647.');
  }
  return number;
}

/** More cases of each property than anybody runs: they would fill the memory before the first of them is sent. */
export const mostRuns = 10_000;

export const isNumberOfRuns = (number: number): boolean =>
  Number.isSafeInteger(number) && number >= 1 && number <= mostRuns;

/** The cases of `--runs`. */
export function runsOf(text: string): number {
  const number = Number(text);
  if (!isNumberOfRuns(number)) throw new InvalidArgumentError(`Give a whole number from 1 to ${mostRuns}.`);
  return number;
}

/** The seed of `--seed`: a number, or `date` for one that is the same for a whole day (UTC) and on every machine. */
export const seedOf = (text: string, now: Date = new Date()): number =>
  text === 'date' ? Number(isoDate(now).replaceAll('-', '')) : seedNumber(text);

function seedNumber(text: string): number {
  try {
    return wholeNumber(text);
  } catch {
    throw new InvalidArgumentError('Give a whole number from 1 to 2147483647, or date for one seed a day.');
  }
}

/** What `--budget` allows: a number of requests, or a time. */
export type BudgetArgument = { readonly asked: string } & (
  | { readonly requests: number }
  | { readonly seconds: number }
);

export function budgetOf(text: string): BudgetArgument {
  const [, digits = '', unit] = /^(\d+)(s?)$/.exec(text) ?? [];
  if (digits === '' || Number(digits) < 1)
    throw new InvalidArgumentError('Give requests, such as 300, or seconds, such as 30s.');
  return unit === 's'
    ? { asked: text, seconds: seconds(digits) }
    : { asked: text, requests: wholeNumber(digits) };
}

/** A timer of Node holds no more than 2^31 - 1 milliseconds; one that is set to more ends at once. */
const mostSeconds = Math.floor((2 ** 31 - 1) / 1000);

export function seconds(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > mostSeconds) {
    throw new InvalidArgumentError(`Give seconds, a whole number from 1 to ${mostSeconds}.`);
  }
  return number;
}

export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('Give a port from 1 to 65535, or 0 for any that is free.');
  }
  return port;
}

export function milliseconds(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 60_000) {
    throw new InvalidArgumentError('Give milliseconds, a whole number from 0 to 60000.');
  }
  return number;
}

export function pathPrefix(text: string): string {
  const prefix = text.replace(/\/+$/, '');
  if (prefix !== '' && !/^(\/[\w.~-]+)+$/.test(prefix)) {
    throw new InvalidArgumentError('Give a path such as /psd2.');
  }
  return prefix;
}

export function httpsUrl(text: string): string {
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') {
    throw new InvalidArgumentError('Give an https address such as https://bank.example:8443/psd2.');
  }
  const { username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` !== '' || /[?#]/.test(text)) {
    throw new InvalidArgumentError('Give an address without a name and password, a query or a fragment.');
  }
  return text.replace(/\/+$/, '');
}

/** A flag that is given again adds to what it said before. */
export function idList(text: string, before: readonly string[] = []): readonly string[] {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.length === 0) throw new InvalidArgumentError('Give ids such as AMT-02,DIG-03 (see: list).');
  return [...before, ...ids];
}

export function shardOf(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (!isShard(shard))
    throw new InvalidArgumentError(`Give it as 1/3, 2/3 and so on. There are ${mostShards} at most.`);
  return shard;
}

/** For a flag that may be given several times. */
export const collected = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  text,
];
