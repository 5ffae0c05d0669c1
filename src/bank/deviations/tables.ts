import { bodies } from '../../spec/bodies/index.ts';
import { sanctionedCountries } from '../../spec/countries.ts';
import { facets } from '../../spec/facets.ts';
import { type Body, type Demand, demandsOf, type Field, pathText, type SharedRow } from '../../spec/field.ts';
import {
  type HeaderRow,
  headerId,
  headerRequirement,
  headerRows,
  optionalHeaders,
  type SpecifiedProfile,
  specifiedProfiles,
} from '../../spec/headers.ts';
import { isObject } from '../../spec/json.ts';
import { byProduct, creations, everyProduct } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import { type DesignChange, withAnswers, withField, withRefusalAnswers } from '../design/design-changes.ts';
import type { BankOperation } from '../design/route.ts';
import { both, type Deviation, each, inHeader, marked, once, strict, table } from './deviation.ts';
import { isObservable } from './dropped-rules.ts';

type BodyName = keyof BankDesign['bodies'];
interface Place extends Demand {
  readonly body: BodyName;
}

const places: readonly Place[] = [...everyProduct.map(({ body }) => body), 'basketRequest' as const].flatMap(
  (body) => demandsOf(bodies[body]).map((demand) => ({ ...demand, body })),
);

/** The single and the array form of a reference share their ids. */
const suffixOf = ({ field, path }: Demand): string =>
  field.shared === undefined ? '' : path[0] === 'remittanceInformationStructured' ? '-single' : '-array';

const having = ({ body, path }: Pick<Place, 'body' | 'path'>, changes: Partial<Field>): DesignChange =>
  withField(body, path.join('.'), (field) => ({ ...field, ...changes }));

const demanding = (body: BodyName, path: string, required: string): DesignChange =>
  withField(body, path, (field) => ({ ...field, ids: { ...field.ids, required } }));

const otherLengths = ({ field: { name, maxLength = 0, characters } }: Place) => [
  [maxLength + 1, 'one-longer'] as const,
  // The full length of an account number is never sent.
  ...(characters === undefined ? [[maxLength - 1, 'one-shorter'] as const] : []),
  // As long as a KID, and nothing else about it is that of a KID.
  ...(name === 'reference' ? [[25, 'ten-shorter'] as const] : []),
];

/** Values of the same standards that the lists leave out: chosen here, and not from what the checks send. */
const intruders: Readonly<Record<string, readonly string[]>> = {
  currency: ['BYN', 'ZWG'],
  country: ['XK', 'UK'],
  purposeCode: ['GDDS', 'RENT'],
  schemeNameProprietary: ['debitCardAccount'],
  regulatoryReportingCode: ['15', '83', '00'],
};

/** Values whose absence a run can see. The debtor account has the one currency that it has. */
const dropouts = ({ path, field: { name, values = [] } }: Demand): readonly string[] => {
  if (name === 'currency') return path[0] === 'debtorAccount' ? [] : ['AED', 'JPY', 'KWD', 'ZMW'];
  // Who is under sanctions may be refused.
  const known = values.filter((value) => name !== 'country' || !sanctionedCountries.has(value));
  return [...new Set([known[0] ?? '', known.at(-1) ?? ''])];
};

/** What is accepted with every value is not accepted with those that are not known. */
const acceptedWithEach: Readonly<Record<string, readonly string[]>> = {
  'instructedAmount.currency': ['AMT-01'],
  regulatoryReportingCode: ['REG-04'],
};

// biome-ignore format: a table
function otherLists(place: Place): readonly Deviation[] {
  const { id, path, field: { name: member, values = [] } } = place;
  const name = pathText(path);
  const listed = (others: readonly string[]): DesignChange => having(place, { values: others });
  // Of long lists each value is sent once in a run. To send all of them in each context would cost more than the rest of it.
  const isLong = ['currency', 'country', 'regulatoryReportingCode'].includes(member);
  return marked(isLong ? once : {},
    each(intruders[member] ?? [], (value) => [`${id}/also-${value}`, `takes ${value} as ${name}`, listed([...values, value])]),
    [`${id}/also-with-spaces`, `takes spaces behind ${name}`, listed(values.flatMap((value) => [value, `${value} `]))],
    each(values.some((value) => value !== value.toLowerCase()) ? ['also-in-another-case'] : [], (way) => [`${id}/${way}`, `takes small and capital letters alike in ${name}`,
      listed(values.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()]))]),
    each(dropouts(place), (value) => [`${id}/not-${value}`, `does not know ${value} as ${name}`, listed(values.filter((known) => known !== value)), { also: acceptedWithEach[name] ?? [], ...strict, ...(member === 'purposeCode' ? once : {}) }]),
  );
}

