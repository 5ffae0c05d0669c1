import { type KeyObject, randomBytes } from 'node:crypto';
import { dayMs } from '../spec/days.ts';
import { contentOf, readDer } from './asn1.ts';
import { type PspRole, readCertificate, readCertificateFields, type TppCertificate } from './certificate.ts';
import {
  authorityKeyIdentifier,
  basicConstraints,
  buildCertificate,
  encodeName,
  keyIdentifierOf,
  keyUsage,
  serverAuthentication,
  subjectAlternativeNames,
  subjectKeyIdentifier,
  subjectKeyIdentifierOid,
  tppExtensions,
} from './certificate-builder.ts';
import type { Rdn } from './distinguished-name.ts';
import {
  IdentityError,
  joinIdentity,
  type KeyIdentity,
  readIdentity,
  type SigningIdentity,
} from './identity.ts';
import { generateEcKey, generateRsaKey, keyPairOf, privateKeyPem, type Sign, signWith } from './signature.ts';

export interface CertificateAuthority {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  readonly certificate: TppCertificate;
  /** The time that certificates count their validity from. */
  readonly currentTime: () => Date;
  readonly issueTpp: (options?: TppCertificateOptions & KeyOptions) => Promise<KeyIdentity>;
  /** Another certificate for the key of an identity, which stays where it is. */
  readonly issueAgain: (holder: SigningIdentity, options?: TppCertificateOptions) => Promise<SigningIdentity>;
  /** `127.0.0.1` and `::1` are always among the names. */
  readonly issueServer: (hostnames?: readonly string[]) => Promise<ServerCertificate>;
}

