import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import type { Sign, SignatureHash } from './signature.ts';

/** A program that holds the key, or reaches the device that does. */
export interface SigningProgram {
  /** The program and its arguments; `{hash}` in them becomes sha256, sha1 or sha512. No shell reads them. */
  readonly command: readonly string[];
  /** The program stays and signs one line after the other, instead of being started for each signature. */
  readonly keepAlive: boolean;
  /** Where it is started: paths in the command are relative to it. */
  readonly directory: string;
  /** Bytes of a signature: those of the key. */
  readonly signatureLength: number;
}

/** What is wrong with a program, in words that name its file and never its arguments, which may hold a PIN. */
export class SigningProgramError extends Error {
  override readonly name = 'SigningProgramError';
}

const patienceMs = 30_000;
const mostOutput = 64 * 1024;

export const hashesOf = ({
  command,
  keepAlive,
}: Pick<SigningProgram, 'command' | 'keepAlive'>): readonly SignatureHash[] =>
  !keepAlive && command.some((part) => part.includes('{hash}')) ? ['sha256', 'sha1', 'sha512'] : ['sha256'];

/** As many programs side by side as there are processors; what more is to be signed waits for its turn. */
export function signByProgram(program: SigningProgram): Sign {
  const workers = Array.from({ length: availableParallelism() }, () =>
    program.keepAlive ? stayingWorker(program) : startingWorker(program),
  );
  const idle = [...workers];
  const waiting: ((worker: Worker) => void)[] = [];
  return async (data, hash) => {
    const worker = idle.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)));
    try {
      return await withRetries(async () => demandLength(await worker(data, hash), program));
    } finally {
      const next = waiting.shift();
      if (next === undefined) idle.push(worker);
      else next(worker);
    }
  };
}

/** Drivers of devices fail now and then (OpenSSL's PKCS #11 engine crashes once in thirty times); a second try is cheap. */
async function withRetries(sign: () => Promise<Buffer>, left = 2): Promise<Buffer> {
  try {
    return await sign();
  } catch (error) {
    if (left === 0) throw error;
    return withRetries(sign, left - 1);
  }
}

type Worker = (data: Buffer, hash: SignatureHash) => Promise<Buffer>;

function demandLength(signature: Buffer, { signatureLength, command }: SigningProgram): Buffer {
  if (signature.length === signatureLength) return signature;
  const hint =
    signature.length > signatureLength && /^[A-Za-z0-9+/=\s]+$/.test(signature.toString('latin1'))
      ? ' They look like Base64: let it print the bytes themselves.'
      : '';
  throw new SigningProgramError(
    `The program ${nameOf(command)} answered with ${signature.length} bytes where a signature of ${signatureLength} was expected.${hint}`,
  );
}

const nameOf = (command: readonly string[]): string => command[0] ?? '';

const start = (
  { command, directory }: SigningProgram,
  hash: SignatureHash,
): ChildProcessWithoutNullStreams => {
  const [file = '', ...rest] = command.map((part) => part.replaceAll('{hash}', hash));
  return spawn(file, rest, { cwd: directory, stdio: 'pipe', windowsHide: true });
};

/** Signing string on standard input, raw signature on standard output. */
const startingWorker =
  (program: SigningProgram): Worker =>
  (data, hash) =>
    new Promise((resolve, reject) => {
      const child = start(program, hash);
      const output: Buffer[] = [];
      let length = 0;
      const fail = (problem: string): void => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        reject(new SigningProgramError(`The program ${nameOf(program.command)} ${problem}`));
      };
      const timer = setTimeout(() => fail(`did not sign within ${patienceMs / 1000} seconds.`), patienceMs);
      child.stdout.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > mostOutput) fail('prints more than a signature.');
        else output.push(chunk);
      });
      // It may go wrong before it has read what it is to sign; its exit says so.
      child.stdin.on('error', () => {});
      child.stderr.resume();
      child.on('error', (error) => fail(whyNotStarted(error)));
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        if (code === 0) resolve(Buffer.concat(output));
        else fail(`ended with ${signal ?? `exit code ${code}`} instead of signing. Try it by hand.`);
      });
      child.stdin.end(data);
    });

/** One line each way: the signing string in Base64, then the signature in Base64. */
function stayingWorker(program: SigningProgram): Worker {
  let open: { child: ChildProcessWithoutNullStreams; ask: Worker } | undefined;
  return (data, hash) => {
    open ??= startStaying(program, hash, () => {
      open = undefined;
    });
    return open.ask(data, hash);
  };
}

function startStaying(
  program: SigningProgram,
  hash: SignatureHash,
  onEnd: () => void,
): { child: ChildProcessWithoutNullStreams; ask: Worker } {
  const child = start(program, hash);
  let pending: { resolve: (line: Buffer) => void; fail: (problem: string) => void } | undefined;
  // It lives as long as the run, and ends with its standard input; it must not keep the run alive.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    (stream as { unref?: () => void }).unref?.();
  child.stdin.on('error', () => {});
  child.stderr.resume();
  const ended = (problem: string): void => {
    onEnd();
    pending?.fail(problem);
  };
  child.on('error', (error) => ended(whyNotStarted(error)));
  child.on('close', (code, signal) =>
    ended(`ended with ${signal ?? `exit code ${code}`} instead of signing. Try it by hand.`),
  );
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.length > mostOutput) child.kill('SIGKILL');
    else pending?.resolve(Buffer.from(line, 'base64'));
  });
  return {
    child,
    ask: (data) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer);
          pending = undefined;
        };
        const fail = (problem: string): void => {
          settle();
          reject(new SigningProgramError(`The program ${nameOf(program.command)} ${problem}`));
        };
        const timer = setTimeout(() => {
          child.kill('SIGKILL');
          fail(`did not sign within ${patienceMs / 1000} seconds.`);
        }, patienceMs);
        pending = {
          fail,
          resolve(signature) {
            settle();
            resolve(signature);
          },
        };
        child.stdin.write(`${data.toString('base64')}\n`);
      }),
  };
}

function whyNotStarted(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'does not exist, or is not on the PATH.';
  if (code === 'EACCES') return 'may not be run: its permissions forbid it.';
  return 'cannot be started.';
}
