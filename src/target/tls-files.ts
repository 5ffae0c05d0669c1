import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { applySettings, type SettingValues } from './apply-settings.ts';
import { type KeyPath, valueAt } from './key-path.ts';
import { parseTargetSource } from './target-source.ts';

/** Where the PEM files of the connection lie. One that the target file holds as text has no place of its own. */
export interface TlsFiles {
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** For commands that other programs are to run; a loaded target has only the contents. */
export async function tlsFilesOf(
  file: string | undefined,
  flags: SettingValues,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<TlsFiles> {
  const source = file === undefined ? undefined : parseTargetSource(file, await readFile(file, 'utf8'));
  const { data, originOf } = applySettings(source?.data ?? {}, flags, environment);
  const placeOf = (path: KeyPath): string | undefined => {
    const value = valueAt(data, path);
    if (typeof value !== 'string' || value.includes('-----BEGIN')) return undefined;
    return resolve(originOf(path) === undefined ? (source?.directory ?? '.') : '.', value);
  };
  const [ca, clientCertificate, clientKey] = [
    placeOf(['tls', 'ca']),
    placeOf(['tls', 'clientCertificate']),
    placeOf(['tls', 'clientKey']),
  ];
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}
