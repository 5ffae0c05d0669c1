import { type CheckContext, corporateFacts, corporatePsu } from '../../src/checks/context.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import { basketOfOne, offeredProduct, type Subject } from '../../src/checks/subject.ts';
import { paymentsOf } from '../../src/payloads/payments.ts';
import { defaultProduct, type Product } from '../../src/spec/products.ts';
import type { Psu } from '../../src/tpp/call.ts';

/** A payment of the corporate customer. */
export const aCorporatePayment = (product: Product = defaultProduct): Subject => ({
  title: `a corporate ${product.word} payment`,
  product,
  payment: {
    product,
    decided: {},
    paidBy: 'company',
    bodiesWith: (context, optional) =>
      paymentsOf(product, corporateFacts(context), context.amounts, { optional }),
  },
  bodies: (context) => paymentsOf(product, corporateFacts(context), context.amounts),
  call: (context, body) => ({ operation: product.creation, body, psu: corporatePsu(context) }),
});

/** A basket of the corporate customer, of payments that are its own. */
export const aCorporateBasket: Subject = basketOfOne(
  'a corporate signing basket',
  (context) => aCorporatePayment(offeredProduct(context)),
  corporatePsu,
);

/**
 * An agreement that the corporate customer has no part in: that of the target file, else one that the sandbox lists.
 * That the listing names agreements by what PSU-Corporate-ID carries shows in that of the customer itself.
 */
export async function agreementOfOthers(context: CheckContext): Promise<string> {
  const { corporateId = '', ...psu } = corporatePsu(context);
  const named = context.target.psu.other?.corporateId;
  if (named !== undefined) {
    if ((await ownAgreements(context, psu)).includes(named.toLowerCase()))
      throw new NotApplicable(
        'psu.other.corporateId of the target file is an agreement in which the PSU of the company has a part: give one of others.',
      );
    return named;
  }
  const listing = await context.call(
    { operation: 'listSandboxCustomers', query: { withAgreements: 'true' } },
    {},
    'look for agreements of others',
  );
  const listed = agreementIdsIn(listing.json);
  if (!listed.some((id) => id.toLowerCase() === corporateId.toLowerCase())) {
    throw new NotApplicable(
      'The sandbox does not list the agreement of the corporate PSU by its PSU-Corporate-ID, so that those of others are not known: add psu.other.corporateId to the target file.',
    );
  }
  const own = `${corporateId} ${await ownAgreements(context, psu)}`.toLowerCase();
  const ofOthers = listed.find((id) => !own.includes(id.toLowerCase()));
  if (ofOthers === undefined)
    throw new NotApplicable(
      'The sandbox lists no agreement that the corporate PSU has no part in: add psu.other.corporateId to the target file.',
    );
  return ofOthers;
}

/** What the bank says of the agreements of a PSU, in lower case; nothing where it does not offer to. */
async function ownAgreements(context: CheckContext, psu: Psu): Promise<string> {
  const answer = await context.call({ operation: 'listAgreements', psu }, {}, 'agreements of the PSU');
  return answer.isSuccess ? answer.bytes.toString('utf8').toLowerCase() : '';
}

function agreementIdsIn(listing: unknown): readonly string[] {
  if (!Array.isArray(listing)) return [];
  return listing
    .flatMap((customer: { readonly agreements?: unknown } | null) => customer?.agreements ?? [])
    .flatMap((agreement) => {
      const id = (agreement as { readonly id?: unknown } | null)?.id;
      return typeof id === 'string' && id !== '' ? [id] : [];
    });
}
