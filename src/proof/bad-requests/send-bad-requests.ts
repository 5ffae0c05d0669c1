import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { codeRoot } from '../../runner/package.ts';
import { createRunContext } from '../../runner/run-context.ts';
import { loadTarget } from '../../target/load-target.ts';
import type { TppClient } from '../../tpp/client.ts';
import { type BadRequest, badRequests } from './bad-request.ts';
import type { BankMemory, BankReady } from './bank-process.ts';
import { type KnownOfBank, remember, requestMaker } from './make-request.ts';
import { RawConnection, sendAlone } from './raw-connection.ts';

export interface BadRequestsOptions {
  readonly count: number;
  readonly seed: number;
  readonly connections: number;
  readonly onProgress?: (done: number) => void;
}

export interface BadRequestsResult {
  readonly seed: number;
  /** How many were sent, by what was done to them and by the class of the answer. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly sent: number;
  /** Requests that were answered 5xx, or not at all although they should have been. */
  readonly wrong: readonly string[];
  /** What the bank said when it crashed. */
  readonly crash?: string;
  /** At the beginning, at each tenth and at the end, after garbage was collected. */
  readonly memory: readonly BankMemory[];
  readonly seconds: number;
}

/** Drawn and sent together, so that requests are as fresh as their dates. */
const batch = 500;

/** More of them say no more. */
const mostWrong = 20;

/** Sends bad requests to a reference bank in a process of its own, on many connections at once. */
export async function sendBadRequests(options: BadRequestsOptions): Promise<BadRequestsResult> {
  const bank = fork(join(codeRoot, 'src/proof/bad-requests/bank-process.js'), {
    execArgv: ['--expose-gc'],
    silent: true,
  });
  let said = '';
  bank.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const exited = once(bank, 'exit').then(() => said);
  try {
    const [ready] = (await Promise.race([once(bank, 'message'), exited.then(() => [])])) as [BankReady?];
    if (ready === undefined) throw new Error(`The bank did not start: ${said}`);
    return await sendAll(options, bank, ready, exited);
  } finally {
    bank.disconnect();
  }
}

