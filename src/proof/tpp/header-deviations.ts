import { randomUUID } from 'node:crypto';
import { type BehaviourChange, varying } from '../../certification/reference-tpp/behaviour.ts';
import { digestHeader } from '../../signing/digest.ts';
import { formatSignatureHeader } from '../../signing/signature-header.ts';
import { creations, initiations, products } from '../../spec/products.ts';
import type { Call } from '../../tpp/call.ts';
import { deviation, type TppDeviation } from './deviation.ts';

/** Calls another path. */
const calling = (
  change: (target: string) => string,
  operations?: readonly Call['operation'][],
): BehaviourChange =>
  varying(
    {
      beforeSigning: (draft) => {
        draft.target = change(draft.target);
      },
    },
    operations,
  );

/** Headers that are sent with another value, or (undefined) not at all, by some operations or by all. */
const changedHeaders: readonly (readonly [
  id: string,
  title: string,
  header: string,
  value: string | undefined,
  operations?: readonly Call['operation'][],
])[] = [
  ['TPP-15/constant', 'sends the same X-Request-ID every time', 'X-Request-ID', randomUUID()],
  [
    'TPP-16/request-id',
    'sends no X-Request-ID when it reads',
    'X-Request-ID',
    undefined,
    ['readPaymentStatus', 'readBalances'],
  ],
  [
    'TPP-16/request-id-of-payment',
    'sends no X-Request-ID with payments',
    'X-Request-ID',
    undefined,
    creations,
  ],
  ['TPP-16/session', 'sends no TPP-Session-ID with payments', 'TPP-Session-ID', undefined, creations],
  [
    'TPP-16/redirect',
    'sends no TPP-Redirect-URI with baskets',
    'TPP-Redirect-URI',
    undefined,
    ['createSigningBasket'],
  ],
  ['TPP-16/psu-id', 'sends no PSU-ID with payments', 'PSU-ID', undefined, creations],
  ['TPP-17/relative', 'sends a relative TPP-Redirect-URI', 'TPP-Redirect-URI', '/redirect', initiations],
  [
    'TPP-17/script',
    'sends a script as TPP-Redirect-URI',
    'TPP-Redirect-URI',
    'javascript:alert(1)',
    initiations,
  ],
  ...[
    ['mail', 'the address of a mailbox', 'mailto:psu@tpp.example'],
    ['name', 'a name that leads nowhere', 'urn:example:tpp:redirect'],
  ].map(
    ([id, what, value]) =>
      [`TPP-17/${id}`, `sends ${what} as TPP-Redirect-URI`, 'TPP-Redirect-URI', value, initiations] as const,
  ),
  [
    'TPP-17/no-scheme',
    'sends a TPP-Redirect-URI without its scheme',
    'TPP-Redirect-URI',
    'tpp.example/redirect',
    initiations,
  ],
  ...(
    [
      ['port', 'with a port', '192.0.2.10:51234'],
      ['list', 'with those of proxies', '192.0.2.10, 198.51.100.7'],
      ['brackets', 'in the brackets of an address', '[2001:db8::7]'],
      ['zone', 'with the name of an interface', 'fe80::1%eth0'],
    ] as const
  ).map(
    ([way, how, address]) =>
      [`TPP-23/${way}`, `sends PSU-IP-Address ${how}`, 'PSU-IP-Address', address, initiations] as const,
  ),
  [
    'TPP-17/no-host',
    'sends a TPP-Redirect-URI without its host',
    'TPP-Redirect-URI',
    'https:///redirect',
    initiations,
  ],
  [
    'TPP-17/template',
    'sends a TPP-Redirect-URI whose host it forgot to fill in',
    'TPP-Redirect-URI',
    'https://{host}/redirect',
    initiations,
  ],
  [
    'TPP-17/space',
    'sends a TPP-Redirect-URI with a space in it',
    'TPP-Redirect-URI',
    'https://tpp.example/way back',
    initiations,
  ],
  [
    'TPP-17/host-and-port',
    'sends host and port as TPP-Redirect-URI, without a scheme',
    'TPP-Redirect-URI',
    'localhost:3000/redirect',
    initiations,
  ],
  ['TPP-18/method', 'sends PSU-HTTP-Method in lower case', 'PSU-HTTP-Method', 'post', creations],
  ['TPP-18/context', 'sends a PSU-Context of its own', 'PSU-Context', 'PERSONAL', creations],
  ['TPP-18/device', 'sends a PSU-Device-ID that is no UUID', 'PSU-Device-ID', 'pixel-9', creations],
  ['TPP-18/psu-id', 'sends the name of its user as PSU-ID', 'PSU-ID', 'kari', creations],
  ['TPP-19/payments', 'sends no x-accept-fix with payments', 'x-accept-fix', undefined, creations],
  [
    'TPP-19/baskets',
    'sends no x-accept-fix with baskets',
    'x-accept-fix',
    undefined,
    ['createSigningBasket'],
  ],
  [
    'TPP-19/semicolons',
    'writes semicolons between fixes',
    'x-accept-fix',
    'amount-as-string;longer-names',
    initiations,
  ],
  ['TPP-19/array', 'writes fixes as an array of JSON', 'x-accept-fix', '["amount-as-string"]', initiations],
  ['TPP-19/nothing', 'writes a list of no fixes', 'x-accept-fix', ', ,', initiations],
  ['TPP-23/missing', 'sends no PSU-IP-Address with payments', 'PSU-IP-Address', undefined, creations],
  [
    'TPP-48/reading',
    'sends X-PSU-IDENTITY when it reads accounts',
    'X-PSU-IDENTITY',
    '01819010001',
    ['listAccounts', 'readBalances'],
  ],
  ['TPP-54/context', 'sends PSU-Context with baskets', 'PSU-Context', 'PRIVATE', ['createSigningBasket']],
  [
    'TPP-54/brand',
    'sends its brand when it asks for a status',
    'TPP-Brand-Logging-Information',
    'Test TPP',
    ['readPaymentStatus'],
  ],
  ['TPP-57/other-words', 'says no in TPP-Redirect-Preferred', 'TPP-Redirect-Preferred', 'no', creations],
  ['TPP-56/short', 'cuts the first digit of X-PSU-IDENTITY', 'X-PSU-IDENTITY', '1819010001', creations],
];

