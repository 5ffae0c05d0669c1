import {
  accessSync,
  constants,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isMap, parseDocument } from 'yaml';

/** The text of a target file with other readings. Comments, order and what else stands in it stay as they are. */
export function withReadings(text: string, readings: Readonly<Record<string, string>>): string {
  const document = parseDocument(text);
  if (!isMap(document.get('interpretations'))) document.set('interpretations', document.createNode({}));
  for (const [id, value] of Object.entries(readings)) document.setIn(['interpretations', id], value);
  // Long texts are not folded anew: a file under version control is to differ in what was learned alone.
  return document.toString({ lineWidth: 0 });
}

/** Whether readings can be written into a target file later: a pipe is read once, and a file may be another's. */
export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** As a whole, because the file is the user's own work: whatever happens, it is the one before or the new one. */
export function writeReadings(file: string, readings: Readonly<Record<string, string>>): void {
  // A link stays a link.
  const place = realpathSync(file);
  const text = withReadings(readFileSync(place, 'utf8'), readings);
  const draft = `${place}.${process.pid}.part`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: statSync(place).mode & 0o777 });
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
