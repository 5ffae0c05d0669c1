import { randomUUID } from 'node:crypto';
import { toUSVString } from 'node:util';
import { appearanceOf } from '../payloads/appearance.ts';
import { acceptFixes } from '../spec/code-lists.ts';
import { requiredHeaders } from '../spec/headers.ts';
import { authorisationStarts, type OperationName, operations } from '../spec/operations.ts';
import { everyProduct, isCreation } from '../spec/products.ts';
import { HeaderList } from './exchange.ts';
import type { RequestDraft, SigningPlan } from './signing-plan.ts';

/** The customer on whose behalf requests are made, as the bank knows them. */
export interface Psu {
  readonly id?: string;
  readonly corporateId?: string;
  /** X-PSU-IDENTITY, the alternative to PSU-ID on payment creation; the context that it needs goes with it. */
  readonly nationalId?: string;
  readonly sessionId: string;
  readonly ipAddress: string;
  readonly redirectUri: string;
}

/** What to call, and with what. A body that is a Buffer is sent as it is, anything else as JSON. */
export interface Call {
  readonly operation: OperationName;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly psu?: Psu;
}

/** How a call differs from a correct one. Without a variation it is correct. */
export interface Variation {
  /** Changes the request before it is signed: the signature is valid over the bad value. */
  readonly beforeSigning?: (draft: RequestDraft) => void;
  readonly signing?: SigningPlan;
  /** Changes the request after it was signed: the signature is what breaks. */
  readonly afterSigning?: (draft: RequestDraft) => void;
}

/** With a header of that value, in place of what it had; the signature is valid over it. */
export const withHeader = (name: string, value: string): Variation => ({
  beforeSigning: ({ headers }) => headers.set(name, value),
});

export interface Addressing {
  /** Path prefix of the base address, without a slash at its end. */
  readonly prefix: string;
  /** Paths that differ from the framework's. */
  readonly paths: Partial<Record<OperationName, string>>;
  /** Headers that the target wants on every request. */
  readonly customHeaders: Readonly<Record<string, string>>;
  readonly host: string;
  /** Who asks, as clients should say (RFC 9110, 10.1.5): firewalls turn away who does not. */
  readonly userAgent?: string;
}

/** Of whoever has none of its own. */
export const usualAppearance = appearanceOf(0);

/** A correct request, fresh and unsigned. */
export function draftOf(
  call: Call,
  psu: Psu,
  now: Date,
  { prefix, paths, customHeaders, host, userAgent = usualAppearance.userAgent }: Addressing,
): RequestDraft {
  const { method, path, headers: profile } = operations[call.operation];
  const headers = new HeaderList([
    ['Host', host],
    ['Accept', 'application/json'],
    ['User-Agent', userAgent],
  ]);
  for (const [name, value] of Object.entries(customHeaders)) headers.set(name, value);
  headers.set('X-Request-ID', randomUUID());
  headers.set('Date', now.toUTCString());
  if (requiredHeaders(profile).includes('x-accept-fix') || isAuthorisationStart(call.operation)) {
    headers.set('x-accept-fix', acceptFixes[0].value);
  }
  if (profile !== 'sandbox') addPsu(headers, call.psu ?? psu);
  const body = bytesOf(call.body);
  if (body === undefined) headers.remove('Content-Type');
  else if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
  return {
    operation: call.operation,
    method,
    target:
      prefix +
      filled(ofProduct(paths[call.operation] ?? path, call, paths), call.params) +
      queryText(call.query),
    headers,
    body,
  };
}

/** The specification shows nothing of them; banks that have them document the header as required. */
const isAuthorisationStart = (operation: OperationName): boolean =>
  authorisationStarts.some((start) => start === operation);

function addPsu(headers: HeaderList, psu: Psu): void {
  headers.set('TPP-Session-ID', psu.sessionId);
  headers.set('TPP-Redirect-URI', psu.redirectUri);
  if (psu.id !== undefined) headers.set('PSU-ID', psu.id);
  if (psu.corporateId !== undefined) headers.set('PSU-Corporate-ID', psu.corporateId);
  if (psu.nationalId !== undefined) {
    headers.set('X-PSU-IDENTITY', psu.nationalId);
    headers.set('PSU-Context', psu.corporateId === undefined ? 'PRIVATE' : 'CORPORATE');
  }
  headers.set('PSU-IP-Address', psu.ipAddress);
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(JSON.stringify(body), 'utf8');
}

/** A payment is where those of its product are created. */
function ofProduct(path: string, { params }: Call, paths: Addressing['paths']): string {
  const creation = everyProduct.find((product) => product.path === params?.product)?.creation;
  return creation === undefined
    ? path
    : path.replace(/^.*\{product\}/, () => paths[creation] ?? operations[creation].path);
}

const filled = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(toUSVString(params[name] ?? '')));

const queryText = (query: Readonly<Record<string, string>> | undefined): string =>
  query === undefined || Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;

/** What was answered with a fault in it is carried out without: what takes something away, or is done once, is no control. */
export const isOnlyAsking = ({ operation }: Call): boolean =>
  operations[operation].method === 'GET' || isCreation(operation);