export interface ServerCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface TppCertificateOptions {
  /** How reports call the identity; the common name by default. */
  readonly name?: string;
  readonly commonName?: string;
  readonly organisation?: string;
  readonly authorisationNumber?: string;
  /** The certificate that it is like in all that is not said here. */
  readonly like?: TppCertificate;
  /** PSP_PI and PSP_AI by default; an empty list leaves the statement without roles. */
  readonly roles?: readonly PspRole[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Hexadecimal. */
  readonly serialNumber?: string;
}

export interface KeyOptions {
  /** An RSA private key to use again: a new one costs half a second. */
  readonly key?: KeyObject;
  /** Of a new key; as the authority makes them unless given. */
  readonly modulusLength?: number;
}

interface AuthoritySubject {
  readonly CN: string;
  readonly O?: string;
  readonly C?: string;
}

export interface AuthorityOptions {
  /** Of the keys that the authority makes for others as well. Below 2048 TLS refuses the certificates. */
  readonly modulusLength?: number;
  /** Stands still when given; the real time otherwise. */
  readonly now?: Date;
}

/** Only CN, O and C in ASCII: every tool prints this name alike. */
const plainSubject: AuthoritySubject = { CN: 'XS2A Test CA', O: 'XS2A Conformance', C: 'NO' };

/** A name that tools print differently: a comma to escape, and letters outside ASCII. */
export const subjectWithCommaAndNorwegianLetters: AuthoritySubject = {
  CN: 'Ås Test CA',
  O: 'Bank, Sør-Trøndelag & Ås AS',
  C: 'NO',
};

const defaultModulusLength = 2048;
const defaultCommonName = 'Test TPP';

/** A new, self-signed authority. */
export function createCertificateAuthority(
  options: AuthorityOptions & KeyOptions & { readonly subject?: AuthoritySubject } = {},
): Promise<CertificateAuthority> {
  const { CN, O, C } = options.subject ?? plainSubject;
  const names = [
    ...(C === undefined ? [] : [named('C', C)]),
    ...(O === undefined ? [] : [named('O', O)]),
    named('CN', CN),
  ];
  return createNamedAuthority(encodeName(names), options);
}

/**
 * Another authority that bears the name of the one that issued a certificate, byte for byte, with a key of its own:
 * what it issues must not be trusted.
 */
export function createTwinOfIssuer(
  certificate: TppCertificate,
  options: AuthorityOptions = {},
): Promise<CertificateAuthority> {
  return createNamedAuthority(readCertificateFields(certificate.x509.raw).issuerDer, options);
}

/**
 * Issues in the name of an identity that is no authority: basicConstraints of its certificate forbids it, so that nothing
 * of it must be trusted.
 */
export const authorityOfLeaf = (
  { certificate, sign }: SigningIdentity,
  options: AuthorityOptions = {},
): Issuing => issuing(certificate, sign, options);

/** A certificate for a key, signed with that very key, under the name of the authority that issued another one. */
export async function signItself(
  identity: SigningIdentity,
  name: string,
  now: Date = new Date(),
): Promise<SigningIdentity> {
  const { certificate, sign } = identity;
  const fields = readCertificateFields(certificate.x509.raw);
  const { issuerDer } = fields;
  const { publicKey } = certificate;
  const certificatePem = await buildCertificate(
    {
      serialNumber: randomSerialNumber(),
      issuerDer,
      subjectDer: issuerDer,
      publicKey,
      notBefore: new Date(now.getTime() - dayMs),
      notAfter: new Date(now.getTime() + 365 * dayMs),
      extensions: [
        basicConstraints(false),
        subjectKeyIdentifier(keyIdentifierOf(publicKey)),
        ...tppExtensions(certificate.roles, fields),
      ],
    },
    sign,
  );
  return { ...identity, name, certificate: readCertificate(certificatePem) };
}

/** An authority that exists already, such as the test CA of a target file. */
export function loadCertificateAuthority(
  certificatePem: string,
  caPrivateKeyPem: string,
  options: AuthorityOptions & { readonly passphrase?: string } = {},
): CertificateAuthority {
  const name = 'certificate authority';
  const identity = readIdentity(name, certificatePem, caPrivateKeyPem, options.passphrase);
  if (!identity.certificate.x509.ca) {
    throw new IdentityError(
      name,
      'Its certificate is not one of an authority (basicConstraints without CA:TRUE).',
    );
  }
  return authorityOf(identity.certificate, identity.privateKey, options);
}

async function createNamedAuthority(
  subjectDer: Buffer,
  options: AuthorityOptions & KeyOptions,
): Promise<CertificateAuthority> {
  const { publicKey, privateKey } =
    options.key === undefined
      ? await generateRsaKey(options.modulusLength ?? defaultModulusLength)
      : keyPairOf(options.key);
  const now = (options.now ?? new Date()).getTime();
  const certificatePem = await buildCertificate(
    {
      serialNumber: randomSerialNumber(),
      issuerDer: subjectDer,
      subjectDer,
      publicKey,
      notBefore: new Date(now - dayMs),
      notAfter: new Date(now + 3650 * dayMs),
      extensions: [
        basicConstraints(true),
        keyUsage('issueCertificates'),
        subjectKeyIdentifier(keyIdentifierOf(publicKey)),
      ],
    },
    signWith(privateKey),
  );
  return authorityOf(readCertificate(certificatePem), privateKey, options);
}

function authorityOf(
  certificate: TppCertificate,
  privateKey: KeyObject,
  options: AuthorityOptions,
): CertificateAuthority {
  return {
    certificatePem: certificate.x509.toString(),
    privateKeyPem: privateKeyPem(privateKey),
    certificate,
    ...issuing(certificate, signWith(privateKey), options),
  };
}

type Issuing = Pick<CertificateAuthority, 'currentTime' | 'issueTpp' | 'issueAgain' | 'issueServer'>;

/** What can be done with a certificate and what signs for it. */
function issuing(
  certificate: TppCertificate,
  sign: Sign,
  { modulusLength = defaultModulusLength, now }: AuthorityOptions,
): Issuing {
  const { subjectDer, extensions } = readCertificateFields(certificate.x509.raw);
  const ownIdentifier = extensions.get(subjectKeyIdentifierOid);
  const keyIdentifier =
    ownIdentifier === undefined ? keyIdentifierOf(certificate.publicKey) : contentOf(readDer(ownIdentifier));
  const currentTime = () => now ?? new Date();

  const issue = (options: {
    readonly subjectDer: Uint8Array;
    readonly publicKey: KeyObject;
    readonly extensions: readonly ReturnType<typeof keyUsage>[];
    readonly serialNumber?: string | undefined;
    readonly notBefore?: Date | undefined;
    readonly notAfter?: Date | undefined;
  }): Promise<string> =>
    buildCertificate(
      {
        serialNumber: options.serialNumber ?? randomSerialNumber(),
        issuerDer: subjectDer,
        subjectDer: options.subjectDer,
        publicKey: options.publicKey,
        notBefore: options.notBefore ?? new Date(currentTime().getTime() - dayMs),
        notAfter: options.notAfter ?? new Date(currentTime().getTime() + 365 * dayMs),
        extensions: [
          basicConstraints(false),
          subjectKeyIdentifier(keyIdentifierOf(options.publicKey)),
          authorityKeyIdentifier(keyIdentifier),
          ...options.extensions,
        ],
      },
      sign,
    );

  const certify = async (publicKey: KeyObject, options: TppCertificateOptions): Promise<TppCertificate> => {
    const like = options.like && readCertificateFields(options.like.x509.raw);
    const isNamed = [options.commonName, options.organisation, options.authorisationNumber].some(Boolean);
    return readCertificate(
      await issue({
        subjectDer: like !== undefined && !isNamed ? like.subjectDer : encodeName(subjectOf(options)),
        publicKey,
        extensions: tppExtensions(options.roles ?? ['PSP_PI', 'PSP_AI'], like),
        serialNumber: options.serialNumber,
        notBefore: options.notBefore,
        notAfter: options.notAfter,
      }),
    );
  };
  const nameOf = ({ name, commonName }: TppCertificateOptions): string =>
    name ?? commonName ?? defaultCommonName;

  return {
    currentTime,
    async issueTpp(options = {}) {
      const key =
        options.key === undefined
          ? await generateRsaKey(options.modulusLength ?? modulusLength)
          : keyPairOf(options.key);
      return joinIdentity(nameOf(options), await certify(key.publicKey, options), key.privateKey);
    },
    async issueAgain(holder, options = {}) {
      const renewed = await certify(holder.certificate.publicKey, options);
      return { ...holder, name: nameOf(options), certificate: renewed };
    },
    async issueServer(hostnames = ['localhost']) {
      const key = generateEcKey();
      const certificatePem = await issue({
        subjectDer: encodeName([named('CN', hostnames[0] ?? 'localhost')]),
        publicKey: key.publicKey,
        extensions: [
          keyUsage('serveTls'),
          serverAuthentication(),
          subjectAlternativeNames([...new Set([...hostnames, '127.0.0.1', '::1'])]),
        ],
      });
      return { certificatePem, privateKeyPem: privateKeyPem(key.privateKey) };
    },
  };
}

const subjectOf = (options: TppCertificateOptions): readonly Rdn[] => [
  named('C', 'NO'),
  named('O', options.organisation ?? 'Test TPP AS'),
  named('2.5.4.97', options.authorisationNumber ?? 'PSDNO-FSA-123456'),
  named('CN', options.commonName ?? defaultCommonName),
];

function named(type: string, value: string): Rdn {
  return [{ type, value }];
}

// The first byte is 0x10..0x7F: no leading zero that tools print or leave out as they please, and no sign
// byte. So every tool writes the same serial number.
function randomSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8(0x10 + (bytes.readUInt8(0) % 0x70), 0);
  return bytes.toString('hex').toUpperCase();
}

export interface TestPki {
  readonly ca: CertificateAuthority;
  readonly server: ServerCertificate;
  /** A TPP with both roles. */
  readonly tpp: KeyIdentity;
}

export interface TestPkiOptions {
  /** 2048 by default. 512 makes proofs fast that stay in one process; TLS refuses such keys. */
  readonly modulusLength?: number;
  readonly now?: Date;
  readonly hostnames?: readonly string[];
  /** The name of the authority. */
  readonly subject?: AuthoritySubject;
}

/** All that a bank and a TPP need to talk to each other, made anew so that nothing expires in a repository. */
export async function createTestPki(options: TestPkiOptions = {}): Promise<TestPki> {
  const ca = await createCertificateAuthority(options);
  const [server, tpp] = await Promise.all([ca.issueServer(options.hostnames), ca.issueTpp()]);
  return { ca, server, tpp };
}
