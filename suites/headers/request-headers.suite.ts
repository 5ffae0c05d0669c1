import { type Check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { addOptionalHeaders, dimensions } from '../../src/checks/contexts.ts';
import {
  type Expectation,
  refused,
  refusedOrAskedForSca,
  wentThrough,
} from '../../src/checks/expectation.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { drawCall, type Subject } from '../../src/checks/subject.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { facets } from '../../src/spec/facets.ts';
import { type HeaderRow, headerId, headerRows, type SpecifiedProfile } from '../../src/spec/headers.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import type { Level } from '../../src/spec/requirement.ts';
import { companyOf } from '../../src/target/psu.ts';
import { type Variation, withHeader } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { everyOperation, type NamedSubject } from '../subjects.ts';
import {
  carrierOfHeaders,
  isCarried,
  isOptional,
  judgedElsewhere,
  withAndWithout,
} from './carried-headers.ts';

/** One check for each row of the header table: required ones missing, optional ones present, typed ones wrong. */
const headerChecks = ({ headers: profile, of }: NamedSubject): readonly Check[] => [
  together(profile, of),
  ...headerRows.flatMap((row) => [
    ...(row.required.includes(profile) && !judgedElsewhere.has(row.name) ? [missing(profile, row, of)] : []),
    ...(isOptional(profile, row) ? [present(profile, row, of)] : []),
    ...([...row.required, ...row.optional].includes(profile) ? wrongValue(profile, row, of) : []),
  ]),
];

function missing(profile: SpecifiedProfile, row: HeaderRow, of: Subject): Check {
  const id = headerId(profile, row.number);
  return refuses({
    id,
    requirement: id,
    title: `${of.title} without ${row.name} is refused`,
    levelUnder: (readings) => levelOfMissing(row.name, readings),
    of,
    twists: [
      { label: `${row.name} is missing`, points: row.name, request: withoutHeader(row.name) },
      ...(row.name === 'PSU-ID' && !takesIdentity(profile) ? [byIdentity] : []),
    ],
    expected: expectedFor(row.name),
    cases: 1,
  });
}

/** Where X-PSU-IDENTITY is not listed, it is no alternative to PSU-ID. */
const takesIdentity = (profile: SpecifiedProfile): boolean =>
  headerRows.some(
    ({ name, required, optional }) =>
      name === 'X-PSU-IDENTITY' && [...required, ...optional].includes(profile),
  );

const byIdentity: Twist = {
  label: 'X-PSU-IDENTITY stands in place of PSU-ID, which payment creation alone allows',
  points: 'PSU-ID',
  under: (_, { psu }) => psu.nationalId !== undefined,
  request: ({ target }) => ({
    beforeSigning: ({ headers }) => {
      const { psu } = target;
      // Whose the session is: a bank may well refuse the number of another person.
      const own = (headers.has('PSU-Corporate-ID') ? companyOf(psu) : psu)?.nationalId;
      headers.remove('PSU-ID');
      if (own !== undefined) headers.set('X-PSU-IDENTITY', own);
    },
  }),
};

/** The signature is made without the header, so that its absence is the only fault. */
function withoutHeader(name: string): Variation {
  if (name === 'Digest') return { signing: { digest: () => undefined } };
  if (name === 'TPP-Signature-Certificate') return { afterSigning: ({ headers }) => headers.remove(name) };
  return { beforeSigning: ({ headers }) => headers.remove(name) };
}

function levelOfMissing(name: string, readings: Readings): Level | undefined {
  if (name === 'x-accept-fix' && readings.acceptFix === 'optional') return undefined;
  if (name === 'PSU-ID' && readings.psuIdentification === 'not-judged') return undefined;
  if (name === 'PSU-IP-Address' && readings.psuIpAddress === 'not-judged') return undefined;
  return 'must';
}

/** Who the customer is, is the subject of PSU-ID; a session that is not named is a new one, which needs SCA. */
const expectedFor = (name: string): Expectation =>
  name === 'PSU-ID' || name === 'TPP-Session-ID' ? refusedOrAskedForSca() : refused();

function present(profile: SpecifiedProfile, row: HeaderRow, of: Subject): Check {
  const id = headerId(profile, row.number);
  return accepts({
    id,
    requirement: id,
    title: `${of.title} is accepted with and without ${row.name}`,
    of,
    twists: withAndWithout(row).twists,
    control: 'one-of-the-twists',
    ...(isCarried(row) ? { carrier: carrierOfHeaders(profile) } : {}),
    // PRIVATE is the context of a private PSU, CORPORATE that of one who acts for a company.
    fixed: row.name === 'PSU-Context' ? ['psu', 'psuContext'] : [],
    cases: 1,
  });
}

/**
 * Each of them is accepted by itself, and a bank may yet stumble over all of them. Whose bank does is not tried in that
 * context by other checks, so that here is the only place where it shows.
 */
function together(profile: SpecifiedProfile, of: Subject): Check {
  const rows = headerRows.filter((row) => isOptional(profile, row));
  const [first = '', ...others] = rows.map(({ number }) => headerId(profile, number));
  const made = accepts({
    id: `${first}${suffixes.together}`,
    requirement: first,
    others,
    title: `${of.title} is accepted with all optional headers together`,
    of,
    twists: [{ label: 'every optional header is there', request: { beforeSigning: addOptionalHeaders } }],
    fixed: dimensions.filter((dimension) => dimension !== 'fields' && dimension !== 'remittance'),
    cases: 1,
  });
  return {
    ...made,
    run: (context) =>
      made.run(context).catch(async (error: unknown) => {
        throw error instanceof ExpectationFailed
          ? error.breaking(await refusedAlone(context, of, profile, rows))
          : error;
      }),
  };
}

/** The header that is refused by itself as well, where it is but one that the bank stumbles over. */
async function refusedAlone(
  context: CheckContext,
  of: Subject,
  profile: SpecifiedProfile,
  rows: readonly HeaderRow[],
): Promise<string | undefined> {
  for (const [index, row] of rows.filter(isCarried).entries()) {
    const [{ label, request } = {}] = withAndWithout(row).twists;
    if (typeof request !== 'object') continue;
    const answer = await context.call(await drawCall(context, of, index + 2), request, label);
    if (!wentThrough(answer, context.readings)) return headerId(profile, row.number);
  }
  return undefined;
}

function wrongValue(
  profile: SpecifiedProfile,
  { name, type, optional }: HeaderRow,
  of: Subject,
): readonly Check[] {
  if (type === undefined) return [];
  const id = headerId(profile, type.number);
  const { broken, violations } = facets[type.facet];
  const wrong = violations.request(type.field).map(({ of: made }) => String(made(undefined)));
  return [
    refuses({
      id,
      requirement: id,
      title: `${of.title} is refused when ${name} ${broken(type.field)}`,
      levelUnder: ({ informationalHeaders }) =>
        optional.includes(profile) && informationalHeaders === 'advisory' ? 'advisory' : 'must',
      of,
      twists: [...wrong, ...(misshapen[name] ?? [])].map((value) => ({
        label: `${name} is ${value}`,
        points: name,
        request: withHeader(name, value),
      })),
      expected: expectedFor(name),
      cases: 1,
    }),
  ];
}

/** Almost one: what stands around it is no part of it. */
const misshapen: Readonly<Record<string, readonly string[]>> = {
  'PSU-Device-ID': ['5b8a7c1e-3f52-4d0b-9a4e-6f1c2d3e4b5a-1', '1-2-3-4-5'],
};

export default suite('Request headers', section('Endpoints', 'Common request headers'), () =>
  everyOperation.map(headerChecks),
);
