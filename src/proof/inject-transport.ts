import type { Bank } from '../bank/bank.ts';
import { ConnectionReset } from '../bank/design/raw-message.ts';
import { type Transport, TransportError } from '../tpp/transport.ts';

/** Straight into a bank of this process: no socket, no serialisation of what is there already. */
export const injectTransport = (
  bank: Bank,
  connection: { readonly tlsVersion?: string } = {},
): Transport => ({
  async send({ method, target, headers, body }) {
    try {
      return await bank.inject({
        method,
        url: target,
        headers,
        ...connection,
        ...(body === undefined ? {} : { body }),
      });
    } catch (error) {
      if (error instanceof ConnectionReset) throw new TransportError('reset', error.message);
      throw error;
    }
  },
  close: async () => {},
});
