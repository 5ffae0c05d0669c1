import { letterIn1252 } from '../windows-1252.ts';

/** A name whose letters outside ASCII show how a bank has read them. */
export const lettered = 'Bjørn Ærlig Ås';

/** Told in whatever way: nothing changes how it begins, and no other name of a run begins so. */
export const isOurs = (name: unknown): boolean => /^bj/i.test(String(name));

const isAscii = (letter: string): boolean => /^\p{ASCII}$/u.test(letter);

const asUtf8 = Buffer.from(lettered, 'utf8');

/** UTF-8 that was read as if each byte were a letter, in either encoding that does so. */
const misread = [asUtf8.toString('latin1'), [...asUtf8].map(letterIn1252).join('')];

/** Each letter outside ASCII was given up, for one mark or for one of each of its bytes. */
const givenUp = ['?', '\uFFFD'].flatMap((mark) =>
  [1, 2].map((count) =>
    [...lettered].map((letter) => (isAscii(letter) ? letter : mark.repeat(count))).join(''),
  ),
);

const spoiled: ReadonlySet<string> = new Set([...misread, ...givenUp]);

/**
 * Whether it is that name, and its letters were lost. Whoever writes others for them, in capitals or in ASCII, or cuts the
 * name off, has understood what was sent.
 */
export const isSpoiled = (name: string): boolean => spoiled.has(name.trim());
