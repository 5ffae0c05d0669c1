import { randomUUID } from 'node:crypto';
import { isUuid } from '../../spec/formats.ts';
import { everyProduct, type Product, products } from '../../spec/products.ts';
import { afterPages, type DesignChange, onPages } from '../design/design-changes.ts';
import type { BankAnswer } from '../design/route.ts';
import { approvalOf, type ScaFlow } from '../state/flows.ts';

export type RedirectParameters = Map<string, string>;

/** The parameters of some redirects, changed. */
const redirecting = (
  isMeant: (parameters: RedirectParameters) => boolean,
  change: (parameters: RedirectParameters) => void,
): DesignChange =>
  addressing((address) => {
    const [before = '', query = ''] = address.split('?');
    const parameters: RedirectParameters = new Map(new URLSearchParams(query));
    if (!isMeant(parameters)) return address;
    change(parameters);
    return `${before}?${[...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  });

/** The address of every redirect, changed. */
export const addressing = (change: (address: string) => string): DesignChange =>
  onPages((route) => async (request, state) => readdressed(await route.handle(request, state), change));

export function readdressed(answer: BankAnswer, change: (address: string) => string): BankAnswer {
  const location = answer.headers?.Location;
  return location === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, Location: change(location) } };
}

const succeeded = (parameters: RedirectParameters): boolean => parameters.has('psu-id');
const failed = (parameters: RedirectParameters): boolean => parameters.has('code');

export const afterSuccess = (change: (parameters: RedirectParameters) => void): DesignChange =>
  redirecting(succeeded, change);
export const afterFailure = (change: (parameters: RedirectParameters) => void): DesignChange =>
  redirecting(failed, change);

/** What SCA was for: access, or the approval of a basket or of a payment of a product. */
export type Occasion = 'access' | 'basket' | Product['word'];

export function occasionOf(flow: Pick<ScaFlow, 'purpose'>): Occasion {
  const approval = approvalOf(flow);
  if (approval === undefined) return 'access';
  return everyProduct.find(({ path }) => path === approval.product)?.word ?? 'basket';
}

/** The redirect after a domestic payment was approved, changed. */
export const afterApproval = (change: (location: string) => string) =>
  afterSca(products.domestic.word, change);

/** The redirect after SCA that approved nothing, changed. */
export const afterAccess = (change: (location: string) => string) => afterSca('access', change);

export const afterSca = (occasion: Occasion, change: (address: string) => string): DesignChange =>
  afterFlows((flow) => occasionOf(flow) === occasion, change);

/** The redirect after some SCA, changed. */
export const afterFlows = (
  isMeant: (flow: ScaFlow) => boolean,
  change: (address: string) => string,
): DesignChange => afterPages((answer, flow) => (isMeant(flow) ? readdressed(answer, change) : answer));

/** A page that leads nowhere, in place of some redirects. */
export const inPlaceOfRedirects = (
  status: number,
  isMeant: (location: string, flow: ScaFlow) => boolean,
): DesignChange =>
  afterPages((answer, flow) => {
    const location = answer.headers?.Location;
    if (location === undefined || !isMeant(location, flow)) return answer;
    const content = '<!doctype html><title>Thank you</title><p>You can close this page.</p>';
    return { status, text: { type: 'text/html; charset=utf-8', content } };
  });

export const withAnother = (name: string) => (location: string) =>
  location.replace(new RegExp(`([?&]${name}=)[^&]*`), `$1${randomUUID()}`);

export const without = (name: string) => (location: string) =>
  location.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1');

/** A session id that is a UUID gets lost, others come back. */
export const withoutUuid = (location: string): string =>
  isUuid(new URL(location).searchParams.get('tpp-session-id') ?? '')
    ? without('tpp-session-id')(location)
    : location;

export const elsewhere = (location: string): string =>
  `https://elsewhere.example/done?${location.split('?')[1] ?? ''}`;

export const asPrivate = (location: string): string =>
  location.replace('context=CORPORATE', 'context=PRIVATE');
