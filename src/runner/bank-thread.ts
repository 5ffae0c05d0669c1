import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EmbeddedBank } from './embedded-bank.ts';
import { codeRoot } from './package.ts';

/** Node 20 starts no thread from TypeScript. */
export const hasBankThread = import.meta.url.endsWith('.js');

interface BankThread {
  readonly thread: Worker;
  readonly targetText: Promise<string>;
}

let ahead: BankThread | undefined;

/**
 * Starts the bank before it is asked for, so that it comes up while the command itself is loaded. It keeps no process from
 * ending that does not take it.
 */
export function startBankAhead(): void {
  if (!hasBankThread) return;
  ahead = startThread();
  ahead.thread.unref();
}

/** In a thread of its own the bank comes up while suites are loaded, and answers while checks judge. */
export async function startBankThread(): Promise<Pick<EmbeddedBank, 'targetText' | 'close'>> {
  const { thread, targetText } = ahead ?? startThread();
  ahead = undefined;
  thread.ref();
  return {
    targetText: await targetText,
    close: async () => {
      await thread.terminate();
    },
  };
}

function startThread(): BankThread {
  const thread = new Worker(join(codeRoot, 'src/runner/embedded-bank-thread.js'), {
    // What a bank makes for an answer is soon of no use: a small nursery does, and keeps memory low.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const targetText = once(thread, 'message').then(([text]: readonly string[]) => {
    thread.on('error', (error) => void process.stderr.write(`The embedded bank broke: ${error.stack}\n`));
    return text ?? '';
  });
  // Told to whoever takes the bank.
  targetText.catch(() => {});
  return { thread, targetText };
}
