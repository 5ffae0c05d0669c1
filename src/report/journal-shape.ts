import { type CheckResult, type RunFooter, type RunHeader, verdicts } from '../checks/verdict.ts';
import {
  allMembers,
  count,
  duration,
  flag,
  type Guard,
  id,
  instant,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  text,
  version,
} from '../spec/shape.ts';
import type { Exchange, RecordedRequest, RecordedResponse } from '../tpp/exchange.ts';

/*
 * The shape of what stands in a journal, every member of it: a journal may come from anybody, and whatever passes here
 * no report stumbles over. Members that are unknown stay, since a later version may write them.
 */

/** An exchange that was only counted has none. */
const instantOrNone: Guard = (value) => value === '' || instant(value);

const headerLines = listOf((line) => Array.isArray(line) && line.length === 2 && line.every(text));

const isExchange = allMembers<Exchange>({
  id: text,
  purpose: text,
  operation: text,
  attempt: count,
  startedAt: instantOrNone,
  durationMs: duration,
  request: allMembers<RecordedRequest>({ method: text, url: text, headers: headerLines, body: text }),
  response: optional(allMembers<RecordedResponse>({ status: number, headers: headerLines, body: text })),
  trouble: optional(allMembers<NonNullable<Exchange['trouble']>>({ kind: text, message: text })),
});

export const isResult = allMembers<CheckResult>({
  id,
  title: text,
  suite: allMembers<CheckResult['suite']>({ id, title: text, section: listOf(text) }),
  requirements: listOf(id),
  held: optional(listOf(id)),
  notReached: optional(listOf(id)),
  level: oneOf('must', 'should', 'advisory'),
  verdict: oneOf(...verdicts),
  leftOpen: optional(oneOf(true)),
  notOffered: optional(oneOf(true)),
  unanswered: optional(oneOf(true)),
  withheld: optional(oneOf(true)),
  profiles: optional(listOf(text)),
  journey: optional(allMembers<NonNullable<CheckResult['journey']>>({ id, mandatoryIn: listOf(text) })),
  reason: optional(text),
  expected: optional(text),
  actual: optional(text),
  notes: listOf(text),
  pointsElsewhere: optional(oneOf(true)),
  counterexample: optional(
    allMembers<NonNullable<CheckResult['counterexample']>>({
      value: text,
      path: text,
      control: optional(text),
      changed: optional(listOf(text)),
    }),
  ),
  cases: count,
  requests: optional(count),
  exchanges: listOf(isExchange),
  reproduce: text,
  startedAt: instant,
  durationMs: duration,
});

export const isHeader = allMembers<RunHeader>({
  tool: allMembers<RunHeader['tool']>({ name: text, version }),
  catalogue: version,
  target: allMembers<RunHeader['target']>({ name: text, baseUrl: text, environment: text }),
  interpretations: mapOf(text),
  knownDeviations: listOf(
    allMembers<RunHeader['knownDeviations'][number]>({
      requirement: id,
      reason: text,
      until: optional(text),
    }),
  ),
  profiles: optional(mapOf(version)),
  notOffered: optional(
    listOf(allMembers<NonNullable<RunHeader['notOffered']>[number]>({ what: id, reason: text })),
  ),
  insecure: optional(oneOf(true)),
  seed: count,
  runs: count,
  startedAt: instant,
  planned: listOf(id),
  selection: optional(text),
  missingShards: optional(listOf(text)),
  targetFile: optional(text),
  remarks: optional(listOf(text)),
  incomplete: optional(listOf(text)),
  side: optional(oneOf('bank', 'tpp')),
  fingerprints: optional(mapOf(text)),
});

export const isFooter = allMembers<RunFooter>({
  durationMs: duration,
  requests: count,
  interrupted: flag,
  failuresAllowed: optional(count),
  blocker: optional(text),
});
