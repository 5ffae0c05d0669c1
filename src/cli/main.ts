#!/usr/bin/env node
import { runProgram } from './program.ts';

// `list | head` closes the pipe early, which is no fault of anyone.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runProgram(process.argv);
