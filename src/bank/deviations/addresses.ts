import { memberAt, textAt } from '../../spec/json.ts';
import { crossBorder, type Deviation, refuses } from './deviation.ts';

/** Parts of an address abroad that a bank may not demand. */
export const addressDeviations: readonly Deviation[] = [
  refuses(
    'NCB-69/city-demanded',
    'demands a city of an address',
    crossBorder,
    ({ body }) =>
      memberAt(body, 'creditorAddress') !== undefined &&
      textAt(body, 'creditorAddress', 'city') === undefined,
  ),
];
