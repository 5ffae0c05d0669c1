import type { CertificateAuthority } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { defaultReadings, type Readings } from '../spec/interpretations.ts';
import { judgedProfiles, type ProfileId, takenOutBy } from '../spec/profiles.ts';
import { type AccountParts, accountsOf, type TargetAccounts } from './accounts.ts';
import { type GivenIdentities, identitiesOf, type TargetIdentities } from './identities.ts';
import type { KnownDeviation } from './known-deviations.ts';
import type { NotOffered } from './not-offered.ts';
import { isLoopback, type Pace, paceOf } from './pace.ts';
import { defaultPaths, type TargetPaths } from './paths.ts';
import type { TargetPayments } from './payments.ts';
import { permissionsOf, type TargetPermissions } from './permissions.ts';
import type { TargetProxy } from './proxy.ts';
import { type PsuParts, psuOf, type TargetPsu } from './psu.ts';
import type { Environment } from './target-file.ts';
import type { TargetTls } from './tls.ts';

/** The bank under test, with everything loaded and every default applied. */
export interface Target {
  readonly name: string;
  /** Without a slash at its end; may carry a path prefix. */
  readonly baseUrl: string;
  /** `unstated` where nobody has said it: then no payment is created, since money may move. */
  readonly environment: Environment | 'unstated';
  /** Why it is `unstated`, and what to do about it. */
  readonly whyUnstated?: string;
  readonly tls: TargetTls;
  readonly proxy: TargetProxy;
  /** Drawn with the seed of a run where the file gives none. */
  readonly userAgent?: string;
  readonly identities: TargetIdentities;
  /** Lets checks mint identities of their own. */
  readonly testCa?: CertificateAuthority;
  readonly psu: TargetPsu;
  readonly accounts: TargetAccounts;
  readonly payments: TargetPayments;
  readonly permissions: TargetPermissions;
  readonly paths: TargetPaths;
  readonly readings: Readings;
  readonly knownDeviations: readonly KnownDeviation[];
  /** What the bank is judged by: those that the file declares, or all that bind the environment. */
  readonly profiles: readonly ProfileId[];
  readonly notOffered: readonly NotOffered[];
  readonly pace: Pace;
  /** Sent with every request, such as the API key of a sandbox. Values are secret. */
  readonly customHeaders: Readonly<Record<string, string>>;
  /** In a sandbox; in production only where it was allowed explicitly; never where the environment is not stated. */
  readonly mayCreatePayments: boolean;
  /** What is not wrong and whoever starts a run should know. */
  readonly warnings: readonly TargetWarning[];
}

export interface TargetWarning {
  /** The key of the target file. */
  readonly path: string;
  readonly message: string;
}

/** What a target is made of: only what has no default is required. */
export interface TargetParts {
  readonly name?: string;
  readonly baseUrl: string;
  readonly environment?: Environment;
  /** Where it is not that the target file says nothing. */
  readonly whyUnstated?: string;
  readonly tls?: Partial<TargetTls>;
  /** None by default. */
  readonly proxy?: TargetProxy;
  readonly userAgent?: string;
  readonly identity: SigningIdentity;
  readonly identities?: GivenIdentities;
  readonly testCa?: CertificateAuthority;
  readonly psu?: PsuParts;
  readonly accounts: AccountParts;
  readonly payments?: Partial<TargetPayments>;
  readonly permissions?: Partial<TargetPermissions>;
  readonly paths?: Partial<TargetPaths>;
  readonly readings?: Partial<Readings>;
  readonly knownDeviations?: readonly KnownDeviation[];
  readonly profiles?: readonly ProfileId[];
  readonly notOffered?: readonly NotOffered[];
  /** As it is when given: `requestsPerSecond` left out means no limit. The default pace otherwise. */
  readonly pace?: Pace;
  readonly customHeaders?: Readonly<Record<string, string>>;
  readonly allowProductionPayments?: boolean;
  /** In addition to those that follow from the rest. */
  readonly warnings?: readonly TargetWarning[];
}

/** What is left to sandboxes changes nothing elsewhere. */
const readingsIn = (environment: Environment | 'unstated', given: Partial<Readings> = {}): Readings => ({
  ...defaultReadings,
  ...given,
  ...(environment === 'sandbox' ? {} : { certificateTrust: defaultReadings.certificateTrust }),
});

/** Applies the defaults. The target file is loaded into this, and an embedded bank describes itself with it. */
export function createTarget(parts: TargetParts): Target {
  const baseUrl = parts.baseUrl.replace(/\/+$/, '');
  const environment = parts.environment ?? 'unstated';
  const whyUnstated = environment === 'unstated' ? (parts.whyUnstated ?? environmentUnstated) : undefined;
  const tls = { insecure: false, ...parts.tls };
  const notOffered = parts.notOffered ?? [];
  return {
    name: parts.name ?? new URL(baseUrl).host,
    baseUrl,
    environment,
    ...(whyUnstated === undefined ? {} : { whyUnstated }),
    tls,
    proxy: parts.proxy ?? { except: [] },
    ...(parts.userAgent === undefined ? {} : { userAgent: parts.userAgent }),
    identities: identitiesOf(parts.identity, parts.identities, parts.testCa),
    ...(parts.testCa === undefined ? {} : { testCa: parts.testCa }),
    psu: psuOf(parts.psu ?? {}),
    accounts: accountsOf(parts.accounts, environment === 'sandbox'),
    payments: {
      bulk: [],
      periodic: [],
      pending: [],
      unfunded: [],
      rejected: [],
      approved: [],
      ...parts.payments,
    },
    permissions: { ...permissionsOf(), ...parts.permissions },
    paths: { ...defaultPaths, ...parts.paths },
    readings: readingsIn(environment, parts.readings),
    knownDeviations: parts.knownDeviations ?? [],
    profiles: judgedProfiles('bank', environment, parts.profiles).filter(
      (id) => takenOutBy(id, notOffered) === undefined,
    ),
    notOffered,
    pace: parts.pace ?? paceOf(baseUrl),
    customHeaders: parts.customHeaders ?? {},
    mayCreatePayments:
      environment === 'sandbox' || (environment === 'production' && parts.allowProductionPayments === true),
    warnings: [...warningsOf(baseUrl, whyUnstated, tls), ...(parts.warnings ?? [])],
  };
}

function warningsOf(
  baseUrl: string,
  whyUnstated: string | undefined,
  { insecure }: TargetTls,
): readonly TargetWarning[] {
  const isPlain = /^http:/i.test(baseUrl) && !isLoopback(baseUrl);
  return [
    ...(isPlain
      ? [
          {
            path: 'baseUrl',
            message:
              'This is plain http, and not to this machine: everything that is sent can be read on the way. Give an https address.',
          },
        ]
      : []),
    ...(whyUnstated === undefined ? [] : [{ path: 'environment', message: whyUnstated }]),
    ...(insecure
      ? [
          {
            path: 'tls.insecure',
            message:
              'Any server certificate is accepted, so that nobody knows who answers: no verdict holds.',
          },
        ]
      : []),
  ];
}

const environmentUnstated =
  'The target file does not say what the target is, so no payment is created: set environment to sandbox, or to production.';

/** The warnings as they are shown, each with the key that it is about. */
export const warningLines = ({ warnings }: Target): readonly string[] =>
  warnings.map(({ path, message }) => `${path}: ${message}`);

/** What reports may say of a target: nothing secret. */
export function describeTarget({ name, baseUrl, environment }: Target): {
  readonly name: string;
  readonly baseUrl: string;
  readonly environment: Target['environment'];
} {
  return { name, baseUrl, environment };
}
