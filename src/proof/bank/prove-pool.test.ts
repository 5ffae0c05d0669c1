import { beforeAll, expect, test } from 'vitest';
import { dialectById } from '../../bank/dialects/index.ts';
import { check } from '../../checks/check.ts';
import type { PlacedCheck } from '../../checks/engine.ts';
import { ExpectationFailed, NotApplicable } from '../../checks/outcomes.ts';
import type { Readings } from '../../spec/interpretations.ts';
import type { Answer } from '../../tpp/answer.ts';
import type { BankKeys } from './bank-under-test.ts';
import { citing, proofSetup } from './prove-bank.test.data.ts';
import { provePool } from './prove-dialects.ts';

let keys: BankKeys;
let checks: readonly PlacedCheck[];
beforeAll(async () => {
  ({ keys, checks } = await proofSetup());
}, 60_000);

const some = ['headers/no-echo', 'content-type/bare', 'headers/no-location'];
const pool = some.flatMap((id) => dialectById.get(id) ?? []);

/** The checks of a requirement and one more, which looks at a list of accounts and ends as it is told to. */
function checksWith(
  judge: (answer: Answer, readings: Readings) => Error | undefined,
  observes = false,
): readonly PlacedCheck[] {
  const among = citing(checks, 'ACC-01');
  const [first] = among;
  if (first === undefined) throw new Error('There is a check.');
  const added = check({
    id: 'ACC-01-mutated',
    title: 'Lists accounts as somebody would like it',
    requirement: 'ACC-01',
    observes,
    run: async (context) => {
      const error = judge(await context.call({ operation: 'listAccounts' }), context.readings);
      if (error !== undefined) throw error;
    },
  });
  return [...among, { ...first, check: added }];
}

const failed = new ExpectationFailed('something that nobody demands', 'what the dialect does');
const lacksEcho = ({ exchange }: Answer): boolean => headerOf(exchange, 'x-request-id') === undefined;
const lacksCharset = ({ exchange }: Answer): boolean =>
  headerOf(exchange, 'content-type')?.includes('charset') === false;
const headerOf = ({ response }: Answer['exchange'], wanted: string): string | undefined =>
  response?.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** Who raised an alarm, and which check did. */
async function alarmsOf(among: readonly PlacedCheck[], dialects = pool): Promise<readonly string[]> {
  const results = await provePool(dialects, among, keys);
  return results.flatMap(({ ids, alarms }) =>
    alarms.map((alarm) => `${ids.join(' + ')} ${alarm.split(':')[0]}`),
  );
}

test('a check that is right leaves all dialects of a pool alone, each of which has met it there', async () => {
  const among = checksWith(() => undefined);
  const results = await provePool(pool, among, keys);
  expect(results.flatMap(({ alarms }) => alarms)).toEqual([]);
  expect(results.map(({ ids, isPool }) => (isPool === true ? 'pool' : ids.join()))).toEqual([
    ...some,
    'pool',
  ]);
  for (const { pool: company } of results.slice(0, -1)) {
    expect(company?.others).toHaveLength(some.length - 1);
    expect(company?.passed).toBeGreaterThan(1);
  }
});

test.each([
  ['headers/no-echo', lacksEcho],
  ['content-type/bare', lacksCharset],
])('a check that fails %s alarms by that name, and by no other', async (id, isDisliked) => {
  const among = checksWith((answer) => (isDisliked(answer) ? failed : undefined));
  expect(await alarmsOf(among)).toEqual([`${id} ACC-01-mutated`]);
});

test('a dialect that keeps a check from judging does not hide another from it', async () => {
  const among = checksWith((answer) => {
    if (lacksEcho(answer)) return new NotApplicable('The bank repeats no X-Request-ID.');
    return lacksCharset(answer) ? failed : undefined;
  });
  expect(await alarmsOf(among)).toEqual(['content-type/bare ACC-01-mutated']);
});

test('what fails dialects together and none of them alone is an alarm of the pool', async () => {
  const among = checksWith((answer) => (lacksEcho(answer) && lacksCharset(answer) ? failed : undefined));
  expect(await alarmsOf(among)).toEqual([`${some.join(' + ')} ACC-01-mutated`]);
});

test('what one dialect declares is no excuse for the others of its pool', async () => {
  const declaring = dialectById.get('strict/ten-in-a-basket') ?? expect.fail();
  const among = checksWith((_, { basketLimit }) => (basketLimit === '100' ? failed : undefined));
  expect(await alarmsOf(among, [...pool.slice(0, 1), declaring])).toEqual(['headers/no-echo ACC-01-mutated']);
});

test('a pool of one is that one alone', async () => {
  const results = await provePool(
    pool.slice(0, 1),
    checksWith(() => undefined),
    keys,
  );
  expect(results.map(({ ids, pool: company, isPool }) => ({ ids, company, isPool }))).toEqual([
    { ids: some.slice(0, 1), company: undefined, isPool: undefined },
  ]);
});

test('where a check that looks at the others does not pass, each dialect meets all of them alone', async () => {
  const among = checksWith((answer) => (lacksEcho(answer) ? failed : undefined), true);
  const results = await provePool(pool, among, keys);
  expect(results.map(({ pool: company }) => company?.passed)).toEqual([0, 0, 0, undefined]);
  expect(await alarmsOf(among)).toEqual(['headers/no-echo ACC-01-mutated']);
});
