import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { KeyPath } from '../key-path.ts';
import type { LoadContext } from './context.ts';

/** The PEM text that a key of the target file gives, by itself or by the path of a file. */
export async function readPem(
  context: LoadContext,
  path: KeyPath,
  given: string | undefined,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
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
    const text = await readFile(file, 'utf8');
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
  return `The file ${given} cannot be read.`;
}
