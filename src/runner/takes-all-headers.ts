import { describeAnswer, wentThrough } from '../checks/expectation.ts';
import { digestHeader } from '../signing/digest.ts';
import { candidateHeaders } from '../spec/code-lists.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call, Variation } from '../tpp/call.ts';
import type { TppClient } from '../tpp/client.ts';
import { NoAnswerError } from '../tpp/exchange.ts';

/** A private request may carry all of them: what is not its own names nobody. */
const samples: Readonly<Partial<Record<(typeof candidateHeaders)[number], string>>> = {
  'psu-id': '5e551017-0004-4000-8000-000000000004',
  'psu-corporate-id': '5e551017-0005-4000-8000-000000000005',
  'tpp-redirect-uri': 'https://tpp.example/callback',
};

const withEveryCandidate: Variation = {
  beforeSigning: ({ headers }) => {
    for (const name of candidateHeaders) {
      const sample = samples[name];
      if (sample !== undefined && !headers.has(name)) headers.set(name, sample);
    }
  },
  signing: { digest: (body) => digestHeader(body) },
};

/**
 * What is odd about a bank that refuses a correct request, and takes it with every header that may be signed: it takes our
 * certificate and our key, and has a mistake where some of them are absent. Undefined where that makes no difference.
 */
export async function takesAllHeadersOnly(
  { readings }: Target,
  client: TppClient,
  call: Call,
  refusal: Answer,
): Promise<string | undefined> {
  if (refusal.status < 400 || refusal.status >= 500) return undefined;
  try {
    const answer = await client.call(
      call,
      withEveryCandidate,
      'preflight, with every header that may be signed',
    );
    if (!answer.asksForSca && (!wentThrough(answer, readings) || answer.json === undefined)) return undefined;
    return `Correct requests are refused (${describeAnswer(refusal)}), and taken with every header that may be signed: only those that are present have to be. The checks say what that breaks.`;
  } catch (error) {
    if (error instanceof NoAnswerError) return undefined;
    throw error;
  }
}
