import { randomUUID } from 'node:crypto';
import { varying } from '../../certification/reference-tpp/behaviour.ts';
import { creations } from '../../spec/products.ts';
import { dialect, type TppDialect } from './deviation.ts';

/** TPPs that treat their sessions in an unusual way. */
const sessionOfPerson = randomUUID();

export const sessionDialects: readonly TppDialect[] = [
  dialect(
    'person-before-sca',
    'begins a session with a payment that names its customer by X-PSU-IDENTITY alone, and passes SCA where it is answered 401',
    varying(
      {
        beforeSigning: ({ headers, body }) => {
          if (headers.has('PSU-Corporate-ID') || !body?.includes('"401.00"')) return;
          headers.remove('PSU-ID');
          headers.remove('PSU-Context');
          headers.set('TPP-Session-ID', sessionOfPerson);
          headers.set('X-PSU-IDENTITY', '01819010001');
        },
      },
      creations,
    ),
  ),
  dialect(
    'no-session-on-reading',
    'sends TPP-Session-ID where payments and baskets are created, and nowhere else',
    varying({ beforeSigning: ({ headers }) => headers.remove('TPP-Session-ID') }, [
      'readPaymentStatus',
      'deletePayment',
      'readBalances',
      'readTransactions',
    ]),
  ),
  dialect('new-session-after-the-end', 'begins a new session where the bank has ended one', (behaviour) => {
    const begun = new Map<string, string>();
    return {
      ...behaviour,
      follows: (reason, call, psu) => {
        const isTheEnd = reason === 'renewal' && psu.id !== undefined && !begun.has(psu.id);
        if (isTheEnd) begun.set(psu.id, randomUUID());
        return !isTheEnd && behaviour.follows(reason, call, psu);
      },
      present: (psu, call) => {
        const presented = behaviour.present(psu, call);
        const sessionId = begun.get(psu.id ?? '');
        return sessionId === undefined ? presented : { ...presented, sessionId };
      },
    };
  }),
];
