import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { decryptionProblem } from '../signing/key-effort.ts';
import { section, value } from './json-schema.ts';
import { type KeyPairPem, type PassphraseSource, readKeyPair, readPem } from './key-pairs.ts';
import type { LoadContext } from './key-path.ts';

export const tlsSchema = section(
  'How the connection is secured',
  {
    ca: value.file(
      'authorities that may have issued the bank’s server certificate, where the system does not know them',
      'ca.pem',
    ),
    clientCertificate: value.file('certificate for mutual TLS (QWAC)', 'qwac.pem'),
    clientKey: value.file('private key of clientCertificate', 'qwac.key'),
    passphrase: value.passphrase,
    passphraseEnv: value.passphraseEnv,
    insecure: {
      description: 'true accepts any server certificate: for a first look at a sandbox, never for a verdict',
      type: 'boolean',
      default: false,
    },
  },
  {
    examples: [{ ca: 'ca.pem', clientCertificate: 'qwac.pem', clientKey: 'qwac.key' }],
  },
);

export interface TlsSection extends PassphraseSource {
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly insecure?: boolean;
}

export interface TargetTls {
  /** PEM; one or more certificates. The system's own are trusted without it. */
  readonly ca?: string;
  readonly client?: {
    readonly certificate: string;
    readonly privateKey: string;
    readonly passphrase?: string;
  };
  /** Takes any server certificate. */
  readonly insecure: boolean;
}

export async function loadTls(context: LoadContext, given: TlsSection = {}): Promise<Partial<TargetTls>> {
  const [ca, client] = await Promise.all([loadCa(context, given.ca), loadClient(context, given)]);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(client === undefined ? {} : { client }),
    ...(given.insecure === undefined ? {} : { insecure: given.insecure }),
  };
}

async function loadCa(context: LoadContext, given: string | undefined): Promise<string | undefined> {
  const pem = await readPem(context, ['tls', 'ca'], given);
  if (pem === undefined) return undefined;
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > 0 && blocks.every((block) => certificateOf(block) !== undefined)) return pem;
  context.complain(['tls', 'ca'], 'There is no complete certificate in it. Give "BEGIN CERTIFICATE" blocks.');
  return undefined;
}

async function loadClient(
  context: LoadContext,
  { clientCertificate, clientKey, ...given }: TlsSection,
): Promise<KeyPairPem | undefined> {
  if (clientCertificate !== undefined && clientKey === undefined) {
    context.complain(['tls', 'clientKey'], 'This is missing. clientCertificate needs its private key.');
  }
  if (clientKey !== undefined && clientCertificate === undefined) {
    context.complain(['tls', 'clientCertificate'], 'This is missing. clientKey needs its certificate.');
  }
  const place = {
    section: ['tls'],
    certificate: ['tls', 'clientCertificate'],
    privateKey: ['tls', 'clientKey'],
  };
  const pair = await readKeyPair(context, place, {
    ...given,
    ...(clientCertificate === undefined ? {} : { certificate: clientCertificate }),
    ...(clientKey === undefined ? {} : { privateKey: clientKey }),
  });
  if (pair === undefined) return undefined;
  const tooMuch = pair.passphrase === undefined ? undefined : decryptionProblem(pair.privateKey);
  if (tooMuch !== undefined) {
    context.complain(place.privateKey, tooMuch);
    return undefined;
  }
  const certificate = certificateOf(pair.certificate);
  const key = keyOf(pair);
  if (certificate === undefined) {
    context.complain(place.certificate, 'This is not a certificate. Give a "BEGIN CERTIFICATE" block.');
  }
  if (key === undefined) {
    context.complain(
      place.privateKey,
      pair.passphrase === undefined
        ? 'This is not a private key. Give a "BEGIN PRIVATE KEY" block.'
        : 'The private key cannot be decrypted. The passphrase may be wrong.',
    );
  }
  if (certificate !== undefined && key !== undefined && !certificate.checkPrivateKey(key)) {
    context.complain(
      place.privateKey,
      'The private key does not belong to clientCertificate. Give the pair.',
    );
  }
  return pair;
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function keyOf({ privateKey, passphrase }: KeyPairPem): KeyObject | undefined {
  try {
    return createPrivateKey(passphrase === undefined ? { key: privateKey } : { key: privateKey, passphrase });
  } catch {
    return undefined;
  }
}
