import { verify } from 'node:crypto';
import type { TppCertificate } from '../../signing/certificate.ts';
import { decodeBase64, digestHeader } from '../../signing/digest.ts';
import { decodeWord, isEncodedWord, needsEncoding } from '../../signing/encoded-word.ts';
import { verifyText } from '../../signing/signature.ts';
import { candidateHeaders } from '../../spec/code-lists.ts';
import { creations, defaultProduct } from '../../spec/products.ts';
import { type DesignChange, serves, withoutRules } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { type SignedLine, type SigningDesign, signingOf } from '../design/signing-design.ts';
import {
  advisedAgainst,
  alsoAt,
  atAll,
  atCreations,
  atPayments,
  type Deviation,
  deviation,
  easilyForgotten,
  inHeader,
  inOneContext,
  of,
  overlooking,
  refuses,
  rows,
  serving,
} from './deviation.ts';

const withSigning =
  (change: (signing: SigningDesign) => SigningDesign): DesignChange =>
  (design) => ({ ...design, signing: change(design.signing) });

type Judge = SigningDesign['judge'];

/** What is made of a signature, by a judge that asks the one there was. */
export const judgingBy = (judgeWith: (judge: Judge, signing: SigningDesign) => Judge): DesignChange =>
  withSigning((signing) => ({ ...signing, judge: judgeWith(signing.judge, signing) }));

/** The value of a header in the signing string is another one than was sent. */
const reading = (
  changes: Readonly<Record<string, (value: string, request: BankRequest) => string>>,
): DesignChange =>
  withSigning((signing) =>
    signingOf({
      ...signing,
      valueIn: (request, name) => {
        const value = signing.valueIn(request, name);
        return value === undefined ? undefined : (changes[name]?.(value, request) ?? value);
      },
    }),
  );

type Alternatives = (lines: readonly SignedLine[], request: BankRequest) => readonly string[];

/** A signature over another text is taken as well. */
export const alsoOver = (alternatives: Alternatives): DesignChange =>
  alsoTaking((lines, signature, certificate, request) =>
    alternatives(lines, request).some((text) => verifyText(text, signature, certificate.publicKey)),
  );

const alsoTaking = (
  takes: (
    lines: readonly SignedLine[],
    signature: string,
    certificate: TppCertificate,
    request: BankRequest,
  ) => boolean,
): DesignChange =>
  judgingBy((judge, signing) => (request, names, signature, certificate) => {
    const verdict = judge(request, names, signature, certificate);
    if (verdict === 'verified') return verdict;
    const lines = names.map((name): SignedLine => [name, signing.valueIn(request, name) ?? '']);
    return takes(lines, signature, certificate, request) ? 'verified' : verdict;
  });

export const text = (lines: readonly SignedLine[]): string =>
  lines.map(([name, value]) => `${name}: ${value}`).join('\n');

const withLine = (lines: readonly SignedLine[], name: string, value: string): string =>
  text(lines.map((line) => (line[0] === name ? [name, value] : line)));

const withHash = (hash: string): DesignChange =>
  alsoTaking((lines, signature, { publicKey }) => {
    const bytes = decodeBase64(signature);
    return bytes !== undefined && verify(hash, Buffer.from(text(lines)), publicKey, bytes);
  });

const secondsAway = (date: string): readonly string[] =>
  [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5].map((seconds) =>
    new Date(Date.parse(date) + seconds * 1000).toUTCString(),
  );

export const serialOf = (request: BankRequest): string =>
  /keyId="SN=([0-9a-f]+)/i.exec(decodeWord(request.header('signature') ?? ''))?.[1]?.toUpperCase() ?? '';

const unsigned = [
  ['date', atAll],
  ['x-request-id', atAll],
  ['psu-id', atCreations],
  ['psu-corporate-id', [...atCreations, 'accounts']],
  ['tpp-redirect-uri', atCreations],
] as const;

