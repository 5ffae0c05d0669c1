import { createHash } from 'node:crypto';
import { digestHeader, verifyDigest } from '../../signing/digest.ts';
import { verifyText } from '../../signing/signature.ts';
import { dayMs } from '../../spec/days.ts';
import { isObject } from '../../spec/json.ts';
import type { BankDesign } from '../design/design.ts';
import { type DesignChange, withoutRules } from '../design/design-changes.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';
import type { SignedLine } from '../design/signing-design.ts';
import { dated } from './certificates.ts';
import {
  at,
  type Condition,
  each,
  easilyForgotten,
  everywhere,
  inHeader,
  marked,
  once,
  overlooking,
  ruleOf,
  table,
} from './deviation.ts';
import { alsoOver, judgingBy, serialOf, text } from './signing.ts';

type Verdict = ReturnType<BankDesign['judgeDigest']>;

const judging =
  (change: (header: string, request: BankRequest, judge: () => Verdict) => Verdict): DesignChange =>
  (design) => ({
    ...design,
    judgeDigest: (request) =>
      change(request.header('digest') ?? '', request, () => design.judgeDigest(request)),
  });

/** Some digests are taken for right. */
const takingDigests = (
  isTaken: (header: string, request: BankRequest, verdict: Verdict) => boolean,
): DesignChange =>
  judging((header, request, judge) => (isTaken(header, request, judge()) ? 'verified' : judge()));

const alsoAs = (write: (request: BankRequest) => string): DesignChange =>
  takingDigests((header, request) => header === write(request));

const alsoBy = (name: string, hash: string, encoding: 'base64' | 'hex' = 'base64'): DesignChange =>
  alsoAs(({ bytes }) => `${name}=${createHash(hash).update(bytes).digest(encoding)}`);

/** The digest of another text than the one that was sent. */
const alsoOf = (textOf: (bytes: Buffer, body: unknown) => string): DesignChange =>
  takingDigests(
    (header, { bytes, body }) =>
      body !== undefined && header === digestHeader(Buffer.from(textOf(bytes, body))),
  );

/** RFC 8785, 3.2.3: members in the order of their names, at every level. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

const unknown = (algorithm: RegExp): DesignChange =>
  judging((header, _, judge) => (algorithm.test(header) ? 'unknown-algorithm' : judge()));

/** Only a part of it is compared. */
const comparing = (part: (digest: string) => string): DesignChange =>
  takingDigests((header, { bytes }) => {
    const right = digestHeader(bytes);
    return header.length === right.length && part(header) === part(right);
  });

// biome-ignore format: a table
export const digestDeviations = table(
  each([['DIG-01', 'SHA-256'], ['DIG-02', 'SHA-512']], (requirement, name) => [`${requirement}/unknown`, `does not know ${name}`, unknown(new RegExp(`^${name}=`, 'i')), everywhere]),
  ['DIG-04/re-serialised', 'takes the digest over the JSON written anew', judging((header, { body }, judge) =>
    body === undefined || header === '' ? judge() : verifyDigest(header, Buffer.from(JSON.stringify(body))).ok ? 'verified' : 'mismatch-sha-256'), everywhere],
  ['DIG-05/either', 'takes the digest of the JSON written anew as well', alsoAs(({ body }) => digestHeader(Buffer.from(JSON.stringify(body ?? null))))],
  ['DIG-03/beginning-alone', 'takes any Digest of a body that is longer than what it reads at once', takingDigests((_, { bytes }) => bytes.length > 16_384)],
  ['DIG-03/trimmed', 'takes the digest of the body without the white space around it as well', alsoOf((bytes) => bytes.toString('utf8').trim())],
  ['DIG-05/indented', 'takes the digest of the JSON written anew with indents as well', alsoOf((_, body) => JSON.stringify(body, undefined, 2))],
  ['DIG-05/canonical', 'takes the digest of the JSON in its canonical form as well', alsoOf((_, body) => JSON.stringify(sorted(body)))],
  ['DIG-03/by-its-beginning', 'compares the beginning of a digest only', comparing((digest) => digest.slice(0, 16)), once],
  ['DIG-03/by-its-end', 'compares the end of a digest only', comparing((digest) => digest.slice(-16)), once],
  ['DIG-03/by-another-algorithm', 'looks at the digest and not at what it says that it was made with', alsoBy('SHA-256', 'sha512'), once],
  ['DIG-03/of-nothing', 'takes the digest of an empty body for that of any', alsoAs(() => digestHeader(Buffer.alloc(0)))],
  ['DIG-06/also-md5', 'takes a digest by MD5', alsoBy('MD5', 'md5')],
  ['DIG-06/also-sha1', 'takes a digest by SHA-1', alsoBy('SHA', 'sha1')],
  ['DIG-06/also-sha384', 'takes a digest by SHA-384', alsoBy('SHA-384', 'sha384'), once],
  ['DIG-07/also-hexadecimal', 'takes a digest in hexadecimal', alsoBy('SHA-256', 'sha256', 'hex')],
  ['DIG-08/case-sensitive', 'knows the algorithm in upper case only', unknown(/^sha/), everywhere],
  ['HDB-21/not-with-a-digest', 'demands no PSU-IP-Address of a basket with a Digest', { overlook: inHeader('digest') }],
  ['DIG-09/refused', 'refuses a signing basket with a Digest', { refuse: inHeader('digest') }],
);

