import { AsyncLocalStorage } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import crypto, { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Bank, createBank } from '../bank/bank.ts';
import type { BankDesign } from '../bank/design/design.ts';
import { ConnectionReset, type RawRequest, type RawResponse } from '../bank/design/route.ts';
import type { Deviation } from '../bank/deviations/index.ts';
import type { Dialect } from '../bank/dialects/index.ts';
import { requirementsOf } from '../checks/check.ts';
import { judge, type PlacedCheck, placeChecks } from '../checks/engine.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { packageRoot } from '../runner/package.ts';
import {
  type BankKeys,
  createBankKeys,
  createBankRunContext,
  type RunContextParts,
} from './bank/bank-under-test.ts';
import { partsOf } from './bank/prove-dialects.ts';
import { talkWith } from './bank/telling-requests.test.data.ts';

/** Wrong and unusual banks of a commit, bundled into one file, with the bank that they change. */
type Banks = typeof import('../bank/bank.ts') &
  typeof import('../bank/compliant-design.ts') &
  typeof import('../bank/deviations/index.ts') &
  typeof import('../bank/dialects/index.ts');

const bundled = ['bank.ts', 'compliant-design.ts', 'deviations/index.ts', 'dialects/index.ts'];

async function bundleBanks(root: string, file: string): Promise<void> {
  const contents = bundled.map((path) => `export * from './src/bank/${path}';`).join('\n');
  const stdin = { contents, resolveDir: root };
  await build({ stdin, outfile: file, bundle: true, format: 'esm', platform: 'node', packages: 'external' });
}

type Changed = Deviation | Dialect;

/** What is said of a bank, without the functions that make it so. */
const factsOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) => {
    if (part instanceof RegExp) return String(part);
    return part instanceof Set || part instanceof Map ? [...part] : part;
  }) ?? 'nothing';

/** The first fact that is another one now. What was not known of it before is no difference. */
export function otherFact(before: object, after: object): string | undefined {
  for (const [name, was] of Object.entries(before)) {
    const is = (after as Record<string, unknown>)[name];
    if (factsOf(was) !== factsOf(is) || typeof was !== typeof is)
      return `${name} was ${factsOf(was)}, and is ${factsOf(is)}`;
  }
  return undefined;
}

/** The first answer or verdict that one of them has and the other has not. */
export function otherLine(was: readonly string[], is: readonly string[]): string | undefined {
  if (was.length === is.length && was.every((line, index) => line === is[index])) return undefined;
  const [before, after] = [was.map(withoutDrawn), is.map(withoutDrawn)];
  const missingIn = (those: readonly string[], lines: readonly string[]): string | undefined => {
    const left = new Map<string, number>();
    for (const line of those) left.set(line, (left.get(line) ?? 0) + 1);
    return lines.find((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count === 0;
    });
  };
  const [gone, come] = [missingIn(after, before), missingIn(before, after)];
  if (gone === undefined && come === undefined) return undefined;
  const [old = 'nothing', now = 'nothing'] = [gone, come];
  const from = [...old].findIndex((letter, index) => letter !== [...now][index]);
  const told = (line: string): string =>
    from < 200 ? line.slice(0, 400) : `${line.slice(0, 120)} … ${line.slice(from - 80, from + 200)}`;
  return `\n  only before: ${told(old)}\n  only now:    ${told(now)}`;
}

/** Whatever runs in it is the bank, whose random numbers must not depend on how many a TPP has drawn. */
const bankSide = new AsyncLocalStorage<true>();

