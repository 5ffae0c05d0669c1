import { linkVerbs } from '../code-lists.ts';
import { array, type Field, map, object, string } from '../field.ts';

/** Shared value types, Link. */
export const linkFields: readonly Field[] = [
  string('href', { required: 'LNK-01', type: 'LNK-02' }),
  array(
    'verbs',
    { required: 'LNK-03', type: 'LNK-04' },
    string('*', { type: 'LNK-05', values: 'LNK-06' }, { values: linkVerbs }),
  ),
];

/** `_links`: a map of name to Link. `typeId` is the requirement that the member is such a map. */
export const linksField = (typeId: string): Field =>
  map('_links', { type: typeId }, object('*', { type: 'LNK-07' }, linkFields));
