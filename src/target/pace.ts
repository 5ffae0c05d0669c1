import { defaultPace, type Pace } from './target.ts';
import type { PaceSection } from './target-file.ts';

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
