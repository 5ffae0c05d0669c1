import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { digestHeader } from '../signing/digest.ts';
import { Answer, verifyResponse } from './answer.ts';
import type { HeaderLine } from './exchange.ts';
import { unanswered } from './fake-transport.test.data.ts';

function answer(status: number, body: unknown, headers: readonly HeaderLine[] = [], packed?: Buffer): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = { status, headers, body: text };
  return new Answer({ ...unanswered, response }, Buffer.from(text), packed === undefined ? {} : { packed });
}

describe('the body of an answer', () => {
  it('is read as JSON', () => {
    expect(answer(200, { paymentId: 'p1', number: 1 }).text('paymentId')).toBe('p1');
    expect(answer(200, { paymentId: 'p1', number: 1 }).text('number')).toBeUndefined();
    expect(answer(200, { number: 1 }).member('number')).toBe(1);
  });

  it('is read again where its JSON was given up for lack of room', async () => {
    const kept = answer(200, { paymentId: 'p1' });
    const seen = new WeakRef(Object(kept.json));
    setFlagsFromString('--expose-gc');
    // What was looked at in this turn is kept until the next one.
    await new Promise((resolve) => setImmediate(resolve));
    runInNewContext('gc')();
    expect(seen.deref()).toBeUndefined();
    expect(kept.json).toEqual({ paymentId: 'p1' });
  });

  it.each(['', '<html>', '{'])('may be no JSON at all: %j', (body) => {
    const it = answer(502, body);
    expect(it.json).toBeUndefined();
    expect(it.member('tppMessages')).toBeUndefined();
    expect(it.link('scaRedirect')).toBeUndefined();
    expect(it.messages).toEqual([]);
  });

  it.each(['null', '5', '"text"', '[1]'])('may be no object: %s', (body) => {
    expect(answer(200, body).member('length')).toBe(body === '[1]' ? 1 : undefined);
    expect(answer(200, body).link('scaRedirect')).toBeUndefined();
  });
});

const address = 'https://bank.example/sca/1';

describe('a link', () => {
  it.each([
    ['in _links', { _links: { scaRedirect: { href: address, verbs: ['GET'] } } }],
    ['in links', { links: { scaRedirect: { href: address } } }],
    ['as a plain address', { _links: { scaRedirect: address } }],
    ['at the top', { scaRedirect: { href: address } }],
    [
      'in a list of links',
      {
        _links: [
          { rel: 'self', href: '/' },
          { rel: 'scaRedirect', href: address },
        ],
      },
    ],
    ['among several of its name', { _links: { scaRedirect: [{ href: '' }, { href: address }] } }],
    ['in a message', { tppMessages: [{ code: 'SCA_INVALID', _links: { scaRedirect: { href: address } } }] }],
  ])('is found %s', (_, body) => {
    expect(answer(401, body).link('scaRedirect')).toBe(address);
  });

  it.each([
    ['without an address', { _links: { scaRedirect: { verbs: ['GET'] } } }],
    ['that is null', { _links: { scaRedirect: null } }],
    ['of another name', { _links: { self: { href: address } } }],
    ['of another case', { _links: { scaredirect: { href: address } } }],
  ])('is not found %s', (_, body) => {
    expect(answer(401, body).link('scaRedirect')).toBeUndefined();
  });

  it.each([
    ['the only one', `<${address}>; rel=scaRedirect`],
    ['one of several', `</v1/accounts>; rel="self", <${address}>; title="SCA"; rel="scaRedirect"`],
  ])('is found in a header, %s', (_, value) => {
    const { exchange } = answer(401, {});
    const told = { ...exchange, response: { status: 401, headers: [['Link', value] as const], body: '' } };
    expect(new Answer(told, Buffer.from('')).link('scaRedirect')).toBe(address);
  });

  it('that is nearer comes first', () => {
    const body = { nested: { scaRedirect: { href: 'far' } }, scaRedirect: { href: 'near' } };
    expect(answer(401, body).link('scaRedirect')).toBe('near');
  });
});

const withLink = { _links: { scaRedirect: { href: address } } };
it.each<[number, object, boolean]>([
  [401, withLink, true],
  [401, {}, false],
  [201, withLink, false],
  [400, withLink, false],
  [403, withLink, false],
])('%i with %j asks for SCA: %s', (status, body, asksForSca) => {
  expect(answer(status, body).asksForSca).toBe(asksForSca);
});

it.each([
  ['isAbsent', [404, 405, 410, 501], [200, 400, 401, 403, 503]],
  ['isSuccess', [200, 204, 299], [199, 300, 400, 500]],
] as const)('%s is told by the statuses %j, and not by %j', (said, those, others) => {
  const statuses = [...those, ...others];
  expect(statuses.filter((status) => answer(status, '')[said])).toEqual(those);
});

describe('messages', () => {
  it('are told as far as they can be read', () => {
    const tppMessages = [
      { category: 'ERROR', code: 'FORMAT_ERROR', path: 'creditorName', text: 'too long' },
      { code: 7, path: ['creditorName'], text: null },
      'text',
      null,
    ];
    expect(answer(400, { tppMessages }).messages).toEqual([
      { category: 'ERROR', code: 'FORMAT_ERROR', path: 'creditorName', text: 'too long' },
      {},
      {},
      {},
    ]);
  });

  it('are none where there is no array of them', () => {
    expect(answer(400, { tppMessages: { code: 'FORMAT_ERROR' } }).messages).toEqual([]);
  });
});

describe('the Digest of a signed response', () => {
  const [body, packed] = [Buffer.from('{"a":1}'), gzipSync('{"a":1}')];
  const stateOf = (digested: Buffer): string =>
    verifyResponse(
      answer(
        200,
        body.toString(),
        [
          ['Signature', 'by a key that is not shown'],
          ['Digest', digestHeader(digested)],
        ],
        packed,
      ),
    ).state;

  it('may be that of the body as it came, or unpacked', () => {
    expect([packed, body].map(stateOf)).toEqual(['unknown-key', 'unknown-key']);
  });

  it('is not that of another body', () => {
    expect(stateOf(Buffer.from('{"a":2}'))).toBe('broken');
  });
});
