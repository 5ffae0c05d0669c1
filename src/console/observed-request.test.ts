import { beforeEach, describe, expect, it } from 'vitest';
import type { Bank } from '../bank/bank.ts';
import type { RawResponse } from '../bank/design/route.ts';
import { createCertificationBank } from '../certification/certification-bank.ts';
import { Session } from '../certification/session.ts';
import { createTestPki } from '../signing/certificate-authority.ts';
import type { RequestDraft } from '../tpp/signing-plan.ts';
import { readyStep, type StepOptions } from './journey-steps.ts';
import { RequestBook } from './request-book.ts';

let book: RequestBook;
let bank: Bank;
let options: StepOptions;
beforeEach(async () => {
  const { ca, tpp } = await createTestPki({ modulusLength: 512 });
  const baseUrl = 'https://localhost';
  const session = new Session({
    tool: { name: 'test', version: '0' },
    startedAt: '',
    baseUrl,
    trustedAuthorities: [ca.certificatePem],
  });
  book = new RequestBook();
  bank = await createCertificationBank({
    trustedAuthorities: [ca.certificatePem],
    signer: await ca.issueTpp({ roles: [] }),
    publicUrl: baseUrl,
    record: (exchange) => session.add(exchange),
    onAnswer: (answered, number) => book.add(answered, number),
  });
  options = { bank, session, identity: tpp, connection: { origin: baseUrl } };
});

async function take(
  journey: string,
  index: number,
  change: (draft: RequestDraft) => void = () => {},
): Promise<RawResponse> {
  const { draft } = await readyStep(journey, index, options);
  change(draft);
  return bank.inject({
    method: draft.method,
    url: draft.target,
    headers: draft.headers.lines(),
    ...(draft.body === undefined ? {} : { body: draft.body }),
  });
}

describe('all rules that refuse a request', () => {
  beforeEach(async () => {
    for (const index of [0, 1]) await take('first-payment', index);
  });

  it('are asked without using up the turn of a provocation', async () => {
    const refused = await take('busy', 0, ({ headers }) => headers.set('X-Request-ID', 'another'));
    expect(refused.status).toBe(400);
    expect(book.request(book.last)?.refusals.map(({ requirement }) => requirement)).toEqual(['SIG-02']);
    expect((await take('busy', 0)).status).toBe(429);
    expect((await take('busy', 0)).status).toBe(201);
  });

  it('name a provocation where that is what refused', async () => {
    await take('refused-payment', 0);
    expect(book.request(book.last)?.refusals).toMatchObject([
      { requirement: 'TPP-20', rule: 'provocation by the amount of the payment' },
    ]);
  });

  it('are none for what was accepted, and for what stands at no path', async () => {
    await take('first-payment', 2);
    expect(book.row(book.last)).toMatchObject({ status: 201 });
    expect(book.request(book.last)?.refusals).toEqual([]);
    await take('first-request', 0, (draft) => {
      draft.target = '/v1/nothing';
    });
    expect(book.row(book.last)).toMatchObject({ status: 404 });
    expect(book.request(book.last)?.refusals).toEqual([]);
  });
});
