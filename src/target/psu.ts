import { randomUUID } from 'node:crypto';
import type { psuContexts } from '../spec/code-lists.ts';

/** How strong customer authentication is passed. */
export const scaStrategies = ['session', 'form', 'manual', 'module'] as const;
export type ScaStrategy = (typeof scaStrategies)[number];

export type PsuContext = (typeof psuContexts)[number];

export interface TargetPsu {
  readonly sca: ScaStrategy;
  /** CORPORATE where the bank serves companies only: all requests of the run are then made for one. */
  readonly context: PsuContext;
  /** PSU-ID; always there with `session`, otherwise SCA yields it. */
  readonly id?: string;
  /** PSU-Corporate-ID in corporate context; always there with `session`, otherwise SCA yields it. */
  readonly corporateId?: string;
  /** TPP-Session-ID; made up where the file gives none. */
  readonly sessionId: string;
  readonly isSessionMadeUp?: true;
  /** Drawn with the seed of a run where the file gives none. */
  readonly ipAddress?: string;
  readonly nationalId?: string;
  /** Drawn like the address, but for `manual`. */
  readonly redirectUri?: string;
  /** Absolute path of the user's own script; always there with `module`. */
  readonly module?: string;
  readonly form: ScaForm;
  /** Hosts in addition to the bank's own that its SCA pages may lead to, with or without a port. */
  readonly scaHosts: readonly string[];
  /** Who acts for a company next to a private PSU. */
  readonly corporate?: CorporatePsu;
  readonly expired?: ExpiredPsu;
  readonly other?: OtherPsu;
}

/** Another customer, in the context of the PSU: shows whether one is kept from what belongs to the other. */
export interface OtherPsu {
  /** With `sessionId`: SCA was passed in it, and no check passes it anew as this customer. */
  readonly id?: string;
  readonly sessionId?: string;
  readonly nationalId?: string;
  /** PSU-Corporate-ID of an agreement in which the PSU who acts for a company has no part. */
  readonly corporateId?: string;
}

/** A PSU whose SCA is more than an hour old: nobody waits for that during a run. */
export interface ExpiredPsu {
  readonly id: string;
  /** PSU-Corporate-ID in corporate context. */
  readonly corporateId?: string;
  readonly sessionId: string;
  /** So that no check passes SCA as this customer, which would end the session for another reason. */
  readonly nationalId?: string;
}

/** Names of fields of the bank's SCA page, where guessing is not enough. */
export interface ScaForm {
  readonly nationalIdField?: string;
  readonly contextField?: string;
  readonly privateContext?: string;
  readonly corporateContext?: string;
  readonly submit?: string;
  readonly cancel?: string;
  /** Further fields to fill in. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface CorporatePsu {
  readonly id?: string;
  readonly corporateId?: string;
  readonly sessionId: string;
  readonly isSessionMadeUp?: true;
  readonly nationalId?: string;
}

/** The PSU who acts for a company: that of the run, or another one next to it. */
export const companyOf = (psu: TargetPsu): CorporatePsu | undefined =>
  psu.context === 'CORPORATE' ? psu : psu.corporate;

/** What is wrong with what somebody has typed as the number of a person: nine digits are those of a company. */
export const nationalIdProblem = (typed: string): string | undefined =>
  /^[0-9]{9}$/.test(typed) ? 'A national identity number has eleven digits.' : undefined;

/** A sandbox may know its customers by other identifiers than the number of a person. */
export const isPersonalNumber = (typed: string): boolean => /^[0-9]{11}$/.test(typed);

export type PsuParts = Partial<Omit<TargetPsu, 'corporate'>> & { readonly corporate?: Partial<CorporatePsu> };

// `manual` listens for the PSU's return on this machine; the other ways only read the address.
const localRedirectUri = 'http://localhost:8970/redirect';

/** Applies the defaults. */
export function psuOf({ corporate, ...psu }: PsuParts): TargetPsu {
  const sca = psu.sca ?? 'session';
  const own = sessionOf(psu);
  return {
    ...(sca === 'manual' ? { redirectUri: localRedirectUri } : {}),
    form: {},
    scaHosts: [],
    context: 'PRIVATE',
    ...psu,
    sca,
    ...own,
    // A session is that of one PSU: whoever passes SCA in it takes it over.
    ...(corporate === undefined
      ? {}
      : { corporate: { ...corporate, ...(isTheSame(corporate) ? own : sessionOf(corporate)) } }),
  };
}

/** Whoever has passed SCA already, and names no session of the company, has done so in their own. */
const isTheSame = ({ id, sessionId }: Partial<CorporatePsu>): boolean =>
  id !== undefined && sessionId === undefined;

const sessionOf = ({
  sessionId,
}: Partial<Pick<CorporatePsu, 'sessionId'>>): Pick<CorporatePsu, 'sessionId' | 'isSessionMadeUp'> =>
  sessionId === undefined ? { sessionId: randomUUID(), isSessionMadeUp: true } : { sessionId };
