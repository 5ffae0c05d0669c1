import { section } from './json-schema.ts';

export interface Pace {
  readonly concurrency: number;
  /** No limit without it. */
  readonly requestsPerSecond?: number;
  readonly timeoutMs: number;
  readonly retries: number;
  /** For how long a bank is waited for that has answered before and falls silent. */
  readonly outageSeconds: number;
}

/**
 * What holds where a target file says nothing of it. Of a network that loses one request in ten, six attempts leave one
 * in a million unanswered, which a run of thousands does not meet. A sandbox that is deployed anew, or restarted, is back
 * within a minute as a rule.
 */
const defaultPace = {
  concurrency: 16,
  requestsPerSecond: 50,
  timeoutMs: 10_000,
  retries: 5,
  outageSeconds: 60,
} as const;

export const paceSchema = section(
  'How fast the suite may go',
  {
    concurrency: {
      description: 'requests under way at the same time, a whole number from 1 to 1000',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: defaultPace.concurrency,
    },
    requestsPerSecond: {
      description:
        'requests begun per second, at most, from 0.01; 0 sets no limit, which is the default for a bank on this machine',
      type: 'number',
      minimum: 0,
      // Less is no pace: the second request would come after the run.
      not: { exclusiveMinimum: 0, exclusiveMaximum: 0.01 },
      default: defaultPace.requestsPerSecond,
    },
    timeoutMs: {
      description: 'milliseconds after which a request counts as lost, a whole number from 1 to 600000',
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      default: defaultPace.timeoutMs,
    },
    retries: {
      description: 'how often a request that died in transport is tried again, a whole number from 0 to 10',
      type: 'integer',
      minimum: 0,
      maximum: 10,
      default: defaultPace.retries,
    },
    outageSeconds: {
      description:
        'seconds for which a bank that has answered and falls silent is waited for, before the run ends as incomplete; if it does so again and again, so many in all and as many more as it has answered in between; a whole number from 1 to 3600',
      type: 'integer',
      minimum: 1,
      maximum: 3600,
      default: defaultPace.outageSeconds,
    },
  },
  { examples: [defaultPace] },
);

export interface PaceSection {
  readonly concurrency?: number;
  readonly requestsPerSecond?: number;
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly outageSeconds?: number;
}

/** The pace of a target. A bank on this machine is nobody's shared sandbox: unless told so, it is not spared. */
export function paceOf(baseUrl: string, given: PaceSection = {}): Pace {
  const limit = given.requestsPerSecond ?? (isLoopback(baseUrl) ? 0 : defaultPace.requestsPerSecond);
  const { requestsPerSecond: _, ...pace } = { ...defaultPace, ...given };
  return limit === 0 ? pace : { ...pace, requestsPerSecond: limit };
}

/** RFC 6761 and RFC 1122: localhost with all below it, 127.0.0.0/8 and ::1. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return /^(?:.+\.)?localhost$|^127(?:\.\d+){3}$|^\[::1\]$/i.test(hostname);
}
