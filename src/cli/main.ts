#!/usr/bin/env node
import module from 'node:module';
import { startBankIfMeant } from './embedded-bank-ahead.ts';
import { keepHeapSmall } from './small-heap.ts';

// Node 22 and later keep the compiled code of the many small files for the next start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
keepHeapSmall();
startBankIfMeant(process.argv.slice(2), process.env);
const { runProgram } = await import('./program.ts');

// `run | head` closes the pipe early, and a terminal may go away: what was begun goes on to its reports and its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

process.exitCode = await runProgram(process.argv);
