import { randomUUID } from 'node:crypto';
import { type BehaviourChange, varying } from '../../certification/reference-tpp/behaviour.ts';
import { digestHeader } from '../../signing/digest.ts';
import { encodeWord } from '../../signing/encoded-word.ts';
import type { SigningIdentity } from '../../signing/identity.ts';
import { signText } from '../../signing/signature.ts';
import { formatSignatureHeader, parseKeyId, type SignatureParts } from '../../signing/signature-header.ts';
import { signingString } from '../../signing/signing-string.ts';
import { creations } from '../../spec/products.ts';
import type { Call } from '../../tpp/call.ts';
import { deviation, deviationWith, type TppDeviation } from './deviation.ts';

const signedBy =
  (identity: SigningIdentity, matchesId: (call: Call) => boolean = () => true): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    identityFor: (call) => (matchesId(call) ? identity : behaviour.identityFor(call)),
  });

const creates = ({ operation }: Call): boolean => operation.startsWith('create');
const reads = ({ operation }: Call): boolean => /Accounts|Balances/.test(operation);

/** The Signature header written in another way. */
const writing = (format: (parts: SignatureParts) => string): BehaviourChange =>
  varying({ signing: { format } });

const joining = (join: (lines: readonly string[]) => string): BehaviourChange =>
  varying({
    signing: { text: (names, valueFor) => join(names.map((name) => `${name}: ${valueFor(name)}`)) },
  });

const keyId = (change: (parts: { serialNumber: string; issuer: string }) => string): BehaviourChange =>
  varying({
    signing: {
      parts: (parts) => ({
        ...parts,
        keyId: change(parseKeyId(parts.keyId) ?? { serialNumber: '', issuer: '' }),
      }),
    },
  });

const dated = (date: (now: Date) => string | undefined): BehaviourChange =>
  varying({
    beforeSigning: ({ headers }) => {
      const value = date(new Date(headers.get('Date') ?? ''));
      if (value === undefined) headers.remove('Date');
      else headers.set('Date', value);
    },
  });

const covering = (covered: (present: readonly string[]) => readonly string[]): BehaviourChange =>
  varying({ signing: { covered } });

const alsoSending = (name: string, value: string): BehaviourChange =>
  varying({ afterSigning: ({ headers }) => headers.has(name) && headers.add(name, value) });

const shifted = (seconds: number) => (now: Date) => new Date(now.getTime() + seconds * 1000).toUTCString();

const hex = (serialNumber: string): string => serialNumber.replace(/(..)(?=.)/g, '$1:');

