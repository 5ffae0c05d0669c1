import { brokenKids } from '../../src/payloads/kid.ts';
import type { Answer } from '../../src/tpp/answer.ts';

const saysKid = ({ messages }: Answer): boolean => messages.some(({ code }) => code === 'KID_INVALID');

/**
 * Whether a payment may have been refused for its KID. Not every bank says why it refuses; whoever says it of a wrong check
 * digit would have said it here, too.
 */
export async function mayBeForItsKid(
  answer: Answer,
  sendWith: (reference: string) => Promise<Answer>,
): Promise<boolean> {
  if (answer.status !== 400) return false;
  if (saysKid(answer)) return true;
  const ofWrongOne = await sendWith(brokenKids[0] ?? '');
  return ofWrongOne.status === 400 && !saysKid(ofWrongOne);
}