const anyOptional: Readonly<Record<BodyName, string>> = {
  ...byProduct('body', ({ requirements }) => requirements.anyOptionalFields),
  basketRequest: 'BSK-11',
};

/** Optional members of an array's elements are left to chance: the array itself is optional. */
const optionalPlaces = places.filter(
  ({ facet, field: { ids, shared }, path }) =>
    facet === 'type' && ids.required === undefined && !path.includes('*') && shared === undefined,
);

/** Bounds one off in both directions, lists one too long and too short, optional fields demanded. */
// biome-ignore format: a table
const fields = table(
  each(places.filter(({ facet }) => facet === 'maxLength'), (place) => each(otherLengths(place), (length, way) => [`${place.id}/${way}${suffixOf(place)}`,
    `lets ${pathText(place.path)} have ${length} characters instead of ${place.field.maxLength}`, having(place, { maxLength: length }),
    way === 'one-longer' ? {} : strict])),
  each(places.filter(({ facet }) => facet === 'values'), otherLists),
  each(optionalPlaces.map(({ body, path, field }) => [body, path.join('.'), field.optionalBy ?? anyOptional[body]] as const), (body, name, id) =>
    [`${id}/demands-${name}`, `demands ${name} of every payment`, demanding(body, name, id), { about: [name], ...strict }]),
  each(['referenceType', 'referenceIssuer'], (member) => table(
    [`NDC-65/demands-${member}`, `demands ${member} of every reference`, demanding('domesticPayment', `remittanceInformationStructuredArray.*.${member}`, 'NDC-65'), strict],
    [`NDC-66/demands-${member}`, `demands ${member} of a reference that stands alone`, demanding('domesticPayment', `remittanceInformationStructured.${member}`, 'NDC-66'), strict],
  )),
);

const withRow =
  (name: string, change: (row: HeaderRow) => Partial<HeaderRow>): DesignChange =>
  (design) => ({
    ...design,
    headerRows: design.headerRows.map((row) => (row.name === name ? { ...row, ...change(row) } : row)),
  });

const listing = (
  { name, type }: HeaderRow,
  change: (values: readonly string[]) => readonly string[],
): DesignChange => {
  const values = change(type?.field.values ?? []);
  return withRow(name, () =>
    type === undefined ? {} : { type: { ...type, field: { ...type.field, values } } },
  );
};

const unlisted = [
  ['PSU-HTTP-Method', 'HEAD'],
  ['PSU-Context', 'BUSINESS'],
] as const;

/** Values of headers that a bank knows in one form only. */
// biome-ignore format: a table
const otherForms = [
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
] as const;

const operationOf: Readonly<Record<SpecifiedProfile, BankOperation>> = {
  ...byProduct('name', ({ creation }) => creation),
  basket: 'createSigningBasket',
  sandbox: 'listSandboxCustomers',
};

/** Missing headers and wrong values are accepted by the dropped rules; here is the rest of the header table. */
// biome-ignore format: a table
const headers = each(specifiedProfiles, (profile) => {
  const optional = headerRows.filter((row) => row.optional.includes(profile));
  const named = (header: string): readonly HeaderRow[] => optional.filter(({ name, type }) => name === header && type !== undefined);
  const at = [operationOf[profile]];
  // X-PSU-IDENTITY is another way to name the PSU, with requirements of its own.
  const demandable = optional.filter(({ name, number }) => name !== 'X-PSU-IDENTITY' && name !== 'PSU-Corporate-ID' && isObservable(headerId(profile, number)));
  const known = (names: readonly string[]): boolean => names.every((name) => optionalHeaders(profile).includes(name));
  return table(
    each(demandable, ({ name, number }) => [`${headerId(profile, number)}/demanded`, `demands ${name}, which is optional`, withRow(name, ({ required }) => ({ required: [...required, profile] })), strict]),
    each(named('PSU-HTTP-Method'), (row) => each(row.type?.field.values ?? [], (value) => [`${headerId(profile, row.number)}/not-${value}`, `does not know ${value} as ${row.name}`,
      listing(row, (values) => values.filter((each) => each !== value)), strict])),
    each(unlisted, (name, value) => each(named(name), (row) => [`${headerId(profile, row.type?.number ?? 0)}/also-${value}`, `takes ${value} as ${name}`, listing(row, (values) => [...values, value])])),
    each(optional.slice(0, 1), ({ number }) => [`${headerId(profile, number)}/crowded`, `has no room for three headers on what the TPP accepts (${profile})`,
      { refuse: both(inHeader('accept-charset'), inHeader('accept-encoding'), inHeader('accept-language')), at }]),
    marked(once,
      // Browsers and telephones have longer names than one may think.
      each(['PSU-User-Agent'].filter((name) => known([name])), (name) => [`${headerRequirement(profile, name)}/short-names-only`, `takes no PSU-User-Agent of more than a hundred characters (${profile})`,
        { refuse: inHeader('psu-user-agent', /^.{101,}$/s), at }]),
      each(otherForms.filter(([name]) => known([name])), (name, way, what, form) => [`${headerRequirement(profile, name)}/no-${way}`, `takes no ${name} that has ${what} (${profile})`, { refuse: inHeader(name.toLowerCase(), form), at }]),
    ),
  );
});

