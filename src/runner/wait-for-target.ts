import { setTimeout as sleep } from 'node:timers/promises';
import type { TargetOverrides } from '../target/load-target.ts';
import type { Target } from '../target/target.ts';
import { type OpenTarget, openTarget } from './open-target.ts';
import { transportTo } from './run-context.ts';

export interface Patience {
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
