import { inOrder } from '../payloads/appearance.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { steadyNow } from '../spec/steady-clock.ts';
import { Acquaintance } from './acquaintance.ts';
import type { Answer } from './answer.ts';
import type { BankClock } from './bank-clock.ts';
import { type Addressing, type Call, draftOf, type Psu, type Variation } from './call.ts';
import type { Doubt } from './deadline.ts';
import { type Exchange, type HeaderLine, headerValue } from './exchange.ts';
import { asksForPatience, longestUsualPause, mayBeCut, retryDelay, saysOnlyNotNow } from './gateway.ts';
import { cutText, limits } from './limits.ts';
import { type Pace, usualPatienceMs } from './pace.ts';
import { recordedResponse } from './recorded-response.ts';
import { type Repeats, repeatingAll, repeatingNoWrites } from './repeats.ts';
import type { Ripening } from './ripening.ts';
import { type RequestDraft, type SigningPlan, signDraft } from './signing-plan.ts';
import { tellsWhoIsThere } from './silences.ts';
import { type Transport, TransportError, type WireResponse } from './transport.ts';
import { noAnswer, notRepeated } from './trouble-text.ts';

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
  /** The least pause before a further attempt; short in tests and proofs. */
  readonly patienceMs?: number;
  /** For how long a bank is waited for that has answered before; so many times the least pause unless given. */
  readonly outageMs?: number;
  /** Is told that the bank has fallen silent, for how long it is waited for, and when it answers again. */
  readonly onOutage?: (text: string) => void;
  /** Whether a request that changes something may be sent again when it may have arrived; true unless given. */
  readonly repeatsWrites?: boolean;
  /** Statuses of gateways that are known to be the bank's own answer to this kind of request. */
  readonly ownStatuses?: ReadonlySet<number>;
  /**
   * A request that is known to go through, by which a bank that has gone silent is asked for; unless given, the latest of its
   * kind that the bank has answered, and accounts at first.
   */
  readonly probe?: Call;
  /** The Digest of a correct request; that by SHA-256 unless given. */
  readonly digest?: NonNullable<SigningPlan['digest']>;
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

/** Being put off is no trouble of the single request, so it may be tried more often than one that was lost. */
const mostAttempts = { slowDown: 10, gateway: 6 } as const;

/**
 * So many times the least pause is a bank waited for that has answered before, and one that never has; and the first, where
 * it says itself when its limit ends: a limit of a minute may be used up in its first seconds.
 */
const patience = { knownBank: 100, unknownBank: 25, asked: 375 } as const;

/** A bank that turns away more than this share of what it then takes has trouble with everything. */
const mostRecovered = 0.2;

interface Attempt {
  readonly exchange: Exchange;
  /** When it was sent, by the count of the {@link GatewayWatch}. */
  readonly begun: number;
  readonly response?: WireResponse;
}
type Answered = Attempt & { readonly response: WireResponse };

/** A correct TPP. It sends what it is told, however malformed, records every exchange, and never judges. */
export class TppClient {
  readonly options: ClientOptions;
  readonly #record: Recorder;
  readonly #shared: Acquaintance;
  readonly #repeats: Repeats;

  constructor(
    options: ClientOptions,
    record: Recorder = () => {},
    shared: Acquaintance = new Acquaintance(),
  ) {
    this.options = options;
    this.#record = record;
    this.#shared = shared;
    this.#repeats = (options.repeatsWrites ?? true) ? repeatingAll : repeatingNoWrites;
  }

