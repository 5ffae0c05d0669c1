import { constants, verify } from 'node:crypto';
import type { TppCertificate } from '../../signing/certificate.ts';
import { decodeBase64, digestHeader } from '../../signing/digest.ts';
import { decodeWord, EncodedWordError, isEncodedWord, needsEncoding } from '../../signing/encoded-word.ts';
import { verifyText } from '../../signing/signature.ts';
import { formatKeyId } from '../../signing/signature-header.ts';
import { candidateHeaders } from '../../spec/code-lists.ts';
import { defaultProduct, initiations } from '../../spec/products.ts';
import { type DesignChange, serves, withoutRules } from '../design/design-changes.ts';
import { alsoVerifiedBy, signaturePartOf, verifiedByItsName } from '../design/other-signatures.ts';
import type { BankOperation, BankRequest, Rule } from '../design/route.ts';
import { type SignedLine, type SigningDesign, signingOf } from '../design/signing-design.ts';
import { breakingDown } from './breakdowns.ts';
import {
  advised,
  at,
  atAll,
  atCreations,
  atPayments,
  both,
  each,
  easilyForgotten,
  inHeader,
  isOfACompany,
  marked,
  of,
  once,
  serving,
  strict,
  table,
} from './deviation.ts';

const withSigning =
  (change: (signing: SigningDesign) => SigningDesign): DesignChange =>
  (design) => ({ ...design, signing: change(design.signing) });

type Judge = SigningDesign['judge'];

/** What is made of a signature, by a judge that asks the one there was. */
export const judgingBy = (judgeWith: (judge: Judge, signing: SigningDesign) => Judge): DesignChange =>
  withSigning((signing) => ({ ...signing, judge: judgeWith(signing.judge, signing) }));

/** Values in the signing string are others than were sent. */
const valuing = (change: (value: string | undefined, name: string) => string | undefined): DesignChange =>
  withSigning((signing) =>
    signingOf({
      ...signing,
      valueIn: (request, name) => change(signing.valueIn(request, name), name),
    }),
  );

const reading = (header: string, change: (value: string) => string | undefined): DesignChange =>
  valuing((value, name) => (value !== undefined && name === header ? change(value) : value));

/** What is the same issuer. */
const comparing = (
  same: (issuer: string, certificate: TppCertificate, usual: boolean) => boolean,
): DesignChange =>
  withSigning((signing) => ({
    ...signing,
    sameIssuer: (issuer, certificate) => same(issuer, certificate, signing.sameIssuer(issuer, certificate)),
  }));

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

/** Serial numbers of which a part is the same. */
const comparingSerials = (part: (serial: string) => string) => ({
  overlook: (request: BankRequest): boolean => {
    const own = request.certificate?.serialNumber;
    return own !== undefined && part(own) === part(serialOf(request));
  },
  rules: (id: string) => (rule: Rule) => of(id)(rule) && rule.name.includes('serial number of'),
});

const orderOfItsOwn = judgingBy((judge) => (request, names, ...signed) => {
  const inOrder = ['(request-target)', ...candidateHeaders].filter((name) => names.includes(name));
  return judge(request, inOrder, ...signed);
});

const allCandidates = judgingBy((judge, signing) => (request, names, signature, certificate) => {
  const lines = candidateHeaders.map((name): SignedLine => [name, signing.valueIn(request, name) ?? '']);
  return verifyText(text(lines), signature, certificate.publicKey)
    ? 'verified'
    : judge(request, names, 'AAAA', certificate);
});

