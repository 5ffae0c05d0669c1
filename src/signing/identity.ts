import { createPrivateKey, type KeyObject } from 'node:crypto';
import { CertificateError, readCertificate, type TppCertificate } from './certificate.ts';
import { decryptionProblem } from './key-effort.ts';
import { type Sign, type SignatureHash, signWith } from './signature.ts';

/** A certificate, what signs with the key that belongs to it, and the name by which reports speak of them. */
export interface SigningIdentity {
  readonly name: string;
  readonly certificate: TppCertificate;
  /** The key itself may be in a device that never gives it away. */
  readonly sign: Sign;
  /** With which hashes it can sign. */
  readonly hashes: readonly SignatureHash[];
}

/** One whose key is at hand. */
export interface KeyIdentity extends SigningIdentity {
  readonly privateKey: KeyObject;
}

export const holdsKey = (identity: SigningIdentity): identity is KeyIdentity => 'privateKey' in identity;

/** A certificate and a key that cannot sign together. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly identity: string;

  constructor(identity: string, problem: string, options?: ErrorOptions) {
    super(`The signing identity "${identity}" cannot be used. ${problem}`, options);
    this.identity = identity;
  }
}

export function readIdentity(
  name: string,
  certificatePem: string,
  privateKeyPem: string,
  passphrase?: string,
): KeyIdentity {
  return joinIdentity(
    name,
    readOwnCertificate(name, certificatePem),
    readPrivateKey(name, privateKeyPem, passphrase),
  );
}

export function joinIdentity(name: string, certificate: TppCertificate, privateKey: KeyObject): KeyIdentity {
  if (privateKey.asymmetricKeyType !== 'rsa') {
    throw new IdentityError(
      name,
      `Its private key is of type ${privateKey.asymmetricKeyType}; signatures are rsa-sha256, so give an RSA key.`,
    );
  }
  if (!certificate.x509.checkPrivateKey(privateKey)) {
    throw new IdentityError(
      name,
      `Its private key does not belong to its certificate (serial number ${certificate.serialNumber}); give the pair.`,
    );
  }
  return { name, certificate, privateKey, sign: signWith(privateKey), hashes: ['sha256', 'sha1', 'sha512'] };
}

function readOwnCertificate(name: string, certificatePem: string): TppCertificate {
  try {
    return readCertificate(certificatePem);
  } catch (error) {
    if (error instanceof CertificateError) throw new IdentityError(name, error.message, { cause: error });
    throw error;
  }
}

function readPrivateKey(name: string, privateKeyPem: string, passphrase: string | undefined): KeyObject {
  const tooMuch = passphrase === undefined ? undefined : decryptionProblem(privateKeyPem);
  if (tooMuch !== undefined) throw new IdentityError(name, tooMuch);
  try {
    return createPrivateKey(
      passphrase === undefined ? { key: privateKeyPem } : { key: privateKeyPem, passphrase },
    );
  } catch (error) {
    throw new IdentityError(name, privateKeyProblem(privateKeyPem, passphrase), { cause: error });
  }
}

function privateKeyProblem(privateKeyPem: string, passphrase: string | undefined): string {
  if (/ENCRYPTED/.test(privateKeyPem)) {
    return passphrase === undefined
      ? 'Its private key is encrypted; give its passphrase.'
      : 'Its private key cannot be decrypted; the passphrase may be wrong.';
  }
  return 'Its private key cannot be read; give a PEM file with a "BEGIN PRIVATE KEY" block.';
}
