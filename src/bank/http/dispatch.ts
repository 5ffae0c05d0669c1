import { isUtf8 } from 'node:buffer';
import { certificateIn, type TppCertificate } from '../../signing/certificate.ts';
import { digestHeader } from '../../signing/digest.ts';
import type { SigningIdentity } from '../../signing/identity.ts';
import { signText } from '../../signing/signature.ts';
import { formatKeyId, formatSignatureHeader } from '../../signing/signature-header.ts';
import { signingString, withoutSurroundingWhitespace } from '../../signing/signing-string.ts';
import { formatHttpDate } from '../../spec/http-date.ts';
import { withoutNulls } from '../../spec/json.ts';
import type { BankDesign } from '../design/design.ts';
import {
  type BankAnswer,
  type BankOperation,
  type BankRequest,
  type BankState,
  type RawRequest,
  type RawResponse,
  type Refusal,
  type Route,
  type Rule,
  refusalOf,
} from '../design/route.ts';

/** Reads body and certificate only when a rule asks for them: most refused requests never get that far. */
class ReadRequest implements BankRequest {
  readonly operation: BankOperation;
  readonly method: string;
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly headerNames: readonly string[];
  readonly bytes: Buffer;
  #body: { readonly value: unknown } | undefined;
  #certificate: { readonly value: TppCertificate | undefined } | undefined;

  constructor(raw: RawRequest, operation: BankOperation, params: Readonly<Record<string, string>>) {
    this.operation = operation;
    this.method = raw.method;
    this.target = raw.url;
    this.params = params;
    this.query = new URLSearchParams(raw.url.split('?').slice(1).join('?'));
    this.headers = headersOf(raw);
    this.headerNames = raw.headers.map(([name]) => name);
    this.bytes = raw.body === undefined ? Buffer.alloc(0) : bufferOf(raw.body);
  }

  header(name: string): string | undefined {
    return (this.headers.get(name) ?? this.headers.get(name.toLowerCase()))?.[0];
  }

  get body(): unknown {
    this.#body ??= { value: parsedJson(this.bytes) };
    return this.#body.value;
  }

  get certificate(): TppCertificate | undefined {
    this.#certificate ??= { value: certificateIn(this.header('tpp-signature-certificate')) };
    return this.#certificate.value;
  }
}

const readRequest = (
  raw: RawRequest,
  operation: BankOperation,
  params: Readonly<Record<string, string>>,
): BankRequest => new ReadRequest(raw, operation, params);

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function headersOf({ headers }: RawRequest): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const trimmed = withoutSurroundingWhitespace(value);
    const values = byName.get(key);
    if (values === undefined) byName.set(key, [trimmed]);
    else values.push(trimmed);
  }
  return byName;
}

