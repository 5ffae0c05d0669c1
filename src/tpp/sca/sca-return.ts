import { isHeaderValue } from '../../spec/header-value.ts';
import { percentDecoded } from '../../spec/percent-encoding.ts';

/**
 * The PSU's return to the TPP, with the parameters of Redirect after successful SCA and Redirect after failed SCA.
 * A parameter that is not there is undefined; nothing is demanded here.
 */
export interface ScaReturn {
  /** As the bank wrote it, before any address was made of it. */
  readonly address: string;
  readonly psuId?: string;
  readonly psuCorporateId?: string;
  readonly sessionId?: string;
  readonly context?: string;
  readonly system?: string;
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
}

const parameters = {
  psuId: 'psu-id',
  psuCorporateId: 'psu-corporate-id',
  sessionId: 'tpp-session-id',
  context: 'context',
  system: 'system',
  status: 'status',
  code: 'code',
  message: 'message',
} as const satisfies Record<Exclude<keyof ScaReturn, 'address'>, string>;

/** What is sent in a header from then on. */
const isSent = (name: string): boolean => ['psu-id', 'psu-corporate-id'].includes(name);

/** Without a value they tell nothing (freedom sca/redirect-parameters). */
const tellsWho: ReadonlySet<string> = new Set([
  parameters.psuId,
  parameters.psuCorporateId,
  parameters.sessionId,
  parameters.context,
]);

/** The one reading of the redirect's parameters. What is to be sent in a header, and cannot be, stays encoded. */
export function readScaReturn(address: string): ScaReturn {
  const query = new URLSearchParams(queryOf(address));
  const present = Object.entries(parameters).flatMap(([key, name]) => {
    const value = query.get(name);
    if (value === null || (value === '' && tellsWho.has(name))) return [];
    const isReadable = !isSent(name) || isHeaderValue(value);
    return [[key, isReadable ? value : encodeURIComponent(value)] as const];
  });
  return { address, ...Object.fromEntries(present) };
}

/** The value of a parameter as it stands in the address, still encoded; its name may be encoded as well (RFC 3986). */
export function encodedParameter(address: string, name: string): string | undefined {
  for (const pair of queryOf(address).split('&')) {
    const [key = '', ...value] = pair.split('=');
    if (percentDecoded(key) === name) return value.join('=');
  }
  return undefined;
}

function queryOf(address: string): string {
  const [withoutFragment = ''] = address.split('#');
  const start = withoutFragment.indexOf('?');
  return start < 0 ? '' : withoutFragment.slice(start + 1);
}

/**
 * Whether an address is TPP-Redirect-URI with something added to it: the same scheme, host and path, and the TPP's
 * own query, if it has one, at the front.
 */
export function isReturnTo(redirectUri: string, address: string): boolean {
  const wanted = urlOf(redirectUri);
  const reached = urlOf(address);
  if (wanted === undefined || reached === undefined) return false;
  const isSamePlace =
    wanted.protocol === reached.protocol &&
    wanted.host === reached.host &&
    wanted.pathname === reached.pathname;
  return (
    isSamePlace &&
    [...wanted.searchParams].every(([name, value]) => reached.searchParams.getAll(name).includes(value))
  );
}

/** Whether an address carries what only the redirect to a TPP carries, even where no question mark begins its query. */
export function looksLikeReturn(address: string): boolean {
  const withQuery = address.includes('?') ? address : address.replace('&', '?');
  const { sessionId, context } = readScaReturn(withQuery);
  return (sessionId !== undefined && context !== undefined) || tellsOutcome(withQuery);
}

/** Whether it carries what nobody needs before SCA is over: who the PSU is, or what failed. */
export function tellsOutcome(address: string): boolean {
  const { psuId, status, code, message } = readScaReturn(address);
  return psuId !== undefined || (status !== undefined && code !== undefined && message !== undefined);
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
