import { type Deviation, deviation } from './deviation.ts';
import { addressing } from './redirect-changes.ts';

const beforeParameters = /\?(?=psu-id=|system=)/;

/** TPP-Redirect-URI put together wrongly, so that it is another address. */
export const redirectAddressDeviations: readonly Deviation[] = (
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
  ] as const
).map(([way, what, place, instead]) =>
  deviation(
    `SCA-03/${way}`,
    `redirects to TPP-Redirect-URI ${what}`,
    addressing((address) => address.replace(place, instead)),
  ),
);
