import { randomUUID } from 'node:crypto';
import type { RefusalKind } from '../bank/design/refusal-kinds.ts';
import type { RawRequest } from '../bank/design/route.ts';
import { certificateIn } from '../signing/certificate.ts';
import { explainSignature, type SignatureExplanation } from '../signing/debugger/explain-signature.ts';
import type { ReceivedRequest } from '../signing/debugger/received-request.ts';
import { digestHeader } from '../signing/digest.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { requirementById } from '../spec/catalogue.ts';
import { formatHttpDate } from '../spec/http-date.ts';
import { type CurlConnection, curlCommand } from '../tpp/curl-command.ts';
import { type Exchange, type HeaderLine, HeaderList } from '../tpp/exchange.ts';
import { Redactor } from '../tpp/redaction.ts';
import { type RequestDraft, signDraft } from '../tpp/signing-plan.ts';
import type { ObservedRequest, RequestRow } from './observed-request.ts';

export const draftOf = ({ method, url, headers, body }: RawRequest): RequestDraft => ({
  operation: 'other',
  method,
  target: url,
  headers: new HeaderList(headers),
  body: body === undefined || body.length === 0 ? undefined : Buffer.from(body),
});

/** The request as it was, for curl. A body that no shell can hold is named as a file that the console hands out. */
export const curlOf = (draft: RequestDraft, connection: CurlConnection): string =>
  curlCommand(draft, connection, () => 'body.bin');

/** Why a request cannot be signed anew here; undefined where it can. */
export function replayProblem(
  { headers }: RawRequest,
  identity: SigningIdentity | undefined,
): string | undefined {
  if (identity === undefined) return 'The console has no key of a TPP to sign with.';
  const certificate = certificateIn(new HeaderList(headers).get('TPP-Signature-Certificate')?.trim());
  return certificate === undefined || certificate.fingerprint256 === identity.certificate.fingerprint256
    ? undefined
    : 'The TPP signs with a certificate of its own, whose key the console does not have.';
}

/** The same request with a new id, the time of now, its Digest made anew, and a right signature over all of it. */
export async function signedAnew(raw: RawRequest, identity: SigningIdentity, now: Date): Promise<RawRequest> {
  const draft = draftOf(raw);
  const { headers } = draft;
  const digest = headers.get('Digest');
  for (const name of ['Digest', 'Signature', 'TPP-Signature-Certificate']) headers.remove(name);
  headers.set('Date', formatHttpDate(now));
  headers.set('X-Request-ID', randomUUID());
  await signDraft(draft, identity, {
    digest: (body) =>
      digest === undefined
        ? undefined
        : digestHeader(body, /^sha-512=/i.test(digest.trim()) ? 'SHA-512' : 'SHA-256'),
  });
  return {
    method: draft.method,
    url: draft.target,
    headers: headers.lines(),
    ...(draft.body === undefined ? {} : { body: draft.body }),
  };
}

const readTheSignature = 'See the signature below: it shows what was signed, and what would have been right.';
const throughSca =
  'Send the PSU to the link scaRedirect of the answer, then repeat the request with the PSU-ID that comes back.';

/** What whoever writes a TPP does about a refusal, by its kind. */
const adviceOn: Readonly<Record<RefusalKind, string>> = {
  signatureMissing: 'Sign every request: the header Signature has keyId, algorithm, headers and signature.',
  signature: readTheSignature,
  certificateUnreadable:
    'Send the certificate as Base64 of its DER on one line: the PEM without its first and last line.',
  certificate:
    'Use a certificate that is valid now and comes from an authority that the bank trusts; serve and certify-tpp write one, or take yours with --trust or --tpp-ca.',
  role: 'Use a certificate with the role that the operation needs: PSP_PI for payments, PSP_AI for accounts.',
  clock:
    'Send the time of now in the header Date, in GMT, and keep the clock of your machine right: 60 seconds are allowed.',
  digest: 'Write the body once, hash those very bytes into the header Digest, and send the same bytes.',
  headerMissing: 'Send the header that is named; the table of headers tells which each operation requires.',
  headerForm: 'Write the header in the form that is named.',
  headerRepeated: 'Send the header once.',
  query: 'Write the query parameter as it is named, or leave it out.',
  contentType: 'Send the body as application/json.',
  json: 'Send one JSON value in UTF-8, without comments or trailing commas.',
  character: 'Leave out characters that a bank’s systems cannot hold, such as emoji.',
  field: 'Correct the field that is named in path.',
  amount: 'Write the amount as a string with a point, and with as many fraction digits as the currency has.',
  fieldCombination: 'Send the fields that belong together, and only one of those that exclude each other.',
  kid: 'Use a KID whose last digit is its check digit (mod 10 or mod 11).',
  kidMissing: 'The holder of this account demands a KID in the structured reference.',
  corporate:
    'In corporate context send PSU-ID and PSU-Corporate-ID; the latter comes with the redirect after SCA.',
  agreement: 'Use an agreement of this PSU; GET /v1/agreements lists them.',
  sca: throughSca,
  scaExpired: throughSca,
  sessionUnknown: throughSca,
  consentUnknown: throughSca,
  consentInvalid: throughSca,
  consentExpired: throughSca,
  accountUnknown: 'Read the account ids with GET /v1/accounts; the PSU may have taken consent back.',
  transactionUnknown: 'Read the transaction ids with the list of transactions.',
  unattendedCalls:
    'Without the PSU present, read at most four times in 24 hours; send PSU-IP-Address when the PSU is there.',
  contactUnknown: 'Register the contact address first.',
  sandboxConflict: 'It exists already: choose another number, or delete the old one.',
  sandboxUnknown: 'Create it first, or start the sandbox anew.',
  executionDate: 'Use a day from today on, as YYYY-MM-DD.',
  duplicate: 'Change the payment, or allow the duplicate with allowLogicalDuplicate=true.',
  account: 'Pay from an account of this PSU; the list of customers is printed when the bank starts.',
  product: 'Use the path of a payment product that the bank offers.',
  paymentUnknown:
    'Use the paymentId that the bank gave to this TPP for this PSU, percent-encoded in the path.',
  paymentUnreadable: 'Wait until the PSU has approved the payment; before that its status cannot be read.',
  paymentState: 'The state of the payment does not allow it; read its status first.',
  basketSize: 'Put at most 100 payments into one basket.',
  basketContents: 'Put only payments of this PSU into the basket that await approval.',
  referenceMix: 'Leave bulk and periodic payments out of baskets.',
  basketUnknown: 'Use the basketId that the bank gave to this TPP.',
  pathUnknown: 'Check the path: it begins with the base URL, then /v1.',
  methodUnknown: 'Use a method that the header Allow of the answer names.',
  bodyTooLarge: 'Send less than a megabyte.',
  unreadableRequest: 'Send complete HTTP: a Content-Length that fits, and a body that ends.',
};

