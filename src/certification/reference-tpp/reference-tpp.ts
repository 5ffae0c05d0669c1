import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../payloads/json.ts';
import { daysBefore, isoDate } from '../../spec/days.ts';
import { createdBy, isCreation, type Product, products } from '../../spec/products.ts';
import { Answer } from '../../tpp/answer.ts';
import type { Call, Psu, Variation } from '../../tpp/call.ts';
import type { TppClient } from '../../tpp/client.ts';
import { type Exchange, headerValue } from '../../tpp/exchange.ts';
import type { ScaReturn } from '../../tpp/sca/sca-return.ts';
import type { ScaPerson, ScaWalker } from '../../tpp/sca/sca-walker.ts';
import type { RequestDraft } from '../../tpp/signing-plan.ts';
import { type ProvocationId, provokingAmount } from '../provocations.ts';
import type { RedirectReason, TppBehaviour } from './behaviour.ts';
import {
  cardAccount,
  domesticOrder,
  invoiceOrder,
  largeCrossBorderOrder,
  type OrderFacts,
  sharedOrder,
  toCurrencyAccount,
  yenOrder,
} from './payment-orders.ts';

export interface ReferenceTppOptions {
  /** Builds and signs; it knows the bank's address and follows its clock. */
  readonly client: TppClient;
  /** Stands in for the PSU at the bank's pages. */
  readonly walker: ScaWalker;
  readonly customers: { readonly private: string; readonly corporate: string };
  readonly facts: OrderFacts;
  readonly behaviour: TppBehaviour;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly tell?: (line: string) => void;
}

/** The bank said something that the TPP can do nothing about. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly answer: Answer;

  constructor(answer: Answer) {
    const said = answer.messages.map(({ code, text }) => [code, text].filter(Boolean).join(' ')).join('; ');
    super(`The bank answered ${answer.status}${said === '' ? '' : `: ${said}`}`);
    this.answer = answer;
  }
}

/** A customer of the TPP. */
interface Customer {
  psu: Psu;
  readonly person: ScaPerson;
  readonly account: JsonObject;
}

const mostAttempts = 4;
const mostPages = 10;

/** Without the PSU present (PSU identification and SCA). */
const alone: Variation = { beforeSigning: ({ headers }) => headers.remove('PSU-IP-Address') };

/** Nobody waits longer before a screen; the customer is told instead. */
const longestPauseSeconds = 60;

/**
 * A payment initiator and account informer that does everything as it should be done, on top of the suite's own
 * client: the example of a TPP that passes its certification.
 */
export class ReferenceTpp {
  readonly #options: ReferenceTppOptions;
  readonly #kari: Customer;
  readonly #company: Customer;
  #amount = 10_000;

  constructor(options: ReferenceTppOptions) {
    this.#options = options;
    const { customers, facts } = options;
    this.#kari = this.#customer(customers.private, 'PRIVATE', facts.debtor);
    this.#company = this.#customer(customers.corporate, 'CORPORATE', facts.corporateDebtor);
  }

  /** Goes through every journey; one that fails does not keep it from the next. Returns what went wrong. */
  async completeJourneys(): Promise<readonly string[]> {
    const problems: string[] = [];
    const { journeys } = this.#options.behaviour;
    for (const [name, journey] of this.#journeys()) {
      if (journeys !== undefined && !journeys.includes(name)) continue;
      try {
        await journey();
        this.#options.tell?.(`${name}: done`);
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        problems.push(`${name}: ${said}`);
        this.#options.tell?.(`${name}: ${said}`);
        // Without its customer the TPP has nothing to do.
        if (name === 'log in') break;
      }
    }
    return problems;
  }

