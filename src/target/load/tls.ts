import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { TargetTls } from '../target.ts';
import type { TlsSection } from '../target-file.ts';
import type { LoadContext } from './context.ts';
import { type KeyPairPem, readKeyPair } from './key-pair.ts';
import { readPem } from './pem.ts';

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
