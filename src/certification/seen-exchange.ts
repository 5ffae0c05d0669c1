import { isDeepStrictEqual } from 'node:util';
import { certificateIn, type TppCertificate } from '../signing/certificate.ts';
import { explainSignature } from '../signing/debugger/explain-signature.ts';
import { requestTarget, withoutSurroundingWhitespace } from '../signing/signing-string.ts';
import { isRedirectUri } from '../spec/formats.ts';
import { headerRows } from '../spec/headers.ts';
import { memberAt } from '../spec/json.ts';
import { percentDecoded } from '../spec/percent-encoding.ts';
import { isCreation } from '../spec/products.ts';
import { Answer } from '../tpp/answer.ts';
import { type Exchange, HeaderList } from '../tpp/exchange.ts';
import type { RecordedExchange } from './recording.ts';
import { SeenSignature, type Verification, verifySeen } from './seen-signature.ts';

/** An exchange as the checks look at it. What is read out of it is read once. */
export class SeenExchange {
  readonly recorded: RecordedExchange;
  readonly at: Date;
  readonly headers: HeaderList;
  readonly bytes: Buffer;
  readonly answer: Answer;
  #json: { readonly value: unknown } | undefined;
  #certificate: { readonly value: TppCertificate | undefined } | undefined;
  #signature: { readonly value: SeenSignature | undefined } | undefined;
  #verification: Verification | undefined;
  #mistake: { readonly value: string | undefined } | undefined;

  constructor(recorded: RecordedExchange, origin: string) {
    this.recorded = recorded;
    this.at = new Date(recorded.at);
    this.headers = new HeaderList(recorded.request.headers);
    this.bytes = Buffer.from(recorded.request.body ?? '', 'base64');
    const answered = Buffer.from(recorded.response.body ?? '', 'base64');
    this.answer = new Answer(exchangeOf(recorded, origin, this.bytes, answered), answered);
  }

  get number(): number {
    return this.recorded.number;
  }

  get operation(): string {
    return this.recorded.operation;
  }

  get status(): number {
    return this.recorded.response.status;
  }

  get method(): string {
    return this.recorded.request.method;
  }

  /** Path and query. */
  get target(): string {
    return this.recorded.request.target;
  }

  get path(): string {
    return this.target.split('?', 1)[0] ?? '';
  }

  /** The parts of its path, however they are percent-encoded (RFC 3986, section 6.2.2): the first is what stands before the slash. */
  get pathParts(): readonly string[] {
    return this.path.split('/').map((part) => percentDecoded(part) ?? part);
  }

  /** Whether a part of its path is that id. */
  isAbout(id: string): boolean {
    return this.pathParts.includes(id);
  }

  /** The first value of a header without surrounding white space; undefined when absent. */
  header(name: string): string | undefined {
    const value = this.headers.get(name);
    return value === undefined ? undefined : withoutSurroundingWhitespace(value);
  }

  /** All that a header is said to be, where it stands there more than once. */
  values(name: string): readonly string[] {
    const wanted = name.toLowerCase();
    const all = this.headers.lines().filter(([present]) => present.toLowerCase() === wanted);
    return [...new Set(all.map(([, value]) => withoutSurroundingWhitespace(value)))];
  }

  /** The value of a header in the signing string. */
  signedValue(name: string): string | undefined {
    return name === '(request-target)' ? requestTarget(this.method, this.target) : this.header(name);
  }

  /** The body as JSON; undefined when it is none. */
  get json(): unknown {
    this.#json ??= { value: parsed(this.bytes) };
    return this.#json.value;
  }

  get certificate(): TppCertificate | undefined {
    this.#certificate ??= { value: certificateIn(this.header('TPP-Signature-Certificate')) };
    return this.#certificate.value;
  }

  get signature(): SeenSignature | undefined {
    const value = this.header('Signature');
    this.#signature ??= { value: value === undefined ? undefined : new SeenSignature(value) };
    return this.#signature.value;
  }

