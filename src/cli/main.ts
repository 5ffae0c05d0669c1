#!/usr/bin/env node
import module from 'node:module';

// Node 22 and later keep the compiled code of the many small files for the next start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { runProgram } = await import('./program.ts');

// `run | head` closes the pipe early, which is no fault of anyone: the rest is told to nobody, and the exit code holds.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runProgram(process.argv);
