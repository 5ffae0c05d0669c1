import fc from 'fast-check';
import { Pool } from 'undici';
import { Amounts } from '../payloads/amounts.ts';
import { paymentsOf } from '../payloads/payments.ts';
import { createRunContext } from '../runner/run-context.ts';
import { defaultProduct } from '../spec/products.ts';
import { loadTarget } from '../target/load-target.ts';
import type { Target } from '../target/target.ts';
import type { HeaderLine } from '../tpp/exchange.ts';
import type { RequestDraft } from '../tpp/signing-plan.ts';
import { type Measurement, startMeasuring } from './measurement.ts';

/** The target of the bank that the benchmark has started, at the pace of the benchmark. */
export async function benchTarget(text: string, concurrency: number): Promise<Target> {
  const loaded = await loadTarget({ text });
  const { requestsPerSecond, ...pace } = loaded.pace;
  return { ...loaded, pace: { ...pace, concurrency } };
}

/** Signs payments one by one, each with a date and an id of its own. */
export function paymentSigner(target: Target): {
  readonly sign: () => Promise<RequestDraft>;
  readonly close: () => Promise<void>;
} {
  const { client } = createRunContext({ target, seed: 1, runs: 1 });
  const facts = { ...target.accounts, now: new Date() };
  const [body] = fc.sample(paymentsOf(defaultProduct, facts, new Amounts(1, 0)), { seed: 1, numRuns: 1 });
  return {
    sign: () => client.prepare({ operation: defaultProduct.creation, body }),
    close: () => client.options.transport.close(),
  };
}

export async function signedPayments(target: Target, count: number): Promise<RequestDraft[]> {
  const { sign, close } = paymentSigner(target);
  const drafts = await Promise.all(Array.from({ length: count }, sign));
  await close();
  return drafts;
}

/** A request in words that other tools understand. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  readonly body: string;
}

export const inWords = ({ baseUrl }: Target, draft: RequestDraft): SignedRequest => ({
  method: draft.method,
  url: new URL(baseUrl).origin + draft.target,
  headers: draft.headers.lines(),
  body: draft.body?.toString('utf8') ?? '',
});

/** Sends payments over undici as fast as they go: nothing is recorded, judged or drawn. */
export async function sendPayments(
  { baseUrl, tls: { ca } }: Target,
  concurrency: number,
  requests: number,
  next: () => Promise<RequestDraft>,
): Promise<Measurement> {
  const pool = new Pool(new URL(baseUrl).origin, {
    connections: concurrency,
    connect: ca === undefined ? {} : { ca },
  });
  let left = requests;
  let errors = 0;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const draft = await next();
      const response = await pool.request({
        method: 'POST',
        path: draft.target,
        headers: draft.headers.lines().flat(),
        body: draft.body ?? null,
      });
      await response.body.dump();
      if (response.statusCode !== 201) errors += 1;
    }
  };
  const measure = startMeasuring();
  await Promise.all(Array.from({ length: concurrency }, work));
  const spent = measure();
  await pool.close();
  return { requests, errors, ...spent };
}
