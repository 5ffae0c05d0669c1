import type { FurtherIdentityName } from '../target.ts';
import { type JsonSchema, section } from './json-schema.ts';
import { value } from './values.ts';

const pair = (certificate: string, example: string): Readonly<Record<string, JsonSchema>> => ({
  certificate: value.file(certificate, `${example}.pem`),
  privateKey: value.file(`RSA private key of this certificate`, `${example}.key`),
  passphrase: value.passphrase,
  passphraseEnv: value.passphraseEnv,
});

const required = ['certificate', 'privateKey'];

const identity = (description: string): JsonSchema =>
  section(description, pair('certificate to sign with', 'identity'), { required });

const identities: Readonly<Record<FurtherIdentityName, JsonSchema>> = {
  aispOnly: identity('A TPP that may only read accounts (PSP_AI)'),
  pispOnly: identity('A TPP that may only initiate payments (PSP_PI)'),
  roleless: identity('A TPP whose certificate names no role at all'),
  expired: identity('A TPP whose certificate has expired'),
  notYetValid: identity('A TPP whose certificate is not valid yet'),
  oddIssuer: identity('A TPP whose issuer has a comma or letters outside ASCII in its name'),
  second: identity('Another TPP, with an authorisation number of its own'),
};

export const signingSchema = section(
  'The TPP that the suite acts as: what it signs requests with',
  {
    ...pair('certificate to sign with (QSealC)', 'qseal'),
    testCa: section(
      'An authority that the sandbox trusts. It lets the suite mint expired, not yet valid, AISP-only and PISP-only identities',
      pair('certificate of the authority', 'ca'),
      { required, examples: [{ certificate: 'ca.pem', privateKey: 'ca.key' }] },
    ),
    identities: section('Further identities, handed over ready-made', identities),
  },
  { required, examples: [{ certificate: 'qseal.pem', privateKey: 'qseal.key' }] },
);
