import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CertificateError, readCertificate, type TppCertificate } from '../signing/certificate.ts';
import { type CertificateAuthority, loadCertificateAuthority } from '../signing/certificate-authority.ts';
import { hashesOf, SigningProgramError, signByProgram } from '../signing/command-signer.ts';
import { IdentityError, readIdentity, type SigningIdentity } from '../signing/identity.ts';
import { signText, verifyText } from '../signing/signature.ts';
import { isoDate } from '../spec/days.ts';
import { shellWord } from '../spec/shell-word.ts';
import { type FurtherIdentityName, furtherIdentityNames, type GivenIdentities } from './identities.ts';
import { type JsonSchema, section, value } from './json-schema.ts';
import { type KeyPairPem, type PassphraseSource, readKeyPair, readPem } from './key-pairs.ts';
import type { KeyPath, LoadContext } from './key-path.ts';

const pair = (certificate: string, example: string): Readonly<Record<string, JsonSchema>> => ({
  certificate: value.file(certificate, `${example}.pem`),
  privateKey: value.file(`RSA private key of this certificate`, `${example}.key`),
  pkcs12: value.text(
    'PKCS #12 file (.p12, .pfx) that holds certificate and private key, relative to the target file',
    { examples: [`${example}.p12`] },
  ),
  passphrase: value.passphrase,
  passphraseEnv: value.passphraseEnv,
});

const asFiles: JsonSchema = { required: ['certificate', 'privateKey'] };
const asPkcs12: JsonSchema = { required: ['pkcs12'] };
const asProgram: JsonSchema = { required: ['certificate', 'command'] };

const identity = (description: string): JsonSchema =>
  section(description, pair('certificate to sign with', 'identity'), { anyOf: [asFiles, asPkcs12] });

const identities: Readonly<Record<FurtherIdentityName, JsonSchema>> = {
  aispOnly: identity('A TPP that may only read accounts (PSP_AI)'),
  pispOnly: identity('A TPP that may only initiate payments (PSP_PI)'),
  roleless: identity('A TPP whose certificate names no role at all'),
  expired: identity('A TPP whose certificate has expired'),
  notYetValid: identity('A TPP whose certificate is not valid yet'),
  oddIssuer: identity(
    'The same TPP with a certificate whose issuer has a comma or letters outside ASCII in its name',
  ),
  second: identity('Another TPP, with an authorisation number of its own'),
};

export const signingSchema = section(
  'The TPP that the suite acts as: what it signs requests with',
  {
    ...pair('certificate to sign with (QSealC)', 'qseal'),
    command: {
      description:
        'program and arguments that sign in place of a private key, run without a shell: the signing string on standard input, the raw signature on standard output; {hash} in an argument becomes sha256, sha1 or sha512',
      type: 'array',
      items: value.text('the program, then one argument each'),
      minItems: 1,
      examples: [['openssl', 'dgst', '-{hash}', '-sign', 'qseal.key']],
    },
    keepAlive: {
      description:
        'the program of command stays and signs line by line: the signing string in Base64 on standard input, the signature in Base64 on standard output',
      type: 'boolean',
      default: false,
    },
    testCa: section(
      'An authority that the sandbox trusts. It lets the suite mint expired, not yet valid, AISP-only and PISP-only identities',
      pair('certificate of the authority', 'ca'),
      { anyOf: [asFiles, asPkcs12], examples: [{ certificate: 'ca.pem', privateKey: 'ca.key' }] },
    ),
    identities: section('Further identities, handed over ready-made', identities),
  },
  {
    anyOf: [asFiles, asPkcs12, asProgram],
    examples: [{ certificate: 'qseal.pem', privateKey: 'qseal.key' }],
  },
);

interface PairSection extends PassphraseSource {
  readonly certificate?: string;
  readonly privateKey?: string;
  readonly pkcs12?: string;
}