export interface ShownRefusal {
  readonly requirement: string;
  /** What the specification demands, in our words. */
  readonly statement?: string;
  readonly rule: string;
  readonly text: string;
  readonly path?: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface ShownMessage {
  readonly headers: readonly HeaderLine[];
  /** As it came; cut where it is long. */
  readonly body: string;
  /** Indented, where it is JSON. */
  readonly pretty?: string;
  /** How many characters are not shown. */
  readonly cut: number;
}

/** A request as it may be shown: redacted, and with every rule that refuses it. */
export interface ShownRequest {
  readonly row: RequestRow;
  readonly operation: string;
  readonly request: ShownMessage;
  readonly response: ShownMessage & { readonly status: number };
  readonly refusals: readonly ShownRefusal[];
}

const longestBody = 100_000;

/** Knows what the request itself shows to be secret. `showTestData` shows mocked people and their sessions, never keys. */
export function redactorOf(observed: ObservedRequest, showTestData: boolean): Redactor {
  const redactor = new Redactor(undefined, { showTestData });
  redactor.learn(exchangeOf(observed));
  return redactor;
}

export function shownRequest(observed: ObservedRequest, showTestData: boolean): ShownRequest {
  const redactor = redactorOf(observed, showTestData);
  const { request, response } = redactor.exchange(exchangeOf(observed));
  return {
    row: { ...observed.row, path: redactor.text(observed.row.path) },
    operation: observed.operation,
    request: messageOf(request.headers, request.body, redactor),
    response: {
      status: observed.response.status,
      ...messageOf(response?.headers ?? [], response?.body ?? '', redactor),
    },
    refusals: observed.refusals.map(({ requirement, rule, text, path, kind }) => {
      const statement = requirementById.get(requirement)?.statement;
      return {
        requirement,
        ...(statement === undefined ? {} : { statement }),
        rule,
        text: redactor.text(text),
        ...(path === undefined ? {} : { path }),
        ...(kind === undefined ? {} : { advice: adviceOn[kind] }),
      };
    }),
  };
}

function exchangeOf({ row, raw, operation, response }: ObservedRequest): Exchange {
  return {
    id: String(row.number),
    purpose: '',
    operation,
    attempt: 1,
    startedAt: row.at,
    durationMs: row.durationMs,
    request: {
      method: raw.method,
      url: raw.url,
      headers: raw.headers,
      body: textOf(raw.body),
    },
    response: { status: response.status, headers: response.headers, body: textOf(response.body) },
  };
}

/** Cut before anything looks at it: a body may have a megabyte, and each look costs time. */
const textOf = (bytes: Uint8Array | undefined): string =>
  Buffer.from(bytes ?? [])
    .subarray(0, longestBody * 4)
    .toString('utf8');

function messageOf(headers: readonly HeaderLine[], body: string, redactor: Redactor): ShownMessage {
  const shown = body.slice(0, longestBody);
  const pretty = indented(body);
  return {
    headers,
    body: shown,
    ...(pretty === undefined || pretty === body
      ? {}
      : { pretty: redactor.text(pretty).slice(0, longestBody) }),
    cut: body.length - shown.length,
  };
}

function indented(body: string): string | undefined {
  if (body === '' || body.length > longestBody) return undefined;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // No JSON, or nested deeper than it can be written.
    return undefined;
  }
}

const receivedRequest = ({ raw }: ObservedRequest): ReceivedRequest => ({
  method: raw.method,
  target: raw.url,
  headers: raw.headers,
  body: Buffer.from(raw.body ?? []),
  remarks: [],
});

const explained = new WeakMap<ObservedRequest, SignatureExplanation>();

/** Looked into once, when somebody asks: it may try many texts. */
export function explanationOf(observed: ObservedRequest): SignatureExplanation {
  const known = explained.get(observed) ?? explainSignature(receivedRequest(observed));
  explained.set(observed, known);
  return known;
}
