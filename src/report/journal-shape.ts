import { type CheckResult, type RunFooter, type RunHeader, verdicts } from '../checks/verdict.ts';
import type { Exchange, RecordedRequest, RecordedResponse } from '../tpp/exchange.ts';

/**
 * The shape of what stands in a journal, every member of it: a journal may come from anybody, and whatever passes here
 * no report stumbles over. Members that are unknown stay, since a later version may write them.
 */
type Guard = (value: unknown) => boolean;

const text: Guard = (value) => typeof value === 'string';
const flag: Guard = (value) => typeof value === 'boolean';
const number: Guard = (value) => typeof value === 'number' && Number.isFinite(value);
/** A time that a clock can be moved by: no run lasts for years. */
const duration: Guard = (value) => typeof value === 'number' && value >= 0 && value < 1e11;
/** Dates are put into other forms by the reports, which one that is none does not survive. */
const instant: Guard = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const instantOrNone: Guard = (value) => value === '' || instant(value);
const oneOf =
  (...values: readonly unknown[]): Guard =>
  (value) =>
    values.includes(value);
const listOf =
  (each: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(each);
const mapOf =
  (each: Guard): Guard =>
  (value) =>
    isObject(value) && Object.values(value).every(each);
const optional =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || guard(value);

/** Every member of the type has to be named, so that none is forgotten when one is added. */
const members =
  <Shape>(guards: { readonly [Name in keyof Required<Shape>]: Guard }): Guard =>
  (value) =>
    isObject(value) &&
    Object.entries<Guard>(guards).every(([name, guard]) =>
      guard(Object.hasOwn(value, name) ? value[name] : undefined),
    );

const headerLines = listOf((line) => Array.isArray(line) && line.length === 2 && line.every(text));

const isExchange = members<Exchange>({
  id: text,
  purpose: text,
  operation: text,
  attempt: number,
  startedAt: instantOrNone,
  durationMs: duration,
  request: members<RecordedRequest>({ method: text, url: text, headers: headerLines, body: text }),
  response: optional(members<RecordedResponse>({ status: number, headers: headerLines, body: text })),
  trouble: optional(members<NonNullable<Exchange['trouble']>>({ kind: text, message: text })),
});

export const isResult = members<CheckResult>({
  id: text,
  title: text,
  suite: members<CheckResult['suite']>({ id: text, title: text, section: listOf(text) }),
  requirements: listOf(text),
  level: text,
  verdict: oneOf(...verdicts),
  leftOpen: optional(oneOf(true)),
  notOffered: optional(oneOf(true)),
  profiles: optional(listOf(text)),
  journey: optional(members<NonNullable<CheckResult['journey']>>({ id: text, mandatoryIn: listOf(text) })),
  reason: optional(text),
  expected: optional(text),
  actual: optional(text),
  notes: listOf(text),
  pointsElsewhere: optional(oneOf(true)),
  counterexample: optional(
    members<NonNullable<CheckResult['counterexample']>>({
      value: text,
      path: text,
      control: optional(text),
      changed: optional(listOf(text)),
    }),
  ),
  cases: number,
  requests: optional(number),
  exchanges: listOf(isExchange),
  reproduce: text,
  startedAt: instant,
  durationMs: duration,
});

export const isHeader = members<RunHeader>({
  tool: members<RunHeader['tool']>({ name: text, version: text }),
  catalogue: text,
  target: members<RunHeader['target']>({ name: text, baseUrl: text, environment: text }),
  interpretations: mapOf(text),
  knownDeviations: listOf(
    members<RunHeader['knownDeviations'][number]>({ requirement: text, reason: text, until: optional(text) }),
  ),
  profiles: optional(mapOf(text)),
  notOffered: optional(
    listOf(members<NonNullable<RunHeader['notOffered']>[number]>({ what: text, reason: text })),
  ),
  insecure: optional(oneOf(true)),
  seed: number,
  runs: number,
  startedAt: instant,
  planned: listOf(text),
  selection: optional(text),
  missingShards: optional(listOf(text)),
  targetFile: optional(text),
  remarks: optional(listOf(text)),
  side: optional(oneOf('bank', 'tpp')),
  fingerprints: optional(mapOf(text)),
});

export const isFooter = members<RunFooter>({
  durationMs: duration,
  requests: number,
  interrupted: flag,
  failuresAllowed: optional(number),
  blocker: optional(text),
});

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
