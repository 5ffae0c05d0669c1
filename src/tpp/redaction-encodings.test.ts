import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Redactor } from './redaction.ts';

/** What a bank was sent, which it may write back in whichever way its programs have at hand. */
const secrets = {
  'a national identity number': '01819010192',
  'a PSU-ID': '7c1f3c8e-4f0e-4b57-9a8e-0d3f5a1c2b6d',
  'a session': 'S3ss-10n_abcdEFGH-998877',
  'a value of a custom header': 'apiKey-Zx81kLmn0P',
  'a token': 'aB3dEfGh1jKlMn0p',
} as const;

const redactor = (): Redactor =>
  new Redactor({
    psu: {
      id: secrets['a PSU-ID'],
      sessionId: secrets['a session'],
      nationalId: secrets['a national identity number'],
    },
    customHeaders: {
      'x-api-key': secrets['a value of a custom header'],
      'x-token': `Bearer ${secrets['a token']}`,
    },
  });

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const each = (text: string, write: (code: number, letter: string) => string, between = ''): string =>
  [...text].map((letter) => write(letter.charCodeAt(0), letter)).join(between);
const hex = (code: number): string => code.toString(16).padStart(2, '0');
const inParts = (text: string, size: number, between: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []).join(between);

/** The last sign is filled up with zeros. */
const inBits = (text: string, width: number, signs: string): string =>
  each(text, (code) => code.toString(2).padStart(8, '0')).replace(
    new RegExp(`[01]{1,${width}}`, 'g'),
    (bits) => signs.charAt(Number.parseInt(bits.padEnd(width, '0'), 2)),
  );
const asNumber = (number: bigint, signs: string): string =>
  number === 0n
    ? ''
    : asNumber(number / BigInt(signs.length), signs) + signs.charAt(Number(number % BigInt(signs.length)));
const inNumber = (text: string, signs: string): string =>
  asNumber(BigInt(`0x${Buffer.from(text).toString('hex')}`), signs);

type Writing = (secret: string) => string;

