import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { clearlyBelowQuadratic, growthOf } from '../../tpp/growth.test.data.ts';
import { createTestPki, type TestPki } from '../certificate-authority.ts';
import { explainSignature } from './explain-signature.ts';
import { requestOf } from './mistakes.test.data.ts';
import { ReceivedRequestError, readReceivedRequest } from './received-request.ts';

let pki: TestPki;
beforeAll(async () => {
  pki = await createTestPki({ modulusLength: 1024 });
});

/** As the unit `binary` of fast-check, which makes a table of a million characters first. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '=?utf-8?B?=?=',
    'SN=,CA=',
    'SN=zz,CA=CN=',
    `${'('.repeat(99)}`,
    '%',
    '%zz',
    '\0',
    '🙈',
  ),
);
const names = [
  'Signature',
  'TPP-Signature-Certificate',
  'Digest',
  'Date',
  'PSU-ID',
  'TPP-Redirect-URI',
  'Host',
];

it('explains whatever stands in a header or a body, without failing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), anyText, fc.uint8Array({ maxLength: 300 }), (name, text, body) => {
      const request = requestOf(pki);
      const headers = request.headers.map(
        ([header, value]) => [header, header === name ? text : value] as const,
      );
      const explained = explainSignature({ ...request, headers, body: Buffer.from(body) });
      expect(explained.verdict).toBe('refused');
      expect(explained.summary).not.toBe('');
    }),
    { numRuns: 60 },
  );
});

it('explains whatever stands in a part of the Signature header, without failing', () => {
  const parts = ['keyId', 'algorithm', 'headers', 'signature'] as const;
  fc.assert(
    fc.property(fc.constantFrom(...parts), anyText, (part, text) => {
      const written = text.replace(/["\\]/g, '');
      const request = requestOf(pki, {
        signature: (value) => value.replace(new RegExp(`${part}="[^"]*"`), () => `${part}="${written}"`),
      });
      expect(explainSignature(request).summary).not.toBe('');
    }),
    { numRuns: 60 },
  );
});

it('reads a request or says why not, whatever the file holds', () => {
  const file = fc.oneof(
    fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ maxLength: 300 }).map((text) => Buffer.from(`POST /x HTTP/1.1\r\n${text}`)),
    fc.string({ maxLength: 300 }).map((text) => Buffer.from(`=> Send header, 9 bytes (0x9)\n0000: ${text}`)),
    fc.string({ maxLength: 300 }).map((text) => Buffer.from(`> GET /x HTTP/1.1\n> ${text}`)),
  );
  fc.assert(
    fc.property(file, (bytes) => {
      try {
        expect(readReceivedRequest(bytes).method).toMatch(/^[A-Z]+$/);
      } catch (error) {
        expect(error).toBeInstanceOf(ReceivedRequestError);
      }
    }),
    { numRuns: 500 },
  );
});

type Request = ReturnType<typeof requestOf>;

it.each<[string, (request: Request, size: number) => Request]>([
  ['a body of line breaks', (request, size) => ({ ...request, body: Buffer.from(`${'\n'.repeat(size)}x`) })],
  [
    'a header of spaces',
    (request, size) => ({
      ...request,
      headers: request.headers.map(([name, value]) =>
        name === 'Date' ? ([name, `a${' '.repeat(size)}b`] as const) : ([name, value] as const),
      ),
    }),
  ],
])('is not kept busy by %s', (_, changed) => {
  const request = requestOf(pki);
  const explain = (size: number) => {
    expect(explainSignature(changed(request, size)).summary).not.toBe('');
  };
  expect(growthOf(explain, 1_000)).toBeLessThan(clearlyBelowQuadratic);
});
