import { resolve } from 'node:path';
import { BoundedFileError, readBounded } from './bounded-file.ts';
import { type KeyPath, type LoadContext, placeholder, writeKeyPath } from './key-path.ts';

export interface PassphraseSource {
  readonly passphrase?: string;
  readonly passphraseEnv?: string;
}

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
  given: PassphraseSource & {
    readonly certificate?: string;
    readonly privateKey?: string;
    readonly pkcs12?: string;
  },
): Promise<KeyPairPem | undefined> {
  if (given.pkcs12 !== undefined) return readFromPkcs12(context, place.section, given.pkcs12, given);
  const [certificate, privateKey] = await Promise.all([
    readPem(context, place.certificate, given.certificate),
    readPem(context, place.privateKey, given.privateKey),
  ]);
  const passphrase = passphraseOf(context, place.section, given);
  if (certificate === undefined || privateKey === undefined || passphrase === 'unknown') return undefined;
  if (isEncrypted(privateKey) && passphrase === undefined) {
    context.complain(
      place.privateKey,
      `The private key is encrypted. ${passphraseHint(context, place.section)}`,
    );
    return undefined;
  }
  return { certificate, privateKey, ...(passphrase === undefined ? {} : { passphrase: passphrase.text }) };
}

/** Opened here: what is handed on needs no passphrase any more. */
async function readFromPkcs12(
  context: LoadContext,
  section: KeyPath,
  name: string,
  given: PassphraseSource & { readonly certificate?: string; readonly privateKey?: string },
): Promise<KeyPairPem | undefined> {
  const path = [...section, 'pkcs12'];
  const passphrase = passphraseOf(context, section, given);
  if (passphrase === 'unknown') return undefined;
  if (given.certificate !== undefined || given.privateKey !== undefined) {
    context.complain(path, 'Give certificate and privateKey, or a pkcs12 file that holds both.');
    return undefined;
  }
  const file = resolve(context.directoryOf(path), name);
  const { Pkcs12Error, Pkcs12TooSlowError, readPkcs12 } = await import('../signing/pkcs12.ts');
  try {
    return readPkcs12(readBounded(file), passphrase?.text ?? '');
  } catch (error) {
    context.complain(
      path,
      error instanceof Pkcs12Error
        ? [
            error.message,
            ...(error instanceof Pkcs12TooSlowError ? [] : [passphraseHint(context, section)]),
          ].join(' ')
        : `${unreadable(name, error)} Looked for ${file}.`,
    );
    return undefined;
  }
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
  complain(
    [...section, 'passphraseEnv'],
    // Whoever has put the passphrase itself there does not want to read it in a log.
    /^[A-Z_][A-Z0-9_]*$/.test(passphraseEnv)
      ? `The environment variable ${passphraseEnv} is not set.`
      : 'No environment variable of this name is set. Give the name of the variable that holds the passphrase, such as QSEAL_PASSPHRASE.',
  );
  return 'unknown';
}

function passphraseHint({ variableOf }: LoadContext, section: KeyPath): string {
  const path = [...section, 'passphrase'];
  const variable = variableOf(path);
  const otherwise = variable === undefined ? '' : `, or set ${variable}`;
  return `Name the variable that holds its passphrase under ${writeKeyPath(path)}Env${otherwise}.`;
}

/** PKCS #8 says it in its label, the older forms in a header line. */
function isEncrypted(privateKeyPem: string): boolean {
  return /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type:.*ENCRYPTED/.test(privateKeyPem);
}

/** The PEM text that a key of the target file gives, by itself or by the path of a file. */
export async function readPem(
  context: LoadContext,
  path: KeyPath,
  given: string | undefined,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  if (given === placeholder) {
    context.complain(path, 'Still to be filled in: the path of a PEM file, or its text.');
    return undefined;
  }
  // Variables of CI systems often carry line breaks as two characters.
  if (given.includes('-----BEGIN')) return given.replaceAll('\\n', '\n');
  // Never repeat what may be a key that lost its first line.
  if (given.length > 255 || given.includes('\n')) {
    context.complain(
      path,
      'This is neither a path nor PEM text. PEM text starts with a line "-----BEGIN …-----".',
    );
    return undefined;
  }
  const file = resolve(context.directoryOf(path), given);
  try {
    const text = readBounded(file).toString('utf8');
    if (text.includes('-----BEGIN')) return text;
    context.complain(
      path,
      `The file ${given} is not PEM: it has no line "-----BEGIN …-----". Convert it, for example with the openssl command line.`,
    );
  } catch (error) {
    context.complain(path, `${unreadable(given, error)} Looked for ${file}.`);
  }
  return undefined;
}

export function unreadable(given: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return `The file ${given} does not exist.`;
  if (code === 'EISDIR') return `${given} is a folder, not a file.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `The file ${given} may not be read: its permissions forbid it.`;
  if (error instanceof BoundedFileError) return `The file ${given} cannot be read: ${error.message}.`;
  return `The file ${given} cannot be read${typeof code === 'string' ? ` (${code})` : ''}.`;
}
