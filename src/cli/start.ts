import { keepCompiledCode } from './compile-cache.ts';
import { startBankIfMeant } from './embedded-bank-ahead.ts';
import { keepHeapSmall } from './small-heap.ts';

keepCompiledCode();
keepHeapSmall();
startBankIfMeant(process.argv.slice(2), process.env);
const [{ exitCodeOf, runProgram }, { ended, endProcess, refuseOtherEndings }] = await Promise.all([
  import('./program.ts'),
  import('./ending.ts'),
]);

// `run | head` closes the pipe early, and a terminal may go away: what was begun goes on to its reports and its exit code.
const streams = [
  [process.stdout, 'Standard output'],
  [process.stderr, 'Standard error'],
] as const;
for (const [stream, path] of streams) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw Object.assign(error, { path });
  });
}

// What nobody waits for may fail, too: Node would print it with all that is secret in it, and end with 1, as a bank that fails.
process.on('uncaughtException', (error) => endProcess(exitCodeOf(error)));
refuseOtherEndings();

ended(await runProgram(process.argv));