export interface SigningSection extends PairSection {
  readonly command?: readonly string[];
  readonly keepAlive?: boolean;
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
    given?.command === undefined
      ? load(context, ['signing'], given, identityFrom('main'), 'now')
      : loadProgram(context, given, given.command),
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
  const file = given?.pkcs12 === undefined ? undefined : [...section, 'pkcs12'];
  const place = {
    section,
    certificate: file ?? [...section, 'certificate'],
    privateKey: file ?? [...section, 'privateKey'],
  };
  const pair = await readKeyPair(context, place, given ?? {});
  if (pair === undefined) return undefined;
  const certificate = usableCertificate(context, place.certificate, pair.certificate, valid);
  if (certificate === undefined) return undefined;
  try {
    return read(pair);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    context.complain(place.privateKey, error.message);
    return undefined;
  }
}

function usableCertificate(
  context: LoadContext,
  path: KeyPath,
  pem: string,
  valid: 'now' | 'any time',
): TppCertificate | undefined {
  try {
    const certificate = readCertificate(pem);
    if (valid === 'now') demandValidity(context, path, certificate);
    return certificate;
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    context.complain(path, error.message);
    return undefined;
  }
}

/** The key stays with a program. It signs once now, so that a wrong one is known before anything is sent. */
async function loadProgram(
  context: LoadContext,
  { certificate: given, privateKey, pkcs12, keepAlive = false }: SigningSection,
  command: readonly string[],
): Promise<SigningIdentity | undefined> {
  const path = ['signing', 'command'];
  if (privateKey !== undefined || pkcs12 !== undefined) {
    context.complain(
      path,
      'Either a program signs or a key of a file does: leave privateKey and pkcs12 out, or command.',
    );
    return undefined;
  }
  const place = ['signing', 'certificate'];
  const pem = await readPem(context, place, given);
  const certificate = pem === undefined ? undefined : usableCertificate(context, place, pem, 'now');
  if (certificate === undefined) return undefined;
  const directory = context.directoryOf(path);
  context.announce(path, `this program signs, and is run now: ${shownCommand(command, directory)}`);
  const bits = certificate.publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  const sign = signByProgram({
    command,
    keepAlive,
    directory,
    signatureLength: Math.ceil(bits / 8),
  });
  const identity: SigningIdentity = {
    name: 'main',
    certificate,
    sign,
    hashes: hashesOf({ command, keepAlive }),
  };
  try {
    const text = 'date: Thu, 01 Jan 1970 00:00:00 GMT';
    if (verifyText(text, await signText(text, identity), certificate.publicKey)) return identity;
    context.complain(
      path,
      'What this program signs does not verify with signing.certificate: another key, another padding than PKCS #1 v1.5 or another hash than SHA-256.',
    );
  } catch (error) {
    if (!(error instanceof SigningProgramError)) throw error;
    context.complain(path, error.message);
  }
  return undefined;
}

/** A command for people: the program, its options and the files that it is given. Any other argument may be a PIN. */
function shownCommand([program = '', ...given]: readonly string[], directory: string): string {
  const isTold = (word: string): boolean =>
    /^--?[A-Za-z][A-Za-z-]*$/.test(word) || existsSync(resolve(directory, word));
  return [program, ...given.map((word) => (isTold(word) ? word : '…'))]
    .map((word) => (word === '…' ? word : shellWord(word)))
    .join(' ');
}

/** A bank refuses whatever such a certificate signs, which would say nothing about the bank. */
function demandValidity(
  { complain }: LoadContext,
  path: KeyPath,
  { notBefore, notAfter }: TppCertificate,
): void {
  const now = Date.now();
  if (notAfter.getTime() < now) {
    complain(path, `This certificate expired on ${isoDate(notAfter)}. Give one that is valid now.`);
  } else if (notBefore.getTime() > now) {
    complain(
      path,
      `This certificate is not valid before ${isoDate(notBefore)}. Give one that is valid now, or look at this machine's clock.`,
    );
  }
}
