import { constants, verify } from 'node:crypto';
import type { TppCertificate } from '../../signing/certificate.ts';
import { decodeWord, EncodedWordError } from '../../signing/encoded-word.ts';
import { verifyText } from '../../signing/signature.ts';
import { formatKeyId } from '../../signing/signature-header.ts';
import { initiations } from '../../spec/products.ts';
import { serves } from '../design/design-changes.ts';
import { alsoVerifiedBy, signaturePartOf, verifiedByItsName } from '../design/other-signatures.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';
import { signingOf } from '../design/signing-design.ts';
import { breakingDown } from './breakdowns.ts';
import {
  at,
  both,
  type Deviation,
  deviation,
  inHeader,
  inOneContext,
  isOfACompany,
  of,
  overlooking,
  refuses,
  serving,
} from './deviation.ts';
import { judgingBy } from './signing.ts';

/** Forms of the Signature header that other interfaces have and this one does not (Signature header). */

/** What a decoder that nobody catches throws at. */
function isUnreadableWord(header: string): boolean {
  try {
    decodeWord(header);
    return false;
  } catch (error) {
    if (error instanceof EncodedWordError) return true;
    throw error;
  }
}

/** As the drafts of HTTP signatures have it: without a list of headers, Date alone is signed. */
function isOverDateAlone(request: BankRequest): boolean {
  const { certificate } = request;
  const signature = signaturePartOf(request, 'signature');
  return (
    signature !== undefined &&
    certificate !== undefined &&
    signaturePartOf(request, 'headers') === undefined &&
    verifyText(`date: ${request.header('date')}`, signature, certificate.publicKey)
  );
}

/** A proxy in front may have taken the query away, so the bank tries without it. */
const alsoWithoutQuery = judgingBy((judge, signing) => {
  const withoutQuery = signingOf({
    ...signing,
    valueIn: (request, name) => {
      const value = signing.valueIn(request, name);
      return name === '(request-target)' ? value?.replace(/\?.*$/, '') : value;
    },
  });
  return (...signed) => {
    const verdict = judge(...signed);
    return verdict === 'verified' ? verdict : withoutQuery.judge(...signed);
  };
});

/** Verifying costs time, so what was verified once is known by the signature alone. */
const knownOnce = judgingBy((judge) => {
  const known = new Set<string>();
  return (request, names, signature, certificate) => {
    if (known.has(signature)) return 'verified';
    const verdict = judge(request, names, signature, certificate);
    if (verdict === 'verified') known.add(signature);
    return verdict;
  };
});

const isSerialAlone = (request: BankRequest): boolean =>
  request.certificate !== undefined &&
  signaturePartOf(request, 'keyId') === `SN=${request.certificate.serialNumber}`;

const isIssuerAlone = (request: BankRequest): boolean =>
  request.certificate !== undefined &&
  signaturePartOf(request, 'keyId') === `CA=${request.certificate.issuer}`;

function isInDecimal(request: BankRequest): boolean {
  const decimal = /^SN=(\d+),/.exec(signaturePartOf(request, 'keyId') ?? '')?.[1];
  const { certificate } = request;
  return (
    decimal !== undefined &&
    certificate !== undefined &&
    BigInt(decimal) === BigInt(`0x${certificate.serialNumber}`)
  );
}

const inPss = alsoVerifiedBy(
  (text, signature, { certificate }) =>
    certificate !== undefined &&
    verify(
      'sha256',
      text,
      { key: certificate.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING },
      signature,
    ),
);

/** Operations that the specification only refers to, where another filter may stand before them. */
const referredTo: readonly BankOperation[] = [
  'readBalances',
  'readTransactions',
  'listAgreements',
  'startUserFlow',
  'createConsent',
];

