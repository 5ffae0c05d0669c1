import { facets } from '../facets.ts';
import {
  type HeaderRow,
  headerId,
  headerRows,
  type SpecifiedProfile,
  specifiedProfiles,
} from '../headers.ts';
import { type Operation, operations } from '../operations.ts';
import { products } from '../products.ts';
import { type RemedyName, remediesNamed } from '../remedies.ts';
import type { Requirement } from '../requirement.ts';

const operationOf = (profile: SpecifiedProfile): Operation => {
  if (profile === 'basket') return operations.createSigningBasket;
  if (profile === 'sandbox') return operations.listSandboxCustomers;
  return operations[products[profile].creation];
};

/** Readings that a row rests on. */
const readings: Readonly<Record<string, string>> = {
  'x-accept-fix': 'acceptFix',
  'PSU-ID': 'psuIdentification',
  'PSU-IP-Address': 'psuIpAddress',
};

/** Nothing is demanded of who receives an odd value of an optional header. */
const informational = { level: 'advisory', interpretation: 'informationalHeaders' } as const;

function ofRow(profile: SpecifiedProfile, row: HeaderRow): readonly Requirement[] {
  const { title, profile: ofOperation } = operationOf(profile);
  const reading = readings[row.name];
  const requirement = (
    number: number,
    statement: string,
    remedy: RemedyName,
    binding: Partial<Pick<Requirement, 'level' | 'interpretation'>> = {},
  ): Requirement => ({
    id: headerId(profile, number),
    statement: `${title}: ${statement}`,
    section: ['Endpoints', 'Common request headers', title],
    level: 'must',
    side: 'bank',
    profiles: row.profiles ?? [ofOperation],
    ...(reading === undefined ? {} : { interpretation: reading }),
    ...binding,
    ...(row.unobservable === undefined
      ? { remedies: remediesNamed([remedy, 'headerLostOnTheWay']) }
      : { unobservable: row.unobservable }),
  });
  return [
    ...(row.required.includes(profile)
      ? [
          requirement(
            row.number,
            `${row.name} is required; a request without it is refused.`,
            'fieldNotMissed',
          ),
        ]
      : []),
    ...(row.optional.includes(profile)
      ? [
          requirement(
            row.number,
            `${row.name} is optional; a request is accepted with and without it.`,
            'optionalDemanded',
          ),
        ]
      : []),
    ...(row.type !== undefined && [...row.required, ...row.optional].includes(profile)
      ? [
          requirement(
            row.type.number,
            `${row.name} ${facets[row.type.facet].demand(row.type.field)}; another value is refused.`,
            facets[row.type.facet].remedies(row.type.field).request,
            row.optional.includes(profile) ? informational : {},
          ),
        ]
      : []),
  ];
}

/** The requirements that the header table states, for each operation that it covers. */
export const headerRequirements: readonly Requirement[] = specifiedProfiles.flatMap((profile) =>
  headerRows.flatMap((row) => ofRow(profile, row)),
);
