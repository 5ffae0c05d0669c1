import { requirementById } from '../spec/catalogue.ts';
import { interpretationList } from '../spec/interpretations.ts';
import { nearest } from '../target/nearest.ts';

/** Whether an id as people type it means one of these: itself, all that begin with it (`AMT`), a suite or its area. */
export function matchesId(typed: string, ids: readonly string[], suite = ''): boolean {
  const wanted = typed.toLowerCase();
  const place = suite.toLowerCase();
  return (
    ids.some((id) => id.toLowerCase() === wanted || id.toLowerCase().startsWith(`${wanted}-`)) ||
    (place !== '' && (place === wanted || place.startsWith(`${wanted.replace(/\/$/, '')}/`)))
  );
}

/** What to say of an id that nothing has, with the one that was perhaps meant. */
export function unknownIdMessage(id: string, known: Iterable<string>): string {
  const suggestion = nearest(id, [
    ...known,
    ...requirementById.keys(),
    ...interpretationList.map((interpretation) => interpretation.id),
  ]);
  const meant = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return `Nothing is called "${id}".${meant} See: xs2a-conformance list`;
}