export const headerDeviations: readonly TppDeviation[] = [
  ...changedHeaders.map(([id, title, header, value, operations]) =>
    deviation(
      id,
      title,
      varying(
        {
          beforeSigning: ({ headers }) =>
            value === undefined ? headers.remove(header) : headers.set(header, value),
        },
        operations,
      ),
    ),
  ),
  deviation(
    'TPP-15/retries',
    'keeps the X-Request-ID when it tries a payment again',
    varying(
      { beforeSigning: ({ headers, body }) => headers.set('X-Request-ID', idFrom(body?.toString() ?? '')) },
      [products.domestic.creation],
    ),
  ),
  deviation('TPP-16/digest', 'sends no Digest', varying({ signing: { digest: () => undefined } }, creations)),
  deviation(
    'TPP-16/certificate',
    'sends no certificate when it lists customers',
    varying({ afterSigning: ({ headers }) => headers.remove('TPP-Signature-Certificate') }, [
      'listSandboxCustomers',
    ]),
  ),
  deviation('TPP-23/nobody', 'sends 0.0.0.0 when the PSU is away', nobodysAddress('0.0.0.0')),
  deviation('TPP-23/word', 'sends "batch" when the PSU is away', nobodysAddress('batch')),
  deviation('TPP-23/zeros', 'sends eight zeros when the PSU is away', nobodysAddress('0:0:0:0:0:0:0:0')),
  deviation(
    'TPP-23/everybody',
    'sends the address of everybody when the PSU is away',
    nobodysAddress('::ffff:255.255.255.255'),
  ),
  deviation(
    'TPP-23/second',
    'sends the address of a proxy next to that of the PSU',
    varying({ afterSigning: ({ headers }) => headers.add('PSU-IP-Address', '198.51.100.7') }, [
      'readTransactions',
    ]),
  ),
  deviation(
    'TPP-08/dashes',
    'writes dashes between the bytes of its serial number',
    varying({
      signing: {
        parts: (parts) => ({
          ...parts,
          keyId: parts.keyId.replace(
            /SN=(\w+)/,
            (_, serial: string) => `SN=${serial.replace(/(..)(?=.)/g, '$1-')}`,
          ),
        }),
      },
    }),
  ),
  deviation(
    'TPP-11/brackets',
    'writes brackets around the list of signed headers',
    varying({
      signing: {
        format: (parts) => formatSignatureHeader({ ...parts, headers: [`(${parts.headers.join(' ')})`] }),
      },
    }),
  ),
  deviation(
    'TPP-11/bars',
    'writes bars between the signed headers',
    varying({
      signing: { format: (parts) => formatSignatureHeader({ ...parts, headers: [parts.headers.join('|')] }) },
    }),
  ),
  deviation(
    'TPP-43/yes',
    'asks for duplicates with "yes"',
    calling((target) => `${target}?allowLogicalDuplicate=yes`, [products.domestic.creation]),
  ),
  deviation(
    'TPP-43/one',
    'asks for accounts with 1',
    calling((target) => target.replace('withAccounts=true', 'withAccounts=1'), ['listSandboxCustomers']),
  ),
  deviation('TPP-44/put', 'puts payments instead of posting them', method('PUT', creations)),
  deviation('TPP-44/post', 'posts where it only reads', method('POST', ['readPaymentStatus'])),
  deviation(
    'TPP-45/status',
    'asks for the status under the other product',
    calling(
      (target) => target.replace(products.domestic.path, products.crossBorder.path),
      ['readPaymentStatus'],
    ),
  ),
  deviation(
    'TPP-45/service',
    'asks for the status of a payment among bulk payments',
    calling((target) => target.replace('/payments/', '/bulk-payments/'), ['readPaymentStatus']),
  ),
  deviation(
    'TPP-45/none',
    'asks for the status under no product at all',
    calling((target) => target.replace(`/${products.domestic.path}`, ''), ['readPaymentStatus']),
  ),
  deviation(
    'TPP-47/pem',
    'sends the certificate with the lines of its PEM',
    varying({
      afterSigning: ({ headers }) =>
        headers.set(
          'TPP-Signature-Certificate',
          `-----BEGIN CERTIFICATE----- ${headers.get('TPP-Signature-Certificate')} -----END CERTIFICATE-----`,
        ),
    }),
  ),
  deviation(
    'TPP-47/escaped-lines',
    'sends the certificate as PEM, with percent signs for line breaks',
    varying({
      afterSigning: ({ headers }) => {
        const base64 = headers.get('TPP-Signature-Certificate') ?? '';
        headers.set(
          'TPP-Signature-Certificate',
          encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${base64}\n`),
        );
      },
    }),
  ),
  deviation(
    'TPP-47/encoded-pem',
    'sends the Base64 of the PEM with baskets',
    varying(
      {
        afterSigning: ({ headers }) =>
          headers.set(
            'TPP-Signature-Certificate',
            Buffer.from(
              `-----BEGIN CERTIFICATE-----\n${headers.get('TPP-Signature-Certificate')}\n-----END CERTIFICATE-----\n`,
            ).toString('base64'),
          ),
      },
      ['createSigningBasket'],
    ),
  ),
  deviation(
    'TPP-49/missing',
    'initiates payments with a single SCA and without PSU-Context',
    varying(
      {
        beforeSigning: ({ headers }) => {
          if (headers.has('PSU-Corporate-ID')) return;
          headers.remove('PSU-ID');
          headers.remove('PSU-Context');
          headers.set('TPP-Session-ID', randomUUID());
          headers.set('X-PSU-IDENTITY', '01819010001');
        },
      },
      creations,
    ),
  ),
  deviation(
    'TPP-14/second-line',
    'sends the digest of something else in a second line',
    varying(
      { afterSigning: ({ headers }) => headers.add('Digest', digestHeader(Buffer.from('{}'))) },
      creations,
    ),
  ),
  deviation(
    'TPP-25/second-type',
    'calls its JSON XML in a second line',
    varying({ afterSigning: ({ headers }) => headers.add('Content-Type', 'application/xml') }, creations),
  ),
  deviation(
    'TPP-47/second-line',
    'sends the certificate of its issuer in a second line',
    varying({ afterSigning: ({ headers }) => headers.add('TPP-Signature-Certificate', 'MIIB') }),
  ),
  deviation(
    'TPP-18/second-device',
    'sends the name of a device next to its PSU-Device-ID',
    varying(
      {
        afterSigning: ({ headers }) => {
          headers.set('PSU-Device-ID', randomUUID());
          headers.add('PSU-Device-ID', 'pixel-9');
        },
      },
      creations,
    ),
  ),
  deviation(
    'TPP-52/repeated',
    'sends its TPP-Session-ID twice',
    varying({
      beforeSigning: ({ headers }) => headers.add('TPP-Session-ID', headers.get('TPP-Session-ID') ?? ''),
    }),
  ),
  deviation(
    'TPP-40/no-version',
    'calls the listing without a version',
    calling((target) => target.replace('/v1', ''), ['listSandboxCustomers']),
  ),
  deviation(
    'TPP-40/other-version',
    'asks for the status under /v2',
    calling((target) => target.replace('/v1', '/v2'), ['readPaymentStatus']),
  ),
];

function method(name: string, operations: readonly Call['operation'][]): BehaviourChange {
  return varying(
    {
      beforeSigning: (draft) => {
        draft.method = name;
      },
    },
    operations,
  );
}

/** A UUID that follows from a text. */
function idFrom(text: string): string {
  const hex = Buffer.from(text).toString('hex').padEnd(64, '0').slice(20, 52);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function nobodysAddress(value: string): BehaviourChange {
  return varying(
    {
      beforeSigning: ({ headers }) => {
        if (!headers.has('PSU-IP-Address')) headers.set('PSU-IP-Address', value);
      },
    },
    ['readBalances'],
  );
}
