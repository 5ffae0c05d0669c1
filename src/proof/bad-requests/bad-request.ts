import fc from 'fast-check';
import type { Json } from '../../payloads/json.ts';

/** What a bad request was before it went bad. */
const templates = [
  'domestic',
  'crossBorder',
  'basket',
  'payment',
  'account',
  'sandbox',
  'consent',
  'form',
  'nothing',
] as const;

/** One thing that is done to a request. All of it is data, so that a request can be told and drawn again. */
export type Change =
  | { readonly kind: 'header'; readonly name: string; readonly value?: string; readonly again?: true }
  | { readonly kind: 'target'; readonly text: string; readonly whole: boolean }
  | { readonly kind: 'method'; readonly method: string }
  | { readonly kind: 'json'; readonly place: number; readonly value?: Json; readonly name?: string }
  | { readonly kind: 'bytes'; readonly from: number; readonly length: number; readonly bytes: Uint8Array }
  | { readonly kind: 'signature'; readonly from: number; readonly length: number; readonly text: string }
  | { readonly kind: 'form'; readonly name: string; readonly value: string };

/** What is done to the bytes on the wire, framing included. */
export type WireFault =
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'replace'; readonly from: number; readonly length: number; readonly bytes: Uint8Array }
  | { readonly kind: 'instead'; readonly bytes: Uint8Array };

export interface BadRequest {
  readonly template: (typeof templates)[number];
  /** Picks one of the bodies, ids and operations that the template has. */
  readonly choice: number;
  readonly beforeSigning: readonly Change[];
  readonly isSigned: boolean;
  readonly afterSigning: readonly Change[];
  readonly wire?: WireFault;
  /** Whether what is wrong on the wire comes where TLS is expected. */
  readonly overTls: boolean;
}

/** What trips parsers: of numbers, dates, names, addresses, patterns and prototypes. */
const oddTexts = [
  ...['', ' ', '\t', '"', "'", '\\', '%', '%00', '%E0%A4%A', '/', '..', '*', '?', '#', '&', ';', ',', '='],
  ...['0', '-0', '-1', '1e999', '1E400', 'NaN', 'Infinity', '0x10', '9'.repeat(40), '1.', '.1', '1,0', '١٢'],
  ...['null', 'undefined', 'true', '[]', '{}', '[object Object]', '__proto__', 'constructor', 'toString'],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '2026-1-1', '+275760-09-13', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ...['=?utf-8?B?', '=?utf-8?B??=', '=?utf-8?Q?=FF?=', '=?x?B?aGk=?=', `=?utf-8?B?${'QUFB'.repeat(300)}?=`],
  ...['\u0000', '\r\n', '\n', '\u001b[2J', '\u202e', '\ufeff', '\ud800', '\u00ff', 'å', '😀', 'ﷺ'.repeat(20)],
  ...['https://', 'http://[::1', 'https://a:99999/', 'javascript:alert(1)', '//evil.example', 'file:///etc'],
  ...['SHA-256=', 'SHA-256', 'MD5=AA==', 'SHA-512=AA==', 'sha-256=====', 'SHA-256=AA==,SHA-512=AA=='],
  ...['keyId="', 'keyId="SN=,CA=",algorithm=""', 'keyId="SN=1,CA=CN=\\"",headers=""', 'a="b",'.repeat(200)],
  ...[
    'NO9386011117947',
    'NO00',
    'XX',
    'NOK',
    'XDR',
    '01819010001',
    '99999999999',
    '00000000-0000-0000-0000-0',
  ],
  ...['<script>', "' OR 1=1 --", '{{7*7}}', '../../etc/passwd', 'a'.repeat(5000), ' '.repeat(3000)],
];

const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 2, arbitrary: fc.string({ maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.base64String({ maxLength: 400 }) },
);

const oddJson: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
  { weight: 2, arbitrary: fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, 2 ** 53, 1e308)) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], [{}]) },
);

const headerNames = [
  ...[
    'Date',
    'Digest',
    'Signature',
    'TPP-Signature-Certificate',
    'X-Request-ID',
    'PSU-ID',
    'PSU-Corporate-ID',
  ],
  ...['TPP-Session-ID', 'TPP-Redirect-URI', 'TPP-Redirect-Preferred', 'X-PSU-IDENTITY', 'PSU-Context'],
  ...[
    'PSU-IP-Address',
    'PSU-IP-Port',
    'PSU-HTTP-Method',
    'PSU-Device-ID',
    'PSU-Geo-Location',
    'PSU-User-Agent',
  ],
  ...[
    'x-accept-fix',
    'Content-Type',
    'Content-Length',
    'Content-Encoding',
    'Transfer-Encoding',
    'Expect',
    'Host',
  ],
  ...[
    'Accept',
    'Accept-Charset',
    'Accept-Encoding',
    'Accept-Language',
    'Connection',
    'Upgrade',
    'Cookie',
    'TE',
  ],
  ...['TPP-Brand-Logging-Information', 'Range', 'If-None-Match', 'Authorization', 'X-HTTP-Method-Override'],
];