const writtenAs = (write: (lines: readonly SignedLine[]) => string): DesignChange =>
  alsoOver((lines) => [write(lines)]);

const joinedBy = (joint: string): DesignChange => writtenAs((lines) => text(lines).replaceAll('\n', joint));

const lineOf = (line: (name: string, value: string) => string): DesignChange =>
  writtenAs((lines) => lines.map(([name, value]) => line(name, value)).join('\n'));

const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** Whichever value of a header it has verified before will do at this operation. */
const takingEarlier = (operation: BankOperation, header: string): DesignChange =>
  judgingBy((judge, signing) => {
    const earlier = new Set<string>();
    return (request, names, signature, certificate) => {
      const verdict = judge(request, names, signature, certificate);
      if (verdict === 'verified') earlier.add(request.header(header) ?? '');
      if (verdict === 'verified' || request.operation !== operation) return verdict;
      const signed = (value: string): string =>
        text(names.map((name) => [name, name === header ? value : (signing.valueIn(request, name) ?? '')]));
      const isEarlier = [...earlier].some((value) =>
        verifyText(signed(value), signature, certificate.publicKey),
      );
      return isEarlier ? 'verified' : verdict;
    };
  });

/** A signature that the key of the certificate opens will do there, whatever was signed. */
const openingAt = (operation: BankOperation): DesignChange =>
  judgingBy((judge) => (request, ...signed) => {
    const verdict = judge(request, ...signed);
    const isOpened = verdict !== 'not-base64' && verdict !== 'other-key';
    return request.operation === operation && isOpened ? 'verified' : verdict;
  });

const serial =
  (isTaken: (written: string, own: string) => boolean): Condition =>
  (request) =>
    serialOf(request) !== '' && isTaken(serialOf(request), request.certificate?.serialNumber ?? '');

/** The relative names of the two issuers, as far as one of them goes. */
const withIssuer =
  (isTaken: (written: string, own: string) => boolean): DesignChange =>
  (design) => ({
    ...design,
    signing: {
      ...design.signing,
      sameIssuer: (issuer, certificate) =>
        design.signing.sameIssuer(issuer, certificate) ||
        (issuer !== '' && isTaken(issuer, certificate.issuer)),
    },
  });

/** A wrong SHA-512 Digest of which these parts alone are compared. */
const comparingParts = (partOf: (digest: string) => string): DesignChange =>
  takingDigests(
    (header, { bytes }, verdict) =>
      verdict === 'mismatch-sha-512' && partOf(header) === partOf(digestHeader(bytes, 'SHA-512')),
  );

