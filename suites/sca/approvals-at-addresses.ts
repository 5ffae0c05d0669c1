import { createAnew } from '../../src/checks/awaiting-sca.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { NotOffered } from '../../src/checks/outcomes.ts';
import { aSimplePayment, drawCall, freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import { everyProduct, type Product } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Psu } from '../../src/tpp/call.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { anotherPage } from './redirect-addresses.ts';
import { mustKeepTo, toTheTpp } from './redirect-demands.ts';
import { ownCustomer, walk } from './walks.ts';

/** What is approved at an address that no other request names. */
interface Approval {
  readonly what: string;
  readonly addressOf: (redirectUri: string) => string;
  readonly create: (context: CheckContext, psu: Psu) => Promise<Answer>;
}

const payment = (product: Product): Approval => ({
  what: `a ${product.word} payment`,
  addressOf: (redirectUri) => anotherPage(redirectUri, product.word),
  create: (context, psu) =>
    createAnew(
      context,
      async () => ({ ...(await drawCall(context, aSimplePayment(product))), psu }),
      (call) => context.call(call, {}, 'create a payment at another address'),
    ),
});

/** Its payment was created at the usual one. */
const basket: Approval = {
  what: 'a signing basket',
  addressOf: (redirectUri) => anotherPage(redirectUri, 'basket'),
  create: async (context, psu) => {
    const paymentIds = await freshPayments(context, 1, aSimplePayment(offeredProduct(context)));
    return context.call(
      { operation: 'createSigningBasket', body: { paymentIds }, psu },
      {},
      'create a basket at another address',
    );
  },
};

function withPort(redirectUri: string): string {
  const address = new URL(redirectUri);
  address.port = '8443';
  return address.href;
}

/** Where the usual address has a port, all the others have it as well. */
const atAPort = (context: CheckContext): readonly Approval[] =>
  new URL(context.psu.redirectUri).port === ''
    ? [
        {
          ...payment(offeredProduct(context)),
          what: 'a payment with a port in TPP-Redirect-URI',
          addressOf: withPort,
        },
      ]
    : [];

const approvalsOf = (context: CheckContext): readonly Approval[] => [
  ...everyProduct.filter(({ profile }) => context.unjudged([profile]) === undefined).map(payment),
  ...(context.unjudged(['signing-baskets']) === undefined ? [basket] : []),
  ...atAPort(context),
];

/**
 * The session and the TPP are known by another address by then. Some banks take only the addresses that a TPP has
 * registered; what they refuse, or give no link, says nothing.
 */
export async function approveAtOtherAddresses(context: CheckContext): Promise<void> {
  context.cases = 0;
  for (const { what, addressOf, create } of approvalsOf(context)) {
    const psu = { ...context.psu, redirectUri: addressOf(context.psu.redirectUri) };
    const created = await create(context, psu);
    const link = created.isSuccess ? scaLinkOf(created) : undefined;
    if (link === undefined) {
      context.note(
        `There is no link to approve ${what} at, with another address: it was answered ${describeAnswer(created)}.`,
      );
      continue;
    }
    context.cases += 1;
    const back = await walk(context, link, ownCustomer(context), psu.redirectUri);
    mustKeepTo(context, [toTheTpp], back, psu, `after ${what} was approved`);
  }
  if (context.cases === 0)
    throw new NotOffered('The bank gave none of them a link scaRedirect with another TPP-Redirect-URI.');
}
