import { randomUUID } from 'node:crypto';
import { isUuid } from '../src/spec/formats.ts';

/** Another id of the same form: the last character differs, so that whoever compares the beginning alone takes it. */
export const nearTo = (id: string): string => id.slice(0, -1) + (id.endsWith('7') ? '8' : '7');

/** The same at the other end, for whoever compares the last digits alone, such as those that fit into 64 bits. */
export const endingLike = (id: string): string => (id.startsWith('4') ? '3' : '4') + id.slice(1);

/** An id that nothing has. Where ids are numbers in a row, the next one may be that of something else. */
export const unknownNextTo = (id: string): string => (isUuid(id) ? nearTo(id) : randomUUID());

/** For whoever looks at so many characters. An id that is no UUID may be encoded in a way that ends before them. */
export const longerThan = (id: string): string => (isUuid(id) ? `${id}0` : randomUUID());

/** The same the other way round. */
export const shorterThan = (id: string): string => (isUuid(id) ? id.slice(0, -1) : randomUUID());

/** Ids that nothing has, and that a careless comparison takes for one that something has. */
export const unknownOnesLike = (id: string): readonly string[] =>
  isUuid(id) ? [nearTo(id), longerThan(id), shorterThan(id)] : [randomUUID()];
