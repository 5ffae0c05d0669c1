import { memberAt, textAt } from '../../spec/json.ts';
import { changedRequest } from './changed-request.ts';
import type { BankOperation, BankRequest, BankState } from './route.ts';

export type Condition = (request: BankRequest, state: BankState) => boolean;

/** A text, the form of one, or what is asked of it; whether there is any, where none is given. */
export type Form = string | RegExp | ((text: string) => boolean);

function fits(text: string | undefined, form: Form): boolean {
  if (typeof form === 'string') return text === form;
  return form instanceof RegExp ? form.test(text ?? '') : form(text ?? '');
}

/** What the body of a request says at a place: `inBody('creditorAddress.country', 'DE')`. */
export function inBody(path: string, form?: Form): (request: Pick<BankRequest, 'body'>) => boolean {
  const steps = path.split('.');
  return ({ body }) =>
    form === undefined ? memberAt(body, ...steps) !== undefined : fits(textAt(body, ...steps), form);
}

/** The same of the elements of an array, of which one has to fit. */
export const inElements =
  (name: string, member: string, form?: Form) =>
  ({ body }: BankRequest): boolean =>
    [memberAt(body, name) ?? []].flat().some((element) => inBody(member, form)({ body: element }));

export const inHeader =
  (name: string, form?: Form) =>
  (request: BankRequest): boolean =>
    form === undefined ? request.header(name) !== undefined : fits(request.header(name), form);

export const inQuery =
  (name: string, form?: Form) =>
  ({ query }: BankRequest): boolean =>
    form === undefined ? query.has(name) : fits(query.get(name) ?? undefined, form);

export const inBytes =
  (form: Form) =>
  ({ bytes }: BankRequest): boolean =>
    fits(bytes.toString('utf8'), form);

export const inPath =
  (name: string, form: Form) =>
  ({ params }: BankRequest): boolean =>
    fits(params[name], form);

/** A member that is null, read from the bytes: the bank takes null for nothing when it reads a body. */
export const isNull =
  (name: string) =>
  ({ bytes }: BankRequest): boolean =>
    new RegExp(`"${name}"\\s*:\\s*null`).test(bytes.toString('utf8'));

export const at =
  (...operations: readonly BankOperation[]) =>
  ({ operation }: BankRequest): boolean =>
    operations.includes(operation);

export const both =
  (...conditions: readonly ((request: BankRequest) => boolean)[]) =>
  (request: BankRequest): boolean =>
    conditions.every((isMet) => isMet(request));

export const not =
  (isMet: (request: BankRequest) => boolean) =>
  (request: BankRequest): boolean =>
    !isMet(request);

export const either =
  (...conditions: readonly ((request: BankRequest) => boolean)[]) =>
  (request: BankRequest): boolean =>
    conditions.some((isMet) => isMet(request));

/** What a bank takes a request for that is another one. */
export type Mistake = (request: BankRequest, state: BankState) => BankRequest;

/** The request with another value of a header. */
export const withHeader = (request: BankRequest, name: string, value: string | undefined): BankRequest =>
  changedRequest(request, { header: (wanted) => (wanted === name ? value : request.header(wanted)) });

export const withBody = (request: BankRequest, body: unknown): BankRequest =>
  changedRequest(request, { body });

export const withCertificate = (request: BankRequest, certificate: BankRequest['certificate']): BankRequest =>
  changedRequest(request, { certificate });

export const withParam = (request: BankRequest, name: string, value: string): BankRequest =>
  changedRequest(request, { params: { ...request.params, [name]: value } });

export function withQuery(request: BankRequest, name: string, value: string): BankRequest {
  const query = new URLSearchParams(request.query);
  query.set(name, value);
  return changedRequest(request, { query });
}

export function withoutQuery(request: BankRequest, name: string): BankRequest {
  const query = new URLSearchParams(request.query);
  query.delete(name);
  return changedRequest(request, { query });
}

/** The payments that a basket is made of, as they were sent. */
export function idsInBasket({ body }: BankRequest): readonly unknown[] {
  const ids = memberAt(body, 'paymentIds');
  return Array.isArray(ids) ? ids : [];
}

/** What the body of a payment says. */
export const amountIn = ({ body }: BankRequest): number => Number(textAt(body, 'instructedAmount', 'amount'));
export const currencyIn = ({ body }: BankRequest, name = 'instructedAmount'): string | undefined =>
  textAt(body, name, 'currency');
export const countryIn = ({ body }: BankRequest): string | undefined =>
  textAt(body, 'creditorAddress', 'country');
export const agentIn = ({ body }: BankRequest): string | undefined => textAt(body, 'creditorAgent');
export const ibanIn = ({ body }: BankRequest): string | undefined => textAt(body, 'creditorAccount', 'iban');
export const creditorIn = ({ body }: BankRequest): string =>
  textAt(body, 'creditorAccount', 'iban') ?? textAt(body, 'creditorAccount', 'bban') ?? '';
export const dateIn = ({ body }: BankRequest): string | undefined => textAt(body, 'requestedExecutionDate');
/** Midnight; not a number where there is no date. */
export const dayIn = (request: BankRequest): number => Date.parse(`${dateIn(request)}T00:00:00Z`);