  #journeys(): readonly (readonly [string, () => Promise<unknown>])[] {
    const kari = this.#kari;
    const { facts, behaviour } = this.#options;
    const { product } = behaviour;
    const provoke = (id: ProvocationId) => () => this.#pay(kari, this.#provoking(kari, id), product);
    return [
      ['log in', () => this.#ask({ operation: 'startUserFlow' }, kari)],
      ['first-payment and status', () => this.#payAndLook(kari, this.#order(kari, this.#nextAmount()))],
      ['refused-payment', () => this.#payRefusedAmount(kari)],
      ['session-expiry', provoke('session-expiry')],
      ['failed-sca', () => this.#payWithoutApproval(kari)],
      ['busy', provoke('busy')],
      ['unavailable', provoke('unavailable')],
      ['forged-response', provoke('forged-response')],
      [
        'currency-account',
        () => this.#pay(kari, domesticOrder(kari.account, this.#nextAmount(), toCurrencyAccount)),
      ],
      ['kid', () => this.#pay(kari, invoiceOrder(kari.account, this.#nextAmount()))],
      ['card-account', () => this.#pay(kari, domesticOrder(cardAccount(facts), this.#nextAmount()))],
      ['cross-border', () => this.#payAbroad(kari)],
      [
        'basket',
        async () => {
          for (let count = 0; count < behaviour.baskets; count += 1) await this.#payTogether(kari);
        },
      ],
      [
        'corporate',
        async () => {
          await this.#ask({ operation: 'startUserFlow' }, this.#company);
          for (let count = 0; count < behaviour.corporatePayments; count += 1) {
            await this.#pay(this.#company, domesticOrder(this.#company.account, this.#nextAmount()));
          }
        },
      ],
      ['accounts', () => this.#readAccounts(kari)],
      [
        'sandbox-listing',
        () => this.#ask({ operation: 'listSandboxCustomers', query: { withAccounts: 'true' } }, kari),
      ],
      ['drop-out', () => this.#dropOut(kari, behaviour.dropOuts)],
    ];
  }

  /** A payment of the kind that the TPP makes where any would do. */
  #order({ account }: Customer, amount: string): JsonObject {
    return this.#options.behaviour.product === products.crossBorder
      ? largeCrossBorderOrder(account, amount)
      : domesticOrder(account, amount);
  }

  #provoking(customer: Customer, id: ProvocationId): JsonObject {
    return this.#order(customer, provokingAmount(id, this.#options.behaviour.product));
  }

  async #payAndLook(customer: Customer, order: JsonObject): Promise<void> {
    const { product } = this.#options.behaviour;
    const id = await this.#pay(customer, order, product);
    const params = { product: product.path, paymentId: id };
    await this.#ask({ operation: 'readPaymentStatus', params }, customer);
  }

  /** A refusal is told to the customer, and not tried again. */
  async #payRefusedAmount(customer: Customer): Promise<void> {
    const { product, repeatsRefused } = this.#options.behaviour;
    const order = this.#provoking(customer, 'refused-payment');
    for (let attempt = 0; attempt < (repeatsRefused ? 2 : 1); attempt += 1) {
      await this.#create(customer, product.creation, order).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
      });
    }
  }

  /** The customer failed SCA, so the payment is taken back. */
  async #payWithoutApproval(customer: Customer): Promise<void> {
    const { product } = this.#options.behaviour;
    const created = await this.#create(customer, product.creation, this.#provoking(customer, 'failed-sca'));
    const call: Call = { operation: product.creation };
    const back = await this.#sendPsu(customer, created, 'payment', call);
    if (back?.code === undefined) return;
    const params = { product: product.path, paymentId: created.text('paymentId') ?? '' };
    await this.#ask({ operation: 'deletePayment', params }, customer);
  }

  async #payAbroad(customer: Customer): Promise<void> {
    await this.#pay(customer, largeCrossBorderOrder(customer.account, '100000.00'), products.crossBorder);
    await this.#pay(customer, yenOrder(customer.account, '15000'), products.crossBorder);
  }

