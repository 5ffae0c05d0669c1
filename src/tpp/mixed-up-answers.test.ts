import { expect, it } from 'vitest';
import { MixedUpAnswers } from './mixed-up-answers.ts';

interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
}

const naming = (id: string, status = 200): Answer => ({ status, headers: [['X-Request-ID', id]] });

/** A bank that has answered many requests as it should. */
function known(): MixedUpAnswers {
  const answers = new MixedUpAnswers();
  for (const id of 'abcdefghijklmno') {
    answers.sent(id);
    expect(answers.isOfAnother(naming(id), id)).toBe(false);
  }
  return answers;
}

it('an answer that names another request of ours is not the one that was waited for', () => {
  const answers = known();
  answers.sent('z');
  expect(answers.isOfAnother(naming('a'), 'z')).toBe(true);
});

it.each<[string, Answer]>([
  ['no request', { status: 200, headers: [] }],
  ['its own', naming('z')],
  ['one that nobody sent', naming('of-the-bank')],
])('an answer that names %s is taken for what it is', (_, response) => {
  const answers = known();
  answers.sent('z');
  expect(answers.isOfAnother(response, 'z')).toBe(false);
});

it('a bank that always names the request before is left to it', () => {
  const answers = new MixedUpAnswers();
  for (let request = 1; request <= 5; request += 1) {
    answers.sent(`r${request}`);
    expect(answers.isOfAnother(naming(`r${request - 1}`), `r${request}`)).toBe(false);
  }
});

/** Sends a request until its answer is taken, or often enough; gives how often it was sent. */
function attempts(answers: MixedUpAnswers, id: string, ...responses: Answer[]): number {
  let before: Answer | undefined;
  for (const [index, response] of responses.entries()) {
    answers.sent(`${id}-${index}`);
    if (!answers.isOfAnother(response, `${id}-${index}`, before)) return index + 1;
    before = response;
  }
  return Number.POSITIVE_INFINITY;
}

it('a bank that names an earlier request in its refusals is left to it, once that has come again', () => {
  const answers = known();
  expect(attempts(answers, 'r', naming('a', 400), naming('a', 400), naming('b', 400))).toBe(3);
  expect(attempts(answers, 's', naming('b', 400))).toBe(1);
  expect(attempts(answers, 't', naming('b', 201), naming('t-1', 201))).toBe(2);
});

it('an answer that is mixed up now and then stays one', () => {
  const answers = known();
  for (const id of ['r', 's', 't', 'u', 'v', 'w'])
    expect(attempts(answers, id, naming('a', 400), naming(`${id}-1`, 400))).toBe(2);
  expect(attempts(answers, 'x', naming('a', 400), naming('a', 400), naming('a', 400))).toBe(
    Number.POSITIVE_INFINITY,
  );
});

it('what was done is mixed up twice in a row sooner by chance than by a bank that repeats ids badly', () => {
  const answers = known();
  expect(attempts(answers, 'r', naming('a'), naming('a'), naming('b'), naming('r-3'))).toBe(4);
  expect(attempts(answers, 's', naming('b'), naming('s-1'))).toBe(2);
  const bank = known();
  expect(attempts(bank, 'r', ...Array.from({ length: 6 }, () => naming('a')))).toBe(5);
  expect(attempts(bank, 's', naming('b'))).toBe(1);
});
