import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { TargetOverrides } from '../target/load-target.ts';
import { targetVariable } from '../target/settings.ts';
import type { Target } from '../target/target.ts';
import type { EmbeddedBank } from './embedded-bank.ts';
import { codeRoot } from './package.ts';
import { transportTo } from './run-context.ts';

/** A target that is ready to be talked to. */
export interface OpenTarget {
  readonly target: Target;
  /** The target file, where there is one. */
  readonly file?: string;
  /** Whether it is the reference bank, inside this process. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** How the embedded bank is named in reports, whatever its port was. */
export const embeddedAddress = 'https://localhost';

/** Loads the target that was named, by a file, a variable or an address; without any, the reference bank is started. */
export async function openTarget(named: string | undefined, overrides: TargetOverrides): Promise<OpenTarget> {
  const file = named ?? (process.env[targetVariable] || undefined);
  const address = overrides.baseUrl ?? process.env.XS2A_BASE_URL;
  if (file === undefined && !address) return openEmbedded(overrides);
  const { loadTarget } = await import('../target/load-target.ts');
  return {
    target: await loadTarget(file, overrides),
    ...(file === undefined ? {} : { file }),
    embedded: false,
    close: async () => {},
  };
}

async function openEmbedded(overrides: TargetOverrides): Promise<OpenTarget> {
  // What reads a target file and sends the first request is loaded while the bank comes up.
  const [{ targetText, close }, { loadTarget }] = await Promise.all([
    isCompiled ? startBankThread() : startBankHere(),
    import('../target/load-target.ts'),
    import('undici/lib/dispatcher/pool.js'),
  ]);
  return { target: await loadTarget({ text: targetText }, overrides), embedded: true, close };
}

type StartedBank = Pick<EmbeddedBank, 'targetText' | 'close'>;

/** Node 20 starts no thread from TypeScript. */
const isCompiled = import.meta.url.endsWith('.js');

/** In a thread of its own the bank comes up while suites are loaded, and answers while checks judge. */
async function startBankThread(): Promise<StartedBank> {
  const thread = new Worker(join(codeRoot, 'src/runner/embedded-bank-thread.js'), {
    // What a bank makes for an answer is soon of no use: a small nursery does, and keeps memory low.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const [targetText] = (await once(thread, 'message')) as [string];
  thread.on('error', (error) => void process.stderr.write(`The embedded bank broke: ${error.stack}\n`));
  return {
    targetText,
    close: async () => {
      await thread.terminate();
    },
  };
}

async function startBankHere(): Promise<StartedBank> {
  const [{ startEmbeddedBank }, { embeddedPki }] = await Promise.all([
    import('./embedded-bank.ts'),
    import('./embedded-pki.ts'),
  ]);
  return startEmbeddedBank({ pki: await embeddedPki() });
}

interface Patience {
  readonly seconds: number;
  readonly signal?: AbortSignal;
  /** Hears once what is waited for. */
  readonly onWaiting?: (sentence: string) => void;
}

const pauseMs = 500;

/** A gateway that answers in place of a bank which is still coming up. */
const notYet = [502, 503, 504];

/**
 * Opens a target as soon as it answers: a bank that was started a moment ago has perhaps not even written its target
 * file. When the time is over the target is opened as it is, so that a run tells what is wrong with it.
 */
export async function openWhenItAnswers(
  named: string | undefined,
  overrides: TargetOverrides,
  { seconds, signal, onWaiting = () => {} }: Patience,
): Promise<OpenTarget> {
  const end = Date.now() + seconds * 1000;
  const isOver = (): boolean => Date.now() + pauseMs >= end || signal?.aborted === true;
  let told = false;
  const wait = async (sentence: string): Promise<void> => {
    if (!told) onWaiting(sentence);
    told = true;
    await sleep(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  };
  for (;;) {
    try {
      const opened = await openTarget(named, overrides);
      if (opened.embedded || isOver()) return opened;
      // Read once more: a bank that has come up meanwhile may have written the file anew.
      if (await answers(opened.target)) return told ? openTarget(named, overrides) : opened;
      await wait(`Waiting up to ${seconds} s for ${opened.target.baseUrl} to answer`);
    } catch (error) {
      if (isOver()) throw error;
      await wait(`Waiting up to ${seconds} s for the target file`);
    }
  }
}

/** Whether somebody answers at the address, whatever the answer says. */
async function answers(target: Target): Promise<boolean> {
  const transport = transportTo(target);
  const { host, pathname } = new URL(target.baseUrl);
  try {
    const answer = await transport.send(
      { method: 'GET', target: pathname, headers: [['Host', host]], body: undefined },
      Math.min(target.pace.timeoutMs, 5_000),
    );
    return !notYet.includes(answer.status);
  } catch {
    return false;
  } finally {
    await transport.close();
  }
}
