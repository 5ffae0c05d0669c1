import { randomUUID } from 'node:crypto';
import {
  type BehaviourChange,
  offering,
  varying,
  withBody,
} from '../../certification/reference-tpp/behaviour.ts';
import { digestHeader } from '../../signing/digest.ts';
import { encodeWord } from '../../signing/encoded-word.ts';
import { formatSignatureHeader, parseKeyId } from '../../signing/signature-header.ts';
import { isObject } from '../../spec/json.ts';
import { creations, products } from '../../spec/products.ts';
import type { RequestDraft } from '../../tpp/signing-plan.ts';
import { bodyDialects } from './body-dialects.ts';
import { dialect, type TppDialect } from './deviation.ts';
import { opensslSession } from './openssl-tpp.ts';
import { sessionDialects } from './session-dialects.ts';

const sharedSession = randomUUID();

const journeysAbroad = 'first-request status refused-payment session-expiry failed-sca cross-border'.split(
  ' ',
);

const rewriting = (
  write: (
    lines: ReturnType<RequestDraft['headers']['lines']>,
  ) => ReturnType<RequestDraft['headers']['lines']>,
): BehaviourChange =>
  varying({
    afterSigning: ({ headers }) => {
      const lines = write([...headers.lines()]);
      for (const [name] of headers.lines()) headers.remove(name);
      for (const [name, value] of lines) headers.add(name, value);
    },
  });