// biome-ignore format: a table
export const signingDeviations: readonly Deviation[] = [
  ...easilyForgotten.flatMap(([place, at]) =>
    [
      deviation(`SIG-01/unchecked-at-${place}`, `wants no signature (${place})`, withoutRules((rule, operation) => operation === at && serves(rule, 'SIG-01'))),
      deviation(`SIG-02/unchecked-at-${place}`, `looks whether there is a signature, and never verifies it (${place})`,
        withoutRules((rule, operation) => operation === at && serves(rule, 'SIG-02'))),
    ]),
  ...rows(
    ['SIG-02/never-verified', 'looks whether there is a signature, and never verifies it', withoutRules(serving('SIG-02'))],
    ['SGS-14/newline-at-the-end', 'tolerates a newline at the end of the signing string', alsoOver((lines) => [`${text(lines)}\n`])],
    ['SGS-14/carriage-returns', 'tolerates carriage returns in the signing string', alsoOver((lines) => [text(lines).replaceAll('\n', '\r\n')])],
    ['SGS-14/run-together', 'tolerates lines that run together', alsoOver((lines) => [text(lines).replaceAll('\n', '')])],
    ['SGS-15/upper-case', 'tolerates names in upper case in the signing string',
      alsoOver((lines) => [text(lines.map(([name, value]) => [name.toUpperCase(), value]))])],
    ['SGS-15/no-space', 'tolerates lines without a space after the colon', alsoOver((lines) => [lines.map((line) => line.join(':')).join('\n')])],
    ['SGS-15/values-only', 'tolerates values without names in the signing string', alsoOver((lines) => [lines.map(([, value]) => value).join('\n')])],
  ),
  ...inOneContext(deviation('SGS-17/lower-case-ids', 'takes an X-Request-ID down to lower case before it verifies the signature',
    reading({ 'x-request-id': (id) => id.toLowerCase() }))),
  ...alsoAt(
    atAll,
    deviation('SGS-10/order-of-its-own', 'verifies the lines in the order of the specification, whatever the headers part says',
      withSigning((signing) =>
        ({
          ...signing,
          judge: (request, names, signature, certificate) =>
            signing.judge(
              request,
              ['(request-target)', ...candidateHeaders].filter((name) => names.includes(name)),
              signature,
              certificate,
            ),
        }))),
  ),
  deviation('SGS-16/all-candidates', 'wants a line for every candidate header, present or not',
    withSigning((signing) =>
      ({
        ...signing,
        judge: (request, names, signature, certificate) =>
          verifyText(
            text(candidateHeaders.map((name) => [name, signing.valueIn(request, name) ?? ''])),
            signature,
            certificate.publicKey,
          )
            ? 'verified'
            : signing.judge(request, names, 'AAAA', certificate),
      }))),
  ...alsoAt(
    atAll,
    deviation('SGS-12/unknown', 'does not know (request-target)',
      withSigning((signing) => signingOf({ ...signing, valueIn: (request, name) => name === '(request-target)' ? undefined : signing.valueIn(request, name) }))),
  ),
  ...rows(
    ['SGS-12/method-in-upper-case', 'writes the method of (request-target) in upper case',
      reading({ '(request-target)': (value) => value.replace(/^\w+/, (method) => method.toUpperCase()) })],
    ['SGS-12/without-query', 'leaves the query out of (request-target)', reading({ '(request-target)': (value) => value.replace(/\?.*$/, '') })],
    ['SGS-12/address', 'takes (request-target) for the whole address', reading({ '(request-target)': (value) => value.replace(' ', ' https://bank.example') })],
    ['SGS-13/path-only', 'verifies the path of (request-target) alone',
      alsoOver((lines, { target }) => ['get', 'post', 'put', 'delete'].map((method) => withLine(lines, '(request-target)', `${method} ${target}`)))],
    ['SGS-13/method-only', 'verifies the method of (request-target) alone', alsoOver((lines) => [withLine(lines, '(request-target)', 'get /v1/elsewhere')])],
  ),
  ...alsoAt(
    atAll,
    deviation('SGS-01/a-few-seconds', 'takes a Date that is a few seconds from the one that was signed',
      alsoOver((lines, request) => secondsAway(request.header('date') ?? '').map((date) => withLine(lines, 'date', date)))),
  ),
  ...alsoAt(
    atPayments,
    {
      ...deviation(
        'SGS-02/its-own-digest',
        'signs the digest that it has computed itself, not the one in the header',
        alsoOver((lines, { bytes }) => [withLine(lines, 'digest', digestHeader(bytes))]),
      ),
      about: ['Digest'],
    },
  ),
  ...alsoAt(atCreations, deviation('SGS-04/in-lower-case', 'verifies PSU-ID in lower case', reading({ 'psu-id': (value) => value.toLowerCase() }))),
  ...alsoAt(atAll, deviation('SGS-03/never-verified', 'takes an X-Request-ID that was never signed, because it never verifies', withoutRules(serving('SGS-03')))).slice(1),
  ...unsigned.flatMap(([header, places]) =>
    alsoAt(
      places,
      deviation(`SGS-08/not-${header}`, `does not enforce that ${header} is signed`,
        withSigning((signing) => ({ ...signing, candidates: signing.candidates.filter((name) => name !== header) }))),
    )),
  ...alsoAt(
    atPayments,
    deviation('SGS-05/in-lower-case', 'verifies PSU-Corporate-ID in lower case', reading({ 'psu-corporate-id': (value) => value.toLowerCase() })),
  ),
  ...alsoAt(
    atCreations,
    deviation('SGS-06/without-query', 'verifies TPP-Redirect-URI without its query', reading({ 'tpp-redirect-uri': (value) => value.replace(/\?.*$/, '') })),
  ),
  ...rows(
    ['SGS-09/as-empty', 'takes a header that is listed and absent for an empty one',
      withoutRules(of('SGS-09')), withSigning((signing) => signingOf({ ...signing, valueIn: (request, name) => signing.valueIn(request, name) ?? '' }))],
    ['SGH-10/as-text', 'compares the issuer as text, so that another way of escaping is another name',
      withSigning((signing) => ({ ...signing, sameIssuer: (issuer, { issuer: own }) => issuer === own }))],
    ['SGH-10/split-at-commas', 'splits the issuer at every comma, escaped ones included',
      withSigning((signing) =>
        ({
          ...signing,
          sameIssuer: (issuer, certificate) =>
            !issuer.split(',').some((part) => !/^[A-Z0-9.]+=/i.test(part)) &&
            signing.sameIssuer(issuer, certificate),
        }))],
  ),
  refuses('SGH-15/utf-8-only', 'reads encoded words in UTF-8 only',
    [...creations, 'createSigningBasket', 'listSandboxCustomers'], inHeader('signature', /^=\?iso-8859-1\?/i)),
  refuses('SGH-16/base64-only', 'reads encoded words with the encoding B only',
    [...creations, 'createSigningBasket', 'listSandboxCustomers'], inHeader('signature', /^=\?[^?]*\?q\?/i)),
  ...alsoAt(
    [...atCreations, 'accounts'],
    refuses('SGH-11/not-decoded', 'does not decode a MIME-encoded Signature header',
      [...creations, 'createSigningBasket', 'listSandboxCustomers', 'listAccounts'], (request) => (request.header('signature') ?? '').startsWith('=?')),
  ),
  ...advisedAgainst(refuses(
      'SGH-11/where-needed',
      'decodes a MIME-encoded Signature header only where it has other letters than those of ASCII',
      [defaultProduct.creation],
      (request) => {
        const header = request.header('signature') ?? '';
        return isEncodedWord(header) && !needsEncoding(decodeWord(header));
      },
    )),
  deviation('SGH-01/all-but-the-last-digit', 'compares all but the last digit of the serial number',
    overlooking(
      (rule) => of('SGH-01')(rule) && rule.name.includes('serial number of'),
      (request) => request.certificate?.serialNumber.slice(0, -1) === serialOf(request).slice(0, -1),
    )),
  ...inOneContext(deviation('SGH-01/last-64-bits', 'compares the last 64 bits of the serial number',
    overlooking(
      (rule) => of('SGH-01')(rule) && rule.name.includes('serial number of'),
      (request) => request.certificate?.serialNumber.slice(-16) === serialOf(request).slice(-16),
    ))),
  ...rows(
    ['SGH-02/common-name-only', 'compares only the common name of the issuer',
      withSigning((signing) =>
        ({
          ...signing,
          sameIssuer: (issuer, certificate) => {
            const commonName = (name: string): string | undefined => /CN=([^,]+)/.exec(name)?.[1];
            return (
              signing.sameIssuer(issuer, certificate) || commonName(issuer) === commonName(certificate.issuer)
            );
          },
        }))],
    ['SGH-14/also-sha1', 'takes a signature over SHA-1', withHash('sha1')],
    ['SGH-14/also-sha512', 'takes a signature over SHA-512', withHash('sha512')],
  ),
];
