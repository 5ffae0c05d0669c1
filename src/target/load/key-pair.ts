import { type KeyPath, writeKeyPath } from '../key-path.ts';
import { settings } from '../settings.ts';
import type { PassphraseSource } from '../target-file.ts';
import type { LoadContext } from './context.ts';
import { readPem } from './pem.ts';

export interface KeyPairPem {
  readonly certificate: string;
  readonly privateKey: string;
  readonly passphrase?: string;
}

export interface KeyPairPlace {
  readonly section: KeyPath;
  readonly certificate: KeyPath;
  readonly privateKey: KeyPath;
}

/** Certificate and key as PEM, with the passphrase; nothing where one of them is missing or cannot be read. */
export async function readKeyPair(
  context: LoadContext,
  place: KeyPairPlace,
  given: PassphraseSource & { readonly certificate?: string; readonly privateKey?: string },
): Promise<KeyPairPem | undefined> {
  const [certificate, privateKey] = await Promise.all([
    readPem(context, place.certificate, given.certificate),
    readPem(context, place.privateKey, given.privateKey),
  ]);
  const passphrase = passphraseOf(context, place.section, given);
  if (certificate === undefined || privateKey === undefined || passphrase === 'unknown') return undefined;
  if (isEncrypted(privateKey) && passphrase === undefined) {
    context.complain(place.privateKey, `The private key is encrypted. ${passphraseHint(place.section)}`);
    return undefined;
  }
  return { certificate, privateKey, ...(passphrase === undefined ? {} : { passphrase: passphrase.text }) };
}

function passphraseOf(
  { complain, environment }: LoadContext,
  section: KeyPath,
  { passphrase, passphraseEnv }: PassphraseSource,
): { readonly text: string } | 'unknown' | undefined {
  if (passphrase !== undefined) return { text: passphrase };
  if (passphraseEnv === undefined) return undefined;
  const text = environment[passphraseEnv];
  if (text !== undefined && text !== '') return { text };
  complain([...section, 'passphraseEnv'], `The environment variable ${passphraseEnv} is not set.`);
  return 'unknown';
}

function passphraseHint(section: KeyPath): string {
  const key = writeKeyPath([...section, 'passphrase']);
  const variable = settings.find((setting) => setting.key === key)?.variable;
  const otherwise = variable === undefined ? '' : `, or set ${variable}`;
  return `Name the variable that holds its passphrase under ${key}Env${otherwise}.`;
}

/** PKCS #8 says it in its label, the older forms in a header line. */
function isEncrypted(privateKeyPem: string): boolean {
  return /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type:.*ENCRYPTED/.test(privateKeyPem);
}
