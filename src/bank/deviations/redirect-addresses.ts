import { everyProduct } from '../../spec/products.ts';
import { type DesignChange, withState } from '../design/design-changes.ts';
import { type Deviation, deviation } from './deviation.ts';
import { addressing, type Occasion, occasionOf } from './redirect-changes.ts';

const beforeParameters = /\?(?=psu-id=|system=)/;

/** What is approved is approved at the address that the TPP has given first. */
const atTheFirstOne =
  (occasion: Occasion): DesignChange =>
  (design) => {
    const firstOnes = new Map<string, string | undefined>();
    return withState(({ flows }) => ({
      flows: {
        ...flows,
        start: (start) => {
          const first = firstOnes.get(start.tppId) ?? start.redirectUri;
          firstOnes.set(start.tppId, first);
          return flows.start(occasionOf(start) === occasion ? { ...start, redirectUri: first } : start);
        },
      },
    }))(design);
  };

const forgotten: readonly Deviation[] = [...everyProduct.map(({ word }) => word), 'basket' as const].map(
  (occasion) =>
    deviation(
      `SCA-03/first-one-after-${occasion}`,
      `sends the PSU to the address that the TPP has given first after an approval (${occasion})`,
      atTheFirstOne(occasion),
    ),
);

/** TPP-Redirect-URI put together wrongly, so that it is another address. */
const mistaken: readonly Deviation[] = (
  [
    [
      'glued-with-ampersand',
      'and joins its parameters with an ampersand as if it had a query',
      beforeParameters,
      '&',
    ],
    ['glued-with-nothing', 'and puts its parameters right behind it', beforeParameters, ''],
    [
      'without-scheme',
      'without its scheme, so that it is a page of the bank that does not exist',
      /^https?:\/\//,
      '',
    ],
    ['without-port', 'without its port', /(?<=^https?:\/\/[^/?#:]*):\d+/, ''],
  ] as const
).map(([way, what, place, instead]) =>
  deviation(
    `SCA-03/${way}`,
    `redirects to TPP-Redirect-URI ${what}`,
    addressing((address) => address.replace(place, instead)),
  ),
);

export const redirectAddressDeviations: readonly Deviation[] = [...mistaken, ...forgotten];
