import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, parseDocument } from 'yaml';

/** The text of a target file with other readings. Comments, order and what else stands in it stay as they are. */
export function withReadings(text: string, readings: Readonly<Record<string, string>>): string {
  const document = parseDocument(text);
  if (!isMap(document.get('interpretations'))) document.set('interpretations', document.createNode({}));
  for (const [id, value] of Object.entries(readings)) document.setIn(['interpretations', id], value);
  // Long texts are not folded anew: a file under version control is to differ in what was learned alone.
  return document.toString({ lineWidth: 0 });
}

export function writeReadings(file: string, readings: Readonly<Record<string, string>>): void {
  writeFileSync(file, withReadings(readFileSync(file, 'utf8'), readings));
}
