import { type DesignChange, perBank, withAnswering, withSealed } from './design-changes.ts';
import type { BankAnswer, RawResponse } from './route.ts';

type Line = RawResponse['headers'][number];

/** Changes the headers of answers, behind everything that signs or dates them. */
export const sealing = (
  change: (lines: readonly Line[], sealed: RawResponse) => readonly Line[],
): DesignChange => withSealed((sealed) => ({ ...sealed, headers: change(sealed.headers, sealed) }));

export const named = (write: (name: string) => string): DesignChange =>
  sealing((lines) => lines.map(([name, value]) => [write(name), value]));

export const without = (...names: readonly string[]): DesignChange =>
  sealing((lines) => lines.filter(([name]) => !names.includes(name.toLowerCase())));

/** The same lines with another value of one. */
export const withHeader = (
  lines: readonly Line[],
  header: string,
  write: (value: string) => string,
): readonly Line[] =>
  lines.map(([name, value]) => [name, name.toLowerCase() === header ? write(value) : value]);

export const rewriting = (header: string, write: (value: string) => string): DesignChange =>
  sealing((lines) => withHeader(lines, header, write));

export const serialising = (write: (text: string, body: unknown) => string): DesignChange =>
  withAnswering(({ serialise }) => ({ serialise: (body) => write(serialise(body), body) }));

/**
 * True at every so many calls, so that a request that is tried again goes through. Seldom, since a TPP who is turned away
 * more often slows down for good.
 */
export function every(count: number): () => boolean {
  let calls = 0;
  return () => ++calls % count === 0;
}

/** The answer goes another way now and then, after the bank has done what was asked. */
export const afterwards = (count: number, change: (answer: BankAnswer) => BankAnswer): DesignChange =>
  perBank(() => {
    const isDue = every(count);
    return withAnswering(({ finish }) => ({
      finish: async (answer, request) => {
        const finished = await finish(answer, request);
        return request?.operation !== 'page' && isDue() ? change(finished) : finished;
      },
    }));
  });