export const tppDialects: readonly TppDialect[] = [
  dialect('as-it-is', 'the reference TPP itself', (behaviour) => behaviour),
  dialect('other-header-order', 'sends and signs its headers in another order', (behaviour) =>
    rewriting((lines) => lines.toReversed())(
      varying({ signing: { covered: (present) => present.toReversed() } })(behaviour),
    ),
  ),
  dialect(
    'authorisations',
    'starts an authorisation for each payment and basket, and sends the PSU to the link of that',
    (behaviour) => ({ ...behaviour, startsAuthorisations: true }),
  ),
  dialect(
    'lower-case-names',
    'writes header names in lower case',
    rewriting((lines) => lines.map(([name, value]) => [name.toLowerCase(), value])),
  ),
  dialect(
    'sha-512',
    'takes SHA-512 digests',
    varying({ signing: { digest: (body) => digestHeader(body, 'SHA-512') } }, creations),
  ),
  dialect(
    'lower-case-digest',
    'writes the algorithm of the digest in lower case',
    varying({ signing: { digest: (body) => digestHeader(body).replace('SHA', 'sha') } }, creations),
  ),
  dialect(
    'two-digests',
    'sends digests of both algorithms',
    varying(
      { signing: { digest: (body) => `${digestHeader(body)},${digestHeader(body, 'SHA-512')}` } },
      creations,
    ),
  ),
  dialect(
    'wrapped',
    'wraps its Signature header although it is ASCII',
    varying({ signing: { format: (parts) => encodeWord(formatSignatureHeader(parts)) } }),
  ),
  dialect(
    'wrapped-q',
    'wraps it in the Q encoding of ISO-8859-1',
    varying({ signing: { format: (parts) => encodeWord(formatSignatureHeader(parts), 'iso-8859-1', 'Q') } }),
  ),
  {
    id: 'odd-issuer',
    title: 'has an issuer with a comma and letters outside ASCII',
    change:
      ({ others }) =>
      (behaviour) => ({ ...behaviour, identityFor: () => others.oddIssuer }),
  },
  dialect(
    'spaced-issuer',
    'writes a space after each comma of its issuer',
    varying({
      signing: {
        parts: (parts) => {
          const { serialNumber = '', issuer = '' } = parseKeyId(parts.keyId) ?? {};
          return { ...parts, keyId: `SN=${serialNumber},CA=${issuer.replaceAll(',', ', ')}` };
        },
      },
    }),
  ),
  dialect(
    'leading-zero',
    'writes a zero before its serial number',
    varying({
      signing: { parts: (parts) => ({ ...parts, keyId: parts.keyId.replace('SN=', 'SN=00') }) },
    }),
  ),
  dialect(
    'request-target',
    'signs the request target as well',
    varying({ signing: { covered: (present) => ['(request-target)', ...present] } }),
  ),
  dialect(
    'more-headers',
    'sends headers that nobody asked for',
    varying({
      beforeSigning: ({ headers }) => {
        headers.set('Accept-Language', 'nb-NO');
        headers.set('User-Agent', 'tpp/3.1');
        headers.set('PSU-User-Agent', 'Mozilla/5.0');
        headers.set('PSU-Geo-Location', 'GEO:59.91;10.75');
        headers.set('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
      },
    }),
  ),
  dialect(
    'signed-basket-digest',
    'sends a signed digest with baskets',
    varying({ signing: { digest: (body) => digestHeader(body) } }, ['createSigningBasket']),
  ),
  ...bodyDialects,
  ...sessionDialects,
  dialect(
    'no-content-type-charset',
    'names the charset of its JSON',
    varying(
      { beforeSigning: ({ headers }) => headers.set('Content-Type', 'application/json; charset=UTF-8') },
      creations,
    ),
  ),
  dialect(
    'named-json',
    'has a name of its own for what it writes in JSON',
    varying(
      { beforeSigning: ({ headers }) => headers.set('Content-Type', 'application/vnd.tpp.payment+json') },
      [...creations, 'createSigningBasket'],
    ),
  ),
  dialect(
    'app-redirect',
    'has the PSU sent back to an app',
    varying({
      beforeSigning: ({ headers }) =>
        headers.has('TPP-Redirect-URI') && headers.set('TPP-Redirect-URI', 'myapp://callback'),
    }),
  ),
  dialect(
    'state-in-redirect',
    'gives every request a state of its own, which comes back to it',
    varying({
      beforeSigning: ({ headers }) =>
        headers.has('TPP-Redirect-URI') &&
        headers.set('TPP-Redirect-URI', `${headers.get('TPP-Redirect-URI')}?state=${randomUUID()}`),
    }),
  ),
  dialect(
    'own-request-ids',
    'has request ids that are no UUIDs',
    varying({
      beforeSigning: ({ headers }) =>
        headers.set('X-Request-ID', `tpp:${headers.get('X-Request-ID')?.slice(0, 23)}`),
    }),
  ),
  dialect('ipv6', 'has a customer with an IPv6 address', (behaviour) => ({
    ...behaviour,
    present: (psu, call) => ({ ...behaviour.present(psu, call), ipAddress: '2001:db8::7' }),
  })),
  dialect('early-status', 'asks for the status before the PSU has approved', (behaviour) => ({
    ...behaviour,
    asksEarly: true,
  })),
  dialect('polling', 'asks again and again while the PSU is at the bank', (behaviour) => ({
    ...behaviour,
    polls: 2,
  })),
  dialect('patient', 'waits longer than it was asked to', (behaviour) => ({
    ...behaviour,
    pauseAfter: (answer, attempt) => behaviour.pauseAfter(answer, attempt) + 5000,
  })),
  dialect(
    'slow-clock',
    'has a clock that is half a minute behind',
    varying({
      beforeSigning: ({ headers }) =>
        headers.set('Date', new Date(Date.parse(headers.get('Date') ?? '') - 30_000).toUTCString()),
    }),
  ),
  dialect(
    'several-fixes',
    'asks for several fixes',
    varying({
      beforeSigning: ({ headers }) =>
        headers.has('x-accept-fix') && headers.set('x-accept-fix', 'amount-as-string, longer-names'),
    }),
  ),
  dialect(
    'national-id',
    'names its private customers by X-PSU-IDENTITY, and by PSU-ID where it reads',
    varying(
      {
        beforeSigning: ({ headers }) => {
          if (headers.has('PSU-Corporate-ID')) return;
          headers.remove('PSU-ID');
          headers.set('X-PSU-IDENTITY', '01819010001');
        },
      },
      creations,
    ),
  ),
  dialect(
    'national-id-in-session',
    'names its private customers by X-PSU-IDENTITY alone, in a session in which they have passed SCA',
    varying(
      {
        beforeSigning: ({ headers }) => {
          if (headers.has('PSU-Corporate-ID')) return;
          headers.remove('PSU-ID');
          headers.remove('PSU-Context');
          headers.set('X-PSU-IDENTITY', '01819010001');
        },
      },
      creations,
    ),
  ),
  dialect(
    'session-on-listing',
    'sends its TPP-Session-ID with the sandbox listing',
    varying({ beforeSigning: ({ headers }) => headers.set('TPP-Session-ID', sharedSession) }, [
      'listSandboxCustomers',
    ]),
  ),
  dialect('shared-session', 'has one TPP-Session-ID for two customers', (behaviour) => ({
    ...behaviour,
    present: (psu, call) => ({ ...behaviour.present(psu, call), sessionId: sharedSession }),
  })),
  dialect('drop-out', 'has customers who drop out before they get to the bank', (behaviour) => ({
    ...behaviour,
    dropOuts: 2,
  })),
  dialect('company-drop-out', 'has a company whose people drop out of both of its payments', (behaviour) => ({
    ...behaviour,
    corporatePayments: 2,
    follows: (reason, call, psu) =>
      (reason !== 'payment' || psu.corporateId === undefined) && behaviour.follows(reason, call, psu),
  })),
  dialect('signs-in-baskets', 'has every payment approved in a basket, and none by itself', (behaviour) => ({
    ...behaviour,
    signsInBaskets: true,
  })),
  dialect('pages', 'reads transactions in many pages', (behaviour) => ({ ...behaviour, pageSize: 5 })),
  dialect(
    'spaced-certificate',
    'writes a space after every 64 characters of its certificate',
    varying({
      afterSigning: ({ headers }) =>
        headers.set(
          'TPP-Signature-Certificate',
          (headers.get('TPP-Signature-Certificate') ?? '').replace(/(.{64})(?=.)/g, '$1 '),
        ),
    }),
  ),
  dialect(
    'encoded-path',
    'percent-encodes hyphens and a letter of the path where it reads or deletes a payment',
    varying(
      {
        beforeSigning: (draft) => {
          draft.target = draft.target.replaceAll('-', '%2d').replace(/s(?=tatus|$)/, '%73');
        },
      },
      ['readPaymentStatus', 'readPayment', 'deletePayment'],
    ),
  ),
  dialect(
    'title-case-booleans',
    'writes the booleans of its queries as Python does',
    varying(
      ({ operation }) => ({
        beforeSigning: (draft) => {
          draft.target = `${draft.target.split('?', 1)[0]}?${operation === 'listSandboxCustomers' ? 'withAccounts=False' : 'allowLogicalDuplicate=True'}`;
        },
      }),
      [...creations, 'listSandboxCustomers'],
    ),
  ),
  dialect(
    'signs-more',
    'signs headers of payments and baskets that need not be signed',
    varying(
      {
        signing: { covered: (present) => ['tpp-session-id', ...present, 'psu-ip-address', 'x-accept-fix'] },
      },
      [...creations, 'createSigningBasket'],
    ),
  ),
  dialect(
    'numbered-issuer',
    'names the parts of its issuer by their numbers, and quotes the first',
    varying({
      signing: {
        parts: (parts) => ({
          ...parts,
          keyId: parts.keyId.replace(/CN=([^,]+)/, '2.5.4.3=\\"$1\\"').replace(',O=', ';oid.2.5.4.10='),
        }),
      },
    }),
  ),
  dialect('no-repetition', 'never repeats a payment that was put off', (behaviour) => ({
    ...behaviour,
    triesAgain: false,
  })),
  dialect(
    'signing-proxy',
    'is a reverse proxy that signs whatever it is sent, and repeats nothing',
    (behaviour) =>
      rewriting((lines) => lines.map(([name, value]) => [name.toLowerCase(), value]))(
        varying({
          beforeSigning: ({ headers }) => {
            headers.set('Via', '1.1 signing-proxy');
            headers.set('X-Forwarded-For', '192.0.2.10');
            headers.set('X-Forwarded-Proto', 'http');
            headers.set('Accept-Encoding', 'gzip, deflate, br');
            headers.set('x-accept-fix', 'amount-as-string');
          },
          signing: { digest: (body) => digestHeader(body) },
        })({ ...behaviour, triesAgain: false }),
      ),
  ),
  {
    ...dialect('accounts-only', 'reads accounts and nothing else', offering('accounts')),
    journeys: ['first-request', 'accounts', 'unattended'],
    profiles: ['core', 'accounts'],
  },
  {
    ...dialect(
      'cross-border-only',
      'pays across the border and nowhere else',
      offering('cross-border-payments'),
    ),
    journeys: [...journeysAbroad, 'reporting'],
    profiles: ['core', 'cross-border-payments'],
  },
  {
    ...dialect(
      'euros-only',
      'pays across the border in euros where others take NOK, and nowhere else',
      (behaviour) =>
        withBody(products.crossBorder.creation, ({ instructedAmount: sum = {}, ...body }) => ({
          ...body,
          instructedAmount: isObject(sum) && sum.currency === 'NOK' ? { ...sum, currency: 'EUR' } : sum,
        }))(offering('cross-border-payments')(behaviour)),
    ),
    journeys: journeysAbroad,
    profiles: ['core', 'cross-border-payments'],
  },
  {
    ...dialect('domestic-only', 'pays at home and nowhere else', offering('domestic-payments')),
    journeys: ['first-request', 'first-payment', 'status', 'refused-payment', 'session-expiry', 'failed-sca'],
    profiles: ['core', 'domestic-payments'],
  },
  {
    id: 'openssl',
    title: 'another client altogether: node:https and the OpenSSL command line',
    change: () => (behaviour) => behaviour,
    certify: opensslSession,
    journeys: ['first-request', 'first-payment', 'status', 'sandbox-listing'],
  },
];
