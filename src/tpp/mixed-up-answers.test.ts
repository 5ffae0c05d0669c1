import { expect, it } from 'vitest';
import { MixedUpAnswers } from './mixed-up-answers.ts';

const naming = (id: string) => ({ headers: [['X-Request-ID', id]] as const });

/** A bank that has answered some requests as it should. */
function known(): MixedUpAnswers {
  const answers = new MixedUpAnswers();
  for (const id of ['a', 'b', 'c']) {
    answers.sent(id);
    expect(answers.isOfAnother(naming(id), id)).toBe(false);
  }
  return answers;
}

it('an answer that names another request of ours is not the one that was waited for', () => {
  const answers = known();
  answers.sent('d');
  expect(answers.isOfAnother(naming('a'), 'd')).toBe(true);
});

it.each([
  ['no request', { headers: [] }],
  ['its own', naming('d')],
  ['one that nobody sent', naming('of-the-bank')],
])('an answer that names %s is taken for what it is', (_, response) => {
  const answers = known();
  answers.sent('d');
  expect(answers.isOfAnother(response, 'd')).toBe(false);
});

it('a bank that always names the request before is left to it', () => {
  const answers = new MixedUpAnswers();
  for (let request = 1; request <= 5; request += 1) {
    answers.sent(`r${request}`);
    expect(answers.isOfAnother(naming(`r${request - 1}`), `r${request}`)).toBe(false);
  }
});
