import { section, suite } from '../../src/checks/check.ts';
import { refuses, type Twist } from '../../src/checks/trial.ts';
import { type JsonObject, setAt } from '../../src/payloads/json.ts';
import type { Call } from '../../src/tpp/call.ts';
import { initiations, payments } from '../subjects.ts';

const encoded = (label: string, encode: (json: string) => Buffer): Twist => ({
  label,
  call: (call: Call) => ({ ...call, body: encode(JSON.stringify(call.body)) }),
});

const byteOrderMark = '\uFEFF';

const utf16LittleEndian = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16BigEndian = (text: string): Buffer => utf16LittleEndian(text).swap16();

/** A letter as ISO 8859-1 has it is one byte that begins nothing in UTF-8. */
const inLatin1: Twist = {
  ...encoded('a Norwegian letter is encoded in ISO 8859-1', (json) => Buffer.from(json, 'latin1')),
  body: (body: JsonObject) => setAt(body, ['creditorName'], 'Bjorn Ås'),
};

export default suite('Encodings of a body', section('What the service does'), () => [
  initiations.map(({ suffix, of }) =>
    refuses({
      id: `TRN-13${suffix}`,
      requirement: 'TRN-13',
      title: `${of.title} in UTF-16 is refused`,
      of,
      twists: [
        encoded('the body is in UTF-16 with a byte order mark', (json) =>
          utf16LittleEndian(byteOrderMark + json),
        ),
        encoded('the body is in UTF-16, most significant byte first', utf16BigEndian),
      ],
      cases: 1,
    }),
  ),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `TRN-13-bytes${suffix}`,
      requirement: 'TRN-13',
      title: `${of.title} with bytes that are no UTF-8 is refused`,
      of,
      twists: [inLatin1],
      cases: 1,
    }),
  ),
]);