/** It is the same moment all the time, and the same is drawn again after each beginning. */
function stopTheClock(): () => void {
  const drawn = { bank: 0, tpp: 0 };
  const at = Date.UTC(2026, 8, 16, 10);
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [at] : given) as [number]));
    }
    static override now(): number {
      return at;
    }
  } as DateConstructor;
  /** Ids by whoever draws them: they can be told from all others by their beginning. */
  const next = (): string => {
    const side = bankSide.getStore() ? 'bank' : 'tpp';
    drawn[side] += 1;
    return `${side === 'bank' ? 1 : 2}${String(drawn[side]).padStart(11, '0')}`;
  };
  const uuid = (): string => `feed0000-0000-4000-8000-${next()}`;
  const bytes = (size: number): Buffer => Buffer.from(`random${next()}`.padEnd(size, '.')).subarray(0, size);
  const fraction = (): number => createHash('sha256').update(next()).digest().readUInt32BE() / 2 ** 32;
  const between = (low: number, high?: number): number =>
    high === undefined ? Math.floor(fraction() * low) : low + Math.floor(fraction() * (high - low));
  Math.random = fraction;
  globalThis.crypto.randomUUID = uuid as typeof crypto.randomUUID;
  Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes, randomInt: between });
  syncBuiltinESMExports();
  return () => Object.assign(drawn, { bank: 0, tpp: 0 });
}

/** Ids that were drawn, by their place in the text: a bank may well draw one more. */
function withoutDrawn(text: string): string {
  const names = new Map<string, string>();
  return text.replace(
    /feed0000-[0-9a-f-]{27}|cmFuZG9t[\w+/=-]{4,}|72616e646f6d[0-9a-f]+|[\w+/]{80,}={0,2}/gi,
    (id) => {
      if (!names.has(id)) names.set(id, `{${names.size + 1}}`);
      return names.get(id) ?? '';
    },
  );
}

/** What happens between a TPP and a bank: the requests as they are, and a line for each answer and verdict. */
interface Conversation {
  readonly requests: RawRequest[];
  readonly lines: string[];
}

/** A bank of these that tells what it is asked and what it answers. */
const recorded =
  (banks: Banks, { requests, lines }: Conversation): typeof createBank =>
  async (options) => {
    const bank = await banks.createBank(options);
    const inject = async (raw: RawRequest): Promise<RawResponse> => {
      requests.push(raw);
      const asked = `${raw.method} ${raw.url} → `;
      try {
        const answer = await bankSide.run(true, () => bank.inject(raw));
        const { status, headers, body, transfer = '' } = answer;
        lines.push(`${asked}${status} ${transfer} ${headers.join('; ')} ${body.toString('latin1')}`);
        return answer;
      } catch (error) {
        lines.push(`${asked}${String(error)}`);
        // The bank of another bundle has a class of its own for that.
        const isReset = error instanceof Error && error.name === 'ConnectionReset';
        throw isReset ? new ConnectionReset(error.message) : error;
      }
    };
    return Object.assign(Object.create(bank) as Bank, { inject });
  };

/** The talk of a TPP with every kind of bank, or checks; all that it comes to depends on this alone. */
interface Talk {
  readonly checks: readonly PlacedCheck[];
  readonly parts: RunContextParts;
}

async function talkTo(
  banks: Banks,
  design: BankDesign,
  keys: BankKeys,
  { checks, parts }: Talk,
  replayed?: readonly RawRequest[],
): Promise<Conversation> {
  const conversation: Conversation = { requests: [], lines: [] };
  const { bank, runContext } = await bankSide.run(true, () =>
    createBankRunContext(keys, design, { ...parts, createBank: recorded(banks, conversation) }),
  );
  if (replayed !== undefined) for (const raw of replayed) await bank.inject(raw).catch(() => undefined);
  else if (checks.length === 0)
    await talkWith(runContext).catch((error: unknown) => conversation.lines.push(String(error)));
  else
    for (const placed of checks) {
      const { id, verdict, reason, expected, actual, requirements } = await judge(placed, runContext);
      conversation.lines.push(factsOf({ id, verdict, reason, expected, actual, requirements }));
    }
  return conversation;
}