function parsedJson(bytes: Buffer): unknown {
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  try {
    return withoutNulls(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Match =
  | { readonly found: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly found: 'other-methods'; readonly methods: readonly string[] }
  | { readonly found: 'nothing' };

interface Pattern {
  readonly route: Route;
  readonly segments: readonly string[];
}

/**
 * Finds the route of a request. Nothing of a path is normalised, so that `..` leads nowhere; but a letter may be written
 * as its percent-encoding (RFC 3986, section 6.2.2.2).
 */
export function routerOf(routes: readonly Route[], prefix: string): (method: string, url: string) => Match {
  const byLength = new Map<number, Pattern[]>();
  for (const route of routes) {
    const pattern: Pattern = { route, segments: segmentsOf(prefix + route.path) };
    byLength.set(pattern.segments.length, [...(byLength.get(pattern.segments.length) ?? []), pattern]);
  }
  // Fixed segments before placeholders: a known product goes before `:product`.
  for (const patterns of byLength.values()) patterns.sort((a, b) => placeholdersIn(a) - placeholdersIn(b));
  return (method, url) => {
    const segments = segmentsOf(url.split(/[?#]/, 1)[0] ?? '');
    const matching = (byLength.get(segments.length) ?? []).filter((pattern) => fits(pattern, segments));
    const chosen = matching.find(({ route }) => route.method === method);
    if (chosen === undefined) {
      return matching.length === 0
        ? { found: 'nothing' }
        : { found: 'other-methods', methods: [...new Set(matching.map(({ route }) => route.method))] };
    }
    const params = paramsOf(chosen, segments);
    return params === undefined ? { found: 'nothing' } : { found: 'route', route: chosen.route, params };
  };
}

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1);

const isPlaceholder = (segment: string): boolean => segment.startsWith(':');
const placeholdersIn = ({ segments }: Pattern): number => segments.filter(isPlaceholder).length;

const fits = ({ segments: wanted }: Pattern, segments: readonly string[]): boolean =>
  wanted.every((segment, index) =>
    isPlaceholder(segment) ? segments[index] !== '' : segment === letterByLetter(segments[index] ?? ''),
  );

const letterByLetter = (segment: string): string =>
  segment.replace(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : code;
  });

/** Undefined when a segment is no valid percent-encoding. */
function paramsOf(
  { segments: wanted }: Pattern,
  segments: readonly string[],
): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      wanted.flatMap((segment, index) =>
        isPlaceholder(segment) ? [[segment.slice(1), decodeURIComponent(segments[index] ?? '')]] : [],
      ),
    );
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const signedHeaders = ['date', 'digest', 'x-request-id'] as const;

/** Responses may be signed (Transport and signing): in the way of requests, over what a response carries of them. */
async function signedResponse(response: RawResponse, identity: SigningIdentity): Promise<RawResponse> {
  const headers: RawResponse['headers'] = [...response.headers, ['Digest', digestHeader(response.body)]];
  const valueFor = (name: string): string | undefined =>
    headers.find(([header]) => header.toLowerCase() === name)?.[1];
  const names = signedHeaders.filter((name) => valueFor(name) !== undefined);
  const { issuer, serialNumber, base64 } = identity.certificate;
  const signature = formatSignatureHeader({
    keyId: formatKeyId({ issuer, serialNumber }),
    algorithm: 'rsa-sha256',
    headers: names,
    signature: await signText(signingString(names, valueFor), identity),
  });
  return {
    ...response,
    headers: [...headers, ['TPP-Signature-Certificate', base64], ['Signature', signature]],
  };
}

/** One line per request: what was called, how it ended and which rule refused it. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly requirement?: string;
  readonly rule?: string;
  /** What the bank said is wrong. */
  readonly text?: string;
  readonly durationMs: number;
}

/** One request with its answer, as bytes, for whoever keeps evidence. It is told before the answer is sent. */
export interface AnsweredRequest {
  readonly raw: RawRequest;
  /** As the rules saw it; undefined where nothing stands at its path, or it could not be read. */
  readonly request: BankRequest | undefined;
  readonly response: RawResponse;
  readonly refusedBy?: Rule;
  /** What the bank said is wrong. */
  readonly text?: string;
  /** All rules of the operation, in the order in which they are tried, and what they look at. */
  readonly rules?: readonly Rule[];
  readonly state: BankState;
  readonly receivedAt: Date;
  readonly durationMs: number;
}

export interface Dispatch {
  (raw: RawRequest): Promise<RawResponse>;
  /** Answers a request that could not be read at all. */
  unread(refusal: Refusal, raw?: RawRequest): Promise<RawResponse>;
}

export interface DispatchOptions {
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
  readonly onAnswer?: ((answered: AnsweredRequest) => void) | undefined;
  /** Signs the responses; without one they are not signed. */
  readonly signer?: SigningIdentity | undefined;
  /** What the bank does by itself as time goes by. */
  readonly beforeEach?: () => void;
}

interface Outcome {
  readonly answer: BankAnswer;
  readonly refusedBy?: Rule;
  readonly rules?: readonly Rule[];
  readonly text?: string;
}

export function dispatchTo(
  routes: readonly Route[],
  prefix: string,
  state: BankState,
  design: BankDesign,
  { onRequest, onAnswer, signer, beforeEach }: DispatchOptions,
): Dispatch {
  const match = routerOf(routes, prefix);
  const { answers, refusals } = design;

  const refused = (refusal: Refusal, rule?: Rule): Outcome => ({
    answer: answers.refusal(refusal),
    text: refusal.text,
    ...(rule === undefined ? {} : { refusedBy: rule }),
  });

  async function outcomeOf(raw: RawRequest): Promise<readonly [Outcome, BankRequest | undefined]> {
    const matched = match(raw.method, raw.url);
    if (matched.found === 'nothing') {
      return [refused({ ...refusals.pathUnknown, text: 'There is nothing at this path.' }), undefined];
    }
    if (matched.found === 'other-methods') {
      const headers = { Allow: matched.methods.join(', ') };
      return [refused({ ...refusals.methodUnknown, text: 'The method is not allowed.', headers }), undefined];
    }
    const request = readRequest(raw, matched.route.operation, matched.params);
    for (const rule of matched.route.rules) {
      const refusal = rule.refuses(request, state);
      if (refusal !== undefined) {
        return [{ ...refused(refusalOf(refusal, refusals), rule), rules: matched.route.rules }, request];
      }
    }
    return [{ answer: await matched.route.handle(request, state), rules: matched.route.rules }, request];
  }

  /** A bug of the bank is told as one, and the bank goes on. */
  const outcomeOrFailure = (raw: RawRequest): ReturnType<typeof outcomeOf> =>
    outcomeOf(raw).catch((error: unknown) => {
      const text = `The bank failed: ${error instanceof Error ? error.message : String(error)}`;
      return [refused({ status: 500, code: 'SYSTEM_ERROR', text }), undefined] as const;
    });

  const send = async (answer: BankAnswer, request: BankRequest | undefined): Promise<RawResponse> => {
    const response = rawResponse(await answers.finish(answer, request), request, state, answers.serialise);
    const isSigned = signer !== undefined && request?.operation !== 'page';
    return answers.seal(isSigned ? await signedResponse(response, signer) : response, request);
  };

  const dispatch = async (raw: RawRequest): Promise<RawResponse> => {
    const started = performance.now();
    const receivedAt = state.clock.now();
    beforeEach?.();
    const [{ answer, refusedBy, rules, text }, request] = await outcomeOrFailure(raw);
    const response = await send(answer, request);
    onAnswer?.({
      raw,
      request,
      response,
      ...(refusedBy === undefined ? {} : { refusedBy }),
      ...(rules === undefined ? {} : { rules }),
      ...(text === undefined ? {} : { text }),
      state,
      receivedAt,
      durationMs: performance.now() - started,
    });
    onRequest?.({
      method: raw.method,
      path: raw.url,
      status: response.status,
      ...(refusedBy === undefined ? {} : { requirement: refusedBy.requirement, rule: refusedBy.name }),
      ...(text === undefined ? {} : { text }),
      durationMs: performance.now() - started,
    });
    return response;
  };
  return Object.assign(dispatch, {
    unread: async (refusal: Refusal, raw?: RawRequest) => {
      const receivedAt = state.clock.now();
      const response = await send(answers.refusal(refusal), undefined);
      if (raw !== undefined) {
        onAnswer?.({ raw, request: undefined, response, state, receivedAt, durationMs: 0 });
      }
      return response;
    },
  });
}

const nothing = Buffer.alloc(0);

function rawResponse(
  { status, headers = {}, body, text, transfer }: BankAnswer,
  request: BankRequest | undefined,
  { clock }: BankState,
  serialise: (body: unknown) => string,
): RawResponse {
  const requestId = request?.header('x-request-id');
  const [type, content] =
    text !== undefined
      ? [text.type, Buffer.from(text.content, text.letters)]
      : body !== undefined
        ? ['application/json; charset=utf-8', Buffer.from(serialise(body))]
        : [undefined, nothing];
  return {
    status,
    headers: Object.entries({
      Date: formatHttpDate(clock.now()),
      ...(requestId === undefined || request?.operation === 'page' ? {} : { 'X-Request-ID': requestId }),
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...headers,
    }),
    body: content,
    ...(transfer === undefined ? {} : { transfer }),
  };
}
