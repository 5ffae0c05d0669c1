import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import { refuses, type Twist } from '../../src/checks/trial.ts';
import type { FurtherIdentityName, TargetIdentities } from '../../src/target/identities.ts';
import { type Variation, withHeader } from '../../src/tpp/call.ts';
import { everyRequest, initiations, type NamedSubject, payments } from '../subjects.ts';
import { whereCertificatesAreJudged } from './certificate-trust.ts';
import { timeAtBank } from './dates.ts';

/** Signs as another TPP, correctly. */
const as =
  (name: keyof Omit<TargetIdentities, 'main' | 'further'>) =>
  async (context: CheckContext): Promise<Variation> => {
    const identity = await context.target.identities[name]?.(timeAtBank(context));
    if (identity === undefined) throw new NotApplicable(`Add signing.identities.${name} to the target file.`);
    return { signing: { identity } };
  };

/** Whole bytes of Base64, and fewer than the shortest certificate has. */
const cutAt = 400;

const refusesIdentity = (
  id: string,
  identity: FurtherIdentityName,
  what: string,
  subjects: readonly Pick<NamedSubject, 'suffix' | 'of'>[],
  requirement = id,
  others: readonly Twist[] = [],
) =>
  subjects.map(({ suffix, of }) =>
    refuses({
      id: `${id}${suffix}`,
      requirement,
      title: `${of.title} signed with ${what} is refused`,
      levelUnder: whereCertificatesAreJudged('must'),
      of,
      needs: [`identity:${identity}`],
      twists: [
        { label: `it is signed with ${what}`, points: 'TPP-Signature-Certificate', request: as(identity) },
        ...others,
      ],
      cases: 1,
    }),
  );

export default suite('Certificate', section('Authentication', 'Transport and signing'), () => [
  everyRequest.map(({ suffix, of }) =>
    refuses({
      id: `CRT-01${suffix}`,
      requirement: 'CRT-01',
      title: `${of.title} signed with a certificate of an untrusted authority is refused`,
      levelUnder: whereCertificatesAreJudged('must'),
      of,
      twists: [
        {
          label: 'the certificate comes from an authority that only bears the name of the trusted one',
          points: 'TPP-Signature-Certificate',
          request: as('untrustedTwin'),
        },
        {
          label: 'the certificate comes from an authority that nobody has heard of',
          points: 'TPP-Signature-Certificate',
          request: as('unknownTpp'),
        },
        {
          label:
            'the certificate was issued by a TPP, with a trusted certificate that is that of no authority',
          points: 'TPP-Signature-Certificate',
          request: as('issuedByTpp'),
        },
        {
          label: 'the certificate is self-signed and bears the name of the trusted authority',
          points: 'TPP-Signature-Certificate',
          request: as('selfSigned'),
        },
      ],
      cases: 1,
    }),
  ),
  refusesIdentity('CRT-02', 'expired', 'an expired certificate', everyRequest),
  refusesIdentity('CRT-03', 'notYetValid', 'a certificate that is not valid yet', everyRequest),
  refusesIdentity('CRT-04', 'aispOnly', 'a certificate without the PISP role', initiations),
  refusesIdentity('CRT-04-no-role', 'roleless', 'a certificate without any role', payments, 'CRT-04', [
    {
      label: 'it is signed with a certificate whose only role is that of a card issuer',
      points: 'TPP-Signature-Certificate',
      under: (_, { identities }) => identities.cardIssuerOnly !== undefined,
      request: as('cardIssuerOnly'),
    },
  ]),
  everyRequest.map(({ suffix, of, headers: column }) =>
    refuses({
      id: `CRT-06${suffix}`,
      requirement: 'CRT-06',
      title: `${of.title} whose TPP-Signature-Certificate is no certificate is refused`,
      of,
      twists: [
        {
          label: 'TPP-Signature-Certificate is no certificate',
          points: 'TPP-Signature-Certificate',
          request: withHeader('TPP-Signature-Certificate', Buffer.from('no certificate').toString('base64')),
        },
        {
          label: 'TPP-Signature-Certificate is no Base64',
          points: 'TPP-Signature-Certificate',
          request: withHeader('TPP-Signature-Certificate', '*certificate*'),
          isOneOfMany: true,
        },
        {
          label: 'TPP-Signature-Certificate is cut off',
          points: 'TPP-Signature-Certificate',
          request: ({ target }) =>
            withHeader(
              'TPP-Signature-Certificate',
              target.identities.main.certificate.base64.slice(0, cutAt),
            ),
          isOneOfMany: true,
        },
        // Where the header table has a column, that it is missing is judged with the headers.
        ...(column === undefined
          ? [
              {
                label: 'TPP-Signature-Certificate is missing',
                points: 'TPP-Signature-Certificate',
                request: {
                  afterSigning: ({ headers }) => headers.remove('TPP-Signature-Certificate'),
                } satisfies Variation,
              },
            ]
          : []),
      ],
      cases: 1,
    }),
  ),
]);
