import { describeAnswer, wentThrough } from '../checks/expectation.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { TppClient } from '../tpp/client.ts';
import { NoAnswerError } from '../tpp/no-answer.ts';
import { correctCalls } from './correct-calls.ts';
import { explainTrouble } from './explain-trouble.ts';
import { learnTheClock } from './learn-clock.ts';

/** What is known of a target before any check is run. */
export interface Preflight {
  /** Why no check can be run; every check would run into the same blocker. */
  readonly blocker?: string;
  /** What is odd and yet no reason to stop. */
  readonly remarks: readonly string[];
}

/** Reaches the target with correct requests. It stops a run only when none of them goes through. */
export async function preflight(target: Target, client: TppClient, seed: number): Promise<Preflight> {
  const { notAfter, notBefore } = target.identities.main.certificate;
  const now = new Date();
  if (now > notAfter || now < notBefore) {
    return {
      blocker: `The signing certificate is valid from ${day(notBefore)} to ${day(notAfter)}, which is not now. Give a valid one as signing.certificate.`,
      remarks: [],
    };
  }
  try {
    const tries: [string, Answer][] = [];
    for (const { name, call } of correctCalls(target, seed)) {
      const answer = await client.call(call, {}, 'preflight');
      tries.push([name, answer]);
      // The first answer has a Date: the next request goes by it, if that is the bank's clock at all.
      if (tries.length === 1) await learnTheClock(client);
    }
    return judged(target, client, tries);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return { blocker: explainTrouble(target, error), remarks: [] };
  }
}

function judged(target: Target, client: TppClient, tries: readonly (readonly [string, Answer])[]): Preflight {
  const refusedOnes = tries.filter(([, answer]) => !wentThrough(answer, target.readings));
  const told = refusedOnes.map(([name, answer]) => `${name}: ${describeAnswer(answer)}`);
  if (refusedOnes.length === tries.length) {
    return {
      blocker: [
        'No correct request goes through, so there is nothing to judge:',
        ...told.map((line) => `  ${line}`),
        'Look at signing.certificate (does the bank trust it, has it the PISP role?), psu (id and session), accounts.debtor and baseUrl.',
      ].join('\n'),
      remarks: [],
    };
  }
  if (tries.every(([, answer]) => isPage(answer))) {
    return {
      blocker: [
        'What answers there is not the interface: it answers correct requests with web pages.',
        ...tries.map(([name, answer]) => `  ${name}: ${describeAnswer(answer)}`),
        'Look at baseUrl.',
      ].join('\n'),
      remarks: [],
    };
  }
  const offset = Math.round(client.clock.offsetMs / 1000);
  return {
    remarks: [
      ...told.map((line) => `A correct request was refused: ${line}`),
      ...(Math.abs(offset) > 5
        ? [
            `The bank’s clock is ${Math.abs(offset)} s ${offset > 0 ? 'ahead of' : 'behind'} ours; dates follow the bank’s.`,
          ]
        : []),
    ],
  };
}

const isPage = (answer: Answer): boolean =>
  /^\s*<(?:!doctype|html|h\d|body)\b/i.test(answer.bytes.toString('utf8'));

const day = (date: Date): string => date.toISOString().slice(0, 10);
