import type { Bank } from '../bank/bank.ts';
import { ConnectionReset } from '../bank/design/route.ts';
import { headerValue } from '../tpp/exchange.ts';
import { type Transport, TransportError, unpacked } from '../tpp/transport.ts';

/** Straight into a bank of this process: no socket, no serialisation of what is there already. */
export const injectTransport = (
  bank: Bank,
  connection: { readonly tlsVersion?: string } = {},
): Transport => ({
  async send({ method, target, headers, body }) {
    try {
      const response = await bank.inject({
        method,
        url: target,
        headers,
        ...connection,
        ...(body === undefined ? {} : { body }),
      });
      const coding = headerValue(response.headers, 'content-encoding');
      return coding === undefined ? response : { ...response, ...(await unpacked(response.body, coding)) };
    } catch (error) {
      if (error instanceof ConnectionReset) throw new TransportError('reset', error.message);
      throw error;
    }
  },
  close: async () => {},
});
