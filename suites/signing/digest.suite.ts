import { createHash } from 'node:crypto';
import { withBody } from '../../src/checks/call-body.ts';
import { section, suite } from '../../src/checks/check.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import type { Json, JsonObject } from '../../src/payloads/json.ts';
import { serialisations } from '../../src/payloads/serialisations.ts';
import { digestHeader } from '../../src/signing/digest.ts';
import { basket, payments } from '../subjects.ts';

/** A body that differs from the one whose digest was taken, and is as valid as that one. */
function changeOneByteOfTheBody(body: Buffer): Buffer {
  const text = body.toString('utf8');
  return Buffer.from(
    text.replace(
      /("creditorName"\s*:\s*")([^"])/,
      (_, before: string, letter: string) => before + (letter === 'X' ? 'Y' : 'X'),
    ),
    'utf8',
  );
}

const changed = (what: string): Twist => ({
  label: `${what} changed after its Digest was taken and signed`,
  points: 'Digest',
  request: {
    afterSigning: (draft) => {
      draft.body = changeOneByteOfTheBody(draft.body ?? Buffer.alloc(0));
    },
  },
});

const digest = (label: string, of: (body: Buffer) => string): Twist => ({
  label,
  points: 'Digest',
  request: { signing: { digest: of } },
});

const hash = (algorithm: string, body: Buffer, encoding: 'base64' | 'hex' = 'base64'): string =>
  createHash(algorithm).update(body).digest(encoding);

const written =
  (write: (value: JsonObject) => string): NonNullable<Twist['call']> =>
  (call) =>
    withBody(call, (body) => Buffer.from(write(body), 'utf8'));

const compact = (body: Buffer): Buffer =>
  Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'))), 'utf8');

/** More than servers read at once, most of it before the first member. */
const long = (value: JsonObject): string => JSON.stringify(value).replace('{', `{${' '.repeat(20_000)}`);

/** As RFC 8785 has it: members in the order of their names, at every level. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** How the same JSON is written by those who write it anew. */
const forms = {
  indented: (value: Json) => JSON.stringify(value, undefined, 2),
  canonical: (value: Json) => JSON.stringify(sorted(value)),
};

/** Compact, and in no order that anybody would put it in. */
const againstTheAlphabet = (value: JsonObject): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? 1 : -1))),
  );

const otherCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

/** As long as it was, and different in one place alone, which is neither near its beginning nor near its end. */
const withAnotherLetter = (header: string): string =>
  header.replace(/^(.{30})(.)/, (_, before: string, letter: string) => before + (letter === 'A' ? 'B' : 'A'));

/** Behind as many letters as a SHA-256 Digest has, and before the one that has bits to spare. */
const withAnotherEnd = (header: string): string =>
  header.replace(/(.)(.=*)$/, (_, letter: string, rest: string) => (letter === 'A' ? 'B' : 'A') + rest);

