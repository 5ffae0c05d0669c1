import { setTimeout as sleep } from 'node:timers/promises';
import type { SigningIdentity } from '../signing/identity.ts';
import { Answer } from './answer.ts';
import { BankClock } from './bank-clock.ts';
import { type Addressing, type Call, draftOf, type Variation } from './call.ts';
import type { Exchange, HeaderLine, TroubleKind } from './exchange.ts';
import type { Pace } from './pace.ts';
import type { Psu } from './psu.ts';
import type { RequestDraft } from './request-draft.ts';
import { retryDelay } from './retry-after.ts';
import { type SigningPlan, signDraft } from './signing-plan.ts';
import { type Transport, TransportError } from './transport.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly pace: Pace;
  readonly identity: SigningIdentity;
  readonly psu: Psu;
  readonly addressing: Addressing;
  readonly origin: string;
  readonly timeoutMs: number;
  /** Further attempts after one that died on the way. */
  readonly retries: number;
  /** How text is signed; on the thread pool unless given. */
  readonly sign?: NonNullable<SigningPlan['sign']>;
  /** The least pause before a further attempt; short in tests and proofs. */
  readonly patienceMs?: number;
}

/**
 * Is told of every exchange, of the answer where there is a usable one, and of how the same request is made again,
 * freshly dated and signed.
 */
export type Recorder = (
  exchange: Exchange,
  answer: Answer | undefined,
  again: () => Promise<RequestDraft>,
) => void;

/** No usable answer, however often it was tried. It says nothing about conformance. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly kind: TroubleKind;
  readonly exchanges: readonly Exchange[];

  constructor(kind: TroubleKind, message: string, exchanges: readonly Exchange[]) {
    super(message);
    this.kind = kind;
    this.exchanges = exchanges;
  }
}

/** What all clients of one run know of the bank. */
interface Acquaintance {
  readonly clock: BankClock;
  requests: number;
  /** Requests in a row that got no usable answer, and when the last one got one. */
  lostInARow: number;
  lastAnswerAt: number;
}

/** A bank that is down is not asked to the end of the run; a restart is waited for. */
const isGone = ({ lostInARow, lastAnswerAt }: Acquaintance): boolean =>
  lostInARow >= 24 && Date.now() - lastAnswerAt > 60_000;

/** Being asked to slow down is no trouble of the single request, so it may be tried more often. */
const overloadAttempts = 10;

/** A correct TPP. It sends what it is told, however malformed, records every exchange, and never judges. */
export class TppClient {
  readonly options: ClientOptions;
  readonly #record: Recorder;
  readonly #shared: Acquaintance;

  constructor(
    options: ClientOptions,
    record: Recorder = () => {},
    shared: Acquaintance = { clock: new BankClock(), requests: 0, lostInARow: 0, lastAnswerAt: Date.now() },
  ) {
    this.options = options;
    this.#record = record;
    this.#shared = shared;
  }

