import type { LoadedSuite } from '../checks/check.ts';
import { judge, placeChecks } from '../checks/engine.ts';
import { NotApplicable } from '../checks/outcomes.ts';
import type { CheckResult, RunFooter, RunHeader } from '../checks/verdict.ts';
import type { TppCertificate } from '../signing/certificate.ts';
import { parseDistinguishedName } from '../signing/distinguished-name.ts';
import { catalogueVersion } from '../spec/catalogue.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import { profileOf } from '../spec/profiles.ts';
import type { Redactor } from '../tpp/redaction.ts';
import { certificationEnvironment, type Journey, journeys, profilesFor } from './journeys.ts';
import { isUnreadable, type ReachedBound, type RecordedExchange } from './recording.ts';
import type { SeenExchange } from './seen-exchange.ts';
import { redactorFor, type Session } from './session.ts';
import { type TppCheck, TppCheckContext, type TppCheckSurroundings } from './tpp-check.ts';

/** What is kept of requests that no trusted TPP has signed, from one address. */
export const mostUnsigned = { requests: 2000, bytes: 32 * 1024 * 1024, sources: 64 } as const;

/** `More than 2000 requests from 192.0.2.7 were signed by no TPP …` */
export const boundText = ({ source }: ReachedBound): string =>
  source === undefined
    ? `Requests that no trusted TPP has signed came from more than ${mostUnsigned.sources} addresses: those from further ones are answered and not kept.`
    : `More than ${mostUnsigned.requests} requests, or ${mostUnsigned.bytes / 1024 / 1024} MB of them, came from ${source} and were signed by no trusted TPP: further ones are answered and not kept.`;

/**
 * Bounds the memory and the disk that anyone who reaches the port can take up. What a trusted TPP has signed is always
 * kept, and so are the visits to SCA pages that the bank has handed out.
 */
export class Admission {
  readonly #bySource = new Map<string, { requests: number; bytes: number }>();
  readonly #told = new Set<string | undefined>();
  readonly #onBound: (bound: ReachedBound) => void;

  constructor(onBound: (bound: ReachedBound) => void) {
    this.#onBound = onBound;
  }

  admits(exchange: RecordedExchange, source: string, isSigned: () => boolean): boolean {
    const isVisit = exchange.operation === 'page' && exchange.response.status !== 404;
    if (isVisit || isSigned()) return true;
    const used = this.#bySource.get(source) ?? { requests: 0, bytes: 0 };
    if (!this.#bySource.has(source) && this.#bySource.size >= mostUnsigned.sources) {
      return this.#tell({ at: exchange.at });
    }
    used.requests += 1;
    used.bytes += sizeOf(exchange);
    this.#bySource.set(source, used);
    return used.requests <= mostUnsigned.requests && used.bytes <= mostUnsigned.bytes
      ? true
      : this.#tell({ at: exchange.at, source });
  }

  #tell(bound: ReachedBound): false {
    if (!this.#told.has(bound.source)) {
      this.#told.add(bound.source);
      this.#onBound(bound);
    }
    return false;
  }
}

const sizeOf = ({ request, response }: RecordedExchange): number =>
  JSON.stringify(request).length + JSON.stringify(response).length;

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
export const judgeSession = (
  session: Session,
  suites: readonly LoadedSuite<TppCheck>[],
  reproduce: string,
  redactor: Redactor = redactorFor(session),
): Promise<readonly CheckResult[]> =>
  judgeWith(session, suites, { reproduce, redactor, blamed: new Set(), keepsEvidence: true });

async function judgeWith(
  session: Session,
  suites: readonly LoadedSuite<TppCheck>[],
  surroundings: TppCheckSurroundings,
): Promise<readonly CheckResult[]> {
  const run = { contextFor: () => new TppCheckContext(session, surroundings), seed: 0 };
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
  const remarks = [...session.bounds.map(boundText), ...strangersText(session)];
  const incomplete = [
    whyNotOneTpp(certificates),
    whyNotAll(session),
    whyNotEnded(session),
    whyNotRead(session),
  ].filter((why) => why !== undefined);
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
    ...(remarks.length === 0 ? {} : { remarks }),
    ...(incomplete.length === 0 ? {} : { incomplete }),
    fingerprints: { ...fingerprints, ...fingerprintsOf(certificates) },
  };
}

/** What the TPP has sent and no check has seen, such as all of its payments: nobody could tell where a request ends. */
function whyNotRead(session: Session): string | undefined {
  const unread = session.failedConnections.filter(
    (connection) => isUnreadable(connection) && session.mayBeOfTpp(connection),
  );
  const [first] = unread;
  if (first === undefined) return undefined;
  const times = unread.length === 1 ? 'A request' : `${unread.length} requests`;
  return `${times} could not be read as HTTP, answered without being looked at, and judged by no check. The first, at ${first.at}: ${first.message.slice(0, 200)} (${first.code}). Certify the TPP again without it.`;
}

