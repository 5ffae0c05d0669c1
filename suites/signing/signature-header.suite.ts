import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { refused, rejectedWith } from '../../src/checks/expectation.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import { anOfferedRequest, aPayment, type Subject, theAccounts } from '../../src/checks/subject.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import {
  formatDistinguishedNameHexEscaped,
  parseDistinguishedName,
} from '../../src/signing/distinguished-name.ts';
import { decodeWord, encodeWord } from '../../src/signing/encoded-word.ts';
import type { SigningIdentity } from '../../src/signing/identity.ts';
import {
  formatKeyId,
  formatSignatureHeader,
  type SignatureParts,
} from '../../src/signing/signature-header.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { products } from '../../src/spec/products.ts';
import type { Target } from '../../src/target/target.ts';
import { suffixes } from '../id-suffixes.ts';
import { endingLike, nearTo } from '../near-ids.ts';
import { basket, everyRequest, sandbox } from '../subjects.ts';
import { keyed, misshapen, partsOf } from './key-ids.ts';
import {
  anotherIssuer,
  otherAlgorithms,
  overDateAlone,
  type SignaturePart,
  signatureOf,
  signatureWithout,
  unreadableWords,
} from './signature-faults.ts';

const keyIdIsJudged = ({ signatureForm }: Readings) => (signatureForm === 'key-id' ? 'must' : undefined);

const missingPart = (id: string, part: SignaturePart, others: readonly Twist[] = []) =>
  everyRequest.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `${id}${suffix}`,
      requirement: id,
      title: `${of.title} whose Signature header lacks its ${part} part is refused`,
      of,
      twists: [
        {
          label: `the ${part} part is missing`,
          points: 'Signature',
          request: { signing: { format: signatureWithout(part) } },
        },
        ...others,
      ],
      sharesList,
      cases: 1,
    }),
  );

async function oddIdentity({ identities }: Target): Promise<SigningIdentity> {
  const identity = await identities.oddIssuer?.();
  if (identity === undefined) throw new NotApplicable('No identity with an odd issuer is at hand.');
  return identity;
}

/** Whoever issues certificates that the bank trusts, and has not issued this one. */
const nameOfTheOther: Twist = {
  label: 'CA is the name of another authority that is trusted',
  points: 'Signature',
  under: (_, { identities }) => identities.oddIssuer !== undefined,
  request: async ({ target }) => {
    const { serialNumber, issuer: own } = target.identities.main.certificate;
    const { issuer } = (await oddIdentity(target)).certificate;
    const keyId = formatKeyId({ serialNumber, issuer: issuer === own ? anotherIssuer : issuer });
    return { signing: { parts: (parts) => ({ ...parts, keyId }) } };
  },
  isOneOfMany: true,
};

/** What a certificate says of the TPP: its number, and its name where it has none. */
const tppNamedIn = ({ certificate }: SigningIdentity): string =>
  certificate.authorisationNumber ?? certificate.subject;

/**
 * Most requests name a PSU, whose PSU-ID is that of one TPP (PSU identification and SCA). Where the odd certificate is that of
 * another TPP, what needs no PSU is asked for.
 */
const aRequestOfTheOddTpp: Subject = {
  ...anOfferedRequest,
  async at(context) {
    if (!(await isTheSameTpp(context)) && context.target.profiles.includes('sandbox')) return sandbox.of;
    return ofTheSameTpp(anOfferedRequest);
  },
};

const isTheSameTpp = async ({ target }: CheckContext): Promise<boolean> =>
  tppNamedIn(await oddIdentity(target)) === tppNamedIn(target.identities.main);

/** What names the PSU of the run, and so has to come from its TPP. */
function ofTheSameTpp(subject: Subject): Subject {
  return {
    ...subject,
    async at(context) {
      if (await isTheSameTpp(context)) return subject;
      throw new NotApplicable(
        'signing.identities.oddIssuer is another TPP than that of signing.certificate, so that the PSU-ID at hand is not its own: give a certificate of the same TPP.',
      );
    },
  };
}

