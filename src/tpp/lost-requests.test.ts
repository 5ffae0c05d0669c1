import { expect, it, vi } from 'vitest';
import { LostRequests } from './lost-requests.ts';

const never = (): Promise<void> => new Promise(() => {});

/** Requests of this operation that were answered, one a second, each in so many milliseconds. */
function acquainted(durationsMs: readonly number[]): LostRequests {
  const lost = new LostRequests();
  for (const [place, ms] of durationsMs.entries()) lost.answered('createDomesticPayment', place * 1_000, ms);
  return lost;
}

const often = (ms: number, times = 20): number[] => Array<number>(times).fill(ms);
const sentAt = 100_000;

it('doubts nothing of an operation that it does not know', () => {
  expect(acquainted(often(50, 7)).doubtOf('createDomesticPayment', sentAt, never)).toBeUndefined();
  expect(acquainted(often(50)).doubtOf('createBasket', sentAt, never)).toBeUndefined();
});

it('gives a request twice the time that others have taken of late, and two seconds at least', () => {
  const afterMs = (durationsMs: readonly number[]): number | undefined =>
    acquainted(durationsMs).doubtOf('createDomesticPayment', sentAt, never)?.afterMs;
  expect(afterMs(often(50))).toBe(2_000);
  expect(afterMs([...often(50), 4_000])).toBe(8_000);
  expect(afterMs([4_000, ...often(50, 100)])).toBe(2_000);
});

it('takes a request for lost that is still there long after one that was sent later', () => {
  const lost = acquainted(often(50));
  const ask = vi.fn(never);
  const doubt = lost.doubtOf('createDomesticPayment', sentAt, ask);
  lost.answered('listAccounts', sentAt + 1_500, 80);
  // The first look may come in the moment in which the bank goes on after a halt.
  expect([doubt?.isLost(), doubt?.isLost()]).toEqual([false, true]);
  expect(ask).not.toHaveBeenCalled();
});

it('asks for something else, one at a time, where nothing else is under way', async () => {
  const lost = acquainted(often(50));
  const ask = vi.fn(() => Promise.resolve().then(() => lost.answered('listAccounts', sentAt + 2_000, 80)));
  const doubts = [1, 2].map(() => lost.doubtOf('createDomesticPayment', sentAt, ask));
  for (const doubt of doubts) expect(doubt?.isLost()).toBe(false);
  expect(ask).toHaveBeenCalledOnce();
  await Promise.resolve();
  for (const doubt of doubts) expect([doubt?.isLost(), doubt?.isLost()]).toEqual([false, true]);
});

it('gives up nothing while the bank halts', () => {
  const lost = acquainted(often(50));
  const doubt = lost.doubtOf('createDomesticPayment', sentAt, never);
  lost.answered('listAccounts', sentAt + 100, 80);
  expect([1, 2, 3, 4].map(() => doubt?.isLost())).toEqual([false, false, false, false]);
});

it('expects nothing of an operation that is never answered while others are', () => {
  const lost = acquainted(often(50, 3));
  for (let request = 1; request <= 4; request += 1) {
    expect(lost.isHopeless('createBasket')).toBe(false);
    lost.gaveUp('createBasket', sentAt);
  }
  expect(lost.isHopeless('createBasket')).toBe(false);
  lost.answered('listAccounts', sentAt + 30_000, 80);
  expect(lost.isHopeless('createBasket')).toBe(true);
  expect(lost.isHopeless('createDomesticPayment')).toBe(false);
  const doubt = lost.doubtOf('createBasket', sentAt + 31_000, never);
  expect(doubt?.afterMs).toBe(2_000);
  lost.answered('listAccounts', sentAt + 34_000, 80);
  expect([doubt?.isLost(), doubt?.isLost()]).toEqual([false, true]);
  lost.answered('createBasket', sentAt + 40_000, 80);
  expect(lost.isHopeless('createBasket')).toBe(false);
});

it('expects more of an operation that was answered before, until one is lost as well that was sent after the others', () => {
  const lost = acquainted(often(50));
  const giveUp = (sent: number): void => lost.gaveUp('createDomesticPayment', sent, sent + 3_000);
  for (const sent of [0, 10, 20, 30, 40]) giveUp(sentAt + sent);
  lost.answered('listAccounts', sentAt + 2_000, 80);
  expect(lost.isHopeless('createDomesticPayment')).toBe(false);
  giveUp(sentAt + 3_200);
  expect(lost.isHopeless('createDomesticPayment')).toBe(true);
});