async function sendAll(
  { count, seed, connections, onProgress }: BadRequestsOptions,
  bank: ChildProcess,
  ready: BankReady,
  exited: Promise<string>,
): Promise<BadRequestsResult> {
  const started = performance.now();
  const target = await loadTarget({ text: ready.targetText }, {});
  const { client, close } = createRunContext({ target, seed, runs: 1 });
  const facts = { ...target.accounts, now: new Date() };
  const make = requestMaker(client, facts, seed);
  const known = await knownOf(client);
  const counts: Record<string, Record<string, number>> = {};
  const wrong: string[] = [];
  const memory = [await memoryOf(bank)];
  let sent = 0;
  let crash: string | undefined;
  void exited.then((text) => {
    crash = text;
  });
  let queue: readonly BadRequest[] = [];
  let drawn = 0;
  const next = (): BadRequest | undefined => {
    if (sent >= count || crash !== undefined) return undefined;
    if (drawn === queue.length) {
      queue = fc.sample(badRequests, { seed: seed + sent, numRuns: batch });
      drawn = 0;
    }
    sent += 1;
    if (sent % Math.ceil(count / 10) === 0) {
      void memoryOf(bank).then((taken) => memory.push(taken));
      onProgress?.(sent);
    }
    drawn += 1;
    return queue[drawn - 1];
  };
  const work = async (): Promise<void> => {
    const kept = new RawConnection(ready.plainPort);
    for (let bad = next(); bad !== undefined; bad = next()) {
      const { bytes, isSound } = await make(bad, known);
      const port = bad.wire !== undefined && bad.overTls ? ready.tlsPort : ready.plainPort;
      const { status, body } = isSound ? await kept.ask(bytes) : await sendAlone(port, bytes);
      learn(known, body);
      tally(counts, kindOf(bad), status);
      const isWrong = (status ?? 0) >= 500 || (status === undefined && isSound && crash === undefined);
      if (isWrong && wrong.length < mostWrong) {
        wrong.push(
          `${status ?? 'no answer'}: ${body.slice(0, 300)}\n${inspect(bad, { depth: 9, breakLength: 160 })}\n${bytes.toString('latin1').slice(0, 600)}`,
        );
      }
    }
    kept.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  if (crash === undefined) memory.push(await memoryOf(bank));
  await close();
  return {
    seed,
    counts,
    sent,
    wrong,
    ...(crash === undefined ? {} : { crash }),
    memory,
    seconds: (performance.now() - started) / 1000,
  };
}

async function memoryOf(bank: ChildProcess): Promise<BankMemory> {
  const told = once(bank, 'message');
  bank.send('memory');
  const [memory] = (await told) as [BankMemory];
  return memory;
}

async function knownOf(client: TppClient): Promise<KnownOfBank> {
  const { json } = await client.call({ operation: 'listAccounts' });
  const accounts =
    (json as { readonly accounts?: readonly { readonly resourceId?: string }[] }).accounts ?? [];
  return {
    accountIds: accounts.map(({ resourceId = 'none' }) => resourceId),
    paymentIds: [],
    pages: [],
  };
}

/** Ids and pages that an answer gives out, for the requests that follow. */
function learn(known: KnownOfBank, body: string): void {
  const [, id] = /"(?:paymentId|basketId)":"([^"]+)"/.exec(body) ?? [];
  if (id !== undefined) remember(known.paymentIds, id);
  const [, page] = /"scaRedirect":\{"href":"https?:\/\/[^/"]+(\/[^"]*)"/.exec(body) ?? [];
  if (page !== undefined) remember(known.pages, page);
}

/** What was done to a request, most telling first. */
function kindOf({ wire, template, changes, isSigned, late }: BadRequest): string {
  if (wire !== undefined) return 'wire';
  if (template === 'form') return 'forms';
  const kinds = changes.map(({ kind }) => kind);
  if (kinds.includes('json') || kinds.includes('bytes')) return 'JSON';
  if (kinds.includes('signature') || !isSigned || late) return 'signatures';
  return kinds.includes('header') ? 'headers' : 'addresses';
}

function tally(
  counts: Record<string, Record<string, number>>,
  kind: string,
  status: number | undefined,
): void {
  const answers = counts[kind] ?? {};
  counts[kind] = answers;
  const answer = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`;
  answers[answer] = (answers[answer] ?? 0) + 1;
}

/** Memory that comes and goes, and that buffers of connections take up. */
const mostGrowthMegabytes = 64;

/** How much the bank has grown between the first tenth, when its stores begin to fill, and the end. */
function growthOf({ memory }: Pick<BadRequestsResult, 'memory'>): number {
  const settled = memory[Math.ceil(memory.length / 2)] ?? memory[0];
  return (memory.at(-1)?.heapMegabytes ?? 0) - (settled?.heapMegabytes ?? 0);
}

export const isHeld = (result: BadRequestsResult): boolean =>
  result.crash === undefined && result.wrong.length === 0 && growthOf(result) < mostGrowthMegabytes;

const classes = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

/** The table of what was sent, what was wrong with the answers, and the last line. */
export function badRequestLines(result: BadRequestsResult): readonly string[] {
  const { counts, wrong, crash, memory, sent, seconds, seed } = result;
  const rows = Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, answers]) =>
      [kind.padEnd(12), ...classes.map((name) => String(answers[name] ?? 0).padStart(9))].join(''),
    );
  const heap = memory.map(({ heapMegabytes }) => Math.round(heapMegabytes)).join(', ');
  const resident = Math.round(Math.max(...memory.map(({ residentMegabytes }) => residentMegabytes)));
  return [
    `${'changed'.padEnd(12)}${classes.map((name) => name.padStart(9)).join('')}`,
    ...rows,
    '',
    ...wrong.flatMap((text) => [text, '']),
    ...(crash === undefined ? [] : [`The bank crashed:\n${crash}`, '']),
    `Bad requests  ${sent} sent with seed ${seed} in ${Math.round(seconds)} s: ${wrong.length} answered wrongly, ${crash === undefined ? 'no crash' : 'a crash'}`,
    `Memory        heap of the bank in MB, at each tenth: ${heap}; at most ${resident} MB resident`,
  ];
}
