import { bodies as specifiedBodies } from '../../spec/bodies/index.ts';
import { sanctionedCountries } from '../../spec/countries.ts';
import { type Demand, demandsOf, pathText } from '../../spec/field.ts';
import {
  type HeaderRow,
  type HeaderType,
  headerId,
  headerRequirement,
  headerRows,
  optionalHeaders,
  type SpecifiedProfile,
  specifiedProfiles,
} from '../../spec/headers.ts';
import { byProduct, everyProduct } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import { type DesignChange, withField } from '../design/design-changes.ts';
import type { BankOperation } from '../design/route.ts';
import { type Deviation, deviation, inHeader, inOneContext, refuses } from './deviation.ts';
import { isObservable } from './dropped-rules.ts';

type BodyName = keyof BankDesign['bodies'];
interface Place extends Demand {
  readonly body: BodyName;
}

const places: readonly Place[] = [...everyProduct.map(({ body }) => body), 'basketRequest' as const].flatMap(
  (body) => demandsOf(specifiedBodies[body]).map((demand) => ({ ...demand, body })),
);

/** The single and the array form of a reference share their ids. */
const suffixOf = ({ field, path }: Demand): string =>
  field.shared === undefined ? '' : path[0] === 'remittanceInformationStructured' ? '-single' : '-array';

const lengths: readonly Deviation[] = places
  .filter(({ facet }) => facet === 'maxLength')
  .flatMap((place) => {
    const { id, body, path, field } = place;
    const limit = field.maxLength ?? 0;
    const ending = (length: number, way: string): Deviation =>
      deviation(
        `${id}/${way}${suffixOf(place)}`,
        `lets ${pathText(path)} have ${length} characters instead of ${limit}`,
        withField(body, path.join('.'), (old) => ({ ...old, maxLength: length })),
      );
    return [
      ending(limit + 1, 'one-longer'),
      // The full length of an account number is never sent.
      ...(field.characters === undefined ? [ending(limit - 1, 'one-shorter')] : []),
      // As long as a KID, and nothing else about it is that of a KID.
      ...(field.name === 'reference' ? [ending(25, 'ten-shorter')] : []),
    ];
  });

/** Values of the same standards that the lists leave out: chosen here, and not from what the checks send. */
const intruders: Readonly<Record<string, readonly string[]>> = {
  currency: ['BYN', 'ZWG'],
  country: ['XK', 'UK'],
  purposeCode: ['GDDS', 'RENT'],
  schemeNameProprietary: ['debitCardAccount'],
  regulatoryReportingCode: ['15', '83', '00'],
};

/** Values whose absence a run can see. The debtor account has the one currency that it has. */
const dropouts = ({ path, field }: Demand): readonly string[] => {
  if (path[0] === 'debtorAccount' && field.name === 'currency') return [];
  if (field.name === 'currency') return ['AED', 'JPY', 'KWD', 'ZMW'];
  // Who is under sanctions may be refused.
  const values = (field.values ?? []).filter(
    (value) => field.name !== 'country' || !sanctionedCountries.has(value),
  );
  return [...new Set([values[0] ?? '', values.at(-1) ?? ''])];
};

/** What is accepted with every value is not accepted with those that are not known. */
const acceptedWithEach: Readonly<Record<string, readonly string[]>> = {
  'instructedAmount.currency': ['AMT-01'],
  regulatoryReportingCode: ['REG-04'],
};

const lists: readonly Deviation[] = places
  .filter(({ facet }) => facet === 'values')
  .flatMap((place) => {
    const { id, body, path, field } = place;
    const name = pathText(path);
    const listed = (values: readonly string[]) =>
      withField(body, path.join('.'), (old) => ({ ...old, values }));
    const values = field.values ?? [];
    return [
      ...(intruders[field.name] ?? []).map((value) =>
        deviation(`${id}/also-${value}`, `takes ${value} as ${name}`, listed([...values, value])),
      ),
      deviation(
        `${id}/also-with-spaces`,
        `takes spaces behind ${name}`,
        listed(values.flatMap((value) => [value, `${value} `])),
      ),
      ...(values.every((value) => value === value.toLowerCase())
        ? []
        : [
            deviation(
              `${id}/also-in-another-case`,
              `takes small and capital letters alike in ${name}`,
              listed(values.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()])),
            ),
          ]),
      ...dropouts(place).map((value) => ({
        ...deviation(
          `${id}/not-${value}`,
          `does not know ${value} as ${name}`,
          listed(values.filter((listedValue) => listedValue !== value)),
        ),
        also: acceptedWithEach[name] ?? [],
      })),
    ];
  });

