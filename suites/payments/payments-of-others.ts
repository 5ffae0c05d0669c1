import { type CheckContext, corporateFacts, corporatePsu } from '../../src/checks/context.ts';
import { expectAnswer, refused, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { aSimplePayment } from '../../src/checks/subject.ts';
import { isSameNumber } from '../../src/spec/customer-number.ts';
import { type Product, products } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { callFor, type Login, walking } from '../sca/walks.ts';
import { approveByItselfOrInBasket, createOne } from './approved-payments.ts';
import { type OwnedPayment, paymentOf, readDetails, readStatus } from './payments-of.ts';

/** The PSU and TPP of the target file. */
export const ourselves = (context: CheckContext): Login => ({
  psu: context.psu,
  call: callFor(context, {}, context.psu),
});

/** Domestic ones cannot be read before they are approved (known issue), so those of the target file are taken. */
export async function approvedOnes(
  context: CheckContext,
): Promise<readonly { readonly product: Product; readonly id: string }[]> {
  const [named] = context.target.payments.approved.filter(
    ({ product }) => product === products.domestic.path,
  );
  if (named === undefined) return [];
  const payment = { product: products.domestic, id: named.id };
  const control = await readStatus(context, ourselves(context), payment, 'control of an approved one');
  return control.isSuccess ? [payment] : [];
}

/**
 * What others are shown of a payment that the target file names may be what a sandbox hands out to everybody. So one that
 * was created and approved here stands in its place; undefined where that cannot be.
 */
export async function approvedHere(
  context: CheckContext,
): Promise<{ readonly product: Product; readonly id: string } | undefined> {
  const payment = await approvedIfPossible(context);
  if (payment === undefined)
    context.note(
      'Others read the payment that payments.approved names. It may be one that the sandbox hands out to everybody: that is not judged, since none could be approved here.',
    );
  return payment;
}

const approvedIfPossible = (context: CheckContext) =>
  approveOne(context).catch((error: unknown) => {
    if (error instanceof Inconclusive || error instanceof NotApplicable) return undefined;
    throw error;
  });

/** One whose details others might be shown (freedom payments/unreadable). */
export async function withDetails(
  context: CheckContext,
  own: OwnedPayment,
): Promise<Pick<OwnedPayment, 'product' | 'id'>> {
  const details = await readDetails(context, own.owner, own, 'details as its owner');
  return refused().met(details, context.readings) ? ((await approvedIfPossible(context)) ?? own) : own;
}

async function approveOne(context: CheckContext) {
  const { domestic } = products;
  const cannot = walking.some((need) => context.missing(need) !== undefined);
  if (cannot || context.unjudged([domestic.profile]) !== undefined) return undefined;
  const created = await createOne(context, aSimplePayment(domestic));
  await approveByItselfOrInBasket(context, created);
  const payment = { product: domestic, id: created.id };
  const control = await readStatus(context, ourselves(context), payment, 'control of one approved here');
  return control.isSuccess ? payment : undefined;
}

/** A payment and its status, where that was read. */
export interface ReadPayment {
  readonly payment: OwnedPayment;
  readonly before?: Answer;
}

/**
 * Whether it is the same person who acts for the company that the target file names: the PSU of the target file, or
 * somebody else who has logged in. A bank may know a person by another id where they act for a company.
 */
export function actsForTheCompany(context: CheckContext, other?: Pick<Login, 'psu' | 'customer'>): boolean {
  const { nationalId, corporate } = context.target.psu;
  const { psu, customer } = other ?? { psu: context.psu, customer: { nationalId } };
  const isKnownByOneId = corporatePsu(context).id?.toLowerCase() === psu.id?.toLowerCase();
  // To another TPP nobody is the same.
  const isOfThisTpp = other?.customer?.identity === undefined;
  return isKnownByOneId || (isOfThisTpp && isSameNumber(corporate?.nationalId, customer?.nationalId));
}

/** One of the company that the target file names next to a private PSU: others have no part in it either. */
export async function paymentsOfTheCompany(
  context: CheckContext,
  other: Login,
): Promise<readonly ReadPayment[]> {
  if (context.missing('corporate-psu') !== undefined || context.target.psu.context === 'CORPORATE') return [];
  const psu = corporatePsu(context);
  // Whoever acts for the company themselves may see it.
  if (actsForTheCompany(context, other)) return [];
  const company = { psu, call: callFor(context, {}, psu) };
  try {
    const payment = await paymentOf(context, company, products.crossBorder, corporateFacts(context).debtor);
    const control = await readStatus(context, company, payment, 'control of one of the company');
    return control.isSuccess ? [{ payment, before: control }] : [];
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    context.note(`Nothing was asked of a company: ${error.message}`);
    return [];
  }
}

/** Whoever acts for the company that the target file names, where that is somebody else than the PSU. */
export function companyOfAnother(context: CheckContext): Login | undefined {
  if (context.missing('corporate-psu') !== undefined || context.target.psu.context === 'CORPORATE')
    return undefined;
  const psu = corporatePsu(context);
  if (psu.id === undefined || actsForTheCompany(context)) return undefined;
  return { psu, call: callFor(context, {}, psu) };
}

/** Whoever acts for a company sees its payments, and not those that another PSU has made for themselves. */
export async function companyMustNotSee(context: CheckContext, payment: OwnedPayment): Promise<void> {
  const company = companyOfAnother(context);
  if (company === undefined) return;
  const answer = await readStatus(context, company, payment, 'as a company');
  expectAnswer(
    context,
    answer,
    refusedOrAskedForSca(),
    'for the status of a payment of a private PSU, asked by another one for a company',
  );
  // What is shown needs no control (freedom payments/details).
  const details = await readDetails(context, company, payment, 'details as a company');
  if (details.isSuccess)
    expectAnswer(
      context,
      details,
      refusedOrAskedForSca(),
      'for the details of a payment of a private PSU, asked by another one for a company',
    );
}

/** Such a number may be that of another payment under another product. */
const isShortNumber = (id: string): boolean => /^\d{1,12}$/.test(id);

/** A domestic payment is no cross-border one, as little as the other way round. */
export async function domesticMustNotBeRead(context: CheckContext): Promise<void> {
  for (const { id } of await approvedOnes(context)) {
    if (isShortNumber(id)) continue;
    const misplaced = { product: products.crossBorder, id };
    const answer = await readStatus(context, ourselves(context), misplaced, 'under the other product');
    expectAnswer(context, answer, refused(), 'for the status of a domestic payment under another product');
    // What is shown needs no control (freedom payments/details).
    const details = await readDetails(
      context,
      ourselves(context),
      misplaced,
      'details under the other product',
    );
    if (!details.isSuccess) continue;
    const what = 'for the details of a domestic payment under another product';
    context.showing('PST-13', () => expectAnswer(context, details, refused(), what));
  }
}
