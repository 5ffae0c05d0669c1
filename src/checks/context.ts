import { Amounts, numberFrom } from '../payloads/amounts.ts';
import type { PaymentFacts } from '../payloads/payment-parts.ts';
import type { Readings } from '../spec/interpretations.ts';
import { type OperationName, operations } from '../spec/operations.ts';
import { isCreation } from '../spec/products.ts';
import { type ProfileId, profileOf, takenOutBy, whyNotBinding } from '../spec/profiles.ts';
import { type Capability, isWithheld, missingCapability, needsOf } from '../target/capabilities.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import { type Call, isOnlyAsking, type Psu, type Variation } from '../tpp/call.ts';
import type { Recorder, TppClient } from '../tpp/client.ts';
import { type Exchange, NoAnswerError } from '../tpp/exchange.ts';
import type { Redactor } from '../tpp/redaction.ts';
import type { PageHttp } from '../tpp/sca/page-http.ts';
import {
  isPageGone,
  isStuckInSca,
  ScaWalkError,
  type ScaWalker,
  wasRefusedInSca,
} from '../tpp/sca/sca-walker.ts';
import { scaRedirectOf } from '../tpp/sca/start-sca.ts';
import { isThereAfterAll, unlessThereBefore } from './absence.ts';
import { answerInPeriod, inKnownPeriod } from './asked-period.ts';
import { endedByOthers, hasEnded, type OwnSessions, ownPsuIn, personOf } from './ended-sessions.ts';
import type { Observations } from './observations.ts';
import {
  doneBefore,
  ExpectationFailed,
  Inconclusive,
  isRefusedRepetition,
  isUnanswered,
  LeftOpen,
  LostOnTheWay,
  NotApplicable,
  NotOffered,
  SentBack,
  SessionRenewed,
  saysNothing,
  Withheld,
} from './outcomes.ts';
import { ownAnswer } from './own-answer.ts';
import { CheckRun, type Run } from './verdict.ts';

/** Everything that the checks on a bank share. */
export interface RunContext extends Run<CheckContext> {
  readonly target: Target;
  readonly client: TppClient;
  /** The way to pages that the PSU sees. */
  readonly pages: PageHttp;
  /** The way to pass SCA that the target file chose. */
  readonly walker: ScaWalker;
  readonly seed: number;
  /** Cases of a property. */
  readonly runs: number;
  /** Which part of a run it is whose other parts may be under way at the same bank. */
  readonly shard?: { readonly index: number; readonly count: number };
  /** Of a long list so many values are tried, by seed, where many banks are judged one after the other. */
  readonly mostTwists?: number;
  /** Where a run is a part anyway and has few requests to spend: each fault in one of its contexts only. */
  readonly oneContextEach?: boolean;
  /** Requests spent on making a counterexample smaller, where nobody reads it. */
  readonly shrinkingBudget?: number;
  /** False where only the verdicts count: making exchanges ready to be shown costs as much as an eighth of the rest. */
  readonly keepsEvidence?: boolean;
  /** For how long the answer to a control speaks for other checks too: for ever, where many banks are judged one after the other. */
  readonly answersLastMs?: number;
  /** Why no PSU has passed SCA before the run: what needs one cannot be judged, for this reason. */
  readonly withoutPsu?: string;
  /** The same for the corporate PSU that the target file names. */
  readonly withoutCorporatePsu?: string;
  /** A correct request that went through before the checks, to tell whether the bank is there. */
  readonly control?: Call;
  /** What payments went through before the checks. */
  readonly taken?: ReadonlySet<OperationName>;
  /** For the checks that observe. */
  readonly observations: Observations;
  /** A seed given by hand repeats earlier payments, which a strict bank would call duplicates. */
  readonly repeatsPayments: boolean;
  /** How `reproduce` lines start. */
  readonly command: string;
  /** Hides what must not leave the process. */
  readonly redactor: Redactor;
  /** Hears of every exchange of a check, for whoever wants to send one of them again. */
  readonly onExchange?: Recorder;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** What failed once and could not be looked into is no part that was left out. */
const untold =
  'A case had failed by then, and was not looked into to the end: allow more, or judge this check alone (--only).';

/** What one check on a bank works with. It records what is sent, and keeps its amounts apart from those of others. */
export class CheckContext extends CheckRun {
  readonly run: RunContext;
  /** Every check has cases of its own, which follow from the run's seed and the check's id alone. */
  readonly seed: number;
  readonly amounts: Amounts;
  /** What it sends may be the like of what it has sent before. */
  repeatsPayments = false;
  /** Whether a case has failed and is looked into, to be sure of it. */
  seemsBroken = false;
  override readonly reproduce: string;
  /** Whether its question is how long the session of the run holds. */
  judgesSession = false;
  /** A request without any fault, to tell a bank that refuses by 503 from one that is not available. */
  control: (() => Promise<Answer>) | undefined;
  readonly #client: TppClient;
  /** By purpose, the statuses of gateways that turned out to be the bank's own answer. */
  readonly #ownStatuses = new Map<string, Set<number>>();
  readonly #inQuestion = new Set<string>();
  #lastAnswered: Call | undefined;

