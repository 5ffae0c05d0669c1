import { isKid } from '../spec/check-digits.ts';
import { memberAt, textAt } from '../spec/json.ts';
import { limits } from '../spec/limits.ts';
import { type Product, products } from '../spec/products.ts';
import type { ProvocationId } from './provocations.ts';
import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';

/** A call whose signature verifies, with a certificate that the bank trusts. */
export const isSigned = (session: Session) => (exchange: SeenExchange) => session.isSigned(exchange);

export const created = (exchange: SeenExchange): boolean =>
  exchange.status === 201 && exchange.recorded.provocation !== 'forged-response';

export const createdOf = (session: Session, { creation }: Product): readonly SeenExchange[] =>
  session.of(creation).filter(created);

export const createdDomestic = (session: Session): readonly SeenExchange[] =>
  createdOf(session, products.domestic);

/** The PSU's return after approving what an answer asked approval for, by itself or with the basket that it was put into. */
export function approvalOf(session: Session, exchange: SeenExchange): SeenExchange | undefined {
  const link = session.linkOf(exchange);
  return (link && session.passed(link.flowId)?.exchange) ?? approvalInBasket(session, exchange);
}

function approvalInBasket(session: Session, { answer }: SeenExchange): SeenExchange | undefined {
  const id = textAt(answer.json, 'paymentId');
  if (id === undefined) return undefined;
  for (const basket of session.of('createSigningBasket').filter(created)) {
    const ids = memberAt(basket.json, 'paymentIds');
    const approval = Array.isArray(ids) && ids.includes(id) ? approvalOf(session, basket) : undefined;
    if (approval !== undefined) return approval;
  }
  return undefined;
}

/** The first of several payments that the PSU has approved, with the return that shows it. */
export function firstApproved(
  session: Session,
  payments: readonly SeenExchange[],
): readonly SeenExchange[] | undefined {
  for (const exchange of payments) {
    const approval = approvalOf(session, exchange);
    if (approval !== undefined) return [exchange, approval];
  }
  return undefined;
}

/** Payments whose creation is enough. */
export const oneOf = (found: readonly SeenExchange[]): readonly SeenExchange[] | undefined =>
  found.length === 0 ? undefined : found.slice(0, 1);

const amountOf = ({ json }: SeenExchange): string | undefined => textAt(json, 'instructedAmount', 'amount');

const provoked = (session: Session, id: ProvocationId): readonly SeenExchange[] =>
  session.requests.filter(({ recorded }) => recorded.provocation === id);

/** A provocation after which the TPP went on with anything at all. */
export function provokedAndGoneOn(session: Session, id: ProvocationId): readonly SeenExchange[] | undefined {
  const exchange = provoked(session, id).find((candidate) => session.after(candidate).length > 0);
  return exchange && [exchange];
}

/** A provocation after which the same payment went through. */
function provokedAndRepeated(session: Session, id: ProvocationId): readonly SeenExchange[] | undefined {
  for (const exchange of provoked(session, id)) {
    const again = session.after(exchange).find((later) => created(later) && isSamePayment(later, exchange));
    if (again !== undefined) return [exchange, again];
  }
  return undefined;
}

/**
 * The same, with SCA in between: at the link of the provocation, or of another refusal of the same payment, where the TPP
 * begins a new session instead of renewing the one that ended.
 */
export function provokedAndRenewed(session: Session, id: ProvocationId): readonly SeenExchange[] | undefined {
  const [exchange, again] = provokedAndRepeated(session, id) ?? [];
  if (exchange === undefined || again === undefined) return undefined;
  const between = session.after(exchange).slice(0, session.after(exchange).indexOf(again));
  const renewed = [
    exchange,
    ...between.filter((other) => other.status === 401 && isSamePayment(other, exchange)),
  ];
  return renewed.some((refused) => approvalOf(session, refused) !== undefined)
    ? [exchange, again]
    : undefined;
}

const isSamePayment = (one: SeenExchange, other: SeenExchange): boolean => amountOf(one) === amountOf(other);

export const readingsIn = (session: Session): readonly SeenExchange[] =>
  session.of('readBalances', 'readTransactions').filter((exchange) => exchange.status === 200);

export function hasKid({ json }: SeenExchange): boolean {
  const several = memberAt(json, 'remittanceInformationStructuredArray');
  const references = [
    memberAt(json, 'remittanceInformationStructured'),
    ...(Array.isArray(several) ? several : []),
  ];
  return references.some((reference) => isKid(textAt(reference, 'reference') ?? ''));
}

/**
 * Whether a transfer needs regulatory reporting. Only NOK can be judged: no rate is given for others. The reference bank
 * compares amounts by itself, on purpose: an error in one of the two shows as a difference.
 */
export function isReportableAmount(body: unknown): boolean {
  const [, whole, fraction = ''] =
    /^(\d{1,20})(?:\.(\d{1,5}))?$/.exec(textAt(body, 'instructedAmount', 'amount') ?? '') ?? [];
  if (whole === undefined || textAt(body, 'instructedAmount', 'currency') !== 'NOK') return false;
  const oere = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  return oere >= BigInt(limits.regulatoryReportingFromOere);
}
