import { each, type SeenExchange, type Session } from '../../src/certification/index.ts';
import { suite } from '../../src/checks/check.ts';
import { isBooleanWord } from '../../src/spec/formats.ts';
import { type Operation, operations } from '../../src/spec/operations.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';
import { createdBy } from '../../src/spec/products.ts';

/** Query parameters that the specification types as boolean (Endpoints). */
const booleans = ['allowLogicalDuplicate', 'withAccounts', 'withAgreements'] as const;

const valuesIn = ({ target }: SeenExchange): readonly (readonly [string, string])[] => {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'));
  return booleans.flatMap((name) => query.getAll(name).map((value) => [name, value] as const));
};

/** Of these the specification gives the path alone, or neither: how they are called is the framework's matter. */
const withoutMethod: readonly string[] = ['createSigningBasket', 'createBankOfferedConsent'];

/** Paths that the specification names with their methods. Of sandbox data it only says that more exists. */
const namedPaths = Object.entries<Operation>(operations)
  .filter(([name, { origin, headers }]) => {
    return origin === 'specification' && headers !== 'sandbox' && !withoutMethod.includes(name);
  })
  .map(([, { method, path }]) => ({ method, matches: patternOf(path) }));

function patternOf(path: string): RegExp {
  const steps = path.split('/').map((step) => (step.startsWith('{') ? '[^/]+' : step));
  return new RegExp(`^${steps.join('/')}$`);
}

/** Every server knows HEAD, and answers OPTIONS (RFC 7231 section 4.1): asking with them calls no operation. */
const ofHttp = new Set(['HEAD', 'OPTIONS']);

function methodsAt({ path }: SeenExchange, { prefix }: Session): readonly string[] {
  const written = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  // An id may have a slash in it, which is encoded.
  const bare = percentDecoded(written.replace(/%2f/gi, '-')) ?? written;
  return namedPaths.filter(({ matches }) => matches.test(bare)).map(({ method }) => method);
}

const followUps = ['readPaymentStatus', 'readPayment', 'deletePayment'] as const;

interface FollowUp {
  readonly product: string;
  readonly paymentId: string;
}

function followUpIn({ pathParts }: SeenExchange): FollowUp | undefined {
  const [service, product, paymentId] = pathParts.slice(
    pathParts.findIndex((part) => /^(?:bulk-|periodic-)?payments$/.test(part)),
  );
  if (product === undefined || paymentId === undefined) return undefined;
  return { product: service === 'payments' ? product : `${service}/${product}`, paymentId };
}

/** The product that a payment was created with; undefined where the bank has told of no such payment. */
const productOf = (session: Session, exchange: SeenExchange): string | undefined => {
  const followUp = followUpIn(exchange);
  const created = session.payments.find(({ id }) => id === followUp?.paymentId);
  return created && createdBy(created.exchange.operation)?.path;
};

/** `/v1/payments/{paymentId}/status` is read as the address of a payment called "status". */
const lacksProduct = (session: Session, exchange: SeenExchange): boolean => {
  const named = followUpIn(exchange)?.product;
  return session.payments.some(({ id }) => id === named);
};

export default suite('Operations', ['Endpoints'], () => [
  each({
    id: 'TPP-43',
    title: 'allowLogicalDuplicate, withAccounts and withAgreements are true or false',
    requirement: 'TPP-43',
    looksAt: `a request with one of ${booleans.join(', ')} in its query`,
    expected: 'true or false',
    of: ({ calls }) => calls.filter((exchange) => valuesIn(exchange).length > 0),
    fault: (exchange) => {
      const wrong = valuesIn(exchange).find(([, value]) => !isBooleanWord(value));
      return wrong === undefined ? undefined : `${wrong[0]} is "${wrong[1]}"`;
    },
  }),

  each({
    id: 'TPP-44',
    title: 'the TPP calls each path with a method that the interface has for it',
    requirement: 'TPP-44',
    looksAt: 'a request to a path that the specification names',
    expected: 'a method that the specification names for the path',
    of: (session) =>
      session.requests.filter(
        (exchange) => !ofHttp.has(exchange.method) && methodsAt(exchange, session).length > 0,
      ),
    fault: (exchange, session) => {
      const methods = methodsAt(exchange, session);
      return methods.includes(exchange.method)
        ? undefined
        : `the method is ${exchange.method}, the interface has ${methods.join(' and ')} there`;
    },
  }),

  each({
    id: 'TPP-45',
    title: 'a payment is read and deleted under the product that it was created with',
    requirement: 'TPP-45',
    looksAt: 'the reading or deletion of a payment that the bank has created',
    expected: 'the product of the payment in the path',
    of: (session) =>
      session
        .of(...followUps)
        .filter((exchange) => productOf(session, exchange) !== undefined || lacksProduct(session, exchange)),
    fault: (exchange, session) => {
      if (lacksProduct(session, exchange)) return 'it names the payment where the product belongs';
      const [named, created] = [followUpIn(exchange)?.product, productOf(session, exchange)];
      return named === created ? undefined : `it names ${named}, the payment is one of ${created}`;
    },
  }),
]);
