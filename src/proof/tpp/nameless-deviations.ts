import { varying } from '../../certification/reference-tpp/behaviour.ts';
import { deviation, type TppDeviation } from './deviation.ts';

/** TPPs that do not say for whom they read. */
export const namelessDeviations: readonly TppDeviation[] = [
  deviation(
    'TPP-21/empty',
    'sends an empty PSU-ID when it reads balances',
    varying({ beforeSigning: ({ headers }) => headers.set('PSU-ID', '') }, ['readBalances']),
  ),
  deviation(
    'TPP-21/nobody-on-reading',
    'names neither PSU nor session when it reads balances',
    varying(
      {
        beforeSigning: ({ headers }) => {
          headers.remove('PSU-ID');
          headers.remove('TPP-Session-ID');
        },
      },
      ['readBalances'],
    ),
  ),
];
