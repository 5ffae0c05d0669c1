import { each, type SeenExchange, type Session } from '../../src/certification/index.ts';
import { suite } from '../../src/checks/check.ts';
import { memberAt } from '../../src/spec/json.ts';
import { limits } from '../../src/spec/limits.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';

const idsIn = ({ json }: SeenExchange): readonly unknown[] | undefined => {
  const ids = memberAt(json, 'paymentIds');
  return Array.isArray(ids) ? ids : undefined;
};

const baskets = (session: Session): readonly SeenExchange[] =>
  session.of('createSigningBasket').filter((exchange) => idsIn(exchange) !== undefined);

/** Ids of the payments that the bank has told the TPP of before a request. */
const idsBefore = (session: Session, { number }: SeenExchange): readonly string[] =>
  session.payments.filter(({ exchange }) => exchange.number < number).map(({ id }) => id);

/** Letters and digits: what is around and between them gets lost first. */
const plain = (id: string): string => id.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** What has become of an id that was cut, re-cased, encoded, stripped of its dashes or put into an address on its way through the TPP. */
function isSpoilt(id: unknown, known: readonly string[]): boolean {
  if (typeof id !== 'string' || known.includes(id)) return false;
  const bare = plain(percentDecoded(id) ?? id);
  return known.map(plain).some((whole) => {
    if (whole === '' || bare.length < 8) return false;
    return whole.startsWith(bare) || bare.includes(whole) || whole.endsWith(bare);
  });
}

export default suite('Baskets', ['Resources and their fields', 'Signing basket'], () => [
  each({
    id: 'TPP-35',
    title: 'a basket holds at most 100 payments',
    requirement: 'TPP-35',
    looksAt: 'a signing basket',
    expected: `at most ${limits.basketPayments} payments`,
    of: baskets,
    fault: (exchange) => {
      const size = idsIn(exchange)?.length ?? 0;
      return size > limits.basketPayments ? `the basket holds ${size} payments` : undefined;
    },
  }),

  each({
    id: 'TPP-36',
    title: 'a basket holds payments that exist, and neither bulk nor periodic ones',
    requirement: 'TPP-36',
    looksAt: 'a signing basket',
    expected: 'ids of single payments that the bank has created and the TPP has not deleted',
    of: (session) => session.of('createSigningBasket').filter(({ json }) => json !== undefined),
    fault: (exchange, session) => {
      const ids = idsIn(exchange);
      if (ids === undefined) return 'paymentIds is missing';
      if (ids.length === 0) return 'the basket is empty';
      const known = idsBefore(session, exchange);
      const unknown = ids.find((id) => !known.some((given) => given === id) && !isSpoilt(id, known));
      if (unknown !== undefined) return `there is no payment ${JSON.stringify(unknown)}`;
      return several(ids, session) ?? deleted(ids, exchange, session);
    },
  }),

  each({
    id: 'TPP-42',
    title: 'the TPP keeps the identifiers of its payments until the basket is created',
    requirement: 'TPP-42',
    looksAt: 'a signing basket',
    expected: 'the ids of the payments exactly as the bank gave them',
    of: baskets,
    fault: (exchange, session) => {
      const known = idsBefore(session, exchange);
      const spoilt = (idsIn(exchange) ?? []).find((id) => isSpoilt(id, known));
      return spoilt === undefined ? undefined : `${JSON.stringify(spoilt)} is no id as the bank gave it`;
    },
  }),
]);

function several(ids: readonly unknown[], session: Session): string | undefined {
  const wrong = session.payments.find(
    ({ id, exchange }) => ids.includes(id) && /^create(?:Bulk|Periodic)Payment$/.test(exchange.operation),
  );
  return wrong === undefined
    ? undefined
    : `${wrong.id} is a ${wrong.exchange.operation === 'createBulkPayment' ? 'bulk' : 'periodic'} payment`;
}

function deleted(ids: readonly unknown[], { number }: SeenExchange, session: Session): string | undefined {
  const gone = session
    .of('deletePayment')
    .filter((exchange) => exchange.number < number && exchange.answer.isSuccess)
    .map(({ path }) => percentDecoded(path.split('/').at(-1) ?? ''))
    .find((id) => ids.includes(id));
  return gone === undefined ? undefined : `the payment ${gone} was deleted before`;
}