/** A talk ends with many requests that are alike: some dialects change in the course of them, and no deviation does. */
const endedSooner = (requests: readonly RawRequest[]): readonly RawRequest[] =>
  requests.slice(0, requests.findLastIndex(({ url }) => url !== requests.at(-1)?.url) + 2);

/** Checks that any dialect meets, other ones each. */
const checksOfADialect = 60;

function checksFor(changed: Changed, checks: readonly PlacedCheck[]): readonly PlacedCheck[] {
  if (!('requirement' in changed))
    return checks
      .map((placed) => ({ placed, lot: lotOf(changed.id + placed.check.id) }))
      .toSorted((one, other) => (one.lot < other.lot ? -1 : 1))
      .slice(0, checksOfADialect)
      .map(({ placed }) => placed);
  const broken = [changed.requirement, ...(changed.also ?? [])];
  const citing = checks.filter(({ check }) => requirementsOf(check).some((id) => broken.includes(id)));
  const isLast = ({ check }: PlacedCheck): number => Number(check.observes === true);
  return citing.toSorted((one, other) => isLast(one) - isLast(other));
}

function partsFor(changed: Changed): RunContextParts {
  const usual = { oneContextEach: true, remembersControls: true, verdictsOnly: true, mostTwists: 2 };
  if (!('requirement' in changed)) return { ...usual, ...partsOf([changed]) };
  const { under, onlyInProduction } = changed;
  return {
    ...usual,
    ...(under === undefined ? {} : { readings: under }),
    ...(onlyInProduction === undefined ? {} : { environment: 'production' }),
  };
}

const lotOf = (text: string): string => createHash('sha256').update(text).digest('hex');

type Files = readonly [before: string, after: string];

const listed = ({ deviations, dialects, conditionalDeviations }: Banks): Map<string, Changed> =>
  new Map([...deviations, ...dialects, ...conditionalDeviations()].map((each) => [each.id, each]));

const load = async (file: string): Promise<Banks> => (await import(pathToFileURL(file).href)) as Banks;

async function work(port: NonNullable<typeof parentPort>): Promise<void> {
  const beginAgain = stopTheClock();
  const keys = await createBankKeys();
  const checks = placeChecks(await loadSuites('bank'));
  let both: readonly { readonly banks: Banks; readonly byId: ReadonlyMap<string, Changed> }[] = [];
  /** By talk: what is asked of the reference bank, and what it answers when it is asked so again. */
  const usual = new Map<string, Promise<Conversation>>();
  const difference = async (id: string): Promise<Compared> => {
    const [before, after] = both;
    const [was, is] = [before?.byId.get(id), after?.byId.get(id)];
    if (before === undefined || after === undefined || was === undefined || is === undefined)
      throw new Error(`There is no ${id}.`);
    const fact = otherFact(was, is);
    if (fact !== undefined) return { id, difference: fact };
    const [one, other] = [was.apply(before.banks.compliantDesign), is.apply(after.banks.compliantDesign)];
    if ('needsTls' in was)
      return factsOf(one.tls) === factsOf(other.tls) ? { id } : { id, difference: 'has another TLS' };
    const converse = async (
      banks: Banks,
      design: BankDesign,
      talk: Talk,
      replayed?: readonly RawRequest[],
    ) => {
      beginAgain();
      return talkTo(banks, design, keys, talk, replayed);
    };
    const compare = async (talk: Talk, replayed?: readonly RawRequest[]) => {
      const { lines } = await converse(before.banks, one, talk, replayed);
      const now = await converse(after.banks, other, talk, replayed);
      return { lines, other: otherLine(lines, now.lines) };
    };
    const chosen = checksFor(was, checks);
    const parts = partsFor(was);
    let isShown = false;
    for (const talk of [
      { checks: [], parts },
      { checks: chosen, parts },
    ]) {
      const key = factsOf(['requirement' in was, talk.checks.map(({ check }) => check.id), parts]);
      const sound = before.banks.compliantDesign;
      const isShorter = 'requirement' in was && talk.checks.length === 0;
      if (!usual.has(key))
        usual.set(
          key,
          converse(before.banks, sound, talk).then(({ requests }) =>
            converse(before.banks, sound, talk, isShorter ? endedSooner(requests) : requests),
          ),
        );
      const { requests, lines } = (await usual.get(key)) ?? { requests: [], lines: [] };
      const { lines: said, other: found } = await compare(talk, [...requests]);
      if (found !== undefined) return { id, difference: found };
      isShown ||= lines.some((line, index) => line !== said[index]);
    }
    if (isShown) return { id };
    // A few values of each list show nothing of it, and neither does what the reference bank leads to.
    const oneContextEach = !id.includes('@');
    const { mostTwists: _, ...whole } = { ...parts, oneContextEach };
    const { lines, other: found } = await compare({ checks: chosen, parts: whole });
    if (found !== undefined) return { id, difference: found };
    return lines.some((line) => /"verdict":"(?:fail|warning)"/.test(line)) ? { id } : { id, isHidden: true };
  };
  port.on('message', async (asked: string | Files) => {
    if (typeof asked === 'string') port.postMessage(await difference(asked));
    else {
      both = (await Promise.all(asked.map(load))).map((banks) => ({ banks, byId: listed(banks) }));
      port.postMessage(undefined);
    }
  });
}

