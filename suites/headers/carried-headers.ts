import type { CarriedList } from '../../src/checks/carried-rows.ts';
import type { Carrier } from '../../src/checks/carrier.ts';
import type { Twist } from '../../src/checks/trial.ts';
import { acceptFixes } from '../../src/spec/code-lists.ts';
import { type HeaderRow, headerRows, headerSamples, type SpecifiedProfile } from '../../src/spec/headers.ts';
import { everyProduct } from '../../src/spec/products.ts';
import { withHeader } from '../../src/tpp/call.ts';
import { everyOperation, type NamedSubject } from '../subjects.ts';

/** Signature is judged with signing; the customer's number and the corporate id with SCA. */
export const judgedElsewhere = new Set(['Signature', 'X-PSU-IDENTITY', 'PSU-Corporate-ID', 'Host']);

export const isOptional = (profile: SpecifiedProfile, { name, optional }: HeaderRow): boolean =>
  optional.includes(profile) && !judgedElsewhere.has(name);

/** Whose context it is goes with one kind of customer alone, and is tried by itself. */
export const isCarried = ({ name }: HeaderRow): boolean => name !== 'PSU-Context';

/** Values that a TPP could send. */
const sampleValues = ({ name, type }: HeaderRow): readonly string[] =>
  type?.field.values ?? headerSamples[name] ?? ['value'];

/** A private customer's context is PRIVATE; the other one is a corporate request. */
const inItsContext = (row: HeaderRow, value: string): Pick<Twist, 'under'> =>
  isCarried(row) ? {} : { under: (_, { psu }) => psu.context === value };

const setting = (label: string, name: string, value: string): Twist => ({
  label,
  request: withHeader(name, value),
});

/** By header: its check and what carries its values speak of the same ones. */
const lists: ReadonlyMap<HeaderRow, CarriedList> = new Map(
  headerRows.map((row) => {
    const without: Twist = {
      label: `${row.name} is missing`,
      request: { beforeSigning: ({ headers }) => headers.remove(row.name) },
    };
    const values = sampleValues(row).map((value) => ({
      ...setting(`${row.name} is ${value}`, row.name, value),
      ...inItsContext(row, value),
    }));
    return [row, { twists: [...values, without], without }];
  }),
);

/** With each value of an optional header, and without it. */
export const withAndWithout = (row: HeaderRow): CarriedList => lists.get(row) ?? { twists: [] };

const fixes = acceptFixes.map(({ value }) => value);
const withFixes = (label: string, value: string): Twist => setting(label, 'x-accept-fix', value);

export const eachFix = fixes.map((value) => withFixes(`x-accept-fix is ${value}`, value));
export const severalFixes = [
  withFixes('x-accept-fix has all known values', fixes.join(',')),
  withFixes('x-accept-fix has all known values, backwards and with spaces', fixes.toReversed().join(', ')),
];

const takesFixes = (profile: SpecifiedProfile): boolean =>
  headerRows.some(({ name, required }) => name === 'x-accept-fix' && required.includes(profile));

/** A request with a value of some headers, and without others. */
const carriers: ReadonlyMap<SpecifiedProfile, Carrier> = new Map(
  everyOperation.map(({ headers: profile, of }: NamedSubject, place) => [
    profile,
    {
      of,
      place: everyProduct.length + place,
      lists: [
        ...headerRows.filter((row) => isOptional(profile, row) && isCarried(row)).map(withAndWithout),
        ...(takesFixes(profile) ? [{ twists: [...eachFix, ...severalFixes] }] : []),
      ],
      ...(of.isAskedElsewhere === true ? {} : { inEveryContext: true }),
    },
  ]),
);

export const carrierOfHeaders = (profile: SpecifiedProfile): Carrier => {
  const carrier = carriers.get(profile);
  if (carrier === undefined) throw new Error(`No headers of ${profile} are carried.`);
  return carrier;
};
