import type { Answer } from '../../src/tpp/answer.ts';
import { membersCalled } from '../told-values.ts';

/** What the status of a payment tells under a name. Its shape is not shown, so that it may stand further inside. */
export function toldOf(answer: Answer, name: 'transactionStatus' | 'fundsAvailable'): unknown {
  const [deeper] = membersCalled(new Set([name]), answer.json);
  return answer.member(name) ?? deeper;
}

export function statusTold(answer: Answer): string | undefined {
  const status = toldOf(answer, 'transactionStatus');
  return typeof status === 'string' ? status : undefined;
}
