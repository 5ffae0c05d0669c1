import type { Readings } from './interpretations.ts';
import type { ProductName } from './products.ts';

/** Whether payments of a product hold no letter outside ASCII under a reading. */
export const staysInAscii = (letters: Readings['letters'], product: ProductName): boolean =>
  letters === 'ascii-only' || (letters === 'ascii-abroad' && product !== 'domestic');