const anyOptional: Readonly<Record<BodyName, string>> = {
  ...byProduct('body', ({ requirements }) => requirements.anyOptionalFields),
  basketRequest: 'BSK-11',
};

/** Optional members of an array's elements are left to chance: the array itself is optional. */
const optionalFields: readonly Deviation[] = places
  .filter(
    ({ facet, field, path }) => facet === 'type' && field.ids.required === undefined && !path.includes('*'),
  )
  .filter(({ field }) => field.shared === undefined)
  .map(({ body, path, field }) => {
    const name = path.join('.');
    const requirement = field.optionalBy ?? anyOptional[body];
    return {
      ...deviation(
        `${requirement}/demands-${name}`,
        `demands ${name} of every payment`,
        withField(body, name, (old) => ({ ...old, ids: { ...old.ids, required: requirement } })),
      ),
      about: [name],
    };
  });

const references: readonly Deviation[] = (['referenceType', 'referenceIssuer'] as const).flatMap((field) => [
  deviation(
    `NDC-65/demands-${field}`,
    `demands ${field} of every reference`,
    withField('domesticPayment', `remittanceInformationStructuredArray.*.${field}`, (old) => ({
      ...old,
      ids: { ...old.ids, required: 'NDC-65' },
    })),
  ),
  deviation(
    `NDC-66/demands-${field}`,
    `demands ${field} of a reference that stands alone`,
    withField('domesticPayment', `remittanceInformationStructured.${field}`, (old) => ({
      ...old,
      ids: { ...old.ids, required: 'NDC-66' },
    })),
  ),
]);

/** Bounds one off in both directions, lists one too long and too short, optional fields demanded. */
export const fieldTableDeviations: readonly Deviation[] = [
  ...lengths,
  ...lists,
  ...optionalFields,
  ...references,
];

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

const unlistedValues: Readonly<Record<string, string>> = {
  'PSU-HTTP-Method': 'HEAD',
  'PSU-Context': 'BUSINESS',
};

/** A value that is not listed is taken. */
const intruded = (profile: SpecifiedProfile): readonly Deviation[] =>
  forProfile(profile).flatMap(({ name, type }) => {
    const value = unlistedValues[name];
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
      refuses(
        `${headerId(profile, number)}/crowded`,
        `has no room for three headers on what the TPP accepts (${profile})`,
        [operationOf[profile]],
        (request) =>
          ['accept-charset', 'accept-encoding', 'accept-language'].every(
            (name) => request.header(name) !== undefined,
          ),
      ),
    );

/** Browsers and telephones have longer names than one may think. */
const shortened = (profile: SpecifiedProfile): readonly Deviation[] =>
  optionalHeaders(profile).includes('PSU-User-Agent')
    ? inOneContext(
        refuses(
          `${headerRequirement(profile, 'PSU-User-Agent')}/short-names-only`,
          `takes no PSU-User-Agent of more than a hundred characters (${profile})`,
          [operationOf[profile]],
          (request) => (request.header('psu-user-agent') ?? '').length > 100,
        ),
      )
    : [];

/** Values of headers that a bank knows in one form only. */
const otherForms: readonly (readonly [header: string, way: string, what: string, form: RegExp])[] = [
  ['Accept', 'charset', 'a charset', /charset/i],
  ['Accept', 'any-subtype', 'a type of any subtype', /^application\/\*$/],
  ['Accept-Charset', 'capitals', 'a charset in capital letters', /[A-Z]/],
  ['Accept-Charset', 'quality', 'how much a charset is wanted', /;q=/],
  ['Accept-Language', 'abroad', 'no Norwegian', /^(?!n[bno]\b)./],
  ['TPP-Brand-Logging-Information', 'punctuation', 'punctuation', /[^\w ]/],
  ['PSU-Accept', 'quality', 'how much a media type is wanted', /;q=/],
  ['PSU-Accept-Language', 'one', 'a single language', /^[a-z]+$/],
  ['PSU-Geo-Location', 'south', 'a place in the south or west', /-/],
  ['PSU-Device-ID', 'capitals', 'capital letters', /[A-F]/],
];

const inOtherForms = (profile: SpecifiedProfile): readonly Deviation[] =>
  inOneContext(
    ...otherForms
      .filter(([name]) => optionalHeaders(profile).includes(name))
      .map(([name, way, what, form]) =>
        refuses(
          `${headerRequirement(profile, name)}/no-${way}`,
          `takes no ${name} that has ${what} (${profile})`,
          [operationOf[profile]],
          inHeader(name.toLowerCase(), form),
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
  ...shortened(profile),
  ...inOtherForms(profile),
]);
