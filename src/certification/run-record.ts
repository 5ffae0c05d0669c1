import type { CheckResult, RunFooter, RunHeader } from '../checks/verdict.ts';
import type { TppCertificate } from '../signing/certificate.ts';
import { parseDistinguishedName } from '../signing/distinguished-name.ts';
import { catalogueVersion } from '../spec/catalogue.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import { journeys } from './journeys.ts';
import { journeyResultId } from './judge-session.ts';
import type { Session } from './session.ts';
import type { LoadedTppSuite } from './tpp-check.ts';

/** What a journal says of a certification before its results: the TPP is the subject. */
export function headerOf(session: Session, suites: readonly LoadedTppSuite[]): RunHeader {
  const { tool, startedAt, baseUrl, fingerprints = {} } = session.start;
  const certificates = certificatesIn(session);
  return {
    tool,
    catalogue: catalogueVersion,
    target: { name: nameOf(certificates), baseUrl, environment: 'certification' },
    interpretations: defaultReadings,
    knownDeviations: [],
    seed: 0,
    runs: 0,
    startedAt,
    planned: [
      ...journeys.map(journeyResultId),
      ...suites.flatMap(({ checks }) => checks.map(({ id }) => id)),
    ],
    side: 'tpp',
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
