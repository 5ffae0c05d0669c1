import type { BankAnswer, BankRequest, RawResponse, Refusal } from './route.ts';

/** Longest text of a message (Message object). */
const longestText = 512;

/** The framework's error body: what is wrong, where, and where to go next. */
const refusalAnswer = ({ status, code, text, path, links, headers }: Refusal): BankAnswer => ({
  status,
  ...(headers === undefined ? {} : { headers }),
  body: {
    tppMessages: [
      { category: 'ERROR', code, ...(path === undefined ? {} : { path }), text: text.slice(0, longestText) },
    ],
    ...(links === undefined ? {} : { _links: links }),
  },
});

/** How the bank says what it says. Each function can be replaced, or wrapped to change one thing. */
export interface Answers {
  refusal(this: void, refusal: Refusal): BankAnswer;
  /** The last touch on every answer: other headers, a delay, an overload. `request` is undefined for unread ones. */
  finish(this: void, answer: BankAnswer, request: BankRequest | undefined): BankAnswer | Promise<BankAnswer>;
  /** The very last touch, on the bytes: after a signed response was signed. */
  seal(
    this: void,
    response: RawResponse,
    request: BankRequest | undefined,
  ): RawResponse | Promise<RawResponse>;
  /** Turns the body of an answer into its text. */
  serialise(this: void, body: unknown): string;
}

export const compliantAnswers: Answers = {
  refusal: refusalAnswer,
  finish: (answer) => answer,
  seal: (response) => response,
  serialise: (body) => JSON.stringify(body),
};