/** Whoever reaches the port can ask for a path of ours. */
const strangersText = ({ ofStrangers }: Session): readonly string[] =>
  ofStrangers === 0
    ? []
    : [
        `${ofStrangers === 1 ? 'A request' : `${ofStrangers} requests`} without any header of the interface came from where the TPP has signed nothing, and ${ofStrangers === 1 ? 'is' : 'are'} taken for a stranger's: no check has looked at ${ofStrangers === 1 ? 'it' : 'them'}.`,
      ];

export function footerOf(session: Session, results: readonly CheckResult[]): RunFooter {
  const last = session.end?.at ?? session.exchanges.at(-1)?.recorded.at ?? session.start.startedAt;
  return {
    durationMs: Math.max(0, Date.parse(last) - Date.parse(session.start.startedAt)),
    requests: session.requests.length,
    interrupted: results.length === 0,
  };
}

/** The certificates that the TPP has signed with, the one it used most first; whoever has signed nothing only sends one. */
function certificatesIn(session: Session): readonly TppCertificate[] {
  const signed = session.requests.filter((request) => session.isSigned(request));
  const uses = new Map<TppCertificate, number>();
  for (const { certificate } of signed.length > 0 ? signed : session.requests) {
    if (certificate !== undefined) uses.set(certificate, (uses.get(certificate) ?? 0) + 1);
  }
  return [...uses].toSorted(([, a], [, b]) => b - a).map(([certificate]) => certificate);
}

/** What is not there may be what the TPP got wrong. Only what nobody has signed is left out, and that is told. */
function whyNotAll({ missing, bounds }: Session): string | undefined {
  if (missing <= 0 || bounds.length > 0) return undefined;
  return `The recording lacks ${missing === 1 ? 'an exchange' : `${missing} exchanges`} that the bank has answered, so that nobody knows what the TPP did there: certify it again.`;
}

/** Without its end a recording shows what the TPP did until then, and is as good as one whose last lines were taken away. */
const whyNotEnded = ({ isCutOff }: Session): string | undefined =>
  isCutOff
    ? 'The recording has no end: it was killed, or its last lines are gone, so that nobody knows what the TPP did after it. Certify it again.'
    : undefined;

/** One TPP would be certified for what another has shown. It may have several certificates, of one registration. */
function whyNotOneTpp(certificates: readonly TppCertificate[]): string | undefined {
  const byTpp = groupedBy(
    certificates,
    (certificate) => certificate.authorisationNumber ?? nameOf([certificate]),
  );
  if (byTpp.size < 2) return undefined;
  const names = [...byTpp.values()].map((own) => nameOf(own));
  return `Requests of ${names.length} TPPs were recorded (${names.slice(0, 5).join(', ')}), so that nobody knows which of them can do what: certify them one after the other.`;
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

/** What is new since the last look. */
export interface News {
  readonly completed: readonly Journey[];
  /** Requirements that something was seen of for the first time. */
  readonly seen: readonly string[];
  readonly failed: readonly CheckResult[];
  /** Checks that failed before and do not any more: what was missing came later. */
  readonly settled: readonly string[];
}

/**
 * Follows a certification while it goes on. Its last word is spoken at the end, with the exchanges that show each verdict:
 * until then nobody looks at them, and making them fit to be shown would take longer than all the checks.
 */
export class Progress {
  readonly #session: Session;
  readonly #suites: readonly LoadedSuite<TppCheck>[];
  readonly #completed = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #failed = new Set<string>();

  constructor(session: Session, suites: readonly LoadedSuite<TppCheck>[]) {
    this.#session = session;
    this.#suites = suites;
  }

  async look(): Promise<News> {
    const session = this.#session;
    const results = await judgeWith(session, this.#suites, {
      reproduce: '',
      redactor: redactorFor(session),
      blamed: new Set(),
      keepsEvidence: false,
    });
    const passed = new Set(results.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
    const completed = journeys.filter(
      (journey) => passed.has(journeyCheckId(journey)) && !this.#completed.has(journey.id),
    );
    const judged = results.filter(
      ({ suite, verdict }) => suite.id !== journeySuite.id && ['pass', 'warning', 'fail'].includes(verdict),
    );
    const seen = new Set(
      judged.flatMap(({ requirements }) => requirements).filter((id) => !this.#seen.has(id)),
    );
    const failed = judged.filter(({ id, verdict }) => verdict !== 'pass' && !this.#failed.has(id));
    const failing = new Set(judged.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id));
    const settled = [...this.#failed].filter((id) => !failing.has(id));
    for (const { id } of completed) this.#completed.add(id);
    for (const id of seen) this.#seen.add(id);
    for (const { id } of failed) this.#failed.add(id);
    for (const id of settled) this.#failed.delete(id);
    return { completed, seen: [...seen], failed, settled };
  }

  isComplete(journey: Journey): boolean {
    return this.#completed.has(journey.id);
  }

  /** What `GET /certification` answers. */
  get state(): object {
    return {
      requests: this.#session.requests.length,
      profiles: profilesFor(this.#session),
      journeys: journeys.map(({ id, mandatoryIn, goal }) => ({
        id,
        mandatoryIn,
        complete: this.#completed.has(id),
        goal,
      })),
      requirementsSeen: [...this.#seen].toSorted(),
      failedChecks: [...this.#failed].toSorted(),
    };
  }
}
