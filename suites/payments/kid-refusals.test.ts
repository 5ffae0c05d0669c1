import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/tpp/answer.ts';
import { mayBeForItsKid } from './kid-refusals.ts';

const answer = (status: number, ...codes: readonly string[]): Answer =>
  ({ status, messages: codes.map((code) => ({ code })) }) as unknown as Answer;

describe('a payment may be refused for its KID', () => {
  it.each([
    ['who says so', answer(400, 'KID_INVALID'), answer(400, 'KID_INVALID')],
    ['who gives no reason to anybody', answer(400), answer(400)],
    ['who has one code for everything', answer(400, 'BAD_REQUEST'), answer(400, 'BAD_REQUEST')],
  ])('by a bank %s', async (_, refusal, ofWrongOne) => {
    await expect(mayBeForItsKid(refusal, async () => ofWrongOne)).resolves.toBe(true);
  });

  it.each([
    ['who would have said so', answer(400, 'FORMAT_ERROR'), answer(400, 'KID_INVALID')],
    ['who takes wrong ones', answer(400, 'FORMAT_ERROR'), answer(201)],
    ['who calls it a duplicate', answer(409, 'CONFLICT'), answer(400)],
    ['who takes it', answer(201), answer(400)],
  ])('and not by one %s', async (_, refusal, ofWrongOne) => {
    await expect(mayBeForItsKid(refusal, async () => ofWrongOne)).resolves.toBe(false);
  });
});
