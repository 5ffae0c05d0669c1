import { creations, initiations } from '../products.ts';
import { ofInitiations, ofPayments } from '../profiles.ts';
import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const says = statements('bank', ['core'], 'Authentication', 'Transport and signing');
const header = statements('bank', ['core'], 'Authentication', 'Signature header');
const line = statements('bank', ['core'], 'Authentication', 'Signature header', 'Signing string');
const digest = statements('bank', ofPayments, 'Endpoints', 'Common request headers', 'Digest');

export const signingRequirements: readonly Requirement[] = [
  says('SIG-01', 'A request that requires a signature but lacks the Signature header is rejected with 400.', {
    status: 400,
    remedies: ['signatureSkipped'],
  }),
  says('SIG-02', 'A request whose signature fails verification is rejected with 400.', {
    status: 400,
    remedies: ['ownSigningString', 'otherStatusThan400'],
  }),
  says('SIG-03', 'Responses may be signed; a response that carries a signature carries one that verifies.', {
    level: 'should',
    remedies: ['responseSignedOtherwise'],
  }),
  says('CLK-01', 'A Date up to 60 seconds behind the bank’s clock is accepted.', {
    reading: 'clockReference',
    remedies: ['clockWindow'],
  }),
  says('CLK-02', 'A Date up to 60 seconds ahead of the bank’s clock is accepted.', {
    reading: 'clockReference',
    remedies: ['clockWindow'],
  }),
  says('CLK-03', 'A Date more than 60 seconds behind the bank’s clock is refused.', {
    reading: 'clockReference',
    remedies: ['clockWindow'],
  }),
  says('CLK-04', 'A Date more than 60 seconds ahead of the bank’s clock is refused.', {
    reading: 'clockReference',
    remedies: ['clockWindow'],
  }),
  says('CLK-05', 'A request without Date is refused.', {
    reading: 'clockReference',
    remedies: ['clockWindow'],
  }),
  says('CLK-06', 'A Date that is no date is refused.', {
    reading: 'clockReference',
    remedies: ['clockWindow'],
  }),
  says('CLK-07', 'A Date in one of the obsolete forms that RFC 7231 recipients understand is accepted.', {
    level: 'advisory',
    unobservable:
      'left open: the specification names the full-date form alone, so a bank may refuse the others',
  }),
  says('CRT-01', 'A certificate from a certificate authority that is not trusted is refused.', {
    reading: 'certificateTrust',
    remedies: ['issuerByName'],
  }),
  says('CRT-02', 'An expired certificate is refused.', {
    reading: 'certificateTrust',
    remedies: ['validityLeftToTls'],
  }),
  says('CRT-03', 'A certificate that is not valid yet is refused.', {
    reading: 'certificateTrust',
    remedies: ['validityLeftToTls'],
  }),
  says('CRT-04', 'A payment signed by a TPP without the PISP role is refused.', {
    reading: 'certificateTrust',
    profiles: ofInitiations,
    remedies: ['rolesFromRegistry'],
  }),
  says('CRT-05', 'Account data asked for by a TPP without the AISP role is refused.', {
    reading: 'certificateTrust',
    profiles: ['accounts'],
    level: 'should',
    remedies: ['rolesFromRegistry'],
  }),
  says('CRT-06', 'A TPP-Signature-Certificate that is no certificate is refused.', {
    remedies: ['certificateUnreadable'],
  }),
  says('CRT-07', 'A signature made with another key than the certificate’s is rejected with 400.', {
    status: 400,
    remedies: ['keyFromRegistry', 'otherStatusThan400'],
  }),
  says('CRT-08', 'In production, certificate and registration are checked against central registries.', {
    unobservable: 'a test identity in no registry cannot be told from one that was struck off',
  }),
  says('CRT-09', 'The user and the agreements asked for by a TPP without any role are refused.', {
    reading: 'certificateTrust',
    profiles: ['accounts'],
    level: 'should',
    remedies: ['rolesFromRegistry'],
  }),

  header('SGH-01', 'A keyId whose SN is not the serial number of the certificate is refused.', {
    reading: 'signatureForm',
    remedies: ['keyIdIgnored'],
  }),
  header('SGH-02', 'A keyId whose CA is not the issuer of the certificate is refused.', {
    reading: 'signatureForm',
    remedies: ['keyIdIgnored', 'issuerAsText'],
  }),
  header('SGH-03', 'SN is written in upper-case hexadecimal; lower case is refused.', {
    level: 'advisory',
    reading: 'signatureForm',
    remedies: ['headerSearched'],
  }),
  header(
    'SGH-04',
    'The four parts stand in the order keyId, algorithm, headers, signature; another order is refused.',
    {
      level: 'advisory',
      reading: 'signatureForm',
      remedies: ['headerSearched'],
    },
  ),
  header('SGH-05', 'A Signature header without its keyId part is refused.', { remedies: ['headerSearched'] }),
  header('SGH-06', 'A Signature header without its algorithm part is refused.', {
    level: 'advisory',
    reading: 'signatureForm',
    remedies: ['headerSearched'],
  }),
  header('SGH-07', 'A Signature header without its headers part is refused.', {
    remedies: ['headerSearched'],
  }),
  header('SGH-08', 'A Signature header without its signature part is refused.', {
    remedies: ['headerSearched'],
  }),
  header('SGH-09', 'An algorithm other than that of the certificate is refused.', {
    level: 'advisory',
    reading: 'signatureForm',
    remedies: ['headerSearched'],
  }),
  header('SGH-10', 'A keyId whose CA is an RFC 2253 name with escaped characters is accepted.', {
    remedies: ['issuerAsText'],
  }),
  header(
    'SGH-11',
    'A Signature header with non-ASCII values, MIME-encoded as a whole per RFC 2047, is accepted.',
    { remedies: ['issuerAsText'] },
  ),
  header('SGH-12', 'A Signature header that is no list of quoted parts is rejected with 400.', {
    status: 400,
    remedies: ['headerSearched', 'otherStatusThan400'],
  }),
  header(
    'SGH-13',
    'Header names in the headers part are separated by a single space and written in lower case.',
    {
      level: 'advisory',
      reading: 'signatureForm',
      remedies: ['headerSearched'],
    },
  ),
  header(
    'SGH-14',
    'The signature is RSA-SHA256: one made with another hash or padding is rejected with 400.',
    {
      status: 400,
      remedies: ['anyHash', 'otherStatusThan400'],
    },
  ),

  header('SGH-15', 'A Signature header MIME-encoded in ISO-8859-1 is accepted.', {
    remedies: ['encodedWordHalfRead'],
  }),
  header('SGH-16', 'A Signature header MIME-encoded with the encoding Q of RFC 2047 is accepted.', {
    remedies: ['encodedWordHalfRead'],
  }),

  line('SGS-01', 'The date line is verified: a Date changed after signing is rejected with 400.', {
    caseOf: 'SIG-02',
    status: 400,
    remedies: ['ownSigningString', 'otherStatusThan400'],
  }),
  line('SGS-02', 'The digest line is verified: a Digest changed after signing is rejected with 400.', {
    profiles: ofPayments,
    caseOf: 'SIG-02',
    status: 400,
    demandedOf: creations,
    remedies: ['ownSigningString', 'otherStatusThan400'],
  }),
  line(
    'SGS-03',
    'The x-request-id line is verified: an X-Request-ID changed after signing is rejected with 400.',
    { caseOf: 'SIG-02', status: 400, remedies: ['ownSigningString', 'otherStatusThan400'] },
  ),
  line('SGS-04', 'The psu-id line is verified: a PSU-ID changed after signing is rejected with 400.', {
    profiles: ofInitiations,
    caseOf: 'SIG-02',
    status: 400,
    demandedOf: initiations,
    remedies: ['ownSigningString', 'otherStatusThan400'],
  }),
  line(
    'SGS-05',
    'The psu-corporate-id line is verified: a PSU-Corporate-ID changed after signing is rejected with 400.',
    {
      profiles: ['corporate-psus'],
      caseOf: 'SIG-02',
      status: 400,
      demandedOf: initiations,
      remedies: ['ownSigningString', 'otherStatusThan400'],
    },
  ),
  line(
    'SGS-06',
    'The tpp-redirect-uri line is verified: a TPP-Redirect-URI changed after signing is rejected with 400.',
    {
      profiles: ofInitiations,
      caseOf: 'SIG-02',
      status: 400,
      demandedOf: initiations,
      remedies: ['ownSigningString', 'otherStatusThan400'],
    },
  ),
  line('SGS-07', 'A Digest that is present and not signed is refused.', {
    profiles: ofPayments,
    reading: 'unsignedCandidates',
    demandedOf: creations,
    remedies: ['unsignedNotMissed'],
  }),
  line('SGS-08', 'Any other candidate header that is present and not signed is refused.', {
    level: 'advisory',
    reading: 'unsignedCandidates',
    remedies: ['unsignedNotMissed'],
  }),
  line('SGS-09', 'A signature over a line for a header which the request lacks is rejected with 400.', {
    status: 400,
    remedies: ['ownSigningString', 'otherStatusThan400'],
  }),
  line('SGS-10', 'The order of the lines is the order of the headers part, whichever order that is.', {
    remedies: ['ownSigningString'],
  }),
  line('SGS-11', 'A signing string whose order differs from the headers part is rejected with 400.', {
    status: 400,
    remedies: ['ownSigningString', 'otherStatusThan400'],
  }),
  line('SGS-12', 'A signature that covers (request-target) as well is accepted.', {
    reading: 'requestTarget',
    remedies: ['requestTargetUnknown'],
  }),
  line('SGS-13', 'A (request-target) line that does not match the request is rejected with 400.', {
    reading: 'requestTarget',
    status: 400,
    remedies: ['requestTargetUnknown', 'otherStatusThan400'],
  }),
  line(
    'SGS-14',
    'Lines are separated by a newline alone: a string joined in another way is rejected with 400.',
    { status: 400, remedies: ['ownSigningString', 'otherStatusThan400'] },
  ),
  line(
    'SGS-15',
    'Each line is the lower-case name, a colon, a space and the value: another form is rejected with 400.',
    { status: 400, remedies: ['ownSigningString', 'otherStatusThan400'] },
  ),
  line('SGS-16', 'A candidate header that is absent from the request is not part of the signing string.', {
    remedies: ['ownSigningString'],
  }),
  line('SGS-17', 'The value in a line is that of the header as it was sent, in upper case where it was.', {
    remedies: ['ownSigningString'],
  }),

  digest('DIG-01', 'A Digest of the body with SHA-256 is accepted.', {
    remedies: ['hashOfParsedBody', 'oneAlgorithm'],
  }),
  digest('DIG-02', 'A Digest of the body with SHA-512 is accepted.', {
    remedies: ['hashOfParsedBody', 'oneAlgorithm'],
  }),
  digest('DIG-03', 'A Digest that is not the hash of the body is refused.', {
    demandedOf: creations,
    remedies: ['hashOfParsedBody'],
  }),
  digest(
    'DIG-04',
    'The Digest is over the exact bytes sent: a body in any legal JSON formatting is accepted with its own Digest.',
    { remedies: ['hashOfParsedBody'] },
  ),
  digest('DIG-05', 'A Digest of the re-serialised JSON instead of the bytes sent is refused.', {
    demandedOf: creations,
    remedies: ['hashOfParsedBody'],
  }),
  digest('DIG-06', 'A Digest with an algorithm other than SHA-256 and SHA-512 is refused.', {
    demandedOf: creations,
    remedies: ['oneAlgorithm'],
  }),
  digest('DIG-07', 'A Digest that is not Base64 is refused.', {
    demandedOf: creations,
    remedies: ['oneAlgorithm'],
  }),
  digest('DIG-08', 'The name of the digest algorithm is case-insensitive (RFC 3230, RFC 5843).', {
    level: 'advisory',
    remedies: ['oneAlgorithm'],
  }),
  digest('DIG-09', 'A signing basket with a correct and signed Digest is accepted.', {
    profiles: ['signing-baskets'],
    reading: 'basketDigest',
    remedies: ['hashOfParsedBody'],
  }),
  digest('DIG-10', 'A SHA-512 Digest that is not the hash of the body is refused.', {
    demandedOf: creations,
    remedies: ['hashOfParsedBody', 'oneAlgorithm'],
  }),
];