  /** The same TPP on the same connections, with another recorder or customer. */
  with(changes: {
    record?: Recorder;
    psu?: Psu;
    identity?: SigningIdentity;
    ownStatuses?: ReadonlySet<number>;
    probe?: Call;
    digest?: NonNullable<SigningPlan['digest']>;
  }): TppClient {
    const { record = this.#record, ...options } = changes;
    return new TppClient({ ...this.options, ...options }, record, this.#shared);
  }

  /** How long the bank takes until what it has made can be used. */
  get ripening(): Ripening {
    return this.#shared.ripening;
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

  /** Whether requests of any kind are turned away and then taken, so that being turned away says nothing of a kind. */
  get isTroubled(): boolean {
    return this.#shared.recovered > mostRecovered * this.#shared.answered;
  }

  /** Such an answer is the bank's own, however much it looks like one of a gateway. */
  trust({ status, headers, bytes, wireBytes }: Answer): void {
    const packed = wireBytes === bytes ? {} : { packed: wireBytes };
    this.#shared.gateway.trust({ status, headers: headers.lines(), body: bytes, ...packed });
  }

  /** Builds, signs and sends; tries again with a fresh date, id and signature when the request died on the way. */
  async call(call: Call, variation: Variation = {}, purpose: string = call.operation): Promise<Answer> {
    const { psu = this.psu } = call;
    await this.ripening.wait(call, psu);
    const ask = (): Promise<Answer> => this.send(() => this.prepare(call, variation), purpose);
    const answer = await this.ripening.again(call, psu, await ask(), ask);
    this.ripening.created(call, psu, answer);
    const { params } = call;
    const identity = variation.signing?.identity ?? this.options.identity;
    answer.asked = { psu, identity, ...(params === undefined ? {} : { params }) };
    return answer;
  }

  /** The signed request that `call` would send. */
  async prepare(call: Call, variation: Variation = {}): Promise<RequestDraft> {
    const { psu, addressing, identity, digest } = this.options;
    const draft = draftOf(call, psu, this.clock.now(), addressing);
    variation.beforeSigning?.(draft);
    await signDraft(draft, identity, {
      ...(digest === undefined ? {} : { digest }),
      ...variation.signing,
    });
    const client = draft.headers.get('User-Agent') ?? '';
    draft.headers.arrange((lines) => inOrder(lines, client));
    variation.afterSigning?.(draft);
    return draft;
  }

  async send(prepare: () => Promise<RequestDraft>, purpose: string): Promise<Answer> {
    const { pace, retries } = this.options;
    const troubled: Exchange[] = [];
    let before: WireResponse | undefined;
    let died = 0;
    let waitedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      const { exchange, response, begun } = await this.#attemptInTurn(prepare, purpose, attempt);
      const isTurnedAway =
        response !== undefined && this.#isTurnedAway({ exchange, response, begun }, before, troubled);
      const answer =
        response === undefined
          ? undefined
          : this.#shared.large.answerOf(
              exchange,
              response,
              !isTurnedAway && troubled.some(this.#repeats.mayHaveArrived),
            );
      this.#tellThePace(exchange, isTurnedAway);
      if (answer !== undefined && !isTurnedAway) {
        this.#shared.answered += 1;
        if (troubled.some(({ response: earlier }) => earlier !== undefined)) this.#shared.recovered += 1;
        this.#record(exchange, answer, prepare);
        if (tellsWhoIsThere(answer)) this.#shared.probe = prepare;
        return answer;
      }
      this.#record(exchange, undefined, prepare);
      troubled.push(exchange);
      if (!isTurnedAway) died += 1;
      if (!this.#repeats.mayRepeat(exchange, this.#shared.mixedUp.hasTurnedAway(response)))
        throw noAnswer(troubled, answer, notRepeated);
      const pauseMs = this.#pause(response?.headers ?? [], attempt);
      const most = saysOnlyNotNow(response?.status ?? 0) ? mostAttempts.slowDown : mostAttempts.gateway;
      const isTriedEnough =
        died > retries || attempt - died >= most || this.#shared.isInVain(exchange.operation);
      const longestMs = this.#longestWaitFor(response, pauseMs);
      if (isTriedEnough || waitedMs >= longestMs) throw noAnswer(troubled, answer);
      // A bank that has never answered may ask for minutes: it is asked once more when the patience with it ends.
      const waitMs = Math.min(pauseMs, longestMs - waitedMs);
      await pace.wait(waitMs);
      waitedMs += waitMs;
      if (pace.ended !== undefined) throw pace.ended;
      if (response !== undefined && this.#shared.gateway.lacksEvidence(response, before))
        await this.#askInBetween();
      before = response;
    }
  }

  /** One attempt when its turn has come; once more alone, where the bank may have been busy with others. */
  async #attemptInTurn(
    prepare: () => Promise<RequestDraft>,
    purpose: string,
    attempt: number,
  ): Promise<Attempt> {
    const { pace } = this.options;
    let hadCompany = false;
    const send = async (): Promise<Attempt> => {
      hadCompany = pace.hasCompany;
      const made = await this.#attempt(prepare, purpose, attempt);
      hadCompany ||= pace.hasCompany;
      return made;
    };
    // Every check has a recorder of its own.
    const first = await pace.run(send, this.#record);
    const { exchange, response } = first;
    if (response === undefined || !this.#repeats.mayRepeat(exchange)) return first;
    const again = await this.#shared.busy.again(pace, {
      said: { ...response, operation: exchange.operation },
      hadCompany,
      send: () => {
        this.#record(exchange, undefined, prepare);
        return send();
      },
      statusOf: (attempt: Attempt) => attempt.response?.status,
    });
    return again ?? first;
  }

  /** Whether the bank answers others, while it may be something else that has answered this request. */
  async #askInBetween(): Promise<void> {
    const { pace } = this.options;
    const { exchange, response, begun } = await pace.run(() =>
      this.#attempt(() => this.#prepareProbe(), isThere, 1),
    );
    this.#tell(exchange, response !== undefined && this.#shared.gateway.isOnTheWay(response, begun));
  }

  #prepareProbe(): Promise<RequestDraft> {
    const { probe } = this.options;
    if (probe === undefined && this.#shared.probe !== undefined) return this.#shared.probe();
    return this.prepare(probe ?? { operation: 'listAccounts' });
  }

  #pause(headers: readonly HeaderLine[], attempt: number): number {
    return retryDelay(headers, attempt, this.options.patienceMs ?? usualPatienceMs);
  }

  /** For how long a single request waits in all. */
  get #longestWaitMs(): number {
    const { pace, patienceMs = usualPatienceMs } = this.options;
    return patienceMs * (pace.lastAnswerAt === undefined ? patience.unknownBank : patience.knownBank);
  }