  constructor(runContext: RunContext, id: string, place: number) {
    super();
    this.run = runContext;
    this.seed = numberFrom(`${runContext.seed}/${id}`) & 0x7fffffff;
    this.reproduce = `${runContext.command} --only ${id} --seed ${runContext.seed}`;
    this.amounts = new Amounts(runContext.seed, place);
    this.#client = runContext.client.with({
      record: (exchange, answer, again) => {
        this.record(exchange);
        runContext.redactor.learn(exchange);
        runContext.onExchange?.(exchange, answer, again);
        if (answer !== undefined) runContext.observations.add({ exchange, answer });
      },
    });
  }

  get target(): Target {
    return this.run.target;
  }

  override get readings(): Readings {
    return this.target.readings;
  }

  get client(): TppClient {
    return this.#client;
  }

  get psu(): Psu {
    return this.#client.psu;
  }

  /** The target's own accounts and the bank's date. */
  get facts(): PaymentFacts {
    const { letters, currencies, smallTransfers } = this.readings;
    return { ...this.target.accounts, now: this.#client.clock.now(), letters, currencies, smallTransfers };
  }

  /**
   * Sends a call. Trouble on the way ends the check as inconclusive, through {@link NoAnswerError}. What must not be
   * done to this target is not sent, whatever a check says that it needs: payments in production move money.
   */
  async call(call: Call, variation?: Variation, purpose?: string): Promise<Answer> {
    this.#refuseWhatIsNotThere(call.operation);
    const { withoutPsu } = this.run;
    if (withoutPsu !== undefined && actsForTheRunsPsu(call)) throw new Inconclusive(withoutPsu);
    if (purpose !== freshPaymentPurpose) this.calledProfiles.add(operations[call.operation].profile);
    const { now } = this.facts;
    const complete = inKnownPeriod(this.run, this.#withDuplicatesAllowed(call), now);
    const ownStatuses = this.#ownStatuses.get(purpose ?? call.operation);
    const client = ownStatuses === undefined ? this.#client : this.#client.with({ ownStatuses });
    const again = (): Promise<Answer> => client.call(complete, variation, purpose);
    try {
      const answer = await again();
      if (isOnlyAsking(call)) this.#lastAnswered = complete;
      // With a fault in it, it is meant to be refused: the control tells whether it was carried out.
      const isMeant = Object.keys(variation ?? {}).length === 0;
      if (isMeant && call.operation === 'deletePayment' && isRefusedRepetition(answer))
        throw doneBefore(answer);
      if (!isMeant) return answer;
      const send = (other: Call): Promise<Answer> => client.call(other, variation, purpose);
      return await answerInPeriod(this.run, complete, answer, { now, send });
    } catch (error) {
      if (!(error instanceof NoAnswerError) || this.target.environment !== 'sandbox') throw error;
      return this.#ownAnswerTo(error, again, purpose ?? call.operation);
    }
  }

  /**
   * What was lost may have been carried out: a form of SCA may have approved what it is about, a deletion or a basket may
   * be what the next one stumbles over. So the check begins again with a payment of its own; not where payments move money.
   * And a session in which SCA was passed may have been ended by another run, which does not do so each time.
   */
  override mayBeginAgain(error: unknown): boolean {
    if (this.target.environment !== 'sandbox') return false;
    if (error instanceof LostOnTheWay || error instanceof SessionRenewed) return true;
    return this.#askedForSca(error) || this.#isEndedByAnotherShard(error);
  }

  /**
   * Freedom: sca/one-at-a-time. Other checks are given newer links all the time. Where payments move money,
   * nothing is begun again for what was lost.
   */
  override mayBeDisturbed(error: unknown): boolean {
    if (!(error instanceof ExpectationFailed) && !saysNothing(error)) return false;
    const wasLost = saysNothing(error) && isUnanswered(error) && !wasRefusedInSca(error.cause);
    if (wasLost && this.target.environment !== 'sandbox') return false;
    if (error instanceof SentBack) return true;
    return isStuckInSca(error.cause) || this.exchanges.slice(this.begunAt).some(isPageGone);
  }

  override get isBelied(): boolean {
    return isThereAfterAll(this.exchanges.at(-1), this.run.observations);
  }

  /** Where there are fewer customers than shards, two of these act for the same, and the control of one finds that out. */
  #isEndedByAnotherShard(error: unknown): boolean {
    return this.run.shard !== undefined && this.#controlAskedForSca(error);
  }

  /**
   * Who fails, or gets no further, because SCA is asked for in a session that is over says nothing of the bank: somebody
   * else has ended it, or it held for less than the hour that it holds at most (Limits).
   */
  override async reconsidered(thrown: unknown): Promise<unknown> {
    const { ended } = this.#client.options.pace;
    if (ended?.kind === 'budget' && saysNothing(thrown))
      return this.seemsBroken ? new Inconclusive(`${ended.message} ${untold}`) : new LeftOpen(ended.message);
    const error = unlessThereBefore(thrown, this.exchanges.at(-1), this.run.observations);
    const isControl = this.#controlAskedForSca(error);
    const asked = isControl ? this.exchanges.at(-1) : this.evidence.at(-1);
    if (asked === undefined || this.judgesSession || !(isControl || this.#askedForSca(error))) return error;
    const { observations } = this.run;
    const psus = [this.psu, corporatePsu(this)];
    const psu = ownPsuIn({ psus }, asked);
    const call: OwnSessions['call'] = (what, purpose) => this.call(what, {}, purpose);
    if (psu === undefined || !(await hasEnded({ psus, observations, call }, psu))) return error;
    if (await this.#isRenewed(psu)) return new SessionRenewed(endedByOthers);
    return isControl ? error : new Inconclusive(endedByOthers);
  }

  async #isRenewed(psu: Psu): Promise<boolean> {
    const call: Call = { operation: 'listAccounts', psu };
    const person = personOf(this.target, psu);
    if (person === undefined) return false;
    try {
      const link = scaRedirectOf(await this.call(call, {}, 'SCA for the session that is over'));
      if (link !== undefined) await this.run.walker.pass(link, person, (each) => this.exchanges.push(each));
      return (await this.call(call, {}, 'does the session hold again')).isSuccess;
    } catch (error) {
      if (!saysNothing(error) && !(error instanceof ScaWalkError)) throw error;
      return false;
    }
  }

  #controlAskedForSca(error: unknown): boolean {
    return error instanceof Inconclusive && this.exchanges.at(-1)?.response?.status === 401;
  }

  #askedForSca(error: unknown): boolean {
    return error instanceof ExpectationFailed && this.evidence.at(-1)?.response?.status === 401;
  }

  async #ownAnswerTo(error: NoAnswerError, again: () => Promise<Answer>, purpose: string): Promise<Answer> {
    // The control itself may need what is in question: then nothing can be told.
    if (this.#inQuestion.has(purpose)) throw error;
    this.#inQuestion.add(purpose);
    const control = this.control ?? this.#repeatOne();
    const isTroubled = (): boolean => this.#client.isTroubled;
    const answer = await ownAnswer(error, { again, control, isTroubled }).finally(() =>
      this.#inQuestion.delete(purpose),
    );
    const statuses = this.#ownStatuses.get(purpose) ?? new Set();
    this.#ownStatuses.set(purpose, statuses.add(answer.status));
    this.#client.trust(answer);
    this.run.observations.add({ exchange: answer.exchange, answer });
    return answer;
  }

  /** Where a check has no control, another request that the bank has answered does: of the check, or before it. */
  #repeatOne(): (() => Promise<Answer>) | undefined {
    const call = this.#lastAnswered ?? this.run.control;
    return call === undefined ? undefined : () => this.#client.call(call, {}, 'control');
  }

  #refuseWhatIsNotThere(operation: OperationName): void {
    const declared = this.target.notOffered.find(({ what }) => what === operation);
    if (declared !== undefined) throw new NotOffered(notOfferedText(declared));
    const { profile, headers } = operations[operation];
    // What is only read serves other profiles too: a request for accounts may start SCA.
    const unjudged = headers === 'reading' ? undefined : this.unjudged([profile]);
    if (unjudged !== undefined) throw new NotOffered(unjudged);
    for (const need of needsOf(operation)) {
      const missing = this.missing(need);
      if (missing === undefined) continue;
      throw this.withheld(need) ? new Withheld(missing) : new NotApplicable(missing);
    }
  }

  override unjudged(profiles: readonly ProfileId[]): string | undefined {
    const { profiles: judged, environment, notOffered } = this.target;
    const [first] = profiles;
    if (first === undefined || profiles.some((id) => judged.includes(id))) return undefined;
    const { title } = profileOf(first);
    const declared = takenOutBy(first, notOffered);
    if (declared !== undefined) return notOfferedText(declared);
    return (
      whyNotBinding(first, environment) ??
      `The profile ${first} (${title.toLowerCase()}) is not declared in the target file.`
    );
  }

  override missing(need: Capability): string | undefined {
    return missingCapability(this.target, need);
  }

  override withheld(need: Capability): boolean {
    return isWithheld(this.target, need);
  }

  override prevented(need: Capability): string | undefined {
    return need === 'corporate-psu' || need === 'second-psu' ? this.run.withoutCorporatePsu : undefined;
  }

  override get keepsEvidence(): boolean {
    return this.run.keepsEvidence ?? true;
  }

  override get redactor(): Redactor {
    return this.run.redactor;
  }

  /** Takes over a request that was sent for another check, and counts there. */
  adopt(exchange: Exchange): void {
    this.exchanges.push(exchange);
    this.adopted += 1;
  }

  #withDuplicatesAllowed(call: Call): Call {
    const repeats = this.repeatsPayments || this.run.repeatsPayments;
    if (!isCreation(call.operation) || !repeats || call.query !== undefined) return call;
    return { ...call, query: { allowLogicalDuplicate: 'true' } };
  }
}

