import { isIP } from 'node:net';
import {
  each,
  findingOf,
  type SeenExchange,
  type Session,
  type TppCheck,
  tppCheck,
} from '../../src/certification/index.ts';
import { suite } from '../../src/checks/check.ts';
import { acceptFixes } from '../../src/spec/code-lists.ts';
import { facets } from '../../src/spec/facets.ts';
import { isRedirectUri } from '../../src/spec/formats.ts';
import { type HeaderRow, headerRows } from '../../src/spec/headers.ts';
import { type HeaderProfile, type OperationName, operations } from '../../src/spec/operations.ts';
import { creations } from '../../src/spec/products.ts';

const profileOf = ({ operation }: SeenExchange): HeaderProfile | undefined =>
  Object.hasOwn(operations, operation) ? operations[operation as OperationName].headers : undefined;

/** Headers whose absence another requirement speaks of. */
const judgedElsewhere = new Set(['Signature', 'x-accept-fix', 'PSU-IP-Address']);

/** Required of every call, and so of reading as well (Common request headers). */
const requiredOfAll = new Set(['X-Request-ID', 'TPP-Signature-Certificate']);

const initiations = (session: Session): readonly SeenExchange[] =>
  session.of(...creations, 'createSigningBasket');

const isRequired = ({ name, required }: HeaderRow, exchange: SeenExchange): boolean => {
  const profile = profileOf(exchange);
  return requiredOfAll.has(name) || (profile !== undefined && required.includes(profile));
};

const requiredHeaders: readonly TppCheck[] = headerRows
  .filter(({ name, required }) => required.length > 0 && !judgedElsewhere.has(name))
  .map((row) =>
    each({
      id: `TPP-16-${row.name}`,
      title: `${row.name} is sent where it is required`,
      requirement: 'TPP-16',
      looksAt: `a request to an operation that requires ${row.name}`,
      expected:
        row.name === 'PSU-ID'
          ? 'PSU-ID, or X-PSU-IDENTITY where a payment is created, to be sent'
          : `${row.name} to be sent`,
      of: ({ calls }) => calls.filter((exchange) => isRequired(row, exchange)),
      fault: (exchange) => {
        const isThere = Boolean(exchange.header(row.name));
        const alternative =
          row.name === 'PSU-ID' &&
          exchange.operation !== 'createSigningBasket' &&
          Boolean(exchange.header('X-PSU-IDENTITY'));
        return isThere || alternative ? undefined : `${row.name} is missing or empty`;
      },
    }),
  );

const typedHeaders: readonly TppCheck[] = headerRows.flatMap(({ name, type }) => {
  if (type === undefined) return [];
  const { accepts, demand, expected } = facets[type.facet];
  const isKept = accepts(type.field);
  return each({
    id: `TPP-18-${name}`,
    title: `${name} ${demand(type.field)}`,
    requirement: 'TPP-18',
    looksAt: `a request with ${name}`,
    expected: `${name} ${expected(type.field)}`,
    of: ({ calls }) => calls.filter((exchange) => Boolean(exchange.header(name))),
    fault: (exchange) => {
      const wrong = exchange.values(name).find((value) => !isKept(value));
      return wrong === undefined ? undefined : `${name} is "${wrong}"`;
    },
  });
});

/**
 * Unknown values are not judged. One that begins with a known value and goes on is a list with another separator, and
 * one with quotes or brackets around a known value is a list of another language.
 */
const isJoinedOtherwise = (text: string): boolean =>
  acceptFixes.some(({ value }) =>
    new RegExp(`^${value}[^\\w-]+\\w|^[^\\w-]+${value}(?![\\w-])|^${value}[^\\w-]+$`).test(text.trim()),
  );

/** No address and that of everybody, however they are written (RFC 4291, sections 2.2 and 2.5.5). */
const isNobodys = (address: string): boolean =>
  /^(?:0\.0\.0\.0|255\.255\.255\.255)$/.test(address.replace(/^::ffff:/i, '')) ||
  /^[0:]*:[0:]*$/.test(address);

