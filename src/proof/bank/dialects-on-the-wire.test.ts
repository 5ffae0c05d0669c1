import { beforeAll, expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { allOf } from '../../bank/design/design-changes.ts';
import { type Dialect, dialects } from '../../bank/dialects/index.ts';
import type { RunContext } from '../../checks/context.ts';
import type { Exchange } from '../../tpp/exchange.ts';
import { shortestModulusLength } from '../short-keys.ts';
import { type BankKeys, createBankKeys, createBankRunContext } from './bank-under-test.ts';
import { surroundingsOf } from './prove-dialects.ts';
import { talkWith } from './telling-requests.test.data.ts';

let keys: BankKeys;
let usual: readonly string[];

/** What changes from run to run, such as ids and times, has but its form left. */
const form = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, (id) =>
      !/[a-f]/i.test(id) ? 'digits' : id === id.toLowerCase() ? 'uuid' : 'UUID',
    )
    .replace(/\d+/g, '0')
    .replace(/[A-Za-z0-9+/_=-]{16,}/g, (token) => (token.includes('0') ? 'TOKEN' : token));

/** How a bank dates an answer, whose clock may be off, or that of what stands before it. */
function dated(date: string, { startedAt, durationMs }: Exchange): string {
  const early = Date.parse(startedAt) - Date.parse(date);
  const off = Math.max(early, -early - durationMs);
  return off > 200_000 ? 'far from ours' : off > 2_000 ? 'a little off' : 'like ours';
}

const requestIdOf = (headers: Exchange['request']['headers']): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];

/** An answer with what it was asked for. */
function said(exchange: Exchange): string {
  const { purpose, operation, request, response, trouble } = exchange;
  const [prefix] = new URL(request.url).pathname.split('/v1/');
  const asked = `${prefix} ${operation}, ${purpose}`;
  if (response === undefined) return `${asked}: ${trouble?.kind}`;
  const headers = response.headers.map(([name, value]) => {
    if (name.toLowerCase() === 'date') return `${name}: ${dated(value, exchange)}`;
    if (name.toLowerCase() === 'x-request-id')
      return `${name}: ${value === requestIdOf(request.headers) ? 'its own' : 'of another'}`;
    return `${name}: ${form(value)}`;
  });
  return [`${asked}: ${response.status}`, ...headers, form(response.body)].join('\n');
}

/** What a bank says in the conversation, answer by answer, until it says something else than was expected. */
async function conversationWith(
  chosen: readonly Dialect[],
  expected?: readonly string[],
): Promise<readonly string[]> {
  const design = allOf(...chosen.map(({ apply }) => apply))(compliantDesign);
  const { runContext } = await createBankRunContext(keys, design, surroundingsOf(chosen));
  const lines: string[] = [];
  const record = (exchange: Exchange): void => void lines.push(said(exchange));
  const client = runContext.client.with({ record });
  const isOver = (): boolean => expected !== undefined && lines.at(-1) !== expected[lines.length - 1];
  await talkWith({ ...runContext, client } satisfies RunContext, isOver, record);
  return lines;
}

beforeAll(async () => {
  keys = await createBankKeys({ modulusLength: shortestModulusLength });
  usual = await conversationWith([]);
}, 60_000);

test('the reference bank says the same every time', async () => {
  expect(await conversationWith([])).toEqual(usual);
}, 60_000);

/** They say the same, later or in pieces, or for as long as this takes: that shows on a socket, by a clock and in a run. */
const notHere = ['latency/some', 'transfer/chunked', 'sessions/short'];

test('every dialect says something else', async () => {
  const silent: string[] = [];
  for (const dialect of dialects.filter(({ id }) => !notHere.includes(id))) {
    const lines = await conversationWith([dialect], usual);
    const isTheSame = lines.length === usual.length && lines.every((line, index) => line === usual[index]);
    if (isTheSame) silent.push(dialect.id);
  }
  expect(silent).toEqual([]);
}, 600_000);
