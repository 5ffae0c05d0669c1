import { operations } from '../spec/operations.ts';
import type { Exchange } from './exchange.ts';
import { isOfGateway, saysOnlyNotNow, startingSca } from './gateway.ts';

/** Which requests may be sent again that came to nothing, and what is known of them then. */
export interface Repeats {
  /** `isOfAnother`: what came is the answer to another request, so that this one has none. */
  readonly mayRepeat: (exchange: Exchange, isOfAnother?: boolean) => boolean;
  /** Whether it may have been carried out. */
  readonly mayHaveArrived: (exchange: Exchange) => boolean;
}

/** 429 says that nobody has looked at the request; of everything else it is not known how far it came. */
export const repeatingAll: Repeats = {
  mayRepeat: () => true,
  mayHaveArrived: ({ response }) => !saysOnlyNotNow(response?.status ?? 0),
};

/**
 * Who refuses has done nothing, bank or gateway (RFC 9110, 15.5), and a bank may tell its errors as gateways do. A gateway
 * that has given up says so by a status of its own.
 */
const saysThatNothingWasDone = (status: number): boolean =>
  saysOnlyNotNow(status) || (status >= 400 && status < 500 && !isOfGateway(status));

/** What reads, and what only starts SCA whatever it asks for (Other paths referred to). */
const movesNothing = (operation: string): boolean =>
  operations[operation as keyof typeof operations]?.method === 'GET' || startingSca.has(operation);

/**
 * Where requests move money, nothing but an answer shows that one was not carried out: an alert of TLS, a host that cannot be
 * reached and a proxy that has hung up come after the request as well as before it.
 */
export const repeatingNoWrites: Repeats = {
  mayRepeat: ({ operation, response }, isOfAnother) =>
    movesNothing(operation) || (!isOfAnother && saysThatNothingWasDone(response?.status ?? 0)),
  mayHaveArrived: ({ response }) => !saysThatNothingWasDone(response?.status ?? 0),
};
