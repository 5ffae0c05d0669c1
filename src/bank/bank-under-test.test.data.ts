import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createTestPki, type TestPki } from '../signing/certificate-authority.ts';
import { digestHeader } from '../signing/digest.ts';
import type { KeyIdentity, SigningIdentity } from '../signing/identity.ts';
import { signText } from '../signing/signature.ts';
import { formatKeyId, formatSignatureHeader } from '../signing/signature-header.ts';
import { requestTarget, signingString } from '../signing/signing-string.ts';
import { candidateHeaders } from '../spec/code-lists.ts';
import { products } from '../spec/products.ts';
import { type Bank, type BankOptions, createBank } from './bank.ts';
import type { RawRequest, RawResponse } from './design/route.ts';
import type { RequestLine } from './http/dispatch.ts';
import { nameUuid } from './state/initial-data-set.ts';
import { movableClock } from './state/movable-clock.test.data.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What a call differs in. Headers set to undefined are left out. */
export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Bytes instead of a body that is written as JSON. */
  readonly bytes?: Buffer;
  readonly identity?: SigningIdentity;
  /** Names to sign, instead of the candidates that are present. */
  readonly signed?: readonly string[];
  /** Text to sign instead of the signing string. */
  readonly textToSign?: (names: readonly string[], valueFor: (name: string) => string) => string;
  readonly signatureHeader?: (parts: Parameters<typeof formatSignatureHeader>[0]) => string | undefined;
  /** Changes the request after it was signed. */
  readonly afterSigning?: (request: RawRequest) => RawRequest;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: ReadonlyMap<string, string>;
  readonly raw: RawResponse;
}

export const customerNumber = '01819010001';
const sessionId = 'session-1';
export const domesticPath = `/v1/payments/${products.domestic.path}`;
export const crossBorderPath = `/v1/payments/${products.crossBorder.path}`;

const pki: Promise<TestPki> = createTestPki({ modulusLength: 1024 });
export const testPki = (): Promise<TestPki> => pki;

/** A bank in process with one PSU who has passed SCA, and a TPP that signs as it should. */
export async function bankUnderTest(options: Partial<BankOptions> = {}) {
  const { ca, tpp } = await pki;
  const clock = movableClock(new Date('2026-03-03T10:00:00.000Z'));
  const lines: RequestLine[] = [];
  const bank = await createBank({
    trustedAuthorities: [ca.certificatePem],
    clock: { now: () => new Date() },
    sessions: [{ tpp: tpp.certificate, customerNumber, sessionId }],
    onRequest: (line) => lines.push(line),
    ...options,
  });
  const psuId = bank.psuIdOf(tpp.certificate, customerNumber);
  const call = async (path: string, callOptions: CallOptions = {}): Promise<Answer> =>
    answerOf(await bank.inject(await signedRequest(bank, path, psuId, tpp, callOptions)));
  /** The requirement that refused the last request; what was wrong is told, never what is demanded. */
  const refusedBy = () => {
    const { requirement, rule = '', text } = lines.at(-1) ?? {};
    expect(text).not.toBe(`${rule}.`);
    return requirement;
  };
  /** The status of an answer and the requirement that refused it, such as `400 NDC-09`. */
  const outcomeOf = async (answer: Promise<Answer> | Answer): Promise<string> =>
    [(await answer).status, refusedBy()].filter((part) => part !== undefined).join(' ');
  return { bank, tpp, psuId, clock, lines, call, refusedBy, outcomeOf };
}

export type BankUnderTest = Awaited<ReturnType<typeof bankUnderTest>>;

export function answerOf(raw: RawResponse): Answer {
  const text = raw.body.toString('utf8');
  return {
    status: raw.status,
    body: text.startsWith('{') ? (JSON.parse(text) as Json) : {},
    headers: new Map(raw.headers.map(([name, value]) => [name.toLowerCase(), value])),
    raw,
  };
}

export async function signedRequest(
  bank: Bank,
  path: string,
  psuId: string,
  tpp: KeyIdentity,
  options: CallOptions = {},
): Promise<RawRequest> {
  const identity = options.identity ?? tpp;
  const method = options.method ?? 'POST';
  const body =
    options.bytes ?? (options.body === undefined ? undefined : Buffer.from(JSON.stringify(options.body)));
  const headers = Object.entries({
    'x-accept-fix': 'amount-as-string',
    Date: bank.state.clock.now().toUTCString(),
    'X-Request-ID': randomUUID(),
    'TPP-Session-ID': sessionId,
    'TPP-Redirect-URI': 'https://tpp.example/back',
    'TPP-Signature-Certificate': identity.certificate.base64,
    'PSU-ID': psuId,
    'PSU-IP-Address': '192.0.2.10',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', Digest: digestHeader(body) }),
    ...options.headers,
  }).filter((header): header is [string, string] => header[1] !== undefined);
  const valueFor = (name: string): string | undefined =>
    name === '(request-target)'
      ? requestTarget(method, path)
      : headers.find(([header]) => header.toLowerCase() === name)?.[1];
  const names = options.signed ?? candidateHeaders.filter((name) => valueFor(name) !== undefined);
  const text = (options.textToSign ?? signingString)(names, (name) => valueFor(name) ?? '');
  const { issuer, serialNumber } = identity.certificate;
  const signature = (options.signatureHeader ?? formatSignatureHeader)({
    keyId: formatKeyId({ issuer, serialNumber }),
    algorithm: 'rsa-sha256',
    headers: names,
    signature: await signText(text, identity),
  });
  const request: RawRequest = {
    method,
    url: path,
    headers: signature === undefined ? headers : [...headers, ['Signature', signature]],
    ...(body === undefined ? {} : { body }),
  };
  return options.afterSigning?.(request) ?? request;
}

export const domesticPayment = (changes: Json = {}): Json => ({
  instructedAmount: { amount: '125.50', currency: 'NOK' },
  creditorName: 'Blåbær & Bjørk AS',
  creditorAccount: { bban: '86011117947', currency: 'NOK' },
  creditorAddress: { street: 'Storgata', city: 'Bodø', country: 'NO' },
  debtorAccount: { bban: '95360573002', currency: 'NOK' },
  remittanceInformationUnstructured: 'Faktura 17',
  ...changes,
});

/** A company for which the PSU acts as well: its PSU-Corporate-ID, and what it pays from. */
export const company = {
  agreementId: nameUuid('agreement', '05829210160'),
  debtorAccount: { bban: '95360576346', currency: 'NOK' },
} as const;

export const crossBorderPayment = (changes: Json = {}): Json => ({
  instructedAmount: { amount: '250.00', currency: 'EUR' },
  creditorName: 'Müller GmbH',
  creditorAccount: { iban: 'DE89370400440532013000', currency: 'EUR' },
  debtorAccount: { bban: '95360573002', currency: 'NOK' },
  ...changes,
});

export const withHeader =
  (name: string, value: string) =>
  (request: RawRequest): RawRequest => ({
    ...request,
    headers: request.headers.map(([header, old]) => [
      header,
      header.toLowerCase() === name.toLowerCase() ? value : old,
    ]),
  });

/** Judges every row of a table, so that one test tells all that fail: what the row is, and why. */
export async function failuresOf<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  judge: (row: Row) => Promise<void>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const row of rows) {
    try {
      await judge(row);
    } catch (error) {
      failures.push(`${nameOf(row)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failures;
}
