import { isDeepStrictEqual } from 'node:util';
import type { SeenExchange } from './seen-exchange.ts';

/** Headers that differ between two attempts at the same thing, or say nothing about it. */
const passing = new Set([
  'date',
  'x-request-id',
  'signature',
  'digest',
  'host',
  'connection',
  'content-length',
  'user-agent',
  'tpp-signature-certificate',
]);

/** Whether two requests ask for the same: same operation, same address, same body. */
export const asksTheSame = (a: SeenExchange, b: SeenExchange): boolean =>
  a.method === b.method &&
  a.target === b.target &&
  (a.bytes.equals(b.bytes) || (a.json !== undefined && isDeepStrictEqual(a.json, b.json)));

/** Whether they differ in nothing that the bank looks at. */
export const isUnchanged = (a: SeenExchange, b: SeenExchange): boolean =>
  asksTheSame(a, b) && isDeepStrictEqual(tellingHeaders(a), tellingHeaders(b));

const tellingHeaders = ({ headers }: SeenExchange): readonly (readonly [string, string])[] =>
  headers
    .lines()
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .filter(([name]) => !passing.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