/** What a bank may let pass that looks like what was signed, and is something else (Authentication). */
// biome-ignore format: a table
export const looseSigningDeviations = table(
  marked({ inOneContext: true },
    ['SGS-14/escaped', 'tolerates lines that are joined by a backslash and the letter n', joinedBy('\\n')],
    ['SGS-14/spaces', 'tolerates lines that are joined by spaces', joinedBy(' ')],
    ['SGS-14/commas', 'tolerates lines that are joined by commas', joinedBy(',')],
    ['SGS-14/carriage-returns-alone', 'tolerates lines that are joined by carriage returns', joinedBy('\r')],
    ['SGS-14/newline-at-the-beginning', 'tolerates a newline at the beginning of the signing string', writtenAs((lines) => `\n${text(lines)}`)],
    ['SGS-15/title-case', 'tolerates names that are written as headers usually are in the signing string', lineOf((name, value) => `${titleCase(name)}: ${value}`)],
    ['SGS-15/space-before', 'tolerates a space before each colon in the signing string', lineOf((name, value) => `${name} : ${value}`)],
    ['SGS-15/equals-signs', 'tolerates equals signs for colons in the signing string', lineOf((name, value) => `${name}=${value}`)],
    ['SGH-02/any-trusted', 'takes the name of any authority that it trusts for that of the issuer', withIssuer((written) => /\P{ASCII}/u.test(written))],
    ['SIG-01/empty', 'takes an empty Signature header for none that is to be verified', overlooking(({ requirement }) => /^(?:SIG|SGH|SGS)-|^CRT-07$/.test(requirement), inHeader('signature', ''))],
    ['CLK-06/iso-8601', 'compares no Date that is written by ISO 8601 with its clock', { overlook: inHeader('date', /^\d{4}-\d\d-/) }],
    ['CLK-06/number', 'compares no Date that is a number with its clock', { overlook: inHeader('date', /^\d+$/) }],
    ['DIG-03/lower-case-name', 'compares no Digest whose algorithm is named in lower case with the body', takingDigests((header) => /^sha-256=[\w+/]+=*$/.test(header))],
    ['DIG-10/end-unread', 'compares as much of a SHA-512 Digest as one of SHA-256 has', comparingParts((digest) => digest.slice(0, 'SHA-512='.length + 43))],
    ['DIG-10/middle-unread', 'compares the beginning and the end of a SHA-512 Digest alone', comparingParts((digest) => digest.slice(0, 20) + digest.slice(-20))],
    ['DIG-06/by-any-name', 'takes the SHA-256 hash of the body under the name of any algorithm',
      takingDigests((header, { bytes }, verdict) => verdict === 'unknown-algorithm' && header.replace(/^[^=]*=/, '') === createHash('sha256').update(bytes).digest('base64'))],
    ['DIG-05/line-feeds', 'takes the Digest of a body with other ends of lines',
      takingDigests((header, { bytes }, verdict) => verdict !== 'absent' && verifyDigest(header, Buffer.from(bytes.toString('utf8').replaceAll('\r\n', '\n'))).ok)],
    ['DIG-07/empty', 'takes an empty Digest for none that is to be compared',
      [withoutRules(({ requirement }) => /^HD[NC]-12$/.test(requirement)), takingDigests((header, request) => header === '' && request.header('digest') !== undefined)]],
    ['CLK-03/1970', 'takes the beginning of 1970 for no date', { overlook: inHeader('date', (date) => Date.parse(date) < dayMs), with: ['CLK-04'] }],
    ['CLK-04/far-ahead', 'takes a Date that is years ahead', { overlook: dated((seconds) => seconds > 2 * 365 * 86_400), with: ['CLK-03'] }],
    ['SGH-01/only-the-end', 'takes the end of a serial number for the whole', { overlook: serial((written, own) => own.endsWith(written)) }],
    ['SGH-01/followed-by-more', 'takes a serial number that goes on behind that of the certificate', { overlook: serial((written, own) => written.startsWith(own)) }],
    ['SGH-02/only-the-end', 'takes the end of the name of the issuer for the whole', withIssuer((written, own) => own.endsWith(`,${written}`))],
    ['SGH-02/all-but-the-country', 'takes the name of the issuer without its last part for the whole', withIssuer((written, own) => own.replace(/,[^,]*$/, '') === written)]),
  each([['SGS-04', 'psu-id', 'listAccounts', 'accounts'], ['SGS-05', 'psu-corporate-id', 'createSigningBasket', 'basket'], ['SGS-05', 'psu-corporate-id', 'listAccounts', 'accounts'], ['SGS-06', 'tpp-redirect-uri', 'listAccounts', 'accounts']], (requirement, header, operation, place) =>
    [`${requirement}/earlier-ones-at-${place}`, `takes any ${header} that it has verified before for the one that was signed (${place})`, takingEarlier(operation, header)]),
  each(easilyForgotten, (place, operation) => [`CLK-05/unchecked-at-${place}`, `wants no Date (${place})`, { overlook: at(operation), rules: ruleOf }]),
  each([...easilyForgotten, ['transactions', 'readTransactions'], ['user', 'startUserFlow']], (place, operation) =>
    [`SIG-02/opened-at-${place}`, `looks whose signature it is, and not what was signed (${place})`, openingAt(operation)]),
);