const target = '(request-target)';
const withoutQuery = (value: string): string => value.replace(/\?.*$/, '');
const lowerCase = (value: string): string => value.toLowerCase();
const commonName = (name: string): string | undefined => /CN=([^,]+)/.exec(name)?.[1];

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
  const other = signingOf({
    ...signing,
    valueIn: (request, name) => {
      const value = signing.valueIn(request, name);
      return name === target ? value && withoutQuery(value) : value;
    },
  });
  return (...signed) => {
    const verdict = judge(...signed);
    return verdict === 'verified' ? verdict : other.judge(...signed);
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

const inPss = alsoVerifiedBy(
  (signed, signature, { certificate }) =>
    certificate !== undefined &&
    verify(
      'sha256',
      signed,
      { key: certificate.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING },
      signature,
    ),
);

/** A keyId that is written so. */
const isKeyId = (written: (certificate: TppCertificate) => string) => (request: BankRequest) =>
  request.certificate !== undefined && signaturePartOf(request, 'keyId') === written(request.certificate);

function isInDecimal(request: BankRequest): boolean {
  const decimal = /^SN=(\d+),/.exec(signaturePartOf(request, 'keyId') ?? '')?.[1];
  const { certificate } = request;
  return (
    decimal !== undefined &&
    certificate !== undefined &&
    BigInt(decimal) === BigInt(`0x${certificate.serialNumber}`)
  );
}

const isRead = ({ method }: BankRequest): boolean => method === 'GET';

/** Rules that verify, and one on the form of what they verify. */
const verifying = (form: string) => (rule: Rule) => serves(rule, 'SIG-02') || of(form)(rule);

/** Operations that the specification only refers to, where another filter may stand before them. */
const referredTo: readonly BankOperation[] = [
  'readBalances',
  'readTransactions',
  'listAgreements',
  'startUserFlow',
  'createConsent',
];

const allButAccounts = [...initiations, 'listSandboxCustomers'] as const;

// biome-ignore format: a table
export const signingDeviations = table(
  each(easilyForgotten, (place, operation) => table(
    [`SIG-01/unchecked-at-${place}`, `wants no signature (${place})`, withoutRules((rule, where) => where === operation && serves(rule, 'SIG-01'))],
    [`SIG-02/unchecked-at-${place}`, `looks whether there is a signature, and never verifies it (${place})`, withoutRules((rule, where) => where === operation && serves(rule, 'SIG-02'))],
  )),
  ['SIG-02/never-verified', 'looks whether there is a signature, and never verifies it', withoutRules(serving('SIG-02'))],
  ['SGS-14/newline-at-the-end', 'tolerates a newline at the end of the signing string', alsoOver((lines) => [`${text(lines)}\n`])],
  ['SGS-14/carriage-returns', 'tolerates carriage returns in the signing string', alsoOver((lines) => [text(lines).replaceAll('\n', '\r\n')])],
  ['SGS-14/run-together', 'tolerates lines that run together', alsoOver((lines) => [text(lines).replaceAll('\n', '')])],
  ['SGS-15/upper-case', 'tolerates names in upper case in the signing string', alsoOver((lines) => [text(lines.map(([name, value]) => [name.toUpperCase(), value]))])],
  ['SGS-15/no-space', 'tolerates lines without a space after the colon', alsoOver((lines) => [lines.map((line) => line.join(':')).join('\n')])],
  ['SGS-15/values-only', 'tolerates values without names in the signing string', alsoOver((lines) => [lines.map(([, value]) => value).join('\n')])],
  ['SGS-17/lower-case-ids', 'takes an X-Request-ID down to lower case before it verifies the signature', reading('x-request-id', lowerCase), once],
  ['SGS-10/order-of-its-own', 'verifies the lines in the order of the specification, whatever the headers part says', orderOfItsOwn, { alsoAt: atAll }],
  ['SGS-16/all-candidates', 'wants a line for every candidate header, present or not', allCandidates],
  ['SGS-12/unknown', 'does not know (request-target)', reading(target, () => undefined), { alsoAt: atAll }],
  ['SGS-12/method-in-upper-case', 'writes the method of (request-target) in upper case', reading(target, (value) => value.replace(/^\w+/, (method) => method.toUpperCase()))],
  ['SGS-12/without-query', 'leaves the query out of (request-target)', reading(target, withoutQuery)],
  ['SGS-12/address', 'takes (request-target) for the whole address', reading(target, (value) => value.replace(' ', ' https://bank.example'))],
  ['SGS-13/path-only', 'verifies the path of (request-target) alone',
    alsoOver((lines, request) => ['get', 'post', 'put', 'delete'].map((method) => withLine(lines, target, `${method} ${request.target}`)))],
  ['SGS-13/method-only', 'verifies the method of (request-target) alone', alsoOver((lines) => [withLine(lines, target, 'get /v1/elsewhere')])],
  ['SGS-01/a-few-seconds', 'takes a Date that is a few seconds from the one that was signed',
    alsoOver((lines, request) => secondsAway(request.header('date') ?? '').map((date) => withLine(lines, 'date', date))), { alsoAt: atAll }],
  ['SGS-02/its-own-digest', 'signs the digest that it has computed itself, not the one in the header',
    alsoOver((lines, { bytes }) => [withLine(lines, 'digest', digestHeader(bytes))]), { alsoAt: atPayments, about: ['Digest'] }],
  ['SGS-04/in-lower-case', 'verifies PSU-ID in lower case', reading('psu-id', lowerCase), { alsoAt: atCreations }],
  table(['SGS-03/never-verified', 'takes an X-Request-ID that was never signed, because it never verifies', withoutRules(serving('SGS-03')), { alsoAt: atAll }]).slice(1),
  // Tried under the conditions of what is too strict alone.
  each([['date', atAll], ['x-request-id', atAll], ['psu-id', atCreations], ['psu-corporate-id', [...atCreations, 'accounts']], ['tpp-redirect-uri', atCreations]], (header, alsoAt) =>
    [`SGS-08/not-${header}`, `does not enforce that ${header} is signed`,
      withSigning((signing) => ({ ...signing, candidates: signing.candidates.filter((name) => name !== header) })), { alsoAt, ...strict }]),
  ['SGS-05/in-lower-case', 'verifies PSU-Corporate-ID in lower case', reading('psu-corporate-id', lowerCase), { alsoAt: atPayments }],
  ['SGS-06/without-query', 'verifies TPP-Redirect-URI without its query', reading('tpp-redirect-uri', withoutQuery), { alsoAt: atCreations }],
  ['SGS-09/as-empty', 'takes a header that is listed and absent for an empty one', [withoutRules(of('SGS-09')), valuing((value = '') => value)]],
  ['SGH-10/as-text', 'compares the issuer as text, so that another way of escaping is another name', comparing((issuer, certificate) => issuer === certificate.issuer)],
  ['SGH-10/split-at-commas', 'splits the issuer at every comma, escaped ones included',
    comparing((issuer, _, usual) => usual && !issuer.split(',').some((part) => !/^[A-Z0-9.]+=/i.test(part)))],
  ['SGH-15/utf-8-only', 'reads encoded words in UTF-8 only', { refuse: inHeader('signature', /^=\?iso-8859-1\?/i), at: allButAccounts }],
  ['SGH-16/base64-only', 'reads encoded words with the encoding B only', { refuse: inHeader('signature', /^=\?[^?]*\?q\?/i), at: allButAccounts }],
  ['SGH-11/not-decoded', 'does not decode a MIME-encoded Signature header', { refuse: inHeader('signature', /^=\?/) }, { alsoAt: [...atCreations, 'accounts'] }],
  ['SGH-11/where-needed', 'decodes a MIME-encoded Signature header only where it has other letters than those of ASCII',
    { refuse: inHeader('signature', (header) => isEncodedWord(header) && !needsEncoding(decodeWord(header))), at: [defaultProduct.creation] }, advised],
  ['SGH-01/all-but-the-last-digit', 'compares all but the last digit of the serial number', comparingSerials((serial) => serial.slice(0, -1))],
  ['SGH-01/last-64-bits', 'compares the last 64 bits of the serial number', comparingSerials((serial) => serial.slice(-16)), once],
  ['SGH-02/common-name-only', 'compares only the common name of the issuer', comparing((issuer, certificate, usual) => usual || commonName(issuer) === commonName(certificate.issuer))],
  each(['sha1', 'sha512'], (hash) => [`SGH-14/also-${hash}`, `takes a signature over SHA-${hash.slice(3)}`, withHash(hash)]),
  // Forms of the Signature header that other interfaces have and this one does not.
  marked(once,
    each(['none', 'hs2019'], (algorithm) => [`SIG-02/unverified-by-${algorithm}`, `verifies no signature whose algorithm is ${algorithm}`,
      { overlook: (request) => signaturePartOf(request, 'algorithm') === algorithm, rules: () => verifying('SGH-09') }]),
    ['SIG-02/unverified-when-empty', 'verifies no signature that is empty', { overlook: (request) => signaturePartOf(request, 'signature') === '', rules: () => verifying('SGH-08') }],
    ['SIG-02/known-once', 'knows a signature that it has verified, and takes it with any other request', knownOnce],
    ['SGH-07/date-alone', 'takes a Signature without its headers part for one over Date alone', { overlook: isOverDateAlone, rules: verifying }],
    ['SGH-07/date-alone-when-reading', 'takes a Signature without its headers part for one over Date alone, where nothing is created', { overlook: both(isRead, isOverDateAlone), rules: verifying }],
    ['SGH-02/serial-alone', 'takes a keyId that is the serial number alone', { overlook: isKeyId(({ serialNumber }) => `SN=${serialNumber}`), rules: serving }],
    ['SGH-01/issuer-alone', 'takes a keyId that is the issuer alone', { overlook: isKeyId(({ issuer }) => `CA=${issuer}`), rules: serving }],
    each([
      ['SGH-01/empty', 'no serial number', ({ issuer }: TppCertificate) => ({ serialNumber: '', issuer })],
      ['SGH-01/beginning', 'the beginning of the serial number', ({ serialNumber, issuer }: TppCertificate) => ({ serialNumber: serialNumber.slice(0, -2), issuer })],
      ['SGH-01/ending', 'a serial number that ends like that of the certificate', ({ serialNumber, issuer }: TppCertificate) => ({ serialNumber: `1${serialNumber}`, issuer })],
      ['SGH-02/empty', 'no issuer', ({ serialNumber }: TppCertificate) => ({ serialNumber, issuer: '' })],
      ['SGH-02/subject', 'the subject of the certificate for its issuer', ({ serialNumber, subject }: TppCertificate) => ({ serialNumber, issuer: subject })],
    ], (id, what, taken) => [id, `takes a keyId with ${what}`, { overlook: isKeyId((certificate) => formatKeyId(taken(certificate))), rules: () => serving('SGH-01', 'SGH-02') }]),
    ['SGH-01/decimal', 'takes the serial number in decimal', { overlook: isInDecimal, rules: serving }],
    ['SGH-01/decimal-when-reading', 'takes the serial number in decimal where nothing is created', { overlook: both(isRead, isInDecimal), rules: serving }],
    each([['charset', 'utf-8', /^=\?UTF-8\?/], ['encoding', 'B', /^=\?[^?]*\?b\?/]], (part, known, other) =>
      [`SGH-11/case-of-the-${part}`, `knows the ${part} of an encoded word as ${known} only`, { refuse: inHeader('signature', other), at: initiations }]),
    ['SGS-13/without-query', 'takes a (request-target) that ends where the query begins as well', alsoWithoutQuery],
    ['SGH-12/unreadable-word', 'breaks down at an encoded word that nobody can decode', breakingDown(initiations, inHeader('signature', isUnreadableWord))],
    ['SGH-14/also-pss', 'takes a signature with the padding of RSA-PSS', inPss],
    ['SGH-09/by-its-name', 'verifies by SHA-512 where the algorithm says so', verifiedByItsName],
    each(['SGH-01', 'SGH-02', 'SGH-05', 'SGH-07', 'SGH-08', 'SGH-12'], (id) => table(
      [`${id}/unchecked-where-referred-to`, 'asks less of the Signature header at operations that are only referred to', { overlook: at(...referredTo), rules: serving }],
      [`${id}/unchecked-at-balances-of-companies`, 'asks less of the Signature header where a company reads balances', { overlook: both(at('readBalances'), isOfACompany), rules: serving }],
    )),
  ),
);