const headerChange: fc.Arbitrary<Change> = fc
  .record({
    name: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...headerNames) },
      { weight: 1, arbitrary: oddText },
    ),
    value: fc.option(oddText, { nil: undefined, freq: 5 }),
    again: fc.nat(5),
  })
  .map(({ name, value, again }) => ({
    kind: 'header',
    name,
    ...(value === undefined ? {} : { value }),
    ...(again === 0 ? { again: true as const } : {}),
  }));

const targetChange: fc.Arbitrary<Change> = fc
  .record({ text: oddText, whole: fc.boolean(), query: fc.boolean() })
  .map(({ text, whole, query }) => ({
    kind: 'target',
    text: query ? `?limit=${text}&${text}` : text,
    whole,
  }));

const methodChange: fc.Arbitrary<Change> = fc
  .constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'get', 'BREW')
  .map((method) => ({ kind: 'method', method }));

const jsonChange: fc.Arbitrary<Change> = fc
  .record({
    place: fc.nat(60),
    value: fc.option(oddJson, { nil: undefined, freq: 6 }),
    isNamed: fc.nat(5),
    oddName: oddText,
  })
  .map(({ place, value, isNamed, oddName }) => ({
    kind: 'json',
    place,
    ...(value === undefined ? {} : { value }),
    ...(isNamed === 0 ? { name: oddName } : {}),
  }));

const cut = { from: fc.nat(2000), length: fc.nat(40) };
const bytesChange: fc.Arbitrary<Change> = fc
  .record({ ...cut, bytes: fc.uint8Array({ maxLength: 20 }) })
  .map((change) => ({ kind: 'bytes', ...change }));
const signatureChange: fc.Arbitrary<Change> = fc
  .record({ ...cut, text: oddText })
  .map((change) => ({ kind: 'signature', ...change }));
const formChange: fc.Arbitrary<Change> = fc
  .record({
    name: fc.oneof(
      fc.constantFrom('nationalId', 'accounts', 'context', 'agreement', 'action', 'step'),
      oddText,
    ),
    value: oddText,
  })
  .map((change) => ({ kind: 'form', ...change }));

const changes = fc.oneof(
  { weight: 5, arbitrary: headerChange },
  { weight: 6, arbitrary: jsonChange },
  { weight: 2, arbitrary: formChange },
  { weight: 2, arbitrary: signatureChange },
  { weight: 1, arbitrary: bytesChange },
  { weight: 1, arbitrary: targetChange },
  { weight: 1, arbitrary: methodChange },
);

const wireFault: fc.Arbitrary<WireFault> = fc.oneof(
  { weight: 2, arbitrary: fc.nat(3000).map((at): WireFault => ({ kind: 'cut', at })) },
  {
    weight: 4,
    arbitrary: fc
      .record({ from: fc.nat(4000), length: fc.nat(20), bytes: fc.uint8Array({ maxLength: 20 }) })
      .map((fault): WireFault => ({ kind: 'replace', ...fault })),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes): WireFault => ({ kind: 'instead', bytes })),
  },
);

/** Bad requests of every kind; a few of them turn out to be good. */
export const badRequests: fc.Arbitrary<BadRequest> = fc
  .record({
    template: fc.constantFrom(...templates, 'domestic' as const, 'crossBorder' as const, 'form' as const),
    choice: fc.nat(1_000_000),
    first: fc.array(changes, { minLength: 1, maxLength: 3 }),
    isSigned: fc.nat(9).map((drawn) => drawn !== 0),
    late: fc.nat(3).map((drawn) => drawn === 0),
    isWire: fc.nat(9).map((drawn) => drawn === 0),
    wire: wireFault,
    overTls: fc.boolean(),
  })
  .map(({ template, choice, first, isSigned, late, isWire, wire, overTls }) => ({
    template,
    choice,
    beforeSigning: late ? [] : first,
    isSigned,
    afterSigning: late ? first : [],
    ...(isWire ? { wire } : {}),
    overTls,
  }));
