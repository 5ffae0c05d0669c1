import { bodies } from '../bodies/index.ts';
import { type Body, type Demand, demandsOf, type Facet, pathText } from '../field.ts';
import { type Remedy, type RemedyName, remediesNamed } from '../remedies.ts';
import type { Requirement } from '../requirement.ts';

function unique(requirements: readonly Requirement[]): readonly Requirement[] {
  return [
    ...new Map(requirements.toReversed().map((requirement) => [requirement.id, requirement])).values(),
  ].toReversed();
}

function asRequirement(body: Body, demand: Demand): Requirement {
  const shared = sharedTables.find(({ prefix }) => demand.id.startsWith(prefix));
  const subject =
    shared === undefined ? `${pathText(demand.path)} of ${body.name}` : sharedSubject(shared.subject, demand);
  return {
    id: demand.id,
    statement: body.direction === 'request' ? ofRequest(subject, demand) : ofResponse(subject, demand),
    section: shared?.section ?? body.section,
    level: shared === undefined ? body.level : 'must',
    side: 'bank',
    ...reading(demand),
    remedies: remediesOfField(body.direction, demand),
  };
}

/** Tables that the specification shows once and several bodies use. */
const sharedTables = [
  {
    prefix: 'REM-',
    subject: 'a remittance reference',
    section: ['Resources and their fields', 'Remittance reference (structured)'],
  },
  {
    prefix: 'LNK-',
    subject: 'a link',
    section: ['Resources and their fields', 'Shared value types', 'Link'],
  },
  {
    prefix: 'MSG-',
    subject: 'a message',
    section: ['Resources and their fields', 'Payment creation response (NDCT and NCBCT)', 'Message object'],
  },
] as const;

function sharedSubject(subject: string, { path }: Demand): string {
  const own = path.slice(path.findLastIndex((step, index) => step === '*' && index < path.length - 1) + 1);
  if (path.at(-1) === '*' && path.at(-2) !== 'verbs') return subject;
  const names = path.at(-1) === '*' ? path.slice(-2) : own.slice(-1);
  return `${pathText(names)} of ${subject}`;
}

function reading({ facet, field }: Demand): { interpretation?: string } {
  if (facet === 'maxLength') return { interpretation: 'lengthUnit' };
  if (facet === 'format' && field.format === 'amount') return { interpretation: 'amountForm' };
  return {};
}

const ofRequestField: Readonly<Record<Facet, RemedyName>> = {
  required: 'fieldNotMissed',
  type: 'typesConverted',
  nonEmpty: 'emptyTaken',
  maxLength: 'lengthCounted',
  values: 'listOutdated',
  format: 'neverParsed',
};

const ofResponseField: Readonly<Record<Facet, RemedyName>> = {
  required: 'memberLeftOut',
  type: 'internalModel',
  nonEmpty: 'memberLeftOut',
  maxLength: 'internalCode',
  values: 'internalCode',
  format: 'internalModel',
};

const ofAmount = { request: 'amountAsNumber', response: 'feesApart' } as const;

/** What typically goes wrong with a demand on a field of a body. */
function remediesOfField(direction: Body['direction'], { facet, field }: Demand): readonly Remedy[] {
  if (facet === 'format' && field.format === 'amount') return remediesNamed([ofAmount[direction]]);
  return remediesNamed([(direction === 'request' ? ofRequestField : ofResponseField)[facet]]);
}

const article = {
  string: 'a string',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  map: 'an object',
} as const;
const formats = {
  amount: 'a plain decimal number with the minor units of its currency',
  date: 'an ISO 8601 date (YYYY-MM-DD)',
  uuid: 'a UUID',
} as const;

function ofRequest(subject: string, { facet, field }: Demand): string {
  switch (facet) {
    case 'required':
      return `${subject} is required: a request without it is refused.`;
    case 'type':
      return `${subject} is ${article[field.type]}: another JSON type is refused.`;
    case 'nonEmpty':
      return `${subject} is not empty: an empty one is refused.`;
    case 'maxLength':
      return `${subject} holds up to ${field.maxLength} characters: so many are accepted, more are refused.`;
    case 'values':
      return `${subject} is one of ${listText(field.values)}: each of them is accepted, any other refused.`;
    case 'format':
      return `${subject} is ${formats[field.format ?? 'date']}: another form is refused.`;
  }
}

function ofResponse(subject: string, { facet, field }: Demand): string {
  switch (facet) {
    case 'required':
      return `${subject} is always present.`;
    case 'type':
      return `${subject} is ${article[field.type]}.`;
    case 'nonEmpty':
      return `${subject} is not empty.`;
    case 'maxLength':
      return `${subject} holds at most ${field.maxLength} characters.`;
    case 'values':
      return `${subject} is one of ${listText(field.values)}.`;
    case 'format':
      return `${subject} is ${formats[field.format ?? 'date']}.`;
  }
}

function listText(values: readonly string[] = []): string {
  return values.length <= 24 ? values.join(', ') : `the ${values.length} listed codes`;
}

/** The requirements that the field tables state. Rows shared by several bodies (links, messages) are listed once. */
export const bodyRequirements: readonly Requirement[] = unique(
  Object.values<Body>(bodies).flatMap((body) => demandsOf(body).map((demand) => asRequirement(body, demand))),
);