/** What becomes of a member of an answer: another value, or `undefined` where it goes. */
type Change = (old: unknown) => unknown;

/** Where the bodies of a table are sent. */
interface Sending {
  readonly body: Body;
  /** A shared table that is broken here, once for all bodies that use it. */
  readonly shared?: SharedRow['table'];
  /** Steps before those of the table: a listing is an array of customers. */
  readonly before?: readonly string[];
  /** Tells apart the places in which the same rows are broken. */
  readonly suffix?: string;
  readonly change: (path: readonly string[], change: Change) => DesignChange;
}

const answersOf =
  (...operations: readonly BankOperation[]) =>
  (path: readonly string[], change: Change): DesignChange =>
    withAnswers(operations, (answer) => ({ ...answer, body: changedAt(answer.body, path, change) }));

/** Refusals come from rules, not from the handler of an operation. */
const refusals = (path: readonly string[], change: Change): DesignChange =>
  withRefusalAnswers((answer) => ({ ...answer, body: changedAt(answer.body, path, change) }));

/** What a 401 that asks for SCA carries besides its messages. */
const linksOfRefusals: Body = {
  ...bodies.paymentResponse,
  fields: bodies.paymentResponse.fields
    .filter(({ name }) => name === '_links')
    .map((links) => ({ ...links, ids: {} })),
};

const sendings: readonly Sending[] = [
  { body: bodies.paymentResponse, shared: 'link', change: answersOf(...creations) },
  { body: bodies.basketResponse, change: answersOf('createSigningBasket') },
  { body: bodies.sandboxCustomer, before: ['*'], change: answersOf('listSandboxCustomers') },
  { body: bodies.paymentStatusResponse, change: answersOf('readPaymentStatus') },
  { body: bodies.errorResponse, shared: 'message', change: refusals },
  { body: linksOfRefusals, shared: 'link', suffix: '-in-401', change: refusals },
];

/** Every demand on an answer, broken in each way that its facet knows. */
const responses = each(sendings, ({ body, shared, before = [], suffix = '', change }) => {
  const demands = demandsOf(body).filter(
    ({ field }) => field.shared === undefined || field.shared.table === shared,
  );
  const distinct = [...new Map(demands.map((demand) => [demand.id, demand])).values()];
  return each(distinct, ({ id, facet, field, path }) =>
    each(facets[facet].violations.response(field), ({ way, label, of }) => [
      `${id}/${way}${suffix}`,
      `sends ${suffix === '' ? 'a body' : 'a 401'} in which ${pathText(path)} ${label}`,
      change([...before, ...path], of),
    ]),
  );
});

/**
 * JSON with one place changed; `*` is the last element of an array, or the last member of an object, that has the
 * rest of the path. A fault in one of many is harder to see than one in all of them.
 */
function changedAt(value: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    const index = step === '*' ? value.findLastIndex((element) => reaches(element, rest)) : -1;
    if (index < 0) return value;
    const changed = changedAt(value[index], rest, change);
    return changed === undefined ? value.toSpliced(index, 1) : value.with(index, changed);
  }
  if (!isObject(value)) return value;
  const name = step === '*' ? Object.keys(value).findLast((key) => reaches(value[key], rest)) : step;
  if (name === undefined || (rest.length > 0 && value[name] === undefined)) return value;
  const { [name]: old, ...others } = value;
  const changed = changedAt(old, rest, change);
  return changed === undefined ? others : { ...value, [name]: changed };
}

/** Whether all steps but the last lead somewhere. */
function reaches(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  if (step !== '*') return isObject(value) && (rest.length === 0 || reaches(value[step], rest));
  return isObject(value) || Array.isArray(value)
    ? Object.values(value).some((member) => reaches(member, rest))
    : false;
}

/** What the tables of the specification say of requests and answers, broken row by row. */
export const tableDeviations = [...fields, ...headers, ...responses];
