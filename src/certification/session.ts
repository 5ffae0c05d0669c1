import { type Trust, trustIn } from '../bank/state/trust.ts';
import type { TppCertificate } from '../signing/certificate.ts';
import { textAt } from '../spec/json.ts';
import { isCreation } from '../spec/products.ts';
import { Redactor } from '../tpp/redaction.ts';
import { readScaReturn, type ScaReturn } from '../tpp/sca/sca-return.ts';
import type {
  FailedConnection,
  ReachedBound,
  RecordedExchange,
  RecordingEnd,
  RecordingStart,
} from './recording.ts';
import { SeenExchange } from './seen-exchange.ts';

/** A link scaRedirect that the bank gave, and what became of it. */
export interface ScaLink {
  /** The answer that carried it. */
  readonly exchange: SeenExchange;
  readonly flowId: string;
  /** A payment or basket to approve, or access as such. */
  readonly kind: 'payment' | 'basket' | 'access';
}

/** The PSU's way back to the TPP. */
export interface Return {
  readonly exchange: SeenExchange;
  readonly flowId: string;
  readonly parameters: ScaReturn;
  readonly passed: boolean;
}

/** A payment that the bank has told the TPP of. */
export interface CreatedPayment {
  readonly id: string;
  readonly exchange: SeenExchange;
}

const signs = ['Signature', 'TPP-Signature-Certificate', 'X-Request-ID', 'Digest'];

/** Headers that nobody sends who has not read the interface. */
const ofTheInterface = /^(?:signature|digest|x-request-id|x-accept-fix|x-psu-identity|(?:tpp|psu)-.+)$/i;

/** Everything that a TPP and its PSUs did at the bank, in order. It grows while the certification goes on. */
export class Session {
  readonly start: RecordingStart;
  readonly exchanges: SeenExchange[] = [];
  readonly failedConnections: FailedConnection[] = [];
  /** What was not kept any more. */
  readonly bounds: ReachedBound[] = [];
  end: RecordingEnd | undefined;
  readonly scaLinks: ScaLink[] = [];
  readonly returns: Return[] = [];
  readonly payments: CreatedPayment[] = [];
  readonly #opened = new Map<string, SeenExchange>();
  /** A TPP may start authorisations in the place of following a link: flows by those that they stand for. */
  readonly #standsFor = new Map<string, string>();
  readonly #requests: SeenExchange[] = [];
  /** Requests that may be a stranger's. */
  readonly #bare = new Set<SeenExchange>();
  #own: { readonly of: string; readonly requests: readonly SeenExchange[] } = { of: '', requests: [] };
  /** Whether it was read from a recording without its end: what came after the last exchange nobody knows. */
  isCutOff = false;
  /** Where signed requests of the TPP came from. */
  readonly #sources = new Set<string | undefined>();
  readonly #origin: string;
  readonly #trust: Trust;

  constructor(start: RecordingStart) {
    this.start = start;
    this.#origin = new URL(start.baseUrl).origin;
    this.#trust = trustIn(start.trustedAuthorities);
  }

  /** The path before /v1. */
  get prefix(): string {
    return new URL(this.start.baseUrl).pathname.replace(/\/+$/, '');
  }

