import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { codeRoot } from '../runner/package.ts';

/** What one call of the command line took. */
export interface CommandMeasurement {
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
export async function measureCommand(...args: readonly string[]): Promise<CommandMeasurement> {
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
