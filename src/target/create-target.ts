import { randomUUID } from 'node:crypto';
import type { CertificateAuthority } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { defaultReadings, type Readings } from '../spec/interpretations.ts';
import { type AccountParts, accountsOf } from './accounts.ts';
import { type GivenIdentities, identitiesOf } from './identities.ts';
import { paceOf } from './pace.ts';
import {
  type CorporatePsu,
  defaultPaths,
  type Environment,
  type KnownDeviation,
  type Pace,
  type Target,
  type TargetPaths,
  type TargetPayments,
  type TargetPsu,
  type TargetTls,
} from './target.ts';

/** What a target is made of: only what has no default is required. */
export interface TargetParts {
  readonly name?: string;
  readonly baseUrl: string;
  readonly environment?: Environment;
  readonly tls?: Partial<TargetTls>;
  readonly identity: SigningIdentity;
  readonly identities?: GivenIdentities;
  readonly testCa?: CertificateAuthority;
  readonly psu?: PsuParts;
  readonly accounts: AccountParts;
  readonly payments?: Partial<TargetPayments>;
  readonly paths?: Partial<TargetPaths>;
  readonly readings?: Partial<Readings>;
  readonly knownDeviations?: readonly KnownDeviation[];
  /** As it is when given: `requestsPerSecond` left out means no limit. The default pace otherwise. */
  readonly pace?: Pace;
  readonly customHeaders?: Readonly<Record<string, string>>;
  readonly allowProductionPayments?: boolean;
}

export type PsuParts = Partial<Omit<TargetPsu, 'corporate'>> & { readonly corporate?: Partial<CorporatePsu> };

/** Applies the defaults. The target file is loaded into this, and an embedded bank describes itself with it. */
export function createTarget(parts: TargetParts): Target {
  const baseUrl = parts.baseUrl.replace(/\/+$/, '');
  const environment = parts.environment ?? 'sandbox';
  return {
    name: parts.name ?? new URL(baseUrl).host,
    baseUrl,
    environment,
    tls: { insecure: false, ...parts.tls },
    identities: identitiesOf(parts.identity, parts.identities, parts.testCa),
    ...(parts.testCa === undefined ? {} : { testCa: parts.testCa }),
    psu: psuOf(parts.psu ?? {}),
    accounts: accountsOf(parts.accounts, environment),
    payments: { bulk: [], periodic: [], pending: [], unfunded: [], approved: [], ...parts.payments },
    paths: { ...defaultPaths, ...parts.paths },
    readings: { ...defaultReadings, ...parts.readings },
    knownDeviations: parts.knownDeviations ?? [],
    pace: parts.pace ?? paceOf(baseUrl),
    customHeaders: parts.customHeaders ?? {},
    mayCreatePayments: environment === 'sandbox' || parts.allowProductionPayments === true,
  };
}

/** RFC 5737: an address that belongs to nobody. */
const documentationAddress = '192.0.2.10';

// `manual` listens for the PSU's return on this machine; the other ways only read the address.
const localRedirectUri = 'http://localhost:8970/redirect';
const unreachableRedirectUri = 'https://tpp.example/redirect';

function psuOf({ corporate, ...psu }: PsuParts): TargetPsu {
  const sca = psu.sca ?? 'session';
  const sessionId = psu.sessionId ?? randomUUID();
  return {
    ipAddress: documentationAddress,
    redirectUri: sca === 'manual' ? localRedirectUri : unreachableRedirectUri,
    form: {},
    scaHosts: [],
    ...psu,
    sca,
    sessionId,
    // A session is that of one PSU: whoever passes SCA in it takes it over.
    ...(corporate === undefined
      ? {}
      : { corporate: { sessionId: corporate.id === undefined ? randomUUID() : sessionId, ...corporate } }),
  };
}
