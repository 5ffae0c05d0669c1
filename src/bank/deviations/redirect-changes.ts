import { randomUUID } from 'node:crypto';
import { isUuid } from '../../spec/formats.ts';
import { everyProduct, type Product, products } from '../../spec/products.ts';
import { afterPages, type DesignChange, onPages } from '../design/design-changes.ts';
import type { BankAnswer } from '../design/route.ts';
import { approvalOf, type ScaFlow } from '../state/flows.ts';

type AddressChange = (address: string) => string;
type Parameters = Map<string, string>;

/** The address of every redirect, changed. */
export const addressing = (change: AddressChange): DesignChange =>
  onPages((route) => async (request, state) => readdressed(await route.handle(request, state), change));

export function readdressed(answer: BankAnswer, change: AddressChange): BankAnswer {
  const location = answer.headers?.Location;
  return location === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, Location: change(location) } };
}

/** A parameter of redirects that have a certain one: a text, or what is made of the old one; undefined leaves it out. */
const telling =
  (sign: 'psu-id' | 'code') =>
  (name: string, to?: string | ((old: string | undefined, all: Parameters) => string | undefined)) =>
    addressing((address) => {
      const [before = '', query = ''] = address.split('?');
      const all: Parameters = new Map(new URLSearchParams(query));
      if (!all.has(sign)) return address;
      const told = typeof to === 'function' ? to(all.get(name), all) : to;
      if (told === undefined) all.delete(name);
      else all.set(name, told);
      return `${before}?${[...all].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
    });

export const afterSuccess = telling('psu-id');
export const afterFailure = telling('code');

/** What SCA was for: access, or the approval of a basket or of a payment of a product. */
export type Occasion = 'access' | 'basket' | Product['word'];

export function occasionOf(flow: Pick<ScaFlow, 'purpose'>): Occasion {
  const approval = approvalOf(flow);
  if (approval === undefined) return 'access';
  return everyProduct.find(({ path }) => path === approval.product)?.word ?? 'basket';
}

export const isFor =
  (occasion: Occasion) =>
  (flow: Pick<ScaFlow, 'purpose'>): boolean =>
    occasionOf(flow) === occasion;

export const afterSca = (occasion: Occasion, change: AddressChange): DesignChange =>
  afterFlows(isFor(occasion), change);

/** The redirect after a domestic payment was approved, changed. */
export const afterApproval = (change: AddressChange) => afterSca(products.domestic.word, change);

/** The redirect after some SCA, changed. */
export const afterFlows = (isMeant: (flow: ScaFlow) => boolean, change: AddressChange): DesignChange =>
  afterPages((answer, flow) => (isMeant(flow) ? readdressed(answer, change) : answer));

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

export const replacing =
  (what: RegExp | string, instead: string): AddressChange =>
  (address) =>
    address.replace(what, instead);

/** A change of addresses of some form only. */
export const where =
  (form: RegExp, change: AddressChange): AddressChange =>
  (address) =>
    form.test(address) ? change(address) : address;

export const withAnother =
  (name: string): AddressChange =>
  (address) =>
    address.replace(new RegExp(`([?&]${name}=)[^&]*`), `$1${randomUUID()}`);

export const without = (name: string): AddressChange => replacing(new RegExp(`([?&])${name}=[^&]*&?`), '$1');

/** A session id that is a UUID gets lost, others come back. */
export const withoutUuid: AddressChange = (address) =>
  isUuid(new URL(address).searchParams.get('tpp-session-id') ?? '')
    ? without('tpp-session-id')(address)
    : address;

export const elsewhere: AddressChange = (address) =>
  `https://elsewhere.example/done?${address.split('?')[1] ?? ''}`;

export const asPrivate = replacing('context=CORPORATE', 'context=PRIVATE');
