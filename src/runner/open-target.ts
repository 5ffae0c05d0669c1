import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TargetOverrides } from '../target/load-target.ts';
import { targetVariable } from '../target/settings.ts';
import type { Target } from '../target/target.ts';
import type { EmbeddedBank } from './embedded-bank.ts';
import { codeRoot } from './package.ts';

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
  // What reads a target file is loaded while the bank comes up.
  const [{ targetText, close }, { loadTarget }] = await Promise.all([
    isCompiled ? startBankThread() : startBankHere(),
    import('../target/load-target.ts'),
  ]);
  return { target: await loadTarget({ text: targetText }, overrides), embedded: true, close };
}

type StartedBank = Pick<EmbeddedBank, 'targetText' | 'close'>;

/** Node 20 starts no thread from TypeScript. */
const isCompiled = import.meta.url.endsWith('.js');

/** In a thread of its own the bank comes up while suites are loaded, and answers while checks judge. */
async function startBankThread(): Promise<StartedBank> {
  const thread = new Worker(join(codeRoot, 'src/runner/embedded-bank-thread.js'));
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