export const signingDeviations: readonly TppDeviation[] = [
  deviationWith(
    'TPP-02/informer',
    'signs payments with a certificate for account information',
    ({ others }) => signedBy(others.informerOnly, creates),
  ),
  deviationWith(
    'TPP-02/initiator',
    'reads accounts with a certificate for payment initiation',
    ({ others }) => signedBy(others.initiatorOnly, reads),
  ),
  deviationWith('TPP-02/neither', 'signs with a certificate for neither', ({ others }) =>
    signedBy(others.withoutRole),
  ),
  deviationWith('TPP-02/expired', 'signs with a certificate that has expired', ({ others }) =>
    signedBy(others.expired),
  ),
  deviationWith(
    'TPP-02/untrusted',
    'signs with a certificate of an authority that nobody trusts',
    ({ others }) => signedBy(others.untrusted),
  ),

  deviation(
    'TPP-03/unsigned-reading',
    'does not sign what it only reads',
    varying({ afterSigning: ({ headers }) => headers.remove('Signature') }, [
      'readPaymentStatus',
      'listSandboxCustomers',
    ]),
  ),
  deviation(
    'TPP-03/crlf',
    'joins the lines of the signing string with CR and LF',
    joining((lines) => lines.join('\r\n')),
  ),
  deviation(
    'TPP-03/last-newline',
    'ends the signing string with a newline',
    joining((lines) => `${lines.join('\n')}\n`),
  ),
  deviation(
    'TPP-03/no-space',
    'leaves out the space after the colon',
    joining((lines) => lines.map((line) => line.replace(': ', ':')).join('\n')),
  ),
  deviation(
    'TPP-03/other-order',
    'signs the lines in another order than it lists them',
    joining((lines) => lines.toReversed().join('\n')),
  ),
  deviation(
    'TPP-03/late-date',
    'sets another Date after it has signed',
    varying({
      afterSigning: ({ headers }) => headers.set('Date', shifted(-5)(new Date(headers.get('Date') ?? ''))),
    }),
  ),
  deviationWith('TPP-03/other-key', 'signs with another key than that of its certificate', ({ bankSigner }) =>
    varying({ signing: { sign: (text) => signText(text, bankSigner) } }),
  ),
  deviation(
    'TPP-03/sha-512',
    'signs with SHA-512 and calls it rsa-sha256',
    varying({
      signing: { sign: (text, identity) => signText(text, identity, 'sha512') },
    }),
  ),
  deviation(
    'TPP-03/absent-header',
    'lists a header that it does not send',
    varying({
      signing: {
        covered: (present) => [...present, 'tpp-brand-logging-information'],
        text: (names, valueFor) => signingString(names, (name) => valueFor(name) ?? ''),
      },
    }),
  ),

  deviation('TPP-04/behind', 'has a clock that is two minutes behind', dated(shifted(-120))),
  deviation('TPP-04/ahead', 'has a clock that is an hour ahead', dated(shifted(3600))),
  deviation(
    'TPP-04/iso',
    'writes the Date as ISO 8601',
    dated((now) => now.toISOString()),
  ),
  deviation(
    'TPP-04/missing',
    'sends no Date',
    dated(() => undefined),
  ),

  deviation('TPP-50/rfc-850', 'writes the Date in the form of RFC 850', dated(rfc850)),
  deviation(
    'TPP-50/weekday',
    'writes every Date as one of a Sunday or a Monday',
    dated((now) => now.toUTCString().replace(/^.../, now.getUTCDay() === 0 ? 'Mon' : 'Sun')),
  ),
  deviation('TPP-50/asctime', 'writes the Date in the form of asctime', dated(asctime)),

  deviation(
    'TPP-06/order',
    'writes the algorithm before the keyId',
    writing(
      (parts) =>
        `algorithm="${parts.algorithm}",keyId="${parts.keyId}",headers="${parts.headers.join(' ')}",signature="${parts.signature}"`,
    ),
  ),
  deviation(
    'TPP-06/no-algorithm',
    'leaves out the algorithm',
    writing((parts) => formatSignatureHeader(parts).replace(/algorithm="[^"]*",/, '')),
  ),
  deviation(
    'TPP-06/no-headers',
    'leaves out the list of headers',
    writing((parts) => formatSignatureHeader(parts).replace(/headers="[^"]*",/, '')),
  ),
  deviation(
    'TPP-06/unquoted',
    'writes the parts without quotes',
    writing((parts) => formatSignatureHeader(parts).replaceAll('"', '')),
  ),
  deviation(
    'TPP-06/semicolons',
    'joins the parts with semicolons',
    writing((parts) => formatSignatureHeader(parts).replaceAll('",', '";')),
  ),
  deviation(
    'TPP-06/scheme',
    'writes the scheme Signature before the parts',
    writing((parts) => `Signature ${formatSignatureHeader(parts)}`),
  ),
  deviation(
    'TPP-06/fifth-part',
    'adds the part "created" of a later draft',
    writing((parts) => formatSignatureHeader(parts).replace(',headers=', ',created="1773655200",headers=')),
  ),
  deviation(
    'TPP-06/twice',
    'sends the header twice',
    varying({ afterSigning: ({ headers }) => headers.add('Signature', headers.get('Signature') ?? '') }),
  ),

  deviation(
    'TPP-07/other-serial',
    'names the serial number of another certificate',
    keyId(({ issuer }) => `SN=4B1D0C0FFEE0,CA=${issuer}`),
  ),
  deviation(
    'TPP-07/other-issuer',
    'names its own company as issuer',
    keyId(({ serialNumber }) => `SN=${serialNumber},CA=CN=Test TPP,O=Test TPP AS,C=SE`),
  ),
  deviation(
    'TPP-07/name',
    'uses a name as keyId',
    keyId(() => 'test-tpp-2026'),
  ),
  deviation(
    'TPP-07/swapped',
    'writes CA before SN',
    keyId(({ serialNumber, issuer }) => `CA=${issuer},SN=${serialNumber}`),
  ),

  deviation(
    'TPP-08/lower-case',
    'writes the serial number in lower case',
    keyId(({ serialNumber, issuer }) => `SN=${serialNumber.toLowerCase()},CA=${issuer}`),
  ),
  deviation(
    'TPP-08/decimal',
    'writes the serial number in decimal',
    keyId(({ serialNumber, issuer }) => `SN=${BigInt(`0x${serialNumber}`)},CA=${issuer}`),
  ),
  deviation(
    'TPP-08/colons',
    'writes the serial number with colons',
    keyId(({ serialNumber, issuer }) => `SN=${hex(serialNumber)},CA=${issuer}`),
  ),

  deviation(
    'TPP-09/certificate-order',
    'writes the issuer in the order of the certificate',
    keyId(({ serialNumber, issuer }) => `SN=${serialNumber},CA=${issuer.split(',').toReversed().join(',')}`),
  ),
  deviation(
    'TPP-09/slashes',
    'writes the issuer with slashes',
    keyId(({ serialNumber, issuer }) => `SN=${serialNumber},CA=/${issuer.split(',').toReversed().join('/')}`),
  ),

  deviation(
    'TPP-10/java',
    'calls the algorithm SHA256withRSA',
    varying({ signing: { parts: (parts) => ({ ...parts, algorithm: 'SHA256withRSA' }) } }),
  ),
  deviation(
    'TPP-10/hs2019',
    'calls the algorithm hs2019',
    varying({ signing: { parts: (parts) => ({ ...parts, algorithm: 'hs2019' }) } }),
  ),
  deviation(
    'TPP-10/sha-512',
    'signs with SHA-512 and says so',
    varying({
      signing: {
        sign: (text, identity) => signText(text, identity, 'sha512'),
        parts: (parts) => ({ ...parts, algorithm: 'rsa-sha512' }),
      },
    }),
  ),

  deviation(
    'TPP-11/title-case',
    'lists the headers as they are written',
    writing((parts) =>
      formatSignatureHeader({
        ...parts,
        headers: parts.headers.map((name) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())),
      }),
    ),
  ),
  deviation(
    'TPP-11/spaces',
    'lists the headers with two spaces between them',
    writing((parts) => formatSignatureHeader({ ...parts, headers: [parts.headers.join('  ')] })),
  ),
  deviation(
    'TPP-11/commas',
    'lists the headers with commas between them',
    writing((parts) => formatSignatureHeader({ ...parts, headers: [parts.headers.join(',')] })),
  ),

  deviation(
    'TPP-12/digest',
    'does not sign the digest',
    covering((present) => present.filter((name) => name !== 'digest')),
  ),
  deviation(
    'TPP-12/psu-id',
    'does not sign the PSU-ID',
    covering((present) => present.filter((name) => name !== 'psu-id')),
  ),
  deviation(
    'TPP-12/redirect',
    'does not sign the redirect address',
    covering((present) => present.filter((name) => name !== 'tpp-redirect-uri')),
  ),
  deviation(
    'TPP-12/date-alone',
    'signs nothing but the date',
    covering(() => ['date']),
  ),

  deviation(
    'TPP-12/psu-id-of-another',
    'sends the PSU-ID of another next to the one that it has signed',
    alsoSending('PSU-ID', randomUUID()),
  ),
  deviation(
    'TPP-12/redirect-elsewhere',
    'sends another address to come back to next to the one that it has signed',
    alsoSending('TPP-Redirect-URI', 'https://elsewhere.example/'),
  ),

  deviationWith(
    'TPP-13/raw',
    'writes the letters of its issuer into the header as they are',
    ({ others }) =>
      (behaviour) =>
        writing((parts) => plainHeader(parts))(signedBy(others.oddIssuer)(behaviour)),
  ),
  deviationWith(
    'TPP-13/one-part',
    'encodes the keyId alone',
    ({ others }) =>
      (behaviour) =>
        writing((parts) => plainHeader({ ...parts, keyId: encodeWord(parts.keyId) }))(
          signedBy(others.oddIssuer)(behaviour),
        ),
  ),
  deviationWith(
    'TPP-13/not-base64',
    'marks the header as Base64 and does not encode it',
    ({ others }) =>
      (behaviour) =>
        writing((parts) => `=?utf-8?B?${encodeURIComponent(plainHeader(parts))}?=`)(
          signedBy(others.oddIssuer)(behaviour),
        ),
  ),

  deviation('TPP-14/reserialised', 'takes the digest of JSON that it writes anew', (behaviour) =>
    varying(
      {
        signing: { digest: (body) => digestHeader(Buffer.from(JSON.stringify(JSON.parse(body.toString())))) },
      },
      creations,
    )({ ...behaviour, bytes: (_, body) => Buffer.from(JSON.stringify(body, undefined, 2)) }),
  ),
  deviation(
    'TPP-14/hexadecimal',
    'writes the digest in hexadecimal',
    digesting((body) => `SHA-256=${Buffer.from(digestHeader(body).slice(8), 'base64').toString('hex')}`),
  ),
  deviation(
    'TPP-14/md5',
    'takes an MD5 digest',
    digesting(() => 'MD5=Q2hlY2sgSW50ZWdyaXR5IQ=='),
  ),
  deviation(
    'TPP-14/second-wrong',
    'sends two digests, of which the second is that of an empty body',
    digesting((body) => `${digestHeader(body)},${digestHeader(Buffer.alloc(0), 'SHA-512')}`),
  ),
  deviation(
    'TPP-14/empty',
    'takes the digest of an empty body',
    digesting(() => digestHeader(Buffer.alloc(0))),
  ),
];

const plainHeader = ({ keyId: id, algorithm, headers, signature }: SignatureParts): string =>
  `keyId="${id}",algorithm="${algorithm}",headers="${headers.join(' ')}",signature="${signature}"`;

function digesting(digest: (body: Buffer) => string): BehaviourChange {
  return varying({ signing: { digest } }, creations);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function rfc850(now: Date): string {
  const [, day, month, year = '', time] = now.toUTCString().split(' ');
  return `${weekdays[now.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

function asctime(now: Date): string {
  const [weekday = '', day = '', month, year, time] = now.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}