interface Asked {
  readonly sameAs: string;
  readonly only?: RegExp;
  readonly conditional: number;
  readonly threads: number;
}

interface Compared {
  readonly id: string;
  readonly difference?: string;
  /** Nothing that was asked shows what is wrong or unusual, so that it is the same as far as is known. */
  readonly isHidden?: true;
}

/** Compares every deviation and dialect with that of a commit, by what is said of it and by what its bank answers. */
export async function compareWith(
  { sameAs, only, conditional, threads }: Asked,
  onResult: (result: Compared) => void,
): Promise<void> {
  // Within the package, so that its dependencies are found from there.
  mkdirSync(join(packageRoot, 'reports'), { recursive: true });
  const folder = mkdtempSync(join(packageRoot, 'reports', 'same-as-'));
  try {
    const options = { cwd: packageRoot, maxBuffer: 2 ** 30 };
    const sources = execFileSync('git', ['archive', sameAs, 'src'], options);
    execFileSync('tar', ['-x', '-C', folder], { input: sources });
    const files: Files = [join(folder, 'before.mjs'), join(folder, 'after.mjs')];
    await Promise.all([bundleBanks(folder, files[0]), bundleBanks(packageRoot, files[1])]);
    const [before, after] = await Promise.all([load(files[0]), load(files[1])]);
    const [old, now] = [listed(before), listed(after)];
    const chosen = (ids: Iterable<string>): readonly string[] =>
      [...ids].filter((id) => only?.test(id) ?? true);
    for (const id of chosen(old.keys())) if (!now.has(id)) onResult({ id, difference: 'only in old' });
    for (const id of chosen(now.keys())) if (!old.has(id)) onResult({ id, difference: 'only in new' });
    const shared = chosen(old.keys()).filter((id) => now.has(id));
    const drawn = shared
      .filter((id) => id.includes('@'))
      .toSorted((one, other) => (lotOf(one) < lotOf(other) ? -1 : 1));
    const queue = [...shared.filter((id) => !id.includes('@')), ...drawn.slice(0, conditional)];
    const one = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const worker = new Worker(new URL('./same-as.js', import.meta.url));
        worker.on('error', reject).on('exit', () => resolve());
        worker.on('message', (result: Compared | undefined) => {
          if (result !== undefined) onResult(result);
          const next = queue.shift();
          if (next === undefined) void worker.terminate();
          else worker.postMessage(next);
        });
        worker.postMessage(files);
      });
    await Promise.all(Array.from({ length: threads }, one));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (parentPort !== null) await work(parentPort);