  /** The same TPP on the same connections, with another recorder or customer. */
  with(changes: { record?: Recorder; psu?: Psu; identity?: SigningIdentity }): TppClient {
    const { record = this.#record, ...options } = changes;
    return new TppClient({ ...this.options, ...options }, record, this.#shared);
  }

  get clock(): BankClock {
    return this.#shared.clock;
  }

  /** Requests sent so far, attempts included. */
  get requests(): number {
    return this.#shared.requests;
  }

  get psu(): Psu {
    return this.options.psu;
  }

  /** Builds, signs and sends; tries again with a fresh date, id and signature when the request died on the way. */
  async call(call: Call, variation: Variation = {}, purpose: string = call.operation): Promise<Answer> {
    return this.send(() => this.prepare(call, variation), purpose);
  }

  /** The signed request that `call` would send. */
  async prepare(call: Call, variation: Variation = {}): Promise<RequestDraft> {
    const { psu, addressing, identity, sign } = this.options;
    const draft = draftOf(call, psu, this.clock.now(), addressing);
    variation.beforeSigning?.(draft);
    await signDraft(draft, identity, { ...(sign === undefined ? {} : { sign }), ...variation.signing });
    variation.afterSigning?.(draft);
    return draft;
  }

  async send(prepare: () => Promise<RequestDraft>, purpose: string): Promise<Answer> {
    const troubled: Exchange[] = [];
    const shared = this.#shared;
    if (isGone(shared)) throw new NoAnswerError('timeout', goneFor(shared), troubled);
    let died = 0;
    for (let attempt = 1; ; attempt += 1) {
      const { exchange, bytes } = await this.#attempt(prepare, purpose, attempt);
      const overloaded = isPutOff(exchange.response?.status);
      if (exchange.trouble === undefined) {
        shared.lostInARow = 0;
        shared.lastAnswerAt = Date.now();
      }
      if (exchange.trouble === undefined && !overloaded) {
        const answer = new Answer(exchange, bytes, attempt > 1);
        this.#record(exchange, answer, prepare);
        return answer;
      }
      this.#record(exchange, undefined, prepare);
      troubled.push(exchange);
      if (!overloaded) died += 1;
      if (died > this.options.retries || attempt >= overloadAttempts || isGone(shared)) {
        if (!overloaded) shared.lostInARow += 1;
        throw new NoAnswerError(exchange.trouble?.kind ?? 'overload', sentence(exchange, attempt), troubled);
      }
      if (!overloaded) await sleep(this.#pause([], attempt));
    }
  }

  #pause(headers: readonly HeaderLine[], attempt: number): number {
    return retryDelay(headers, attempt, this.options.patienceMs ?? 200);
  }

  /** One attempt. The request is built and signed when its turn has come, so that its date is fresh. */
  #attempt(
    prepare: () => Promise<RequestDraft>,
    purpose: string,
    attempt: number,
  ): Promise<{ exchange: Exchange; bytes: Buffer }> {
    return this.options.pace.run(async () => {
      const draft = await prepare();
      this.#shared.requests += 1;
      const id = `x${String(this.requests).padStart(5, '0')}`;
      const sent = Date.now();
      const request = {
        method: draft.method,
        url: this.options.origin + draft.target,
        headers: draft.headers.lines(),
        body: draft.body?.toString('utf8') ?? '',
      };
      const started = {
        id,
        purpose,
        operation: draft.operation,
        attempt,
        startedAt: new Date(sent).toISOString(),
        request,
      };
      try {
        const response = await this.options.transport.send(
          { method: draft.method, target: draft.target, headers: request.headers, body: draft.body },
          this.options.timeoutMs,
        );
        const received = Date.now();
        this.clock.observe(valueFor(response.headers, 'date'), sent, received);
        // Before the place in the pace is handed on: whoever gets it has to wait as well.
        if (isPutOff(response.status)) this.options.pace.holdBack(this.#pause(response.headers, attempt));
        const exchange: Exchange = {
          ...started,
          durationMs: received - sent,
          response: {
            status: response.status,
            headers: response.headers,
            body: response.body.toString('utf8'),
          },
        };
        return { exchange, bytes: response.body };
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        const trouble = { kind: error.kind, message: error.message };
        return { exchange: { ...started, durationMs: Date.now() - sent, trouble }, bytes: Buffer.alloc(0) };
      }
    });
  }
}

/** 429 Too Many Requests, 503 Service Unavailable. */
const isPutOff = (status: number | undefined): boolean => status === 429 || status === 503;

const valueFor = (headers: readonly HeaderLine[], name: string): string | undefined =>
  headers.find(([present]) => present.toLowerCase() === name)?.[1];

const goneFor = ({ lostInARow, lastAnswerAt }: Acquaintance): string =>
  `The bank has stopped answering: the last ${lostInARow} requests were lost, and none was answered for ${Math.round((Date.now() - lastAnswerAt) / 1000)} s. It was not asked again.`;

function sentence(exchange: Exchange, attempts: number): string {
  const what =
    exchange.trouble === undefined
      ? `${exchange.response?.status} (the bank asks to slow down)`
      : `${exchange.trouble.kind}: ${exchange.trouble.message}`;
  return `${exchange.request.method} ${exchange.request.url} got no usable answer in ${attempts} attempts; the last one: ${what}`;
}