  /** What was signed in place of the right text, or how, where that can be found out: many texts are tried. */
  get signingMistake(): string | undefined {
    const { method, target, bytes: body } = this;
    const request = { method, target, headers: this.headers.lines(), body, remarks: [] };
    this.#mistake ??= { value: explainSignature(request).summary || undefined };
    return this.#mistake.value;
  }

  /** Whether the signature is that of the certificate next to it; not judged where one of them is missing. */
  get verification(): Verification {
    const { signature, certificate } = this;
    this.#verification ??=
      signature === undefined || certificate === undefined
        ? { outcome: 'not-judged' }
        : verifySeen(signature, certificate, (name) => this.signedValue(name));
    return this.#verification;
  }

  /** `POST /v1/payments/… (request 12)` */
  get name(): string {
    return `${this.method} ${this.path} (request ${this.number})`;
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function exchangeOf(
  { number, at, durationMs, operation, request, response, provocation, refusedBy }: RecordedExchange,
  origin: string,
  sent: Buffer,
  answered: Buffer,
): Exchange {
  return {
    id: `x${String(number).padStart(5, '0')}`,
    purpose: provocation ?? refusedBy?.rule ?? '',
    operation,
    attempt: 1,
    startedAt: at,
    durationMs,
    request: {
      method: request.method,
      url: origin + request.target,
      headers: request.headers,
      // A form holds the national identity number.
      body: operation === 'page' && sent.length > 0 ? '[form, redacted]' : sent.toString('utf8'),
    },
    response: { status: response.status, headers: response.headers, body: answered.toString('utf8') },
  };
}

/** Headers that a bank looks at: of what else there is (names of traces, of clients, of proxies) it knows nothing. */
const known = new Set(['date', 'content-type', ...headerRows.map(({ name }) => name.toLowerCase())]);

/** Of these the ones that say nothing about what is asked for. */
const passing = new Set([
  'host',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'psu-ip-port',
  'psu-user-agent',
  'psu-accept',
  'psu-accept-charset',
  'psu-accept-encoding',
  'psu-accept-language',
  'psu-geo-location',
]);

/** Whether two requests ask for the same: same operation, same address, same body. */
export const asksTheSame = (a: SeenExchange, b: SeenExchange): boolean =>
  a.method === b.method &&
  a.target === b.target &&
  (a.bytes.equals(b.bytes) || (a.json !== undefined && isDeepStrictEqual(a.json, b.json)));

/** What a payment is, whatever else is said about it. */
const essence = ['instructedAmount', 'debtorAccount', 'creditorAccount'];

/** Whether one request is another attempt at the other: what it says by the way may be new each time. */
export const attemptsTheSame = (a: SeenExchange, b: SeenExchange): boolean =>
  asksTheSame(a, b) ||
  (a.method === b.method &&
    isCreation(a.operation) &&
    isDeepStrictEqual(a.pathParts, b.pathParts) &&
    essence.every((name) => isDeepStrictEqual(memberAt(a.json, name), memberAt(b.json, name))));

/** Of these a bank looks at the value, which differs each time, and at whether they are there once: what is set right may be that. */
const sentOnce = new Set(['date', 'x-request-id', 'signature', 'digest', 'tpp-signature-certificate']);

/** Whether they differ in nothing that the bank looks at. */
export const isUnchanged = (a: SeenExchange, b: SeenExchange): boolean =>
  asksTheSame(a, b) && isDeepStrictEqual(tellingHeaders(a), tellingHeaders(b));

/** Many a TPP gives each attempt a state of its own, which comes back to it in the query. A false address stays as it is. */
const withoutState = (address: string): string =>
  isRedirectUri(address) ? (address.split(/[?#]/, 1)[0] ?? address) : address;

const tellingHeaders = ({ headers }: SeenExchange): readonly (readonly [string, string])[] =>
  headers
    .lines()
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .map(([name, value]) => [name, sentOnce.has(name) && value !== '' ? 'sent' : value] as const)
    .map(([name, value]) => [name, name === 'tpp-redirect-uri' ? withoutState(value) : value] as const)
    .filter(([name]) => known.has(name) && !passing.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
