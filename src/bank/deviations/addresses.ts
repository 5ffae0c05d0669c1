import { memberAt, textAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import { type Deviation, deviation, refusing } from './deviation.ts';

/** Parts of an address abroad that a bank may not demand. */
export const addressDeviations: readonly Deviation[] = [
  deviation(
    'NCB-69/city-demanded',
    'demands a city of an address',
    refusing(
      'NCB-69',
      [products.crossBorder.creation],
      ({ body }) =>
        memberAt(body, 'creditorAddress') !== undefined &&
        textAt(body, 'creditorAddress', 'city') === undefined,
    ),
  ),
];