export default suite('Digest', section('Endpoints', 'Common request headers'), () => [
  payments.map(({ suffix, of }) =>
    accepts({
      id: `DIG-01${suffix}`,
      requirement: 'DIG-01',
      title: `${of.title} with a SHA-256 Digest is accepted`,
      of,
      twists: [digest('the Digest is made with SHA-256', (body) => digestHeader(body, 'SHA-256'))],
      control: 'none',
      cases: 2,
    }),
  ),
  payments.map(({ suffix, of }) =>
    accepts({
      id: `DIG-02${suffix}`,
      requirement: 'DIG-02',
      title: `${of.title} with a SHA-512 Digest is accepted`,
      of,
      twists: [digest('the Digest is made with SHA-512', (body) => digestHeader(body, 'SHA-512'))],
      cases: 2,
    }),
  ),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `DIG-03${suffix}`,
      requirement: 'DIG-03',
      title: `${of.title} whose body changed after its Digest was taken is refused`,
      of,
      twists: [
        changed('one byte of the body'),
        { ...changed('one byte near the end of a long body'), call: written(long) },
        digest('the Digest is that of an empty body', () => digestHeader(Buffer.alloc(0))),
        digest(
          'the Digest has its letters in the other case',
          (body) => `SHA-256=${otherCase(hash('sha256', body))}`,
        ),
        {
          ...digest('one letter in the middle of the Digest is another', (body) =>
            withAnotherLetter(digestHeader(body)),
          ),
          isOneOfMany: true,
        },
        {
          ...digest(
            'the Digest is called SHA-256 and made with SHA-512',
            (body) => `SHA-256=${hash('sha512', body)}`,
          ),
          isOneOfMany: true,
        },
        {
          ...digest('the Digest is called sha-256, which may be unknown, and has another letter', (body) =>
            withAnotherLetter(digestHeader(body)).replace('SHA', 'sha'),
          ),
          isOneOfMany: true,
        },
        digest('the Digest is only the beginning', (body) => `SHA-256=${hash('sha256', body).slice(0, 20)}`),
        {
          ...digest('the body ends with a newline that its Digest leaves out', (body) =>
            digestHeader(Buffer.from(body.toString('utf8').trim(), 'utf8')),
          ),
          call: written((value) => `${JSON.stringify(value)}\n`),
        },
      ],
    }),
  ),
  payments.map(({ suffix, of }) =>
    accepts({
      id: `DIG-04${suffix}`,
      requirement: 'DIG-04',
      title: `${of.title} in any legal JSON formatting is accepted with the Digest of its bytes`,
      of,
      twists: serialisations.map(({ label, write }) => ({ label, call: written(write) })),
    }),
  ),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `DIG-05${suffix}`,
      requirement: 'DIG-05',
      title: `${of.title} with the Digest of its re-serialised JSON instead of its bytes is refused`,
      of,
      twists: [
        {
          label: 'the body is indented and its Digest is that of the compact form',
          points: 'Digest',
          call: written((value) => JSON.stringify(value, undefined, 2)),
          request: { signing: { digest: (body) => digestHeader(compact(body)) } },
        },
        ...(['indented', 'canonical'] as const).map((form) => ({
          ...digest(`the body is compact and its Digest is that of the ${form} form`, (body) =>
            digestHeader(Buffer.from(forms[form](JSON.parse(body.toString('utf8')) as Json), 'utf8')),
          ),
          call: written(againstTheAlphabet),
        })),
        {
          ...digest('the lines of the body end with CR LF, and its Digest has LF', (body) =>
            digestHeader(Buffer.from(body.toString('utf8').replaceAll('\r\n', '\n'), 'utf8')),
          ),
          call: written((value) => forms.indented(value).replaceAll('\n', '\r\n')),
          isOneOfMany: true,
        },
      ],
    }),
  ),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `DIG-06${suffix}`,
      requirement: 'DIG-06',
      title: `${of.title} with a Digest by another algorithm than SHA-256 and SHA-512 is refused`,
      of,
      twists: [
        digest('the Digest is made with MD5', (body) => `MD5=${hash('md5', body)}`),
        digest('the Digest is made with SHA-1', (body) => `SHA=${hash('sha1', body)}`),
        {
          ...digest('the Digest is made with SHA-384', (body) => `SHA-384=${hash('sha384', body)}`),
          isOneOfMany: true,
        },
        {
          ...digest(
            'the Digest is called SHA-384 and made with SHA-256',
            (body) => `SHA-384=${hash('sha256', body)}`,
          ),
          isOneOfMany: true,
        },
      ],
      cases: 2,
    }),
  ),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `DIG-07${suffix}`,
      requirement: 'DIG-07',
      title: `${of.title} with a Digest that is not Base64 is refused`,
      of,
      twists: [
        digest('the Digest is in hexadecimal', (body) => `SHA-256=${hash('sha256', body, 'hex')}`),
        digest('the Digest has characters outside Base64', () => 'SHA-256=*no-base64*'),
        digest('the Digest has no value', () => 'SHA-256='),
        { ...digest('the Digest is empty', () => ''), isOneOfMany: true },
      ],
      cases: 2,
    }),
  ),
  payments.map(({ suffix, of }) =>
    accepts({
      id: `DIG-08${suffix}`,
      requirement: 'DIG-08',
      title: `${of.title} whose digest algorithm is named in lower case is accepted`,
      of,
      twists: [digest('the algorithm is named sha-256', (body) => `sha-256=${hash('sha256', body)}`)],
      cases: 1,
    }),
  ),
  accepts({
    id: 'DIG-09',
    requirement: 'DIG-09',
    title: 'a signing basket with a correct and signed Digest is accepted',
    levelUnder: ({ basketDigest }) => (basketDigest === 'optional' ? 'must' : undefined),
    of: basket.of,
    twists: [digest('a Digest is sent and signed', (body) => digestHeader(body))],
    cases: 1,
  }),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `DIG-10${suffix}`,
      requirement: 'DIG-10',
      title: `${of.title} with a SHA-512 Digest of another body is refused`,
      of,
      twists: [
        digest('the SHA-512 Digest is that of another body', () =>
          digestHeader(Buffer.from('{}'), 'SHA-512'),
        ),
        {
          ...digest('one letter of the SHA-512 Digest is another', (body) =>
            withAnotherLetter(digestHeader(body, 'SHA-512')),
          ),
          isOneOfMany: true,
        },
        {
          ...digest('one letter near the end of the SHA-512 Digest is another', (body) =>
            withAnotherEnd(digestHeader(body, 'SHA-512')),
          ),
          isOneOfMany: true,
        },
      ],
      cases: 2,
    }),
  ),
]);
