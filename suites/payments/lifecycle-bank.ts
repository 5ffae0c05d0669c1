import { randomUUID } from 'node:crypto';
import type { CheckContext } from '../../src/checks/context.ts';
import { Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { aSimplePayment, drawCall } from '../../src/checks/subject.ts';
import type { Product } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Psu } from '../../src/tpp/call.ts';
import type { ScaReturn } from '../../src/tpp/sca/sca-return.ts';
import type { ScaLink } from '../../src/tpp/sca/start-sca.ts';
import type { Customer } from '../sca/spare-customers.ts';
import {
  abortSca,
  callAgainAfterSca,
  callFor,
  isRefusedSca,
  type Login,
  logIn,
  newSession,
  walk,
} from '../sca/walks.ts';

/** What States and transitions and Limits fix about a payment. Everything else is left to the bank. */
interface ModelPayment {
  readonly product: Product;
  /** `awaiting` can still be approved by its own link, `gone` was deleted, `open` is whatever the bank makes of it. */
  state: 'awaiting' | 'in-basket' | 'approved' | 'gone' | 'open';
}

interface ModelBasket {
  readonly payments: readonly number[];
  isOpen: boolean;
}

/** The state of things as far as the specification tells it. */
export class Model {
  readonly payments: ModelPayment[] = [];
  readonly baskets: ModelBasket[] = [];
  /** Sessions in which SCA was passed before the current one. */
  endedSessions = 0;

  /** The places of payments in one of these states. */
  in(...states: readonly ModelPayment['state'][]): readonly number[] {
    return this.payments.flatMap(({ state }, index) => (states.includes(state) ? [index] : []));
  }

  get openBaskets(): readonly number[] {
    return this.baskets.flatMap(({ isOpen }, index) => (isOpen ? [index] : []));
  }

  /** Transitions between sessions and what waits for approval are not shown, so that nothing is expected of it. */
  endSession(): void {
    this.endedSessions += 1;
    for (const payment of this.payments) {
      if (payment.state === 'awaiting' || payment.state === 'in-basket') payment.state = 'open';
    }
    for (const basket of this.baskets) basket.isOpen = false;
  }
}

/** One of several places, by a number that was drawn. */
export const pick = (places: readonly number[], drawn: number): number | undefined =>
  places.length === 0 ? undefined : places[drawn % places.length];

/** The bank as one customer of one TPP meets it, through all sessions of a sequence. */
export class LifecycleBank {
  readonly context: CheckContext;
  readonly customer: Customer;
  /** By the places of payments and baskets in the model. */
  readonly paymentIds: string[] = [];
  /** Links of what waits for approval, and how much had been sent when they were given. */
  readonly #links = new Map<string, { readonly link: ScaLink; readonly at: number }>();
  #sent = 0;
  /** Whether GET /v1/accounts tells a session with SCA from one without. */
  readonly readsAccounts: boolean;
  /** Sessions that a newer one has ended. */
  readonly ended: Login[] = [];
  login: Login;
  /** Payments of this sequence: the seed and this number draw the next. */
  #created = 0;

  private constructor(context: CheckContext, customer: Customer, login: Login, readsAccounts: boolean) {
    this.context = context;
    this.customer = customer;
    this.login = login;
    this.readsAccounts = readsAccounts;
  }

  /** With a session of its own, or in that of the run, which then is never replaced. */
  static async meet(context: CheckContext, customer: Customer): Promise<LifecycleBank> {
    const { withoutPsu } = context.run;
    if (customer.identity === undefined && withoutPsu !== undefined) throw new Inconclusive(withoutPsu);
    const login =
      customer.identity === undefined
        ? { psu: context.psu, call: callFor(context, customer, context.psu) }
        : await logIn(context, customer);
    const listing = await login.call({ operation: 'listAccounts' }, {}, 'can accounts be read');
    return new LifecycleBank(context, customer, login, listing.isSuccess);
  }

  get psu(): Psu {
    return this.login.psu;
  }

  /** Remembers the link at which something is approved. */
  gave(what: string, link: ScaLink): void {
    this.#links.set(what, { link, at: this.#sent });
  }

  /** What it was given for is approved otherwise, or gone. */
  forget(what: string): void {
    this.#links.delete(what);
  }

  async create(product: ModelPayment['product']): Promise<Answer> {
    this.#sent += 1;
    const subject = aSimplePayment(product);
    const call = await drawCall(this.context, subject, this.#created);
    this.#created += 1;
    return this.login.call(call, {}, `create ${subject.title}`);
  }

  status(place: number, { product }: ModelPayment): Promise<Answer> {
    const params = { product: product.path, paymentId: this.paymentIds[place] ?? '' };
    return this.#pass({ operation: 'readPaymentStatus', params }, 'read its status');
  }

  remove(place: number, { product }: ModelPayment): Promise<Answer> {
    const params = { product: product.path, paymentId: this.paymentIds[place] ?? '' };
    return this.#pass({ operation: 'deletePayment', params }, 'delete it');
  }

  basket(paymentIds: readonly string[]): Promise<Answer> {
    return this.#pass({ operation: 'createSigningBasket', body: { paymentIds } }, 'create a basket');
  }

  /** SCA may be required on any transaction: a link of that kind approves nothing else. */
  #pass(call: Call, purpose: string): Promise<Answer> {
    this.#sent += 1;
    return callAgainAfterSca(this.context, this.login, call, purpose);
  }

  idsOf(places: readonly number[]): readonly string[] {
    return places.map((place) => this.paymentIds[place] ?? '');
  }

  unknownId(): string {
    return randomUUID();
  }

  /**
   * Passes the SCA of what was created; undefined when the bank asked for none. `over` is a link that may have ended when
   * the PSU was given a newer one.
   */
  async approve(what: string): Promise<ScaReturn | 'over' | undefined> {
    const given = this.#links.get(what);
    this.#links.delete(what);
    if (given === undefined) return undefined;
    try {
      return await walk(this.context, given.link, this.customer, this.psu.redirectUri);
    } catch (error) {
      if (given.at < this.#sent && isRefusedSca(error)) return 'over';
      throw error;
    }
  }

  accounts(login: Pick<Login, 'call'> = this.login): Promise<Answer> {
    this.#sent += 1;
    return login.call({ operation: 'listAccounts' }, {}, 'ask for accounts');
  }

  /** The same PSU in a session in which nobody has passed SCA. */
  unknownSession(): Login {
    const psu = { ...this.psu, sessionId: newSession(this.context).sessionId };
    return { psu, call: callFor(this.context, this.customer, psu) };
  }

  async replaceSession(): Promise<void> {
    const old = this.login;
    this.login = await logIn(this.context, this.customer);
    this.ended.push(old);
    this.#links.clear();
  }

  /** Cancels the SCA that a request in a new session asks for. False where the page offers no way to. */
  async cancelNewSession(link: ScaLink): Promise<boolean> {
    try {
      await abortSca(this.context, link);
      return true;
    } catch (error) {
      if (error instanceof NotApplicable) return false;
      throw error;
    }
  }
}
