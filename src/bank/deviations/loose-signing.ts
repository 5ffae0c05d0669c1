import { createHash } from 'node:crypto';
import { digestHeader, verifyDigest } from '../../signing/digest.ts';
import { verifyText } from '../../signing/signature.ts';
import { dayMs } from '../../spec/days.ts';
import type { BankDesign } from '../design/design.ts';
import { type DesignChange, withoutRules } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';
import type { SignedLine } from '../design/signing-design.ts';
import {
  type Deviation,
  deviation,
  easilyForgotten,
  inHeader,
  inOneContext,
  of,
  overlooking,
  overlooks,
} from './deviation.ts';
import { alsoOver, judgingBy, serialOf, text } from './signing.ts';

/** What a bank may let pass that looks like what was signed, and is something else (Authentication). */

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
      const lines = names.map((name): SignedLine => [name, signing.valueIn(request, name) ?? '']);
      const isEarlier = [...earlier].some((value) =>
        verifyText(
          text(lines.map(([name, own]) => [name, name === header ? value : own])),
          signature,
          certificate.publicKey,
        ),
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

const judging = (
  isTaken: (header: string, request: BankRequest, verdict: ReturnType<BankDesign['judgeDigest']>) => boolean,
): DesignChange => {
  return (design) => ({
    ...design,
    judgeDigest: (request) => {
      const verdict = design.judgeDigest(request);
      return isTaken(request.header('digest') ?? '', request, verdict) ? 'verified' : verdict;
    },
  });
};

const secondsAhead = (request: BankRequest, { clock }: BankState): number =>
  (Date.parse(request.header('date') ?? '') - clock.now().getTime()) / 1000;

const year = 365 * 86_400;

const dated = (isTaken: (seconds: number, request: BankRequest) => boolean): DesignChange =>
  overlooking(of('CLK-03', 'CLK-04'), (request, state) => isTaken(secondsAhead(request, state), request));

const ownSerial = ({ certificate }: BankRequest): string => certificate?.serialNumber ?? '';

const withSerial = (isTaken: (written: string, own: string) => boolean): DesignChange =>
  overlooking(of('SGH-01'), (request) => {
    const written = serialOf(request);
    return written !== '' && isTaken(written, ownSerial(request));
  });

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

const isAboutSignatures = ({ requirement }: { readonly requirement: string }): boolean =>
  /^(?:SIG|SGH|SGS)-|^CRT-07$/.test(requirement);

// biome-ignore format: a table
export const looseSigningDeviations: readonly Deviation[] = [
  ...inOneContext(
    ...([
      ['escaped', 'lines that are joined by a backslash and the letter n', joinedBy('\\n')],
      ['spaces', 'lines that are joined by spaces', joinedBy(' ')],
      ['commas', 'lines that are joined by commas', joinedBy(',')],
      ['carriage-returns-alone', 'lines that are joined by carriage returns', joinedBy('\r')],
      ['newline-at-the-beginning', 'a newline at the beginning of the signing string', writtenAs((lines) => `\n${text(lines)}`)],
    ] as const).map(([way, what, change]) =>
      deviation(`SGS-14/${way}`, `tolerates ${what}`, change)),
    ...([
      ['title-case', 'names that are written as headers usually are', lineOf((name, value) => `${titleCase(name)}: ${value}`)],
      ['space-before', 'a space before each colon', lineOf((name, value) => `${name} : ${value}`)],
      ['equals-signs', 'equals signs for colons', lineOf((name, value) => `${name}=${value}`)],
    ] as const).map(([way, what, change]) =>
      deviation(`SGS-15/${way}`, `tolerates ${what} in the signing string`, change)),
    deviation('SGH-02/any-trusted', 'takes the name of any authority that it trusts for that of the issuer',
      withIssuer((written) => /\P{ASCII}/u.test(written))),
    deviation('SIG-01/empty', 'takes an empty Signature header for none that is to be verified', overlooking(isAboutSignatures, inHeader('signature', ''))),
    overlooks('CLK-06/iso-8601', 'compares no Date that is written by ISO 8601 with its clock', inHeader('date', /^\d{4}-\d\d-/)),
    overlooks('CLK-06/number', 'compares no Date that is a number with its clock', inHeader('date', /^\d+$/)),
    deviation('DIG-03/lower-case-name', 'compares no Digest whose algorithm is named in lower case with the body',
      judging((header) => /^sha-256=[\w+/]+=*$/.test(header))),
    deviation('DIG-10/end-unread', 'compares as much of a SHA-512 Digest as one of SHA-256 has',
      judging((header, { bytes }, verdict) => {
        const read = 'SHA-512='.length + 43;
        return (
          verdict === 'mismatch-sha-512' &&
          header.slice(0, read) === digestHeader(bytes, 'SHA-512').slice(0, read)
        );
      })),
    deviation('DIG-10/middle-unread', 'compares the beginning and the end of a SHA-512 Digest alone',
      judging((header, { bytes }, verdict) => {
        const own = digestHeader(bytes, 'SHA-512');
        return (
          verdict === 'mismatch-sha-512' &&
          header.slice(0, 20) === own.slice(0, 20) &&
          header.slice(-20) === own.slice(-20)
        );
      })),
    deviation('DIG-06/by-any-name', 'takes the SHA-256 hash of the body under the name of any algorithm',
      judging((header, { bytes }, verdict) =>
        verdict === 'unknown-algorithm' && header.replace(/^[^=]*=/, '') === createHash('sha256').update(bytes).digest('base64'))),
    deviation('DIG-05/line-feeds', 'takes the Digest of a body with other ends of lines',
      judging((header, { bytes }, verdict) => verdict !== 'absent' && verifyDigest(header, Buffer.from(bytes.toString('utf8').replaceAll('\r\n', '\n'))).ok)),
    deviation('DIG-07/empty', 'takes an empty Digest for none that is to be compared',
      withoutRules(({ requirement }) => ['HDN-12', 'HDC-12'].includes(requirement)),
      judging((header, request) => header === '' && request.header('digest') !== undefined)),
    deviation('CLK-03/1970', 'takes the beginning of 1970 for no date', dated((_, request) => Date.parse(request.header('date') ?? '') < dayMs)),
    deviation('CLK-04/far-ahead', 'takes a Date that is years ahead', dated((seconds) => seconds > 2 * year)),
    deviation('SGH-01/only-the-end', 'takes the end of a serial number for the whole', withSerial((written, own) => own.endsWith(written))),
    deviation('SGH-01/followed-by-more', 'takes a serial number that goes on behind that of the certificate',
      withSerial((written, own) => written.startsWith(own))),
    deviation('SGH-02/only-the-end', 'takes the end of the name of the issuer for the whole', withIssuer((written, own) => own.endsWith(`,${written}`))),
    deviation('SGH-02/all-but-the-country', 'takes the name of the issuer without its last part for the whole',
      withIssuer((written, own) => own.replace(/,[^,]*$/, '') === written)),
  ),
  ...([
    ['SGS-04', 'psu-id', 'listAccounts', 'accounts'],
    ['SGS-05', 'psu-corporate-id', 'createSigningBasket', 'basket'],
    ['SGS-05', 'psu-corporate-id', 'listAccounts', 'accounts'],
    ['SGS-06', 'tpp-redirect-uri', 'listAccounts', 'accounts'],
  ] as const).map(([requirement, header, operation, place]) =>
    deviation(`${requirement}/earlier-ones-at-${place}`, `takes any ${header} that it has verified before for the one that was signed (${place})`,
      takingEarlier(operation, header))),
  ...easilyForgotten.map(([place, at]) =>
    deviation(`CLK-05/unchecked-at-${place}`, `wants no Date (${place})`, withoutRules((rule, operation) => operation === at && rule.requirement === 'CLK-05'))),
  ...([...easilyForgotten, ['transactions', 'readTransactions'], ['user', 'startUserFlow']] as const).map(([place, at]) =>
    deviation(`SIG-02/opened-at-${place}`, `looks whose signature it is, and not what was signed (${place})`, openingAt(at))),
];
