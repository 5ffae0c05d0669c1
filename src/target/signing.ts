import { CertificateError, readCertificate, type TppCertificate } from '../signing/certificate.ts';
import { type CertificateAuthority, loadCertificateAuthority } from '../signing/certificate-authority.ts';
import { IdentityError, readIdentity, type SigningIdentity } from '../signing/identity.ts';
import { type FurtherIdentityName, furtherIdentityNames, type GivenIdentities } from './identities.ts';
import { type JsonSchema, section, value } from './json-schema.ts';
import { type KeyPairPem, type PassphraseSource, readKeyPair } from './key-pairs.ts';
import type { KeyPath, LoadContext } from './key-path.ts';

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

interface PairSection extends PassphraseSource {
  readonly certificate?: string;
  readonly privateKey?: string;
}

export interface SigningSection extends PairSection {
  readonly testCa?: PairSection;
  readonly identities?: Readonly<Partial<Record<FurtherIdentityName, PairSection>>>;
}

export interface LoadedSigning {
  readonly identity: SigningIdentity | undefined;
  readonly identities: GivenIdentities;
  readonly testCa: CertificateAuthority | undefined;
}

export async function loadSigning(
  context: LoadContext,
  given: SigningSection | undefined,
): Promise<LoadedSigning> {
  const [identity, testCa, ...further] = await Promise.all([
    load(context, ['signing'], given, identityFrom('main'), 'now'),
    load(context, ['signing', 'testCa'], given?.testCa, authorityFrom, 'now'),
    ...furtherIdentityNames.map((name) =>
      load(
        context,
        ['signing', 'identities', name],
        given?.identities?.[name],
        identityFrom(name),
        'any time',
      ),
    ),
  ]);
  const named = furtherIdentityNames.map((name, index) => [name, further[index]] as const);
  return {
    identity,
    testCa,
    identities: Object.fromEntries(named.filter(([, loaded]) => loaded !== undefined)),
  };
}

const identityFrom =
  (name: string) =>
  ({ certificate, privateKey, passphrase }: KeyPairPem): SigningIdentity =>
    readIdentity(name, certificate, privateKey, passphrase);

function authorityFrom({ certificate, privateKey, passphrase }: KeyPairPem): CertificateAuthority {
  return loadCertificateAuthority(certificate, privateKey, passphrase === undefined ? {} : { passphrase });
}

async function load<Loaded>(
  context: LoadContext,
  section: KeyPath,
  given: PairSection | undefined,
  read: (pair: KeyPairPem) => Loaded,
  valid: 'now' | 'any time',
): Promise<Loaded | undefined> {
  const place = {
    section,
    certificate: [...section, 'certificate'],
    privateKey: [...section, 'privateKey'],
  };
  const pair = await readKeyPair(context, place, given ?? {});
  if (pair === undefined) return undefined;
  try {
    const certificate = readCertificate(pair.certificate);
    if (valid === 'now') demandValidity(context, place.certificate, certificate);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    context.complain(place.certificate, error.message);
    return undefined;
  }
  try {
    return read(pair);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    context.complain(place.privateKey, error.message);
    return undefined;
  }
}

/** A bank refuses whatever such a certificate signs, which would say nothing about the bank. */
function demandValidity(
  { complain }: LoadContext,
  path: KeyPath,
  { notBefore, notAfter }: TppCertificate,
): void {
  const now = Date.now();
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  if (notAfter.getTime() < now) {
    complain(path, `This certificate expired on ${day(notAfter)}. Give one that is valid now.`);
  } else if (notBefore.getTime() > now) {
    complain(
      path,
      `This certificate is not valid before ${day(notBefore)}. Give one that is valid now, or look at this machine's clock.`,
    );
  }
}
