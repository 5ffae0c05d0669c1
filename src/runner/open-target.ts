import { setTimeout as sleep } from 'node:timers/promises';
import { harmlessLines } from '../report/harmless-text.ts';
import { steadyNow } from '../spec/steady-clock.ts';
import type { TargetOverrides } from '../target/load-target.ts';
import { targetVariable } from '../target/settings.ts';
import type { Target } from '../target/target.ts';
import { TargetFileError } from '../target/target-problem.ts';
import { Redactor } from '../tpp/redaction.ts';
import { hasBankThread, startBankThread } from './bank-thread.ts';
import type { EmbeddedBank } from './embedded-bank.ts';
import { transportTo } from './run-context.ts';

/** A target that is ready to be talked to. */
export interface OpenTarget {
  readonly target: Target;
  /** The target file, where there is one. */
  readonly file?: string;
  /** Whether it is the reference bank, inside this process. */
  readonly embedded: boolean;
  /** Requests by which it was waited for. */
  readonly asked?: number;
  close(): Promise<void>;
}

/** Tells what a target is about to run on this machine: its file may come from somebody else. */
export const announceProgram = (sentence: string): void =>
  void process.stderr.write(`${harmlessLines(new Redactor().text(sentence))}\n`);

/** Loads the target that was named, by a file, a variable or an address; without any, the reference bank is started. */
export async function openTarget(
  named: string | undefined,
  overrides: TargetOverrides,
  announce = announceProgram,
): Promise<OpenTarget> {
  const file = named ?? (process.env[targetVariable] || undefined);
  const address = overrides.baseUrl ?? process.env.XS2A_BASE_URL;
  if (file === undefined && !address) {
    refuseEmptyName(process.env[targetVariable]);
    return openEmbedded(overrides, announce);
  }
  const { loadTarget } = await import('../target/load-target.ts');
  return {
    target: await loadTarget(file, overrides, process.env, announce),
    ...(file === undefined ? {} : { file }),
    embedded: false,
    close: async () => {},
  };
}

/** Whoever has set the variable means a bank of their own: that the embedded one is conformant would read as its verdict. */
function refuseEmptyName(variable: string | undefined): void {
  if (variable === undefined) return;
  const message =
    'It is set, and empty. Name the target file in it, or unset it to judge the embedded reference bank.';
  throw new TargetFileError(undefined, [{ place: targetVariable, path: '', message }]);
}

async function openEmbedded(
  overrides: TargetOverrides,
  announce: (sentence: string) => void,
): Promise<OpenTarget> {
  // What reads a target file and sends the first request is loaded while the bank comes up.
  const [{ targetText, close }, { loadTarget }] = await Promise.all([
    hasBankThread ? startBankThread() : startBankHere(),
    import('../target/load-target.ts'),
    import('undici/lib/dispatcher/pool.js'),
  ]);
  try {
    const target = await loadTarget({ text: targetText }, overrides, process.env, announce);
    return { target, embedded: true, close };
  } catch (error) {
    // A flag or variable that is wrong: the bank would keep the process from its end.
    await close();
    throw error;
  }
}

type StartedBank = Pick<EmbeddedBank, 'targetText' | 'close'>;

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
  const end = steadyNow() + seconds * 1000;
  const isOver = (): boolean => steadyNow() + pauseMs >= end || signal?.aborted === true;
  let told = false;
  const announced = new Set<string>();
  // The target is read again and again, and what it runs is told once.
  const announceOnce = (sentence: string): void => {
    if (!announced.has(sentence)) announceProgram(sentence);
    announced.add(sentence);
  };
  const wait = async (sentence: string): Promise<void> => {
    if (!told) onWaiting(sentence);
    told = true;
    await sleep(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  };
  for (let asked = 1; ; asked += 1) {
    try {
      const opened = await openTarget(named, overrides, announceOnce);
      if (opened.embedded || isOver()) return opened;
      // Read once more: a bank that has come up meanwhile may have written the file anew.
      if (await answers(opened.target))
        return { ...(told ? await openTarget(named, overrides, announceOnce) : opened), asked };
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
