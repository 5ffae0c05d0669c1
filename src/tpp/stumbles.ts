import { operations } from '../spec/operations.ts';
import { creations } from '../spec/products.ts';
import type { Exchange } from './exchange.ts';
import { startingSca } from './gateway.ts';

/** 500 Internal Server Error (RFC 9110): something unexpected has happened, of which nothing else is known. */
const unexpected = 500;

/** So often is a request sent again that was answered so. */
const mostAgain = 2;

/** So many requests have to be answered so every time to be believed at once, and so many times as many as were not. */
const fewest = { lasting: 2, timesPassing: 4 } as const;

/**
 * Tells a bank that breaks down on a request from what stands before it and stumbled while it was sent: 500 is the bank's
 * answer where the bank itself says so, or where it comes again, and says nothing of the request otherwise.
 */
export class Stumbles {
  #lasting = 0;
  #passing = 0;

  /** Whether the answer to a request has to be asked for again; `before` are its earlier attempts. */
  isOne({ operation, response }: Exchange, before: readonly Exchange[], repeatsWrites: boolean): boolean {
    if (!mayBeAskedAgain(operation, repeatsWrites)) return false;
    const earlier = before.filter((exchange) => exchange.response?.status === unexpected).length;
    if (response?.status !== unexpected) {
      if (earlier > 0) this.#passing += 1;
      return false;
    }
    if (isInWordsOfBank(response.body)) return false;
    if (earlier === mostAgain) this.#lasting += 1;
    const { lasting, timesPassing } = fewest;
    const isKnown = this.#lasting >= lasting && this.#lasting > timesPassing * this.#passing;
    return earlier < mostAgain && !isKnown;
  }
}

/** The interface tells of errors in tppMessages, and gateways do not. */
const isInWordsOfBank = (body: string): boolean => /"tppMessages"\s*:/.test(body);

/**
 * What is read, what does nothing but start SCA, and payments: of these there may be two. A deletion or a basket that was carried out before it was answered
 * so would be refused the second time, and that refusal would hide what the bank has said.
 */
function mayBeAskedAgain(operation: string, repeatsWrites: boolean): boolean {
  if (operations[operation as keyof typeof operations]?.method === 'GET') return true;
  return (
    repeatsWrites && (startingSca.has(operation) || creations.some((creation) => creation === operation))
  );
}
