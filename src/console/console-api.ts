import { isObject, member } from '../spec/json.ts';
import { type BankByHand, ByHandError } from './bank-by-hand.ts';
import type { CertificationView } from './certification-view.ts';
import type { ConsoleContext } from './console-context.ts';
import { curlOfStep, StepError } from './journey-steps.ts';
import { curlOf, draftOf, explanationOf, replayProblem, shownRequest, signedAnew } from './shown-request.ts';

/** What an endpoint answers: a value as JSON, a text, or bytes to be saved. */
export type ApiAnswer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly text: string }
  | { readonly status: number; readonly file: Buffer; readonly name: string };

export interface ApiCall {
  readonly method: string;
  /** Segments of the path after `/console/api`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const done: ApiAnswer = { status: 200, json: { done: true } };
const problem = (status: number, error: string): ApiAnswer => ({ status, json: { error } });

/** Everything that the pages do, as endpoints, so that the tests of a TPP can do it as well. */
export async function answerApi(call: ApiCall, context: ConsoleContext): Promise<ApiAnswer> {
  try {
    const [area, ...rest] = call.path;
    const inner = { ...call, path: rest };
    if (area === 'requests') return await answerRequests(inner, context);
    if (area === 'bank') return answerBank(inner, context);
    if (area === 'certification') return await answerCertification(inner, context);
    return problem(404, 'There is nothing at this path. The README lists the endpoints.');
  } catch (error) {
    if (error instanceof ByHandError) return problem(error.status, error.message);
    if (error instanceof StepError) return problem(409, error.message);
    throw error;
  }
}

const mostRows = 10_000;

async function answerRequests({ method, path, query }: ApiCall, context: ConsoleContext): Promise<ApiAnswer> {
  const { book } = context;
  const [number, what] = path;
  if (number === undefined) {
    if (method === 'DELETE') {
      book.clear();
      return done;
    }
    if (method !== 'GET') return problem(405, 'GET lists the requests, DELETE forgets them.');
    const limit = Math.min(mostRows, Math.max(1, Number(query.get('limit') ?? mostRows) || mostRows));
    return { status: 200, json: { requests: book.rows(filterIn(query)).slice(-limit) } };
  }
  const observed = /^\d{1,9}$/.test(number) ? book.request(Number(number)) : undefined;
  if (observed === undefined) return problem(404, 'This request is not kept, or no longer.');
  if (what === 'replay') {
    if (method !== 'POST') return problem(405, 'POST replays the request.');
    return replay(Number(number), context);
  }
  if (method !== 'GET') return problem(405, 'Only GET and, for replay, POST.');
  if (what === undefined) {
    return { status: 200, json: shownRequest(observed, query.get('show') === 'test-data') };
  }
  if (what === 'curl') {
    return { status: 200, text: `${curlOf(draftOf(observed.raw), context.connection)}\n` };
  }
  if (what === 'body') return { status: 200, file: Buffer.from(observed.raw.body ?? []), name: 'body.bin' };
  if (what === 'signature') return { status: 200, json: explanationOf(observed) };
  return problem(404, 'A request has curl, body, signature and replay.');
}

export const filterIn = (query: URLSearchParams) => ({
  status: (query.get('status') ?? '').slice(0, 3),
  path: (query.get('path') ?? '').slice(0, 200),
  requirement: (query.get('requirement') ?? '').slice(0, 20),
});

async function replay(
  number: number,
  { book, bank, identity, replayRefused }: ConsoleContext,
): Promise<ApiAnswer> {
  const observed = book.request(number);
  if (observed === undefined) return problem(404, 'This request is not kept, or no longer.');
  const hindrance = replayRefused ?? replayProblem(observed.raw, identity);
  if (hindrance !== undefined || identity === undefined) return problem(409, hindrance ?? '');
  const request = await signedAnew(observed.raw, identity, bank.state.clock.now());
  const before = book.last;
  book.expectReplayOf(number);
  const { status } = await bank.inject(request);
  const made = book.rows().findLast((row) => row.replayOf === number && row.number > before);
  return { status: 200, json: { number: made?.number ?? book.last, status } };
}

function answerBank({ method, path, body }: ApiCall, { byHand }: ConsoleContext): ApiAnswer {
  if (byHand === undefined) {
    return problem(
      409,
      'In a certification the bank is not changed by hand: the TPP is judged by what it is answered.',
    );
  }
  const what = path.join('/');
  if (method === 'GET' && what === '') return { status: 200, json: byHand.state };
  const change = Object.hasOwn(bankChanges, what) ? bankChanges[what] : undefined;
  if (change === undefined)
    return problem(
      404,
      `POST changes ${Object.keys(bankChanges).join(', ')}; GET /console/api/bank tells how it is.`,
    );
  if (method !== 'POST') return problem(405, 'POST changes it; GET /console/api/bank tells how it is.');
  // What was meant to end one session would end all of them.
  if (body !== undefined && !isObject(body)) return problem(400, 'The body is a JSON object, or empty.');
  const told = change(byHand, body ?? {});
  return { status: 200, json: { done: true, ...(isObject(told) ? told : {}), bank: byHand.state } };
}

const bankChanges: Readonly<Record<string, (bank: BankByHand, body: object) => unknown>> = {
  behaviour: (bank, body) =>
    bank.behave({
      dialects: textsIn(body, 'dialects'),
      deviations: textsIn(body, 'deviations'),
      ...(member(body, 'requests') === undefined ? {} : { requests: numberIn(body, 'requests') }),
    }),
  'next-answer': (bank, body) => {
    const status = numberIn(body, 'status');
    if (status !== 429 && status !== 503) throw new ByHandError('status is 429 or 503.');
    bank.answerNext({
      status,
      retryAfterSeconds: numberIn(body, 'retryAfterSeconds', 2),
      requests: numberIn(body, 'requests', 1),
    });
  },
  clock: (bank, body) => bank.setClock(numberIn(body, 'offsetSeconds')),
  'sessions/expire': (bank, body) => {
    const id = member(body, 'tppSessionId');
    if (id !== undefined && typeof id !== 'string') throw new ByHandError('tppSessionId is a string.');
    return { expired: bank.expireSessions(id) };
  },
  'payments/status': (bank, body) => {
    const id = member(body, 'paymentId');
    const status = member(body, 'transactionStatus');
    const funds = member(body, 'fundsAvailable');
    if (typeof id !== 'string' || typeof status !== 'string') {
      throw new ByHandError('paymentId and transactionStatus are strings.');
    }
    bank.setPaymentStatus(id, status, typeof funds === 'boolean' ? funds : undefined);
  },
  reset: (bank) => bank.reset(),
};

function numberIn(body: object, name: string, otherwise?: number): number {
  const value = member(body, name) ?? otherwise;
  if (typeof value === 'number') return value;
  throw new ByHandError(`${name} is a number.`);
}

function textsIn(body: object, name: string): readonly string[] {
  const value = member(body, name) ?? [];
  if (Array.isArray(value) && value.length <= 50 && value.every((item) => typeof item === 'string'))
    return value;
  throw new ByHandError(`${name} is a list of ids.`);
}

async function answerCertification({ method, path }: ApiCall, context: ConsoleContext): Promise<ApiAnswer> {
  const { certification } = context;
  if (certification === undefined)
    return problem(409, 'No certification goes on here: it is serve, not certify-tpp.');
  const [first, journey, , step] = path;
  if (first === undefined && method === 'GET') return { status: 200, json: certification.state };
  if (first === 'finish') return finish(method, certification);
  if (first === 'journeys' && journey !== undefined && method === 'GET') {
    return curlForStep(journey, Number(step ?? 0), context, certification);
  }
  return problem(404, 'GET certification, POST certification/finish, GET certification/journeys/ID/steps/N.');
}

function finish(method: string, certification: CertificationView): ApiAnswer {
  if (method !== 'POST') return problem(405, 'POST ends the certification.');
  certification.finish();
  return { status: 202, json: { done: true } };
}

async function curlForStep(
  journey: string,
  step: number,
  { bank, identity, connection }: ConsoleContext,
  { session }: CertificationView,
): Promise<ApiAnswer> {
  if (identity === undefined) {
    return problem(409, 'The TPP brings its own certificate, so that nobody here can sign for it.');
  }
  return {
    status: 200,
    text: `${await curlOfStep(journey, step, { bank, session, identity, connection })}\n`,
  };
}
