import {
  type Fault,
  type Finding,
  findingOf,
  type ScaLink,
  type Session,
} from '../../src/certification/index.ts';
import { memberAt, textAt } from '../../src/spec/json.ts';
import { everyProduct } from '../../src/spec/products.ts';

/** What the PSU is sent for. A request that names its PSU already asks for SCA anew. */
type Reason = ScaLink['kind'] | 'renewal';

const reasonOf = ({ kind, exchange }: ScaLink): Reason =>
  kind === 'access' && exchange.header('PSU-ID') !== undefined ? 'renewal' : kind;

interface Kind {
  readonly name: string;
  readonly includes: (link: ScaLink) => boolean;
  /** One PSU may drop out on the way; that all of so many do says that nobody sends them. */
  readonly fewest: number;
}

const kinds: readonly Kind[] = (['access', 'renewal', 'payment', 'basket'] as const).map((reason) => ({
  name: reason,
  includes: (link) => reasonOf(link) === reason,
  fewest: 2,
}));

/** What a TPP may have forgotten in a part of its code. The smaller the part, the more links have to be left. */
const kindsOfPayment: readonly Kind[] = [
  ...everyProduct.map(
    ({ word, creation }): Kind => ({
      name: `${word} payment`,
      includes: ({ kind, exchange }) => kind === 'payment' && exchange.operation === creation,
      fewest: 3,
    }),
  ),
  {
    name: 'payment of a company',
    includes: ({ kind, exchange }) => kind === 'payment' && exchange.header('PSU-Corporate-ID') !== undefined,
    fewest: 3,
  },
];

/**
 * Not every link has to be followed: a PSU may drop out before the page is opened, a TPP may ask again while the PSU is
 * on the way, payments may be approved by their basket, and a false answer must not be obeyed. What is found out is a
 * TPP that is given a kind of link again and again, and never sends anybody there.
 */
export function judgeRedirects(session: Session): Finding | undefined {
  const links = session.scaLinks.filter(
    (link) =>
      link.exchange.recorded.provocation !== 'forged-response' &&
      session.after(link.exchange).length > 0 &&
      !isSettledOtherwise(session, link),
  );
  const isOpen = ({ flowId }: ScaLink): boolean => session.opened(flowId) !== undefined;
  const neverFollowed = ({ name, includes, fewest }: Kind): readonly Fault[] => {
    const alike = links.filter(includes);
    const [first] = alike;
    if (first === undefined || alike.length < fewest || alike.some(isOpen)) return [];
    const problem = `it was answered with scaRedirect (${name}), as were ${alike.length} requests in all, but no PSU was ever sent to such a link`;
    return [{ exchange: first.exchange, problem }];
  };
  const whole = kinds.flatMap(neverFollowed);
  const faults = whole.length > 0 ? whole : kindsOfPayment.flatMap(neverFollowed);
  const finding = findingOf(
    links.map(({ exchange }) => exchange),
    faults,
  );
  const left = links.filter((link) => !isOpen(link)).length;
  return finding !== undefined && finding.actual === undefined && left > 0
    ? { ...finding, notes: [`${left} of ${links.length} links were not followed.`] }
    : finding;
}

const paymentIdIn = ({ exchange }: ScaLink): string => textAt(exchange.answer.json, 'paymentId') ?? '';

/** Put into a basket, or deleted. */
function isSettledOtherwise(session: Session, link: ScaLink): boolean {
  const id = paymentIdIn(link);
  if (id === '') return false;
  const inBasket = session.of('createSigningBasket').some(({ json }) => {
    const ids = memberAt(json, 'paymentIds');
    return Array.isArray(ids) && ids.includes(id);
  });
  return (
    inBasket || session.of('deletePayment').some(({ path }) => path.endsWith(`/${encodeURIComponent(id)}`))
  );
}
