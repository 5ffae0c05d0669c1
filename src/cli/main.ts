#!/usr/bin/env node
import { runProgram } from './program.ts';

// Whoever reads our output may stop reading (`| head`); that is no reason for a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runProgram(process.argv);
