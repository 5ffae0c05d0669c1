import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedBank } from '../../runner/embedded-bank.ts';
import { embeddedPki } from '../../runner/embedded-pki.ts';
import { createCertificateAuthority } from '../../signing/certificate-authority.ts';
import type { Behaviour } from '../../tpp/misbehaving-server/behaviour.ts';
import { startMisbehavingServer } from '../../tpp/misbehaving-server/server.ts';
import { injectTransport } from '../inject-transport.ts';

interface Ran {
  readonly exitCode: number | null;
  /** Everything that was printed, on both streams. */
  readonly output: string;
  readonly seconds: number;
  /** The most memory that the process had, in megabytes; 0 where the system does not tell. */
  readonly megabytes: number;
  /** What it had from second to second. */
  readonly memory: readonly number[];
}

/** Runs a command in a process of its own, for no longer than it may take. */
async function runCommand(args: readonly string[], longestSeconds: number): Promise<Ran> {
  const started = performance.now();
  const { GITHUB_ACTIONS: _, XS2A_TARGET: __, XS2A_BASE_URL: ___, ...env } = process.env;
  const child = spawn(process.execPath, args, { env, timeout: longestSeconds * 1000, killSignal: 'SIGKILL' });
  let output = '';
  const hear = (text: string): void => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  let megabytes = 0;
  const memory: number[] = [];
  const watch = setInterval(() => {
    const { most, now } = memoryOf(child.pid);
    megabytes = Math.max(megabytes, most);
    if (now > 0 && performance.now() - started > memory.length * 1000) memory.push(now);
  }, 50);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(watch);
  return { exitCode, output, seconds: (performance.now() - started) / 1000, megabytes, memory };
}

/** Linux keeps the high-water mark of a process next to what it has now. */
function memoryOf(pid: number | undefined): { readonly most: number; readonly now: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name: string): number =>
      Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
    return { most: megabytes('VmHWM'), now: megabytes('VmRSS') };
  } catch {
    return { most: 0, now: 0 };
  }
}

/** What must not be found in anything that a run writes or prints. */
const apiKey = 'key-of-the-developer-portal-4711';

/** Enough to send requests of every kind, and few enough for hundreds of runs. */
const checks = [
  'TRN-07',
  'CLK-01',
  'DIG-03',
  'AMT-04',
  'NDC-09',
  'NCB-09',
  'BSK-02',
  'SGS-14',
  'ERR-06',
  'ACC-02',
];

const usual: RunFlags = { flags: ['--only', checks.join(), '--runs', '4'], longestSeconds: 100 };

export interface FaultRun extends Ran {
  readonly folder: string;
  /** Connections to an address where a run has no business. */
  readonly strays: number;
  readonly secrets: readonly string[];
}

export interface RunFlags {
  readonly flags: readonly string[];
  /** No run may take longer, or it counts as hanging. */
  readonly longestSeconds: number;
}

/** A bank behind a misbehaving server, and the command line that judges it, one run after the other. */
export interface FaultLane {
  run<T>(behaviours: readonly Behaviour[], look: (run: FaultRun) => T, how?: RunFlags): Promise<T>;
  close(): Promise<void>;
}

export async function openFaultLane(command: string): Promise<FaultLane> {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-faults-'));
  const [pki, other] = await Promise.all([embeddedPki(), createCertificateAuthority()]);
  let strays = 0;
  const elsewhere = createServer((socket) => {
    strays += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const server = await startMisbehavingServer({
    certificate: await pki.ca.issueServer(['localhost']),
    otherCertificates: {
      'of-another-authority': await other.issueServer(['localhost']),
      'of-another-name': await pki.ca.issueServer(['bank.example']),
    },
    elsewhere: `https://localhost:${(elsewhere.address() as AddressInfo).port}`,
  });
  const bank = await startEmbeddedBank({ pki, publicUrl: `https://localhost:${server.port}` });
  server.bank = injectTransport(bank.bank);
  const target = join(folder, 'target.json');
  const description = {
    ...bank.description,
    customHeaders: { 'X-API-Key': apiKey },
    pace: { concurrency: 16, requestsPerSecond: 0, timeoutMs: 700, outageSeconds: 20 },
  };
  writeFileSync(target, JSON.stringify(description), { mode: 0o600 });
  const { nationalId, id, sessionId } = description.psu;
  let runs = 0;
  return {
    async run(behaviours, look, { flags, longestSeconds } = usual) {
      runs += 1;
      strays = 0;
      const out = join(folder, `run-${runs}`);
      await server.behave(behaviours);
      bank.renewSessions();
      const args = [command, 'run', '--target', target, '--out', out, '--no-html', ...flags];
      const ran = await runCommand(args, longestSeconds);
      const found = look({ ...ran, folder: out, strays, secrets: [apiKey, nationalId, id, sessionId] });
      rmSync(out, { recursive: true, force: true });
      return found;
    },
    async close() {
      await server.close();
      await bank.close();
      await new Promise((resolve) => elsewhere.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
