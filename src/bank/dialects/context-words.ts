import { changedRequest } from '../design/changed-request.ts';
import { allOf, type DesignChange, onPages } from '../design/design-changes.ts';
import { type Dialect, deciding, dialect } from './dialect.ts';
import { rewritten } from './old-pages.ts';

/** What a choice of the page sends, and what it says. */
type Words = readonly [value: string, text: string];

const usual = {
  PRIVATE: 'For myself, as a private person',
  CORPORATE: 'For a company or organisation',
} as const;
type Context = keyof typeof usual;

/** For whom somebody acts is asked in other words, and told by other values. */
const asked = (question: string, words: Readonly<Record<Context, Words>>): DesignChange => {
  const contexts = Object.entries(words) as readonly [Context, Words][];
  return allOf(
    onPages((route) => (request, state) => {
      const form = new URLSearchParams(request.bytes.toString('utf8'));
      const context = contexts.find(([, [value]]) => value === form.get('context'))?.[0];
      if (context !== undefined) form.set('context', context);
      return route.handle(changedRequest(request, { bytes: Buffer.from(form.toString()) }), state);
    }),
    rewritten((html) =>
      contexts.reduce(
        (text, [context, [value, said]]) =>
          text
            // A form that leads back to the TPP has one of that name as well.
            .replace(
              `type="radio" name="context" value="${context}"`,
              `type="radio" name="context" value="${value}"`,
            )
            .replace(usual[context], said),
        html.replace('On whose behalf do you act?', question),
      ),
    ),
  );
};

export const contextWordDialects: readonly Dialect[] = [
  dialect(
    'context-words/customers',
    'asks whether the PSU is a customer of one kind or of the other',
    asked('Kundetype', { PRIVATE: ['1', 'Forbruker'], CORPORATE: ['2', 'Næring'] }),
  ),
  dialect(
    'context-words/nynorsk',
    'asks in Nynorsk for whom the PSU acts',
    asked('Kven handlar du for?', {
      PRIVATE: ['0', 'På eigne vegner'],
      CORPORATE: ['1', 'På vegner av ei verksemd'],
    }),
  ),
  dialect(
    'context-words/others',
    'asks whether the PSU acts for somebody else',
    asked('Who do you act for?', { PRIVATE: ['A', 'Yourself'], CORPORATE: ['B', 'Somebody else'] }),
  ),
  dialect(
    'context-words/one-understood',
    'has words of its own for those who act for a company',
    asked('Hvem handler du for?', {
      PRIVATE: ['eget', 'Meg selv'],
      CORPORATE: ['fullmakt', 'En fullmaktsgiver'],
    }),
  ),
].map((each) => deciding('accounts-page', each));