  async #payTogether(customer: Customer): Promise<void> {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const order = domesticOrder(customer.account, this.#nextAmount(), sharedOrder);
      const created = await this.#create(customer, products.domestic.creation, order);
      ids.push(created.text('paymentId') ?? '');
    }
    await this.#signTogether(customer, this.#options.behaviour.basketIds(ids));
  }

  async #signTogether(customer: Customer, ids: readonly string[]): Promise<void> {
    const basket = await this.#create(customer, 'createSigningBasket', { paymentIds: [...ids] });
    await this.#sendPsu(customer, basket, 'basket', { operation: 'createSigningBasket' });
  }

  async #readAccounts(customer: Customer): Promise<void> {
    const { unattendedReads, unattendedDays } = this.#options.behaviour;
    const listing = await this.#ask({ operation: 'listAccounts' }, customer);
    const accounts = listing.member('accounts');
    const accountId: unknown = Array.isArray(accounts) ? accounts[0]?.resourceId : undefined;
    if (typeof accountId !== 'string') throw new Error('The customer has granted no account.');
    const call: Call = { operation: 'readBalances', params: { accountId } };
    await this.#ask(call, customer);
    for (let count = 0; count < unattendedReads; count += 1) await this.#ask(call, customer, alone);
    await this.#readTransactions(customer, accountId, 365, {});
    await this.#readTransactions(customer, accountId, unattendedDays, alone);
  }

  /** Reads page by page, as far as the bank has links to a next one. */
  async #readTransactions(
    customer: Customer,
    accountId: string,
    days: number,
    variation: Variation,
  ): Promise<void> {
    const { pageSize } = this.#options.behaviour;
    const from = isoDate(daysBefore(new Date(), days));
    let query: Record<string, string> | undefined = {
      bookingStatus: 'both',
      dateFrom: from,
      ...(pageSize === undefined ? {} : { limit: String(pageSize) }),
    };
    for (let page = 0; query !== undefined && page < mostPages; page += 1) {
      const call: Call = { operation: 'readTransactions', params: { accountId }, query };
      const next = (await this.#ask(call, customer, variation)).link('next');
      query = next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams);
    }
  }

  /** The PSU never gets to the bank: the TPP asks what has become of the payment, and learns nothing. */
  async #dropOut(customer: Customer, count: number): Promise<void> {
    for (let payment = 0; payment < count; payment += 1) {
      const order = domesticOrder(customer.account, this.#nextAmount());
      const created = await this.#create(customer, products.domestic.creation, order);
      const params = { product: products.domestic.path, paymentId: created.text('paymentId') ?? '' };
      await this.#ask({ operation: 'readPaymentStatus', params }, customer).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
      });
    }
  }

  /** Creates a payment and has it approved; returns its id. */
  async #pay(customer: Customer, order: JsonObject, product: Product = products.domestic): Promise<string> {
    const created = await this.#create(customer, product.creation, order);
    const paymentId = created.text('paymentId') ?? '';
    const { asksEarly, signsInBaskets } = this.#options.behaviour;
    if (asksEarly) {
      const params = { product: product.path, paymentId };
      await this.#ask({ operation: 'readPaymentStatus', params }, customer);
    }
    if (signsInBaskets) await this.#signTogether(customer, [paymentId]);
    else await this.#sendPsu(customer, created, 'payment', { operation: product.creation });
    return paymentId;
  }

  #create(customer: Customer, operation: Call['operation'], order: JsonObject): Promise<Answer> {
    const { behaviour } = this.#options;
    const call: Call = { operation, psu: customer.psu };
    const body = behaviour.body(call, order);
    return this.#ask({ operation, body: behaviour.bytes(call, body) ?? body }, customer);
  }

  /** Asks until there is an answer to use: after SCA where it is needed, after a pause, after a false answer again. */
  async #ask(call: Call, customer: Customer, variation: Variation = {}): Promise<Answer> {
    const { behaviour, sleep } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(call, customer, variation);
      if (attempt > mostAttempts) throw new Refused(answer);
      if (!behaviour.trusts(answer)) continue;
      if (answer.status === 429 || answer.status === 503) {
        const isTooLong = Number(answer.headers.get('Retry-After')) > longestPauseSeconds;
        if (isTooLong || !behaviour.triesAgain) throw new Refused(answer);
        await sleep(behaviour.pauseAfter(answer, attempt));
        continue;
      }
      if (answer.asksForSca) {
        for (let poll = 0; poll < behaviour.polls; poll += 1) await this.#send(call, customer, variation);
        const reason = customer.psu.id === undefined ? 'access' : 'renewal';
        const follows = behaviour.follows(reason, call, customer.psu);
        const back = await this.#sendPsu(customer, answer, reason, call);
        if (follows && back?.psuId === undefined) throw new Refused(answer);
        continue;
      }
      if (!answer.isSuccess) throw new Refused(answer);
      return answer;
    }
  }

  /** Every answer is looked at for a link named scaRedirect. */
  async #sendPsu(
    customer: Customer,
    answer: Answer,
    reason: RedirectReason,
    call: Call,
  ): Promise<ScaReturn | undefined> {
    const { behaviour, walker } = this.#options;
    if (!behaviour.follows(reason, call, customer.psu)) return undefined;
    const link = await this.#linkIn(answer, customer, call);
    if (link === undefined) return undefined;
    const back = await walker.pass(link, { ...customer.person, redirectUri: redirectUriOf(answer) });
    customer.psu = behaviour.remember(customer.psu, back);
    return back;
  }

  /** Some banks have an authorisation started for what was created, and give the link then. */
  async #linkIn(answer: Answer, customer: Customer, { operation }: Call): Promise<string | undefined> {
    const link = answer.link('scaRedirect');
    const isOffered = link === undefined && answer.link('startAuthorisation') !== undefined;
    if (!answer.isSuccess || !(isOffered || this.#options.behaviour.startsAuthorisations)) return link;
    const product = createdBy(operation)?.path;
    const start: Call =
      product === undefined
        ? { operation: 'startBasketAuthorisation', params: { basketId: answer.text('basketId') ?? '' } }
        : {
            operation: 'startPaymentAuthorisation',
            params: { product, paymentId: answer.text('paymentId') ?? '' },
          };
    return (await this.#ask(start, customer)).link('scaRedirect');
  }

  async #send(call: Call, { psu }: Customer, variation: Variation): Promise<Answer> {
    const { client, behaviour } = this.#options;
    const { transport, origin, timeoutMs } = client.options;
    const asked: Call = { ...call, psu };
    const varied = behaviour.vary(asked);
    const identity = behaviour.identityFor(asked);
    const draft = await (identity === undefined ? client : client.with({ identity })).prepare(
      { ...call, psu: behaviour.present(psu, asked) },
      {
        ...varied,
        beforeSigning: (request) => {
          if (isPayment(call)) forwardPsu(request, psu);
          variation.beforeSigning?.(request);
          varied.beforeSigning?.(request);
        },
      },
    );
    const sent = Date.now();
    const request = {
      method: draft.method,
      target: draft.target,
      headers: draft.headers.lines(),
      body: draft.body,
    };
    const response = await transport.send(request, timeoutMs);
    const received = Date.now();
    const { headers, status, body } = response;
    client.clock.observe(headerValue(headers, 'Date'), sent, received);
    const exchange: Exchange = {
      id: draft.headers.get('X-Request-ID') ?? '',
      purpose: call.operation,
      operation: call.operation,
      attempt: 1,
      startedAt: new Date(sent).toISOString(),
      durationMs: received - sent,
      request: {
        method: draft.method,
        url: origin + draft.target,
        headers: draft.headers.lines(),
        body: draft.body?.toString('utf8') ?? '',
      },
      response: { status, headers, body: body.toString('utf8') },
    };
    return new Answer(exchange, body);
  }

  #customer(nationalId: string, context: ScaPerson['context'], account: JsonObject): Customer {
    const { ipAddress, redirectUri } = this.#options.client.psu;
    return {
      psu: { sessionId: randomUUID(), ipAddress, redirectUri },
      person: { nationalId, context },
      account: { ...account },
    };
  }

  /** A strict bank takes two payments of the same amount for one. */
  #nextAmount(): string {
    this.#amount += 137;
    return `${Math.floor(this.#amount / 100)}.${String(this.#amount % 100).padStart(2, '0')}`;
  }
}

const isPayment = ({ operation }: Call): boolean => isCreation(operation);

/** What is known of the PSU's own request to the TPP. */
function forwardPsu({ headers }: RequestDraft, { corporateId }: Psu): void {
  headers.set('PSU-HTTP-Method', 'POST');
  headers.set('PSU-Device-ID', deviceId);
  headers.set('PSU-Context', corporateId === undefined ? 'PRIVATE' : 'CORPORATE');
}

const deviceId = randomUUID();

/** Where the bank will send the PSU: the address of the request that was answered. */
const redirectUriOf = ({ exchange }: Answer): string =>
  headerValue(exchange.request.headers, 'TPP-Redirect-URI') ?? '';
