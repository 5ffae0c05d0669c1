import { bodies } from '../bodies/index.ts';
import { facets } from '../facets.ts';
import { type Body, type Demand, demandsOf, pathText } from '../field.ts';
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

function unique(requirements: readonly Requirement[]): readonly Requirement[] {
  return [
    ...new Map(requirements.toReversed().map((requirement) => [requirement.id, requirement])).values(),
  ].toReversed();
}

function asRequirement(body: Body, demand: Demand): Requirement {
  const { shared } = demand.field;
  const interpretation = facets[demand.facet].interpretation?.(demand.field);
  return {
    id: demand.id,
    statement: `${shared?.subject ?? `${pathText(demand.path)} of ${body.name}`} ${sentenceOf(body, demand)}.`,
    section: shared?.section ?? body.section,
    level: shared === undefined ? body.level : 'must',
    side: 'bank',
    profiles: shared?.profiles ?? body.profiles,
    ...(interpretation === undefined ? {} : { interpretation }),
    ...demand.field.binding?.[demand.facet],
    remedies: remediesNamed([facets[demand.facet].remedies(demand.field)[body.direction]]),
  };
}

/** A bank refuses a request that breaks a demand, and keeps to it in what it answers. */
function sentenceOf({ direction }: Body, { facet, field }: Demand): string {
  const { demand, ofResponse = demand, refusal } = facets[facet];
  return direction === 'request' ? `${demand(field)}: ${refusal}` : ofResponse(field);
}

/** The requirements that the field tables state. Rows shared by several bodies (links, messages) are listed once. */
export const bodyRequirements: readonly Requirement[] = unique(
  Object.values<Body>(bodies).flatMap((body) => demandsOf(body).map((demand) => asRequirement(body, demand))),
);

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