// biome-ignore format: a table
export const signatureFormDeviations: readonly Deviation[] = inOneContext(
  ...['none', 'hs2019'].map((algorithm) =>
    deviation(`SIG-02/unverified-by-${algorithm}`, `verifies no signature whose algorithm is ${algorithm}`,
      overlooking((rule) => serves(rule, 'SIG-02') || of('SGH-09')(rule), (request) => signaturePartOf(request, 'algorithm') === algorithm))),
  deviation('SIG-02/unverified-when-empty', 'verifies no signature that is empty',
    overlooking((rule) => serves(rule, 'SIG-02') || of('SGH-08')(rule), (request) => signaturePartOf(request, 'signature') === '')),
  deviation('SIG-02/known-once', 'knows a signature that it has verified, and takes it with any other request', knownOnce),
  deviation('SGH-07/date-alone', 'takes a Signature without its headers part for one over Date alone',
    overlooking((rule) => of('SGH-07')(rule) || serves(rule, 'SIG-02'), isOverDateAlone)),
  deviation('SGH-07/date-alone-when-reading', 'takes a Signature without its headers part for one over Date alone, where nothing is created',
    overlooking((rule) => of('SGH-07')(rule) || serves(rule, 'SIG-02'), (request) => request.method === 'GET' && isOverDateAlone(request))),
  deviation('SGH-02/serial-alone', 'takes a keyId that is the serial number alone', overlooking(serving('SGH-02'), isSerialAlone)),
  deviation('SGH-01/issuer-alone', 'takes a keyId that is the issuer alone', overlooking(serving('SGH-01'), isIssuerAlone)),
  ...([
    ['SGH-01/empty', 'no serial number', (certificate) => ['', certificate.issuer]],
    ['SGH-01/beginning', 'the beginning of the serial number', (certificate) => [certificate.serialNumber.slice(0, -2), certificate.issuer]],
    ['SGH-01/ending', 'a serial number that ends like that of the certificate', (certificate) => [`1${certificate.serialNumber}`, certificate.issuer]],
    ['SGH-02/empty', 'no issuer', (certificate) => [certificate.serialNumber, '']],
    ['SGH-02/subject', 'the subject of the certificate for its issuer', (certificate) => [certificate.serialNumber, certificate.subject]],
  ] as readonly (readonly [id: `${string}/${string}`, what: string, taken: (certificate: TppCertificate) => readonly [serialNumber: string, issuer: string]])[]).map(([id, what, taken]) =>
    deviation(id, `takes a keyId with ${what}`,
      overlooking(serving('SGH-01', 'SGH-02'), (request) => {
        if (request.certificate === undefined) return false;
        const [serialNumber, issuer] = taken(request.certificate);
        return signaturePartOf(request, 'keyId') === formatKeyId({ serialNumber, issuer });
      }))),
  deviation('SGH-01/decimal', 'takes the serial number in decimal', overlooking(serving('SGH-01'), isInDecimal)),
  deviation('SGH-01/decimal-when-reading', 'takes the serial number in decimal where nothing is created',
    overlooking(serving('SGH-01'), (request) => request.method === 'GET' && isInDecimal(request))),
  ...([['charset', 'utf-8', /^=\?UTF-8\?/], ['encoding', 'B', /^=\?[^?]*\?b\?/]] as const).map(([part, known, other]) =>
    refuses(`SGH-11/case-of-the-${part}`, `knows the ${part} of an encoded word as ${known} only`, initiations, inHeader('signature', other))),
  deviation('SGS-13/without-query', 'takes a (request-target) that ends where the query begins as well', alsoWithoutQuery),
  deviation('SGH-12/unreadable-word', 'breaks down at an encoded word that nobody can decode',
    breakingDown(initiations, (request) => isUnreadableWord(request.header('signature') ?? ''))),
  deviation('SGH-14/also-pss', 'takes a signature with the padding of RSA-PSS', inPss),
  deviation('SGH-09/by-its-name', 'verifies by SHA-512 where the algorithm says so', verifiedByItsName),
  ...(['SGH-01', 'SGH-02', 'SGH-05', 'SGH-07', 'SGH-08', 'SGH-12'] as const).map((requirement) =>
    deviation(`${requirement}/unchecked-where-referred-to`, 'asks less of the Signature header at operations that are only referred to',
      overlooking(serving(requirement), ({ operation }) => referredTo.includes(operation)))),
  ...(['SGH-01', 'SGH-02', 'SGH-05', 'SGH-07', 'SGH-08', 'SGH-12'] as const).map((requirement) =>
    deviation(`${requirement}/unchecked-at-balances-of-companies`, 'asks less of the Signature header where a company reads balances',
      overlooking(serving(requirement), both(at('readBalances'), isOfACompany)))),
);
