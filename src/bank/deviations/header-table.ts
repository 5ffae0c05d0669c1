import {
  type HeaderRow,
  type HeaderType,
  headerId,
  headerRows,
  type SpecifiedProfile,
  specifiedProfiles,
} from '../../spec/headers.ts';
import { byProduct } from '../../spec/products.ts';
import type { DesignChange } from '../design/design-changes.ts';
import type { BankOperation } from '../design/route.ts';
import { type Deviation, deviation, refusing } from './deviation.ts';
import { isObservable } from './rules-of-the-bank.ts';

const withRow =
  (name: string, change: (row: HeaderRow) => HeaderRow): DesignChange =>
  (design) => ({
    ...design,
    headerRows: design.headerRows.map((row) => (row.name === name ? change(row) : row)),
  });

const forProfile = (profile: SpecifiedProfile): readonly HeaderRow[] =>
  headerRows.filter(({ optional }) => optional.includes(profile));

/** An optional header is demanded. X-PSU-IDENTITY is another way to name the PSU, with requirements of its own. */
const demanded = (profile: SpecifiedProfile): readonly Deviation[] =>
  forProfile(profile)
    .filter(({ name }) => name !== 'X-PSU-IDENTITY' && name !== 'PSU-Corporate-ID')
    .filter(({ number }) => isObservable(headerId(profile, number)))
    .map(({ name, number }) =>
      deviation(
        `${headerId(profile, number)}/demanded`,
        `demands ${name}, which is optional`,
        withRow(name, (row) => ({ ...row, required: [...row.required, profile] })),
      ),
    );

const listing = (type: HeaderType, values: readonly string[]): HeaderType => ({
  ...type,
  field: { ...type.field, values },
});

/** A listed value of a header is not known. */
const forgotten = (profile: SpecifiedProfile): readonly Deviation[] =>
  forProfile(profile).flatMap(({ name, number, type }) =>
    type !== undefined && name === 'PSU-HTTP-Method'
      ? (type.field.values ?? []).map((value) =>
          deviation(
            `${headerId(profile, number)}/not-${value}`,
            `does not know ${value} as ${name}`,
            withRow(name, (row) => ({
              ...row,
              type: listing(
                type,
                (type.field.values ?? []).filter((listed) => listed !== value),
              ),
            })),
          ),
        )
      : [],
  );

const intruders: Readonly<Record<string, string>> = { 'PSU-HTTP-Method': 'HEAD', 'PSU-Context': 'BUSINESS' };

/** A value that is not listed is taken. */
const intruded = (profile: SpecifiedProfile): readonly Deviation[] =>
  forProfile(profile).flatMap(({ name, type }) => {
    const value = intruders[name];
    if (type === undefined || value === undefined) return [];
    return [
      deviation(
        `${headerId(profile, type.number)}/also-${value}`,
        `takes ${value} as ${name}`,
        withRow(name, (row) => ({ ...row, type: listing(type, [...(type.field.values ?? []), value]) })),
      ),
    ];
  });

/** Each optional header is taken, and not all that are there together. */
const crowded = (profile: SpecifiedProfile): readonly Deviation[] =>
  forProfile(profile)
    .slice(0, 1)
    .map(({ number }) =>
      deviation(
        `${headerId(profile, number)}/crowded`,
        `has no room for three headers on what the TPP accepts (${profile})`,
        refusing(headerId(profile, number), [operationOf[profile]], (request) =>
          ['accept-charset', 'accept-encoding', 'accept-language'].every(
            (name) => request.header(name) !== undefined,
          ),
        ),
      ),
    );

const operationOf: Readonly<Record<SpecifiedProfile, BankOperation>> = {
  ...byProduct('name', ({ creation }) => creation),
  basket: 'createSigningBasket',
  sandbox: 'listSandboxCustomers',
};

/** Missing headers and wrong values are accepted by the dropped rules; here is the rest of the header table. */
export const headerTableDeviations: readonly Deviation[] = specifiedProfiles.flatMap((profile) => [
  ...demanded(profile),
  ...forgotten(profile),
  ...intruded(profile),
  ...crowded(profile),
]);