const writings: Readonly<Record<string, Writing>> = {
  Base64: base64,
  'Base64 of JSON': (text) => base64(`{"psu":"${text}"}`),
  'Base64 amid others': (text) => base64(`x${text}`),
  hexadecimal: (text) => each(text, hex),
  'hexadecimal in capitals': (text) => each(text, hex).toUpperCase(),
  'a dump of bytes': (text) => each(text, hex, ' '),
  'a dump of bytes in capitals, with colons': (text) => each(text, hex, ':').toUpperCase(),
  'a dump of code': (text) => each(text, (code) => `0x${hex(code)}`, ', '),
  'old escapes of a script': (text) => each(text, (code) => `%u00${hex(code)}`),
  'escapes of C': (text) => each(text, (code) => `\\x${hex(code)}`),
  'quoted-printable': (text) => each(text, (code) => `=${hex(code)}`),
  'references without semicolons': (text) => each(text, (code) => `&#x${hex(code)}`),
  'Base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'Base64 of UTF-16, the other way round': (text) => bigEndian(text).toString('base64'),
  'Base64 of UTF-16, amid others': (text) => Buffer.from(`psu: ${text}!`, 'utf16le').toString('base64'),
  'Base64 of Base64': (text) => base64(base64(`{"psu":"${text}"}`)),
  'Base64 of what an address encodes': (text) => base64(each(text, (code) => `%${hex(code)}`)),
  'Base64 in lines of mail': (text) =>
    inParts(base64(`${'x'.repeat(50)}${text}${'x'.repeat(50)}`), 76, '\r\n'),
  'Base64 in lines of JSON': (text) => inParts(base64(`The request had ${text} in it.`), 20, '\\n'),
  'Base64 in groups of eight': (text) => inParts(base64(text), 8, ' '),
  'Base64 in groups of four': (text) => inParts(base64(`psu ${text}`), 4, ' '),
  'Base64 in short lines of JSON': (text) => inParts(base64(text), 8, '\\r\\n'),
  'Base64 in short lines of a page': (text) => inParts(base64(text), 10, '<br/>'),
  'Base64 behind a word': (text) => `psu_${base64(base64(`{"psu":"${text}"}`))}`,
  'hexadecimal of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'a dump of UTF-16': (text) => inParts(bigEndian(text).toString('hex'), 2, ' '),
  'a list of bytes': (text) => JSON.stringify(Buffer.from(text)),
  'a list of bytes in lines': (text) => JSON.stringify([...Buffer.from(text)], null, 4),
  'percent, four times': (text) => each(text, (code) => `%252525${hex(code)}`),
  'JSON in JSON': (text) => each(text, (code) => `\\\\u00${hex(code)}`),
  'JSON in JSON in JSON': (text) => each(text, (code) => `\\\\\\\\u00${hex(code)}`),
  'escapes of scripts': (text) => each(text, (code) => `\\u{${hex(code)}}`),
  'escapes in octal numbers': (text) => each(text, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'references with many zeros': (text) => each(text, (code) => `&#${String(code).padStart(9, '0')};`),
  'references, encoded twice': (text) => each(text, (code) => `&amp;amp;#${code};`),
  'quoted-printable with soft line ends': (text) => inParts(text, 5, '=\r\n'),
  'lines of a folded header': (text) => inParts(text, 5, '\r\n '),
  'lines in JSON': (text) => inParts(text, 5, '\\n'),
  'letter by letter': (text) => [...text].join(' '),
  'a list of letters': (text) => JSON.stringify([...text]),
  'letters with a zero between them': (text) => [...text].join('\\u0000'),
  'letters that are marked up': (text) => each(text, (_, letter) => `<b>${letter}</b>`),
  'parts with comments between them': (text) => inParts(text, 4, '<!-- -->'),
  'parts that are taken literally': (text) => inParts(text, 4, '<![CDATA[').replace(/$/, ']]>'),
  'a part that is taken literally': (text) =>
    `${text.slice(0, 4)}<![CDATA[${text.slice(4, 7)}]]>${text.slice(7)}`,
  'parts of a script': (text) => inParts(text, 6, '" + "'),
  'Base64 of gzip': (text) => gzipSync(`{"psu":"${text}"}`).toString('base64'),
  'Base64 of zlib, for addresses': (text) => deflateSync(`{"psu":"${text}"}`).toString('base64url'),
  'hexadecimal of gzip': (text) => gzipSync(text).toString('hex'),
  'Base64 of gzip of Base64': (text) => gzipSync(base64(text)).toString('base64'),
  'Base64 of gzip that was cut off': (text) =>
    gzipSync(`${text}${'x'.repeat(2_000)}`)
      .subarray(0, -9)
      .toString('base64'),
  'a list of letters in JSON in JSON': (text) => JSON.stringify([...text]).replaceAll('"', '\\"'),
  Base32: (text) => inBits(text, 5, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
  'Base32 of JSON': (text) => inBits(`{"psu":"${text}"}`, 5, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
  'Base32 amid others, of each beginning': (text) =>
    [1, 2, 3, 4]
      .map((length) => inBits(`${'x'.repeat(length)}${text}y`, 5, '0123456789ABCDEFGHIJKLMNOPQRSTUV'))
      .join(' '),
  'Base32 of Crockford': (text) => inBits(text, 5, '0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
  Base36: (text) => inNumber(text, '0123456789abcdefghijklmnopqrstuvwxyz'),
  Base58: (text) => inNumber(text, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
  'Base58, small letters first': (text) =>
    inNumber(text, '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'),
  Base62: (text) => inNumber(text, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
  'letters from the last to the first': (text) => [...text].toReversed().join(''),
};

test.each(
  Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(writings).map(([how, write]) => [name, how, write(secret)] as const),
  ),
)('%s is hidden where a bank writes it as %s', (_, __, written) => {
  const one = redactor();
  for (const text of [`The value ${written} is wrong.`, `{"text":"${written}","more":1}`]) {
    expect(one.text(text)).toContain('redacted]');
    expect(one.text(text)).not.toContain(written);
  }
});

test.each(Object.entries(secrets).filter(([name]) => name !== 'a token'))(
  '%s is hidden where a bank writes its parts into several members',
  (_, secret) => {
    const third = Math.ceil(secret.length / 3);
    const [a, b, c] = [secret.slice(0, third), secret.slice(third, 2 * third), secret.slice(2 * third)];
    for (const text of [
      JSON.stringify({ a, b: b + c }),
      JSON.stringify({ b: b + c, told: 'other', a }, undefined, 2),
      JSON.stringify({ text: JSON.stringify({ c, b, a }) }),
      `?a=${a}&b=${b}&c=${c}`,
      `<td>${c}</td><td>${a}</td><i>${b}</i>`,
    ]) {
      const shown = redactor().text(text);
      for (const part of [a, b, c]) expect(shown).not.toContain(part);
    }
  },
);

test('a UUID is hidden where a bank writes its bytes in the order of .NET and Windows', () => {
  // The same sixteen bytes as those of the PSU-ID.
  const guid = '8e3c1f7c-0e4f-574b-9a8e-0d3f5a1c2b6d';
  const bytes = Buffer.from(guid.replaceAll('-', ''), 'hex');
  const written = [guid, guid.toUpperCase(), bytes.toString('hex'), bytes.toString('base64')];
  const number = BigInt(`0x${bytes.toString('hex')}`);
  const asOne = [
    number.toString(36),
    asNumber(number, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
  ];
  for (const each of [...written, ...asOne, bytes.toString('base64url'), `{${guid}}`])
    expect(redactor().text(`{"text":"${each} is wrong"}`)).toMatch(
      /^\{"text":"\{?\[psu-id#1, redacted\](?:==)?\}? is wrong"\}$/,
    );
});

test('a part of a secret without the others stays', () => {
  const text = JSON.stringify({ a: '018190', b: '7c1f3c8e', amount: '192', c: 'apiKey' });
  expect(redactor().text(text)).toBe(text);
});

test('what is packed without end is not unpacked to its end', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000)).toString('base64');
  expect(redactor().text(`The value ${bomb} is wrong.`)).toContain('is wrong.');
  const many = Array.from({ length: 200 }, () => gzipSync(Buffer.alloc(60_000, 'x')).toString('base64'));
  expect(redactor().text(many.join(' '))).toBe(many.join(' '));
});

test('what stands around a secret that is encoded stays', () => {
  expect(redactor().text(`The value ${base64(base64('{"psu":"01819010192"}'))} is wrong, really.`)).toBe(
    'The value [national-id#1, redacted] is wrong, really.',
  );
  expect(redactor().text('a 01 02 30 31 38 31 39 30 31 30 31 39 32 0a ff b')).toBe(
    'a 01 02 [national-id#1, redacted] 0a ff b',
  );
});

test.each([
  ['with marks of thousands', '1,819,010,192'],
  ['with an exponent', '1.819010192e+9'],
  ['in hexadecimal', '"6c6be490"'],
  ['in Base36', '"u2zp8w"'],
])('a national identity number is hidden as a number %s', (_, number) => {
  expect(redactor().text(`{"psu": ${number}}`)).not.toContain(number.slice(1, -1));
});

/** The digits of a script stand in order. */
const digitsFrom = (zero: number, number: string): string =>
  [...number].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

test.each([
  ['wide', digitsFrom(0xff10, '01819110103')],
  ['Arabic', digitsFrom(0x0660, '01819110103')],
  ['Persian', digitsFrom(0x06f0, '01819110103')],
  ['Devanagari', digitsFrom(0x0966, '01819110103')],
  ['bold', digitsFrom(0x1d7ce, '01819110103')],
  ['monospaced', digitsFrom(0x1d7f6, '01819110103')],
  ['circled', [...'01819110103'].map((digit) => '⓪①②③④⑤⑥⑦⑧⑨'.charAt(Number(digit))).join('')],
  ['raised', [...'01819110103'].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))).join('')],
  ['Arabic, in parts', `${digitsFrom(0x0660, '018191')} ${digitsFrom(0x0660, '10103')}`],
  ['Arabic, in an address', encodeURIComponent(digitsFrom(0x0660, '01819110103'))],
])('a national identity number of a stranger is hidden in %s digits', (_, number) => {
  expect(redactor().text(`The number ${number} is wrong.`)).toBe(
    'The number [national-id#2, redacted] is wrong.',
  );
});

const der = Buffer.concat([Buffer.from('3082036b30820253', 'hex'), Buffer.alloc(300, 0xa7)]);
const body = der.toString('base64');

test.each([
  ['in hexadecimal with colons', inParts(der.toString('hex'), 2, ':')],
  ['in a list of bytes', JSON.stringify(der)],
  ['in Base64, once more', base64(body)],
  ['in Base64 of UTF-16', Buffer.from(body, 'utf16le').toString('base64')],
  ['in lines of a page', inParts(body, 64, '<br>')],
  ['in lines of JSON in JSON', inParts(body, 64, '\\\\n')],
  ['in a list of lines', inParts(body, 64, '",\n "')],
])('a certificate is hidden %s', (_, written) => {
  const shown = redactor().text(`the certificate ${written} is unknown`);
  expect(shown.length).toBeLessThan(150);
});

test.each([
  'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255]',
  'AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01',
  base64('{"creditorName":"Ola Nordmann","amount":"100.00"}'),
  'a payment/of-some-words_and-signs that goes on with words',
])('%s is no secret', (text) => {
  expect(redactor().text(text)).toBe(text);
});
