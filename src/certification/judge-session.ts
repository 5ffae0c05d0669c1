import type { LoadedSuite } from '../checks/check.ts';
import { judge, placeChecks } from '../checks/engine.ts';
import { NotApplicable } from '../checks/outcomes.ts';
import type { CheckResult, RunFooter, RunHeader } from '../checks/verdict.ts';
import type { TppCertificate } from '../signing/certificate.ts';
import { parseDistinguishedName } from '../signing/distinguished-name.ts';
import { catalogueVersion } from '../spec/catalogue.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import { profileOf } from '../spec/profiles.ts';
import { boundText } from './admission.ts';
import { certificationEnvironment, type Journey, journeys, profilesFor } from './journeys.ts';
import { redactorFor } from './redaction.ts';
import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';
import { type TppCheck, TppCheckContext } from './tpp-check.ts';

export const journeyCheckId = ({ id }: Journey): string => `JRN-${id}`;

/** That a journey was seen. It cannot fail; those of level `must` decide about conformance. */
function journeyCheck(journey: Journey): TppCheck {
  const { title, goal, requests, mandatoryIn } = journey;
  const [requirement = '', ...others] = journey.requirements;
  return {
    id: journeyCheckId(journey),
    title,
    side: 'tpp',
    requirement,
    others,
    needs: [],
    steps: requests,
    expected: goal,
    levelUnder: () => (mandatoryIn.length > 0 ? 'must' : 'advisory'),
    journey: { id: journey.id, mandatoryIn },
    async run(context) {
      const evidence = journey.completedBy(context.session);
      context.expected = goal;
      if (evidence === undefined) {
        const refusals = refusalsOf(journey, context.session);
        context.show(refusals);
        for (const refusal of refusals) context.note(refusalText(refusal));
        throw new NotApplicable(`Not seen: ${goal} Requests: ${requests.join('; ')}.`);
      }
      context.show(evidence);
    },
  };
}

const shownRefusals = 3;

/** The last refusals that may be what kept a journey from completing: nobody asked for them. */
const refusalsOf = ({ operations }: Journey, { requests }: Session): readonly SeenExchange[] =>
  requests
    .filter(({ operation }) => operations.includes(operation))
    .filter(({ status, answer, recorded }) => {
      return status >= 400 && !answer.asksForSca && recorded.provocation === undefined;
    })
    .slice(-shownRefusals);

function refusalText({ name, status, answer, recorded }: SeenExchange): string {
  const said = answer.messages[0]?.text ?? recorded.refusedBy?.rule;
  return `${name} was refused with ${status}${said === undefined ? '' : `: ${said}`}`;
}

/** The suite under which reports show the journeys. */
export const journeySuite: LoadedSuite<TppCheck> = {
  id: 'tpp/journeys',
  title: 'Journeys',
  section: ['Certification'],
  checks: journeys.map(journeyCheck),
};

/** Judges everything that was recorded: the journeys, then the checks, then those that look at what the others found. */
export async function judgeSession(
  session: Session,
  suites: readonly LoadedSuite<TppCheck>[],
  reproduce: string,
): Promise<readonly CheckResult[]> {
  const redactor = redactorFor(session);
  const blamed = new Set<SeenExchange>();
  const run = { contextFor: () => new TppCheckContext(session, redactor, reproduce, blamed) };
  const placed = placeChecks([journeySuite, ...suites]);
  const results = new Map<string, CheckResult>();
  for (const observes of [false, true]) {
    const due = placed.filter(({ check }) => (check.observes ?? false) === observes);
    for (const result of await Promise.all(due.map((one) => judge(one, run)))) results.set(result.id, result);
  }
  return placed.flatMap(({ check }) => results.get(check.id) ?? []);
}

/** What a journal says of a certification before its results: the TPP is the subject. */
export function headerOf(session: Session, suites: readonly LoadedSuite<TppCheck>[]): RunHeader {
  const { tool, startedAt, baseUrl, fingerprints = {} } = session.start;
  const certificates = certificatesIn(session);
  return {
    tool,
    catalogue: catalogueVersion,
    target: { name: nameOf(certificates), baseUrl, environment: certificationEnvironment },
    interpretations: defaultReadings,
    knownDeviations: [],
    profiles: Object.fromEntries(profilesFor(session).map((id) => [id, profileOf(id).version])),
    seed: 0,
    runs: 0,
    startedAt,
    planned: placeChecks([journeySuite, ...suites]).map(({ check }) => check.id),
    side: 'tpp',
    ...(session.bounds.length === 0 ? {} : { remarks: session.bounds.map(boundText) }),
    fingerprints: { ...fingerprints, ...fingerprintsOf(certificates) },
  };
}

export function footerOf(session: Session, results: readonly CheckResult[]): RunFooter {
  const last = session.end?.at ?? session.exchanges.at(-1)?.recorded.at ?? session.start.startedAt;
  return {
    durationMs: Math.max(0, Date.parse(last) - Date.parse(session.start.startedAt)),
    requests: session.requests.length,
    interrupted: results.length === 0,
  };
}

/** The certificates that the TPP has signed with, the one it used most first. */
function certificatesIn({ requests }: Session): readonly TppCertificate[] {
  const uses = new Map<TppCertificate, number>();
  for (const { certificate } of requests) {
    if (certificate !== undefined) uses.set(certificate, (uses.get(certificate) ?? 0) + 1);
  }
  return [...uses].toSorted(([, a], [, b]) => b - a).map(([certificate]) => certificate);
}

function nameOf([certificate]: readonly TppCertificate[]): string {
  if (certificate === undefined) return 'A TPP that was not seen';
  const attributes = parseDistinguishedName(certificate.subject).flat();
  const named = (type: string) => attributes.find((attribute) => attribute.type === type)?.value;
  const number = certificate.authorisationNumber;
  return `${named('O') ?? named('CN') ?? 'A TPP'}${number === undefined ? '' : ` (${number})`}`;
}

const fingerprintsOf = (certificates: readonly TppCertificate[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    certificates.map(({ fingerprint256 }, index) => [
      `signature of the TPP${index === 0 ? '' : `, ${index + 1}`}`,
      fingerprint256,
    ]),
  );
