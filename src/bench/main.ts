import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compliantDesign } from '../bank/compliant-design.ts';
import { withLatency } from '../bank/design/design-changes.ts';
import { withinBudget } from '../checks/proof-findings.ts';
import { startEmbeddedBank } from '../runner/embedded-bank.ts';
import { embeddedPki } from '../runner/embedded-pki.ts';
import { catchOrder, codeRoot, killScores } from '../runner/package.ts';
import type { SandboxPki } from '../runner/sandbox-pki.ts';
import { generateRsaKey } from '../signing/signature.ts';
import { type Measurement, perSecond } from './measurement.ts';
import { measureNewman } from './newman.ts';
import { benchTarget, inWords, signedPayments } from './signed-payments.ts';
import type { Task } from './worker.ts';

/** What one call of the command line took. */
interface CommandMeasurement {
  readonly exitCode: number;
  readonly durationMs: number;
  /** Until it had told its first event, with `--reporter json`. */
  readonly firstEventMs: number | undefined;
  /** Most memory that it had at any time. */
  readonly peakBytes: number;
}

/** Tells on the fourth stream what only the process itself knows. */
const tellingMemory = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS * 1024)));
`)}`;

/** Calls the command line as its users do, in a process of its own. */
async function measureCommand(...args: readonly string[]): Promise<CommandMeasurement> {
  const started = performance.now();
  const command = ['--import', tellingMemory, join(codeRoot, 'src/cli/main.js'), ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
  let firstEventMs: number | undefined;
  child.stdout?.on('data', () => {
    firstEventMs ??= performance.now() - started;
  });
  let peak = '';
  child.stdio[3]?.on('data', (text: Buffer) => {
    peak += text.toString();
  });
  const [exitCode] = (await once(child, 'close')) as [number];
  return { exitCode, durationMs: performance.now() - started, firstEventMs, peakBytes: Number(peak) };
}

/**
 * Benchmarks compare with a floor that is measured in the same run, on the same machine, against the same bank;
 * they report ratios, and no test asserts a time.
 */
const concurrency = 32;

/** At some 700 requests per second and 50 ms each, 35 are under way all the time. */
const concurrencyFarAway = 64;

/** The client works in a process of its own, as it does in a run. */
function inAnotherProcess(task: Task): Promise<Measurement> {
  return new Promise((resolve, reject) => {
    const child = fork(join(codeRoot, 'src/bench/worker.js'));
    child.once('message', (message) => resolve(message as Measurement));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The benchmark's client ended with exit code ${code}.`)));
    child.send(task);
  });
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const rounded = (number: number): string => number.toFixed(0).padStart(6);
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`.padStart(9);
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

/** The keys of the embedded bank, or the same with a longer one for the TPP. */
async function pkiWith(keyBits: number): Promise<SandboxPki> {
  const pki = await embeddedPki();
  if (keyBits === usualKeyBits) return pki;
  const { privateKey } = await generateRsaKey(keyBits);
  return { ...pki, tpp: await pki.ca.issueTpp({ key: privateKey }) };
}

const usualKeyBits = 2048;

/** The bank of the benchmark, here in its own process. */
async function withBank<T>(
  latencyMs: number,
  work: (targetText: string) => Promise<T>,
  keyBits = usualKeyBits,
): Promise<T> {
  const pki = await pkiWith(keyBits);
  const bank = await startEmbeddedBank(
    latencyMs === 0 ? { pki } : { pki, design: withLatency(latencyMs)(compliantDesign) },
  );
  try {
    return await work(bank.targetText);
  } finally {
    await bank.close();
  }
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Known once the suite has run. */
let requestsOfSuite: number | undefined;

/** With a longer key the signature is most of a request, as it is with any key on a slower processor. */
const keySizes = [usualKeyBits, 4096] as const;

async function compareWithTheFloor(): Promise<void> {
  say(
    `The full suite against the floor (undici, same signatures, no checks), ${concurrency} requests in flight`,
  );
  for (const keyBits of keySizes) {
    await withBank(
      0,
      async (target) => {
        await inAnotherProcess({ kind: 'floor', target, concurrency, requests: 500 });
        const suite = await inAnotherProcess({ kind: 'suite', target, concurrency });
        const floor = await inAnotherProcess({
          kind: 'floor',
          target,
          concurrency,
          requests: suite.requests,
        });
        const line = (name: string, measured: Measurement): string =>
          `    ${name}  ${rounded(perSecond(measured))} requests/s, ${(measured.cpuMs / measured.requests).toFixed(2)} ms of a processor each`;
        say(`  signed with ${keyBits} bits`);
        say(`${line('suite', suite)}  (${suite.requests} requests)`);
        say(line('floor', floor));
        say(`    ratio  ${((perSecond(suite) / perSecond(floor)) * 100).toFixed(0)} % of the floor`);
        requestsOfSuite = suite.requests;
      },
      keyBits,
    );
  }
}

async function compareLatency(): Promise<void> {
  say(`The full suite with 50 ms of latency, ${concurrencyFarAway} requests in flight`);
  const runAt = (latencyMs: number): Promise<Measurement> =>
    withBank(latencyMs, (target) =>
      inAnotherProcess({ kind: 'suite', target, concurrency: concurrencyFarAway }),
    );
  const near = await runAt(0);
  const far = await runAt(50);
  say(`  without  ${seconds(near.durationMs)}`);
  say(`  with     ${seconds(far.durationMs)}`);
  say(`  ratio    ${(far.durationMs / near.durationMs).toFixed(2)}`);
}

/** Newman cannot sign: it gets payments that are signed already, and so do we. */
async function compareWithNewman(): Promise<void> {
  const requests = 300;
  say(`${requests} payments that were signed before, next to newman; nothing is judged`);
  for (const latencyMs of [0, 50]) {
    await withBank(latencyMs, (text) =>
      withFolder(async (folder) => {
        const target = await benchTarget(text, concurrency);
        const payments = await signedPayments(target, requests);
        const newman = await measureNewman(
          folder,
          payments.map((payment) => inWords(target, payment)),
          target.tls.ca ?? '',
        );
        const ours = await inAnotherProcess({ kind: 'sent', target: text, concurrency, requests });
        say(`  with ${latencyMs} ms of latency`);
        say(`    ours    ${rounded(perSecond(ours))} requests/s, ${ours.errors} not answered 201`);
        if ('unavailable' in newman) {
          say(`    newman  could not be run, and is not compared: ${newman.unavailable}`);
          return;
        }
        say(`    newman  ${rounded(perSecond(newman))} requests/s, ${newman.errors} not answered 201`);
        say(`    ratio   ${(perSecond(ours) / perSecond(newman)).toFixed(1)} times as many`);
      }),
    );
  }
}

/** Without the pages for people, which shards do not make either. */
async function compareShards(): Promise<void> {
  const shards = 3;
  say(`${shards} shards at the same time against one process, on the same bank`);
  await withBank(0, (text) =>
    withFolder(async (folder) => {
      const target = join(folder, 'target.json');
      writeFileSync(target, text);
      const run = (name: string, ...args: readonly string[]): Promise<CommandMeasurement> =>
        measureCommand(
          ...['run', '--target', target, '--seed', '7', '--no-html', '--out', join(folder, name), ...args],
        );
      const one = await run('whole');
      const parts = await Promise.all(
        Array.from({ length: shards }, (_, index) =>
          run(`shard-${index + 1}`, '--shard', `${index + 1}/${shards}`),
        ),
      );
      const longest = Math.max(...parts.map(({ durationMs }) => durationMs));
      say(`  one process  ${seconds(one.durationMs)}`);
      say(`  ${shards} shards     ${seconds(longest)}`);
      say(`  ratio        ${(longest / one.durationMs).toFixed(2)}`);
    }),
  );
}

/** The quickest of a few: whatever else the machine does only makes them slower. */
async function quickest(
  take: (measured: CommandMeasurement) => number,
  ...args: readonly string[]
): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < 5; round += 1) taken.push(take(await measureCommand(...args)));
  return Math.min(...taken);
}

async function measureStart(): Promise<void> {
  say('From the command to what it is called for, the quickest of five');
  const toTheEnd = ({ durationMs }: CommandMeasurement): number => durationMs;
  const toTheFirst = ({ firstEventMs, durationMs }: CommandMeasurement): number => firstEventMs ?? durationMs;
  say(`  list                                ${seconds(await quickest(toTheEnd, 'list'))}`);
  say(`  explain AMT-02                      ${seconds(await quickest(toTheEnd, 'explain', 'AMT-02'))}`);
  const first = await withFolder((folder) =>
    quickest(
      toTheFirst,
      ...['run', '--only', 'AMT-02', '--reporter', 'json', '--no-html', '--out', join(folder, 'run')],
    ),
  );
  say(`  run --only AMT-02, first request    ${seconds(first)}`);
}

async function measureMemory(): Promise<void> {
  say('Most memory of a run with the embedded bank, and the files that it leaves');
  await withFolder(async (folder) => {
    const runs = [
      ['run', []],
      ['run --only AMT-02 --runs 10', ['--only', 'AMT-02', '--runs', '10']],
      ['run --only AMT-02 --runs 1000', ['--only', 'AMT-02', '--runs', '1000']],
    ] as const;
    for (const [index, [name, args]] of runs.entries()) {
      const out = join(folder, String(index), 'run');
      const { peakBytes } = await measureCommand('run', '--seed', '7', '--out', out, ...args);
      say(
        `  ${name.padEnd(30)} ${megabytes(peakBytes).padStart(7)}, ${readdirSync(out, { recursive: true }).length} files`,
      );
    }
  });
}

async function floodTheBank(): Promise<void> {
  const requests = 10_000;
  say(`${requests} signed payments at 64 in flight, twice`);
  await withBank(0, async (target) => {
    for (const round of ['first ', 'second']) {
      const flood = await inAnotherProcess({ kind: 'floor', target, concurrency: 64, requests });
      globalThis.gc?.();
      const memory = megabytes(process.memoryUsage().heapUsed);
      say(
        `  ${round} ${rounded(perSecond(flood))} requests/s, ${flood.errors} errors, memory of the bank afterwards ${memory}`,
      );
    }
  });
}

/** What the requests of a run and of a gate with a budget catch, as the last whole proof has shown. */
async function drawTheCurve(): Promise<void> {
  const killed = [...killScores().values()].reduce((sum, score) => sum + score.killed, 0);
  if (killed > 0 && requestsOfSuite !== undefined) {
    say(`Requests per deviation of the proof that the suite notices`);
    say(
      `  ${(requestsOfSuite / killed).toFixed(2)}  (${requestsOfSuite} requests with ten cases each, ${killed} deviations)\n`,
    );
  }
  const order = catchOrder();
  if (order === undefined) return;
  const all = order.checks.reduce((sum, { requests }) => sum + requests, order.preparation);
  say(`Broken banks of the proof (${order.banks}) that a budget of requests catches, with one case each`);
  for (const requests of [100, 300, 1000, all]) {
    const { share, ids } = withinBudget(order, requests);
    const perBank = (requests / Math.max(1, share * order.banks)).toFixed(2);
    say(
      `  ${rounded(requests)} requests  ${(share * 100).toFixed(0).padStart(3)} %  (${ids.size} checks, ${perBank} requests per bank)`,
    );
  }
}

const parts = {
  floor: compareWithTheFloor,
  latency: compareLatency,
  newman: compareWithNewman,
  shards: compareShards,
  start: measureStart,
  memory: measureMemory,
  flood: floodTheBank,
  curve: drawTheCurve,
} as const;

const isPart = (name: string): name is keyof typeof parts => Object.hasOwn(parts, name);
const named = process.argv.slice(2);
const unknown = named.filter((name) => !isPart(name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.\n`,
  );
  process.exit(2);
}
for (const name of named.length > 0 ? named.filter(isPart) : Object.keys(parts).filter(isPart)) {
  await parts[name]();
  say('');
}
