import fc from 'fast-check';
import type { Json } from '../../payloads/json.ts';
import { isObject } from '../../spec/json.ts';
import type { RequestDraft } from '../../tpp/signing-plan.ts';

/** What a bad request was before it went bad. */
const templates = [
  ...(['domestic', 'crossBorder', 'form', 'domestic', 'crossBorder', 'form', 'basket', 'payment'] as const),
  ...(['account', 'sandbox', 'consent', 'nothing'] as const),
];

/** One thing that is done to a request; it shows what was drawn for it, so that the request can be told. */
export interface Change {
  readonly kind: 'header' | 'target' | 'method' | 'json' | 'bytes' | 'signature' | 'form';
  apply(draft: RequestDraft): void;
}

export interface BadRequest {
  readonly template: (typeof templates)[number];
  /** Picks one of the bodies, ids and operations that the template has. */
  readonly choice: number;
  readonly changes: readonly Change[];
  readonly isSigned: boolean;
  /** Whether it is changed after it was signed. */
  readonly late: boolean;
  /** What is done to the bytes on the wire, framing included. */
  readonly wire?: { apply(bytes: Buffer): Buffer };
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
  ...'NO9386011117947 NO00 XX NOK XDR 01819010001 99999999999 00000000-0000-0000-0000-0'.split(' '),
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
  ...'Date Digest Signature TPP-Signature-Certificate X-Request-ID PSU-ID PSU-Corporate-ID'.split(' '),
  ...'TPP-Session-ID TPP-Redirect-URI TPP-Redirect-Preferred X-PSU-IDENTITY PSU-Context PSU-IP-Address'.split(
    ' ',
  ),
  ...'PSU-IP-Port PSU-HTTP-Method PSU-Device-ID PSU-Geo-Location PSU-User-Agent x-accept-fix'.split(' '),
  ...'Content-Type Content-Length Content-Encoding Transfer-Encoding Expect Host Accept Accept-Charset'.split(
    ' ',
  ),
  ...'Accept-Encoding Accept-Language Connection Upgrade Cookie TE TPP-Brand-Logging-Information'.split(' '),
  ...'Range If-None-Match Authorization X-HTTP-Method-Override'.split(' '),
];
const methods = 'GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT get BREW'.split(' ');
const formFields = 'nationalId accounts context agreement action step'.split(' ');

const change = <Drawn extends object>(
  weight: number,
  kind: Change['kind'],
  drawn: { [Name in keyof Drawn]: fc.Arbitrary<Drawn[Name]> },
  apply: (draft: RequestDraft, drawn: Drawn) => void,
): fc.WeightedArbitrary<Change> => ({
  weight,
  arbitrary: fc
    .record<Drawn>(drawn)
    .map((found) => ({ ...found, kind, apply: (draft: RequestDraft) => apply(draft, found) })),
});

const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 5 });

const oneIn = (count: number): fc.Arbitrary<boolean> => fc.nat(count - 1).map((drawn) => drawn === 0);

/** A piece of what is there, and what comes in its place. */
const piece = { from: fc.nat(4000), length: fc.nat(40) };
const someBytes = fc.uint8Array({ maxLength: 20 });

function spliced(bytes: Buffer, from: number, length: number, put: Uint8Array): Buffer {
  const at = from % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + length)]);
}

const changes: fc.Arbitrary<Change> = fc.oneof(
  change(
    5,
    'header',
    {
      name: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...headerNames) },
        { weight: 1, arbitrary: oddText },
      ),
      value: optional(oddText),
      again: fc.nat(5),
    },
    ({ headers }, { name, value, again }) => {
      if (value === undefined) headers.remove(name);
      else headers[again === 0 ? 'add' : 'set'](name, value);
    },
  ),
  change(
    6,
    'json',
    { place: fc.nat(60), value: optional(oddJson), isNamed: oneIn(6), name: oddText },
    (draft, drawn) => {
      draft.body &&= changedJson(draft.body, drawn);
    },
  ),
  change(
    2,
    'form',
    { name: fc.oneof(fc.constantFrom(...formFields), oddText), value: oddText },
    (draft, { name, value }) => {
      const form = new URLSearchParams(draft.body?.toString('utf8') ?? '');
      form.append(name, value);
      if (draft.headers.get('Content-Type')?.includes('form') === true)
        draft.body = Buffer.from(form.toString());
    },
  ),
  change(2, 'signature', { ...piece, text: oddText }, ({ headers }, { from, length, text }) => {
    const value = headers.get('Signature');
    if (value === undefined) return;
    const at = from % (value.length + 1);
    headers.set('Signature', value.slice(0, at) + text + value.slice(at + length));
  }),
  change(1, 'bytes', { ...piece, bytes: someBytes }, (draft, { from, length, bytes }) => {
    draft.body = spliced(draft.body ?? Buffer.alloc(0), from, length, bytes);
  }),
  change(
    1,
    'target',
    { text: oddText, whole: fc.boolean(), query: fc.boolean() },
    (draft, { text, whole, query }) => {
      const put = query ? `?limit=${text}&${text}` : text;
      draft.target = whole ? put : draft.target + put;
    },
  ),
  change(1, 'method', { method: fc.constantFrom(...methods) }, (draft, { method }) => {
    draft.method = method;
  }),
);

interface JsonChange {
  readonly place: number;
  readonly value: Json | undefined;
  readonly isNamed: boolean;
  readonly name: string;
}

/** Changes or removes the value that is read at a place, or gives it a member more. */
function changedJson(body: Buffer, { place, value, isNamed, name }: JsonChange): Buffer {
  const text = body.toString('utf8');
  const read = (at: number): { readonly found: Json | undefined; readonly count: number } => {
    let count = 0;
    const found = JSON.parse(text, (_, member: Json) => {
      count += 1;
      if (count - 1 !== at) return member;
      return isNamed && isObject(member)
        ? Object.fromEntries([...Object.entries(member), [name, value ?? null]])
        : value;
    }) as Json | undefined;
    return { found, count };
  };
  try {
    return Buffer.from(JSON.stringify(read(place % read(-1).count).found) ?? '', 'utf8');
  } catch {
    return body;
  }
}

const wire: fc.Arbitrary<NonNullable<BadRequest['wire']>> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .nat(3000)
      .map((at) => ({ at, apply: (bytes: Buffer) => bytes.subarray(0, at % bytes.length) })),
  },
  {
    weight: 4,
    arbitrary: fc.record({ ...piece, put: someBytes }).map((drawn) => ({
      ...drawn,
      apply: (bytes: Buffer) => spliced(bytes, drawn.from, drawn.length, drawn.put),
    })),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 300 }).map((put) => ({ put, apply: () => Buffer.from(put) })),
  },
);

/** Bad requests of every kind; a few of them turn out to be good. */
export const badRequests: fc.Arbitrary<BadRequest> = fc
  .record({
    template: fc.constantFrom(...templates),
    choice: fc.nat(1_000_000),
    changes: fc.array(changes, { minLength: 1, maxLength: 3 }),
    isSigned: oneIn(10).map((isNot) => !isNot),
    late: oneIn(4),
    isWire: oneIn(10),
    wire,
    overTls: fc.boolean(),
  })
  .map(({ isWire, wire: fault, ...bad }) => (isWire ? { ...bad, wire: fault } : bad));
