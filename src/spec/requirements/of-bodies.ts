import { bodies } from '../bodies/index.ts';
import { facets } from '../facets.ts';
import { type Body, type Demand, demandsOf, pathText } from '../field.ts';
import { remediesNamed } from '../remedies.ts';
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