  /** An exchange as checks look at it, before it is decided whether it is kept. */
  read(recorded: RecordedExchange): SeenExchange {
    return new SeenExchange(recorded, this.#origin);
  }

  /** Whether a TPP with a trusted certificate has signed a request. */
  isSigned({ certificate, verification }: SeenExchange): boolean {
    return certificate !== undefined && verification.outcome === 'verified' && this.trusts(certificate);
  }

  add(recorded: RecordedExchange, exchange: SeenExchange = this.read(recorded)): SeenExchange {
    this.exchanges.push(exchange);
    if (exchange.operation === 'page') this.#addPage(exchange);
    else if (exchange.operation !== 'unknown' || signs.some((name) => exchange.headers.has(name))) {
      this.#addRequest(exchange);
    }
    return exchange;
  }

  /** The number of the last exchange that was kept; 0 before the first. */
  get lastNumber(): number {
    return this.exchanges.at(-1)?.number ?? 0;
  }

  /** How many exchanges were answered and are not here. The bank counts all that it answers. */
  get missing(): number {
    return Math.max(this.lastNumber, this.end?.answered ?? 0) - this.exchanges.length;
  }

  /**
   * Requests of the TPP: neither the PSU at the pages, nor a browser that asks for an icon, nor a stranger who has come
   * upon a path of ours.
   */
  get requests(): readonly SeenExchange[] {
    if (this.#bare.size === 0 || this.#sources.size === 0) return this.#requests;
    const of = `${this.#requests.length} ${this.#sources.size}`;
    if (this.#own.of !== of) {
      this.#own = { of, requests: this.#requests.filter((request) => !this.#isOfStranger(request)) };
    }
    return this.#own.requests;
  }

  /** How many requests to paths of the interface were not the TPP's. */
  get ofStrangers(): number {
    return this.#requests.length - this.requests.length;
  }

  #isOfStranger(request: SeenExchange): boolean {
    return this.#bare.has(request) && !this.#sources.has(placeOf(request.recorded.source));
  }

  addFailedConnection(connection: FailedConnection): void {
    this.failedConnections.push(connection);
  }

  /**
   * Whether a connection may be the TPP's. Whoever reaches the port can try it, and scanners do: one from where the TPP
   * never signed anything is a stranger's, unless nobody is known to be the TPP yet.
   */
  mayBeOfTpp({ source }: FailedConnection): boolean {
    return this.#sources.size === 0 || this.#sources.has(placeOf(source));
  }

  /** Requests to operations that the bank has. */
  get calls(): readonly SeenExchange[] {
    return this.requests.filter(({ operation }) => operation !== 'unknown');
  }

  /** Whether a certificate comes from an authority that the bank trusts. */
  trusts(certificate: TppCertificate): boolean {
    return this.#trust.trusts(certificate);
  }

  of(...operations: readonly string[]): readonly SeenExchange[] {
    return this.requests.filter(({ operation }) => operations.includes(operation));
  }

  get creations(): readonly SeenExchange[] {
    return this.requests.filter(({ operation }) => isCreation(operation));
  }

  /** When the PSU was first sent to a page. */
  opened(flowId: string): SeenExchange | undefined {
    return this.#opened.get(flowId);
  }

  passed(flowId: string): Return | undefined {
    return this.returns.find((back) => back.flowId === flowId && back.passed);
  }

  /** The link that an answer carried. */
  linkOf(exchange: SeenExchange): ScaLink | undefined {
    return this.scaLinks.find((link) => link.exchange === exchange);
  }

  after(exchange: SeenExchange): readonly SeenExchange[] {
    return this.requests.filter(({ number }) => number > exchange.number);
  }

  #addPage(exchange: SeenExchange): void {
    const opened = exchange.path.split('/').at(-1) ?? '';
    const flowId = this.#standsFor.get(opened) ?? opened;
    if (!this.#opened.has(flowId)) this.#opened.set(flowId, exchange);
    const location = exchange.answer.headers.get('Location');
    if (exchange.status !== 303 || location === undefined) return;
    const parameters = readScaReturn(location);
    this.returns.push({ exchange, flowId, parameters, passed: parameters.psuId !== undefined });
  }

  /** The link that came with what an authorisation is started for. */
  #linkInPlaceOf(exchange: SeenExchange): ScaLink | undefined {
    if (!['startPaymentAuthorisation', 'startBasketAuthorisation'].includes(exchange.operation))
      return undefined;
    return this.scaLinks.find(({ exchange: { answer } }) => {
      const id = textAt(answer.json, 'basketId') ?? textAt(answer.json, 'paymentId');
      return id !== undefined && exchange.isAbout(id);
    });
  }

  #addRequest(exchange: SeenExchange): void {
    this.#requests.push(exchange);
    if (this.isSigned(exchange)) this.#sources.add(placeOf(exchange.recorded.source));
    else if (!exchange.headers.lines().some(([name]) => ofTheInterface.test(name))) this.#bare.add(exchange);
    const { answer } = exchange;
    const href = answer.link('scaRedirect');
    if (href !== undefined) {
      const flowId = href.split('/').at(-1) ?? '';
      const given = answer.isSuccess ? this.#linkInPlaceOf(exchange) : undefined;
      if (given !== undefined) this.#standsFor.set(flowId, given.flowId);
      else this.scaLinks.push({ exchange, flowId, kind: answer.isSuccess ? kindOf(exchange) : 'access' });
    }
    const id = textAt(answer.json, 'paymentId');
    if (exchange.method === 'POST' && answer.status === 201 && id !== undefined) {
      this.payments.push({ id, exchange });
    }
  }
}

/** A machine reaches itself by several addresses. */
const placeOf = (source: string | undefined): string | undefined =>
  source !== undefined && /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/i.test(source) ? 'this machine' : source;

function kindOf({ answer, operation }: SeenExchange): ScaLink['kind'] {
  if (operation === 'startPaymentCancellation') return 'payment';
  if (textAt(answer.json, 'basketId') !== undefined) return 'basket';
  return textAt(answer.json, 'paymentId') === undefined ? 'access' : 'payment';
}

/** Shows what was recorded without what is secret: it knows all who took part in the session. */
export function redactorFor(session: Session): Redactor {
  const redactor = new Redactor();
  for (const exchange of session.exchanges) knowPeopleOf(exchange, redactor);
  for (const { answer } of session.exchanges) redactor.learn(answer.exchange);
  return redactor;
}

/** Remembers whom an exchange is about, before anything of it, or of what comes after it, is shown. */
export function learnFrom(exchange: SeenExchange, redactor: Redactor): void {
  knowPeopleOf(exchange, redactor);
  redactor.learn(exchange.answer.exchange);
}

/** Typed in at the pages, sent as X-PSU-IDENTITY, or listed by the sandbox. Only mocked ones can pass here. */
function knowPeopleOf(exchange: SeenExchange, redactor: Redactor): void {
  const { operation, method, bytes, answer } = exchange;
  const typed =
    operation === 'page' && method === 'POST'
      ? (new URLSearchParams(bytes.toString('utf8')).get('nationalId') ?? '')
      : '';
  const sent = exchange.header('X-PSU-IDENTITY') ?? '';
  const listed =
    operation === 'listSandboxCustomers' && Array.isArray(answer.json)
      ? answer.json.map((customer: unknown) => textAt(customer, 'customerNumber') ?? '')
      : [];
  for (const number of [typed, sent, ...listed]) {
    if (/^\d{11}$/.test(number.trim())) redactor.know('national-id', number);
  }
}
