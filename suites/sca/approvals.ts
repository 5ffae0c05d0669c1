import { createAnew } from '../../src/checks/awaiting-sca.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import { aSimplePayment, drawCall, freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { products } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { withHeader } from '../../src/tpp/call.ts';
import { type ScaLink, scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { aCorporatePayment } from '../signing/corporate-requests.ts';
import { namedByIdentity } from './psu-identity.ts';

/** What a PSU approves next to a domestic payment, which checks of its own are about. */
interface Approval {
  readonly what: string;
  readonly create: (context: CheckContext) => Promise<Answer>;
}

const crossBorder: Approval = {
  what: 'a cross-border payment',
  async create(context) {
    return createAnew(
      context,
      () => drawCall(context, aSimplePayment(products.crossBorder)),
      (call) => callThroughSca(context, call, 'create a cross-border payment to approve'),
    );
  },
};

const basket: Approval = {
  what: 'a signing basket',
  create: async (context) =>
    callThroughSca(
      context,
      { operation: 'createSigningBasket', body: { paymentIds: await freshPayments(context, 1) } },
      'create a basket to approve',
    ),
};

/** Single SCA: the PSU is named by X-PSU-IDENTITY, and passes SCA for the first time at the link of the payment. */
export const byIdentity: Approval = {
  what: 'a payment of a PSU named by X-PSU-IDENTITY',
  async create(context) {
    const call = await drawCall(context, aSimplePayment(offeredProduct(context)));
    return context.call({ ...call, psu: namedByIdentity(context) }, {}, 'create a payment by X-PSU-IDENTITY');
  },
};

/** The PSU is to confirm it in an app of the bank, where there is one. */
export const inTheApp: Approval = {
  what: 'a payment to be confirmed in an app',
  async create(context) {
    return createAnew(
      context,
      () => drawCall(context, aSimplePayment(offeredProduct(context))),
      (call) =>
        context.call(
          call,
          withHeader('TPP-Redirect-Preferred', 'false'),
          'create a payment to be confirmed in an app',
        ),
    );
  },
};

/** The same, where the PSU has a number to be named by, and acts for nobody else. */
export const singleSca = (context: CheckContext): readonly Approval[] =>
  context.missing('personal-number') === undefined && context.target.psu.context !== 'CORPORATE'
    ? [byIdentity]
    : [];

/** Of the company that the target file names, unless whoever approves may act for it. */
export function ofTheCompany(context: CheckContext, approver: string | undefined): readonly Approval[] {
  const { corporate, context: own } = context.target.psu;
  const isKnown = context.missing('corporate-psu') === undefined && own !== 'CORPORATE';
  if (!isKnown || approver === undefined || approver === corporate?.nationalId) return [];
  return [
    {
      what: 'a payment of a company',
      async create(context) {
        return createAnew(
          context,
          () => drawCall(context, aCorporatePayment(offeredProduct(context))),
          (call) => callThroughSca(context, call, 'create a payment of a company to approve'),
        );
      },
    },
  ];
}

/** A basket of the company, at whose link nobody but a company passes SCA. */
export const basketOfTheCompany = (context: CheckContext): readonly Approval[] =>
  ofTheCompany(context, '').map(() => ({
    what: 'a signing basket of a company',
    create: async () =>
      callThroughSca(
        context,
        {
          operation: 'createSigningBasket',
          body: {
            paymentIds: await freshPayments(context, 1, aCorporatePayment(offeredProduct(context))),
          },
          psu: corporatePsu(context),
        },
        'create a basket of a company to approve',
      ),
  }));

/**
 * A bank may exempt one of them from SCA, and then there is nothing to see of it. A link that comes before anything was
 * created is no approval: anybody can pass SCA there for themselves.
 */
function linkOf(context: CheckContext, { what }: Approval, answer: Answer): ScaLink | undefined {
  const link = answer.isSuccess ? scaLinkOf(answer) : undefined;
  if (link === undefined)
    context.note(`There is no link to approve ${what} at: it was answered ${describeAnswer(answer)}.`);
  return link;
}

/** Looks at the link of each of them. */
export async function atEachLink(
  context: CheckContext,
  look: (link: ScaLink, what: string, created: Answer) => Promise<void>,
  more: readonly Approval[] = [],
): Promise<void> {
  let seen = 0;
  for (const approval of [crossBorder, basket, ...more]) {
    const created = await approval.create(context);
    const link = linkOf(context, approval, created);
    if (link === undefined) continue;
    seen += 1;
    await look(link, approval.what, created);
  }
  context.cases = seen;
  if (seen === 0)
    throw new NotApplicable(
      'The bank gave none of them a link scaRedirect, so that there is no SCA to look at.',
    );
}