/** Calls that name somebody, or that name nobody on purpose, do not need the PSU of the run. */
const actsForTheRunsPsu = ({ operation, psu }: Call): boolean =>
  psu === undefined && operations[operation].headers !== 'sandbox';

/** How reports call the payments that a check needs beforehand. */
export const freshPaymentPurpose = 'create a payment for what follows';

const notOfferedText = ({ what, reason }: Target['notOffered'][number]): string =>
  `The target file declares that ${what} is not offered: ${reason}`;

/** What shows a verdict: the control, where there is one, and the exchange that it falls on. */
export function evidenceOf(context: CheckContext, failing: Exchange): Exchange[] {
  const control = context.exchanges.find(({ purpose }) => purpose === 'control');
  return control === undefined ? [failing] : [control, failing];
}

/** What went as it should, next to what did not: reports look for it by its purpose. */
export const asControl = (exchange: Exchange): Exchange => ({ ...exchange, purpose: 'control' });

/** What is looked at beside what is judged is no evidence of that, unless the check ends there. */
export async function lookAside<T>(context: CheckContext, look: () => Promise<T>): Promise<T> {
  const { evidence } = context;
  const seen = await look();
  context.evidence = evidence;
  return seen;
}

/** The customer of the target file who acts for a company: that of the run, where it names no other. */
export function corporatePsu({ target, psu }: CheckContext): Psu {
  const { corporate } = target.psu;
  return {
    ...psu,
    ...(corporate?.id === undefined ? {} : { id: corporate.id }),
    ...(corporate?.corporateId === undefined ? {} : { corporateId: corporate.corporateId }),
    ...(corporate?.sessionId === undefined ? {} : { sessionId: corporate.sessionId }),
  };
}

/** Paid from an account of the company: a bank lets nobody pay from that of another. */
export const corporateFacts = ({ facts, target }: CheckContext): PaymentFacts => ({
  ...facts,
  debtor: target.accounts.corporateDebtor ?? facts.debtor,
});
