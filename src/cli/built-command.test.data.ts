import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Workers of the test framework must not build over each other.
const built = join(root, `node_modules/.cache/xs2a-conformance-tests-${process.env.VITEST_POOL_ID ?? '0'}`);
export const commandFile = join(built, 'src/cli/main.js');

let building: Promise<unknown> | undefined;

/** Builds the command line apart from `dist`, so that tests judge these sources and disturb nobody; once in a process. */
export async function build(): Promise<void> {
  building ??= promisify(execFile)(process.execPath, [join(root, 'build.mjs'), '--out', built]);
  await building;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Command {
  readonly child: ChildProcess;
  /** Resolves with the line as soon as one of standard output matches. */
  line(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
}

/** Starts the built command line as its users do. */
export function start(folder: string, ...args: readonly string[]): Command {
  const { XS2A_TARGET: _, XS2A_BASE_URL: __, GITHUB_ACTIONS: ___, ...env } = process.env;
  const child = spawn(process.execPath, [commandFile, ...args], { cwd: folder, env });
  let out = '';
  let err = '';
  const watchers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    for (const watch of watchers) watch();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, out, err }));
  });
  return {
    child,
    ended,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          const found = out.split('\n').find((line) => pattern.test(line));
          if (found === undefined) return;
          watchers.delete(watch);
          resolve(found);
        };
        watchers.add(watch);
        watch();
        void ended.then(() => reject(new Error(`It ended without ${pattern}:\n${out}\n${err}`)));
      }),
  };
}

export const ran = (folder: string, ...args: readonly string[]): Promise<Ended> =>
  start(folder, ...args).ended;
