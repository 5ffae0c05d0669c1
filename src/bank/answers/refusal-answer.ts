import type { BankAnswer, Refusal } from '../route.ts';

/** Longest text of a message (Message object). */
const longestText = 512;

/** The framework's error body: what is wrong, where, and where to go next. */
export const refusalAnswer = ({ status, code, text, path, links, headers }: Refusal): BankAnswer => ({
  status,
  ...(headers === undefined ? {} : { headers }),
  body: {
    tppMessages: [
      { category: 'ERROR', code, ...(path === undefined ? {} : { path }), text: text.slice(0, longestText) },
    ],
    ...(links === undefined ? {} : { _links: links }),
  },
});
