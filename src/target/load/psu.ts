import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PsuParts } from '../create-target.ts';
import type { PsuSection } from '../target-file.ts';
import type { LoadContext } from './context.ts';
import { unreadable } from './pem.ts';

export async function loadPsu(context: LoadContext, given: PsuSection = {}): Promise<PsuParts> {
  const { module: script, scaHosts, ...named } = given;
  // An item that was wrong has left a hole.
  const psu =
    scaHosts === undefined ? named : { ...named, scaHosts: scaHosts.filter((host) => host !== undefined) };
  if (script === undefined) return psu;
  const path = ['psu', 'module'];
  const file = resolve(context.directoryOf(path), script);
  try {
    if (!(await stat(file)).isFile()) context.complain(path, `${script} is not a file. Looked for ${file}.`);
  } catch (error) {
    context.complain(path, `${unreadable(script, error)} Looked for ${file}.`);
  }
  return { ...psu, module: file };
}