/** A product that the bank does not have is another fault than its headers. */
const isMeantAsCreation = ({ operation, method, path }: SeenExchange): boolean =>
  /^create\w*Payment$/.test(operation) || (method === 'POST' && /\/[a-z-]*payments\/[^/]+$/.test(path));

/** Whether a PSU has passed SCA in the session of a request before it. */
const isAfterSca = ({ returns }: Session, exchange: SeenExchange): boolean =>
  returns.some(
    ({ passed, parameters, exchange: back }) =>
      passed && back.number < exchange.number && parameters.sessionId === exchange.header('TPP-Session-ID'),
  );

export default suite('Headers', ['Endpoints', 'Common request headers'], () => [
  tppCheck({
    id: 'TPP-15',
    title: 'X-Request-ID is unique per call',
    requirement: 'TPP-15',
    looksAt: 'a request with X-Request-ID',
    expected: 'every request, a repeated one included, to have an X-Request-ID of its own',
    judge: ({ requests }) => {
      const looked = requests.filter((exchange) => Boolean(exchange.header('X-Request-ID')));
      const first = new Map<string, SeenExchange>();
      const faults = looked.flatMap((exchange) => {
        const id = exchange.header('X-Request-ID') ?? '';
        const earlier = first.get(id);
        if (earlier === undefined) first.set(id, exchange);
        return earlier === undefined
          ? []
          : [{ exchange, problem: `X-Request-ID ${id} was used by request ${earlier.number} already` }];
      });
      return findingOf(looked, faults);
    },
  }),

  requiredHeaders,

  each({
    id: 'TPP-17',
    title: 'TPP-Redirect-URI is an absolute address',
    requirement: 'TPP-17',
    looksAt: 'a request with TPP-Redirect-URI',
    expected: 'an absolute address that a browser or an app can open',
    of: ({ calls }) => calls.filter((exchange) => Boolean(exchange.header('TPP-Redirect-URI'))),
    fault: (exchange) => {
      const value = exchange.header('TPP-Redirect-URI') ?? '';
      return isRedirectUri(value) ? undefined : `TPP-Redirect-URI is "${value}"`;
    },
  }),

  typedHeaders,

  each({
    id: 'TPP-19',
    title: 'x-accept-fix is sent on the payment operations',
    requirement: 'TPP-19',
    looksAt: 'a request that creates a payment or a basket',
    expected: 'x-accept-fix to be sent, such as amount-as-string, with commas between several values',
    of: initiations,
    fault: (exchange) => {
      const value = exchange.header('x-accept-fix');
      if (value === undefined || /^[\s,]*$/.test(value)) return 'x-accept-fix is missing or empty';
      const joined = value.split(',').find(isJoinedOtherwise);
      return joined === undefined
        ? undefined
        : `x-accept-fix is "${value}", not values with commas between them`;
    },
  }),

  each({
    id: 'TPP-47',
    title: 'TPP-Signature-Certificate is the Base64 of the certificate, without the lines of a PEM',
    requirement: 'TPP-47',
    looksAt: 'a request with TPP-Signature-Certificate',
    expected: 'the Base64 of the certificate and nothing around it',
    of: ({ calls }) => calls.filter((exchange) => Boolean(exchange.header('TPP-Signature-Certificate'))),
    fault: (exchange) => {
      if (exchange.certificate === undefined) {
        return 'the certificate cannot be read: send the Base64 of its DER on one line';
      }
      if (exchange.values('TPP-Signature-Certificate').length > 1) return 'several certificates are sent';
      // RFC 2045 section 6.8 lets white space stand between the characters.
      const value = (exchange.header('TPP-Signature-Certificate') ?? '').replace(/\s/g, '');
      return /^[A-Za-z0-9+/]+=*$/.test(value) ? undefined : 'the lines of a PEM stand around the Base64';
    },
  }),

  each({
    id: 'TPP-48',
    title: 'X-PSU-IDENTITY is sent on payment creation only',
    requirement: 'TPP-48',
    looksAt: 'a request with X-PSU-IDENTITY',
    expected: 'X-PSU-IDENTITY on requests that create a payment, and on no other',
    of: ({ calls }) => calls.filter(({ headers }) => headers.has('X-PSU-IDENTITY')),
    fault: (exchange) =>
      isMeantAsCreation(exchange) ? undefined : 'X-PSU-IDENTITY is sent, but creates no payment',
  }),

  each({
    id: 'TPP-56',
    title: 'X-PSU-IDENTITY is a national identity number',
    requirement: 'TPP-56',
    looksAt: 'a request with X-PSU-IDENTITY',
    expected: 'eleven digits',
    of: ({ calls }) => calls.filter((exchange) => Boolean(exchange.header('X-PSU-IDENTITY'))),
    // The number itself is nobody's business but the PSU's.
    fault: (exchange) =>
      /^\d{11}$/.test(exchange.header('X-PSU-IDENTITY') ?? '')
        ? undefined
        : 'X-PSU-IDENTITY has not eleven digits',
  }),

  each({
    id: 'TPP-57',
    title: 'TPP-Redirect-Preferred is true or false',
    requirement: 'TPP-57',
    looksAt: 'a request with TPP-Redirect-Preferred',
    expected: 'true or false, in whichever case',
    of: ({ calls }) => calls.filter(({ headers }) => headers.has('TPP-Redirect-Preferred')),
    fault(exchange) {
      const value = exchange.header('TPP-Redirect-Preferred') ?? '';
      return /^(?:true|false)$/i.test(value) ? undefined : `TPP-Redirect-Preferred is "${value}"`;
    },
  }),

  ['PSU-Context', 'TPP-Brand-Logging-Information'].map((name) =>
    each({
      id: `TPP-54-${name}`,
      title: `${name} is sent on payment creation only`,
      requirement: 'TPP-54',
      looksAt: `a request with ${name}`,
      expected: `${name} on requests that create a payment, and on no other`,
      of: ({ calls }) => calls.filter(({ headers }) => headers.has(name)),
      fault: (exchange) =>
        isMeantAsCreation(exchange) ? undefined : `${name} is sent, but creates no payment`,
    }),
  ),

  each({
    id: 'TPP-49',
    title: 'a payment that names the PSU by X-PSU-IDENTITY alone carries PSU-Context',
    requirement: 'TPP-49',
    looksAt:
      'a payment created with X-PSU-IDENTITY and without PSU-ID, before any SCA in its session (single SCA)',
    expected: 'PSU-Context to be sent',
    // What is answered 401 with scaRedirect is ordinary SCA, in which the PSU chooses the context.
    of: (session) =>
      session
        .of(...creations)
        .filter(({ answer }) => answer.isSuccess)
        .filter((exchange) => exchange.header('X-PSU-IDENTITY') && !exchange.header('PSU-ID'))
        .filter((exchange) => !isAfterSca(session, exchange)),
    fault: (exchange) => (exchange.header('PSU-Context') ? undefined : 'PSU-Context is missing'),
  }),

  each({
    id: 'TPP-23-present',
    title: 'PSU-IP-Address is sent where the PSU is present: on payments and baskets',
    requirement: 'TPP-23',
    looksAt: 'a request that creates a payment or a basket',
    expected: 'PSU-IP-Address to be sent',
    of: initiations,
    fault: (exchange) => (exchange.headers.has('PSU-IP-Address') ? undefined : 'PSU-IP-Address is missing'),
  }),

  each({
    id: 'TPP-23-omitted',
    title: 'without the PSU present PSU-IP-Address is left out, not filled with anything else',
    requirement: 'TPP-23',
    looksAt: 'a request with PSU-IP-Address',
    expected: 'the IP address of the PSU, or no PSU-IP-Address at all',
    of: ({ calls }) => calls.filter(({ headers }) => headers.has('PSU-IP-Address')),
    fault: (exchange) => {
      const values = exchange.values('PSU-IP-Address');
      if (values.length > 1) return `PSU-IP-Address is sent with several values: ${values.join(' and ')}`;
      const [value = ''] = values;
      // The zone of an address means something on one machine alone (RFC 4007, section 11).
      return isIP(value) !== 0 && !isNobodys(value) && !value.includes('%')
        ? undefined
        : `PSU-IP-Address is "${value}", which is nobody's address`;
    },
  }),
]);
