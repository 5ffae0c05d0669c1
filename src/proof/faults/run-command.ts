import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Ran {
  readonly exitCode: number | null;
  /** Everything that was printed, on both streams. */
  readonly output: string;
  readonly seconds: number;
  /** The most memory that the process had, in megabytes; 0 where the system does not tell. */
  readonly megabytes: number;
}

/** Runs a command in a process of its own, for no longer than it may take. */
export async function runCommand(args: readonly string[], longestSeconds: number): Promise<Ran> {
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
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, memoryOf(child.pid));
  }, 50);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(watch);
  return { exitCode, output, seconds: (performance.now() - started) / 1000, megabytes };
}

/** Linux keeps the high-water mark of a process. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