  #longestWaitFor(response: WireResponse | undefined, pauseMs: number): number {
    const { pace, patienceMs = usualPatienceMs } = this.options;
    const isAsked = saysOnlyNotNow(response?.status ?? 0) && pauseMs > longestUsualPause * patienceMs;
    return isAsked && pace.lastAnswerAt !== undefined ? patience.asked * patienceMs : this.#longestWaitMs;
  }

  #isTurnedAway(
    { exchange, response, begun }: Answered,
    before: WireResponse | undefined,
    troubled: readonly Exchange[],
  ): boolean {
    const { gateway, stumbles } = this.#shared;
    const requestId = headerValue(exchange.request.headers, 'x-request-id');
    if (this.#shared.mixedUp.isOfAnother(response, requestId, before)) return true;
    if (this.options.ownStatuses?.has(response.status) === true)
      return before?.status !== response.status && mayBeCut(response);
    if (gateway.isOnTheWay(response, begun, before, exchange)) return true;
    return stumbles.isOne(exchange, troubled, this.options.repeatsWrites ?? true);
  }

  /** What may be sent again need not be waited for to the end; what is sent again is. */
  #doubtOf({ operation, method }: RequestDraft, sentAt: number): Doubt | undefined {
    if (!(this.options.repeatsWrites ?? true) && method !== 'GET') return undefined;
    return this.#shared.lost.doubtOf(operation, sentAt, () => this.#askInBetween());
  }

  #tellThePace(exchange: Exchange, isTurnedAway: boolean): void {
    const { pace } = this.options;
    this.#tell(exchange, isTurnedAway);
    if (!pace.isDoubtful || pace.ended !== undefined) return;
    pace.close();
    this.#shared.probing ??= this.#probe(exchange)
      .catch((error: unknown) =>
        pace.end('protocol', `The bank could not be asked any more: ${String(error)}`),
      )
      .finally(() => {
        this.#shared.probing = undefined;
      });
  }

  #tell({ operation, response, durationMs, trouble }: Exchange, isTurnedAway: boolean): void {
    const { pace, patienceMs = usualPatienceMs } = this.options;
    const { lost, spent } = this.#shared;
    if (response !== undefined && !isTurnedAway) {
      pace.answered(durationMs);
      lost.answered(operation, steadyNow() - durationMs, durationMs);
      spent.answered(operation);
    } else if (asksForPatience(response?.status ?? 0)) {
      spent.turnedAway(operation, pace.lastAnswerAt, patienceMs);
      if (!this.#shared.isInVain(operation)) pace.turnedAway();
    } else {
      if (trouble?.kind === 'timeout') lost.gaveUp(operation, steadyNow() - durationMs);
      if (!this.#shared.isInVain(operation)) pace.lost();
    }
  }

  /** Asks for something that changes nothing until the bank answers again, or has been waited for long enough. */
  #probe(last: Exchange): Promise<void> {
    const { pace, timeoutMs, patienceMs = usualPatienceMs, outageMs, onOutage } = this.options;
    const isKnown = pace.lastAnswerAt !== undefined;
    let before: WireResponse | undefined;
    return this.#shared.silences.sitOut(pace, last, {
      longestMs: isKnown ? (outageMs ?? this.#longestWaitMs) : this.#longestWaitMs,
      pauseMs: ({ response }, attempt) =>
        Math.min(this.#pause(response?.headers ?? [], attempt), 10 * patienceMs),
      ask: async (attempt) => {
        const { exchange, response, begun } = await this.#attempt(
          () => this.#prepareProbe(),
          isThere,
          attempt,
          pace.patienceWith(timeoutMs),
        );
        const { gateway } = this.#shared;
        this.#tell(exchange, response !== undefined && gateway.isOnTheWay(response, begun, before));
        before = response;
        return exchange;
      },
      ...(onOutage === undefined ? {} : { tell: onOutage }),
    });
  }

  /** One attempt. The request is built and signed when its turn has come, so that its date is fresh. */
  async #attempt(
    prepare: () => Promise<RequestDraft>,
    purpose: string,
    attempt: number,
    timeoutMs: number = this.options.timeoutMs,
  ): Promise<Attempt> {
    const draft = await prepare();
    this.options.pace.spend();
    this.#shared.requests += 1;
    const begun = this.#shared.gateway.begin();
    const id = `x${String(this.requests).padStart(5, '0')}`;
    const sent = Date.now();
    const begunAt = steadyNow();
    this.#shared.mixedUp.sent(draft.headers.get('X-Request-ID'));
    const request = {
      method: draft.method,
      url: this.options.origin + draft.target,
      headers: draft.headers.lines().map(([name, value]) => this.#shared.sentLines.of(name, value)),
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
        timeoutMs,
        attempt === 1 ? this.#doubtOf(draft, begunAt) : undefined,
      );
      const age = Number(headerValue(response.headers, 'age') ?? 0);
      this.clock.observe(headerValue(response.headers, 'date'), sent, Date.now(), age);
      const durationMs = steadyNow() - begunAt;
      return { exchange: { ...started, durationMs, response: recordedResponse(response) }, response, begun };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const trouble = { kind: error.kind, message: cutText(error.message, limits.shownHeader) };
      if (error.isUnsent) this.options.pace.notConnected();
      return { exchange: { ...started, durationMs: steadyNow() - begunAt, trouble }, begun };
    }
  }
}

const isThere = 'is the bank there?';