export default suite('Signature header', section('Authentication', 'Signature header'), () => [
  everyRequest.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `SGH-01${suffix}`,
      requirement: 'SGH-01',
      title: `${of.title} whose keyId bears another serial number than the certificate is refused`,
      levelUnder: keyIdIsJudged,
      of,
      twists: [
        keyed('SN is the serial number of another certificate', ({ serialNumber, issuer }) =>
          formatKeyId({ serialNumber: nearTo(serialNumber), issuer }),
        ),
        {
          ...keyed('SN ends like the serial number and begins otherwise', ({ serialNumber, issuer }) =>
            formatKeyId({ serialNumber: endingLike(serialNumber), issuer }),
          ),
          isOneOfMany: true,
        },
        keyed('keyId is a word without SN and CA', () => 'signing-key-1'),
        misshapen('keyId has CA and no SN', ({ issuer }) => `CA=${issuer}`),
        misshapen('SN is empty', ({ issuer }) => formatKeyId({ serialNumber: '', issuer })),
        {
          ...misshapen('SN is only the beginning of the serial number', ({ serialNumber, issuer }) =>
            formatKeyId({ serialNumber: serialNumber.slice(0, -2), issuer }),
          ),
          // Nothing is left of one that is short.
          under: (_, { identities }) => identities.main.certificate.serialNumber.length > 2,
        },
        {
          ...misshapen('SN is only the end of the serial number', ({ serialNumber, issuer }) =>
            formatKeyId({ serialNumber: serialNumber.slice(2), issuer }),
          ),
          // Without the zeros before it, it is the same number.
          under: (_, { identities }) => /^(?!00)..(?!0*$)/.test(identities.main.certificate.serialNumber),
        },
        misshapen('SN has one more digit behind the serial number', ({ serialNumber, issuer }) =>
          formatKeyId({ serialNumber: `${serialNumber}1`, issuer }),
        ),
        misshapen('SN has one more digit before the serial number', ({ serialNumber, issuer }) =>
          formatKeyId({ serialNumber: `1${serialNumber}`, issuer }),
        ),
        // Read as hexadecimal it is the number of another certificate.
        {
          ...misshapen('SN is the serial number in decimal', ({ serialNumber, issuer }) =>
            formatKeyId({ serialNumber: BigInt(`0x${serialNumber}`).toString(), issuer }),
          ),
          // A number of one digit is the same in both.
          under: (_, { identities }) => BigInt(`0x${identities.main.certificate.serialNumber}`) > 9n,
        },
      ],
      sharesList,
      cases: 2,
    }),
  ),
  everyRequest.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `SGH-02${suffix}`,
      requirement: 'SGH-02',
      title: `${of.title} whose keyId names another issuer than the certificate’s is refused`,
      levelUnder: keyIdIsJudged,
      of,
      twists: [
        keyed('CA is the name of another authority', ({ serialNumber }) =>
          formatKeyId({ serialNumber, issuer: anotherIssuer }),
        ),
        {
          ...keyed('CA is only a part of the name of the issuer', ({ serialNumber, issuer }) =>
            formatKeyId({ serialNumber, issuer: partsOf(issuer)[0] ?? '' }),
          ),
          // A name of one part has none that is smaller.
          under: (_, { identities }) => partsOf(identities.main.certificate.issuer).length > 1,
        },
        nameOfTheOther,
        keyed('CA is the name of the issuer with one more part to it', ({ serialNumber, issuer }) =>
          formatKeyId({ serialNumber, issuer: `${issuer},L=Elsewhere` }),
        ),
        ...([1, -1] as const).map((end) => ({
          ...misshapen(`CA lacks the ${end === 1 ? 'first' : 'last'} part of the name of the issuer`, (own) =>
            formatKeyId({
              ...own,
              issuer: partsOf(own.issuer)
                .slice(...(end === 1 ? [1] : [0, -1]))
                .join(','),
            }),
          ),
          under: (_: unknown, { identities: { main } }: Target) =>
            partsOf(main.certificate.issuer).length > 2,
        })),
        misshapen('keyId has SN and no CA', ({ serialNumber }) => `SN=${serialNumber}`),
        misshapen('CA is empty', ({ serialNumber }) => formatKeyId({ serialNumber, issuer: '' })),
        {
          ...misshapen('CA is the subject of the certificate', ({ serialNumber, subject }) =>
            formatKeyId({ serialNumber, issuer: subject }),
          ),
          // Whoever has issued it to themselves is both.
          under: (_, { identities }) => {
            const { subject, issuer } = identities.main.certificate;
            return subject !== '' && subject !== issuer;
          },
        },
      ],
      sharesList,
      cases: 2,
    }),
  ),
  everyRequest.map(({ suffix, of }) =>
    refuses({
      id: `SGH-03${suffix}`,
      requirement: 'SGH-03',
      title: `${of.title} whose keyId has its serial number in lower case is refused`,
      of,
      twists: [
        keyed('SN is in lower case', ({ serialNumber, issuer }) => {
          if (!/[A-F]/.test(serialNumber))
            throw new NotApplicable('The serial number of the certificate has no letters.');
          return formatKeyId({ serialNumber: serialNumber.toLowerCase(), issuer });
        }),
      ],
      cases: 1,
    }),
  ),
  everyRequest.map(({ suffix, of }) =>
    refuses({
      id: `SGH-04${suffix}`,
      requirement: 'SGH-04',
      title: `${of.title} whose Signature header has its parts in another order is refused`,
      of,
      twists: [
        {
          label: 'signature stands first',
          request: {
            signing: {
              format: (parts) => signatureOf(parts, ['signature', 'headers', 'algorithm', 'keyId']),
            },
          },
        },
      ],
      cases: 1,
    }),
  ),
  missingPart('SGH-05', 'keyId'),
  missingPart('SGH-06', 'algorithm'),
  missingPart('SGH-07', 'headers', [overDateAlone]),
  missingPart('SGH-08', 'signature'),
  everyRequest.map(({ suffix, of }) =>
    refuses({
      id: `SGH-09${suffix}`,
      requirement: 'SGH-09',
      title: `${of.title} with an algorithm other than that of the certificate is refused`,
      of,
      twists: otherAlgorithms,
      cases: 1,
    }),
  ),
  accepts({
    id: 'SGH-10',
    requirement: 'SGH-10',
    title: 'a keyId whose issuer is an RFC 2253 name with escaped characters is accepted',
    of: aRequestOfTheOddTpp,
    needs: ['identity:oddIssuer'],
    twists: [
      {
        label: 'the issuer has a comma and Norwegian letters, all escaped',
        request: async ({ target }) => {
          const identity = await oddIdentity(target);
          const { serialNumber, issuer } = identity.certificate;
          const escaped = formatDistinguishedNameHexEscaped(parseDistinguishedName(issuer));
          const keyId = formatKeyId({ serialNumber, issuer: escaped });
          return { signing: { identity, parts: (parts) => ({ ...parts, keyId }) } };
        },
      },
    ],
    cases: 1,
  }),
  [
    { suffix: '', of: aRequestOfTheOddTpp },
    { suffix: products.crossBorder.suffix, of: ofTheSameTpp(aPayment(products.crossBorder)) },
    { suffix: basket.suffix, of: ofTheSameTpp(basket.of) },
    { suffix: suffixes.accounts, of: ofTheSameTpp(theAccounts()) },
  ].map(({ suffix, of }) =>
    accepts({
      id: `SGH-11${suffix}`,
      requirement: 'SGH-11',
      title: `${suffix === '' ? 'a request' : of.title} whose Signature header has Norwegian letters, MIME-encoded per RFC 2047, is accepted`,
      of,
      needs: ['identity:oddIssuer'],
      twists: [
        {
          label: 'the issuer has a comma and Norwegian letters in UTF-8, and the header is an encoded word',
          request: async ({ target }) => ({ signing: { identity: await oddIdentity(target) } }),
        },
        {
          label: 'the encoded word names charset and encoding in the other case (RFC 2047, 2)',
          request: async ({ target }) => ({
            signing: {
              identity: await oddIdentity(target),
              format: (parts) => formatSignatureHeader(parts).replace(/^=\?utf-8\?B\?/i, '=?UTF-8?b?'),
            },
          }),
        },
      ],
      cases: 1,
    }),
  ),
  ...(
    [
      { id: 'SGH-15', what: 'in ISO-8859-1', charset: 'iso-8859-1', encoding: 'B' },
      { id: 'SGH-16', what: 'with the encoding Q', charset: 'utf-8', encoding: 'Q' },
    ] as const
  ).map(({ id, what, charset, encoding }) =>
    accepts({
      id,
      requirement: id,
      title: `a Signature header with Norwegian letters, MIME-encoded ${what}, is accepted`,
      of: aRequestOfTheOddTpp,
      needs: ['identity:oddIssuer'],
      twists: [
        {
          label: `the issuer has Norwegian letters, and the header is an encoded word ${what}`,
          request: async ({ target }) => {
            const identity = await oddIdentity(target);
            const format = (parts: SignatureParts) =>
              encodeWord(decodeWord(formatSignatureHeader(parts)), charset, encoding);
            return { signing: { identity, format } };
          },
        },
      ],
      fixed: ['signature'],
      cases: 1,
    }),
  ),
  accepts({
    id: 'SGH-11-ascii',
    requirement: 'SGH-11',
    title: 'an encoded word is understood even where the header has ASCII values only',
    levelUnder: () => 'advisory',
    of: anOfferedRequest,
    twists: [
      {
        label: 'the Signature header is an encoded word',
        request: { signing: { format: (parts) => encodeWord(formatSignatureHeader(parts)) } },
      },
    ],
    cases: 1,
  }),
  everyRequest.map(({ suffix, of, sharesList }) =>
    refuses({
      id: `SGH-12${suffix}`,
      requirement: 'SGH-12',
      title: `${of.title} with a Signature header that is no list of parts is rejected with 400`,
      of,
      twists: [
        { label: 'Signature is a word', request: { signing: { format: () => 'signed' } } },
        {
          label: 'Signature is the bare signature',
          request: { signing: { format: ({ signature }) => signature } },
        },
        ...unreadableWords,
      ],
      sharesList,
      expected: rejectedWith(400),
      cases: 2,
    }),
  ),
  everyRequest.map(({ suffix, of }) =>
    refuses({
      id: `SGH-13${suffix}`,
      requirement: 'SGH-13',
      title: `${of.title} whose headers part has names that are not in lower case is refused`,
      of,
      twists: [
        {
          label: 'the names are in upper case',
          request: {
            signing: {
              parts: (parts) => ({ ...parts, headers: parts.headers.map((name) => name.toUpperCase()) }),
            },
          },
        },
      ],
      expected: refused(),
      cases: 1,
    }),
  ),
]);
