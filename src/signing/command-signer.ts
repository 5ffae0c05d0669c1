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
  /** How long it may take over one signature; half a minute unless given. */
  readonly patienceMs?: number;
}

/** What is wrong with a program, in words that name its file and never its arguments, which may hold a PIN. */
export class SigningProgramError extends Error {
  override readonly name = 'SigningProgramError';
}

/** It said nothing in all the time it had. */
class SilentProgramError extends SigningProgramError {}

const usualPatienceMs = 30_000;
const mostOutput = 64 * 1024;

export const hashesOf = ({
  command,
  keepAlive,
}: Pick<SigningProgram, 'command' | 'keepAlive'>): readonly SignatureHash[] =>
  !keepAlive && command.some((part) => part.includes('{hash}')) ? ['sha256', 'sha1', 'sha512'] : ['sha256'];

/** Drivers of devices fail now and then; another try is cheap. */
const tries = 3;

/**
 * As many programs side by side as there are processors; what more is to be signed waits for its turn. Some devices take
 * one at a time (SoftHSM, whose processes trip over each other's files): after a failure the next try is made alone, and
 * so is every later one.
 */
export function signByProgram(program: SigningProgram): Sign {
  const idle = Array.from({ length: availableParallelism() }, () =>
    program.keepAlive ? stayingWorker(program) : startingWorker(program),
  );
  const waiting: ((worker: Worker) => void)[] = [];
  let most = idle.length;
  let busy = 0;
  let hasSigned = false;
  const giveTurns = (): void => {
    while (busy < most) {
      const [worker, next] = [idle.at(-1), waiting.at(0)];
      if (worker === undefined || next === undefined) return;
      idle.pop();
      waiting.shift();
      busy += 1;
      next(worker);
    }
  };
  const inTurn = async (data: Buffer, hash: SignatureHash, isUrgent: boolean): Promise<Buffer> => {
    const worker = await new Promise<Worker>((resolve) => {
      if (isUrgent) waiting.unshift(resolve);
      else waiting.push(resolve);
      giveTurns();
    });
    try {
      const signature = demandLength(await worker(data, hash), program);
      hasSigned = true;
      return signature;
    } catch (error) {
      most = 1;
      throw error;
    } finally {
      idle.push(worker);
      busy -= 1;
      giveTurns();
    }
  };
  const withRetries = async (data: Buffer, hash: SignatureHash, left: number): Promise<Buffer> => {
    try {
      return await inTurn(data, hash, left < tries);
    } catch (error) {
      // Whoever has never signed waits for something, such as a PIN, and would do so again.
      if (left === 1 || (error instanceof SilentProgramError && !hasSigned)) throw error;
      return withRetries(data, hash, left - 1);
    }
  };
  return (data, hash) => withRetries(data, hash, tries);
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

const silent = ({ command, patienceMs = usualPatienceMs }: SigningProgram): SilentProgramError =>
  new SilentProgramError(
    `The program ${nameOf(command)} did not sign within ${patienceMs / 1000} seconds. Try it by hand: does it wait for a PIN?`,
  );

const nameOf = (command: readonly string[]): string => command[0] ?? '';

const start = (
  { command, directory }: SigningProgram,
  hash: SignatureHash,
): ChildProcessWithoutNullStreams => {
  const [file = '', ...rest] = command.map((part) => part.replaceAll('{hash}', hash));
  return spawn(file, rest, { cwd: directory, stdio: 'pipe', windowsHide: true });
};

/** What it has started in turn may live on, and hold its output open, which would keep the run from its end. */
function giveUp(child: ChildProcessWithoutNullStreams): void {
  child.kill('SIGKILL');
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  child.unref();
}

/** So long the output of a program is waited for that has ended: an agent that it has started may hold it open for ever. */
const lingerMs = 500;

/** Signing string on standard input, raw signature on standard output. */
const startingWorker =
  (program: SigningProgram): Worker =>
  (data, hash) =>
    new Promise((resolve, reject) => {
      const child = start(program, hash);
      const output: Buffer[] = [];
      let length = 0;
      const end = (error: SigningProgramError): void => {
        clearTimeout(timer);
        giveUp(child);
        reject(error);
      };
      const fail = (problem: string): void =>
        end(new SigningProgramError(`The program ${nameOf(program.command)} ${problem}`));
      const timer = setTimeout(() => end(silent(program)), program.patienceMs ?? usualPatienceMs);
      child.stdout.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > mostOutput) fail('prints more than a signature.');
        else output.push(chunk);
      });
      // It may go wrong before it has read what it is to sign; its exit says so.
      child.stdin.on('error', () => {});
      child.stderr.resume();
      child.on('error', (error) => fail(whyNotStarted(error)));
      child.on('exit', () => {
        const lingering = setTimeout(() => giveUp(child), lingerMs);
        child.on('close', () => clearTimeout(lingering));
      });
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
  let length = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf('\n');
    length = end < 0 ? length + chunk.length : chunk.length - end;
    if (length <= mostOutput) return;
    ended('prints more than a signature.');
    giveUp(child);
  });
  createInterface({ input: child.stdout }).on('line', (line) =>
    pending?.resolve(Buffer.from(line, 'base64')),
  );
  return {
    child,
    ask: (data) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer);
          pending = undefined;
        };
        const end = (error: SigningProgramError): void => {
          settle();
          reject(error);
        };
        const fail = (problem: string): void =>
          end(new SigningProgramError(`The program ${nameOf(program.command)} ${problem}`));
        const timer = setTimeout(() => {
          giveUp(child);
          onEnd();
          end(silent(program));
        }, program.patienceMs ?? usualPatienceMs);
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
