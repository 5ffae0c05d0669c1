import { isDeeperThan, isObject } from '../spec/json.ts';
import { isProfileId } from '../spec/profiles.ts';
import {
  allMembers,
  duration,
  type Guard,
  instant,
  listOf,
  mapOf,
  number,
  optional,
  text,
} from '../spec/shape.ts';
import type {
  FailedConnection,
  ReachedBound,
  RecordedExchange,
  RecordingEnd,
  RecordingLine,
  RecordingStart,
} from './recording.ts';

/*
 * The shape of what stands in a recording, every member of it. A line that is passed over is a request that nobody judges,
 * and a TPP may hand in what it likes.
 */

const address: Guard = (value) => typeof value === 'string' && URL.canParse(value);
/** Who is certified for what there is not would be certified for next to nothing. */
const profile: Guard = (value) => typeof value === 'string' && isProfileId(value);
const headers = listOf((line) => Array.isArray(line) && line.length === 2 && line.every(text));

const isStart = allMembers<RecordingStart>({
  tool: allMembers<RecordingStart['tool']>({ name: text, version: text }),
  startedAt: instant,
  baseUrl: address,
  trustedAuthorities: listOf(text),
  profiles: optional(listOf(profile)),
  fingerprints: optional(mapOf(text)),
});

const isExchange = allMembers<RecordedExchange>({
  number,
  at: instant,
  durationMs: duration,
  operation: text,
  tlsVersion: optional(text),
  source: optional(text),
  request: allMembers<RecordedExchange['request']>({
    method: text,
    target: text,
    headers,
    body: optional(text),
  }),
  response: allMembers<RecordedExchange['response']>({ status: number, headers, body: optional(text) }),
  refusedBy: optional(
    allMembers<NonNullable<RecordedExchange['refusedBy']>>({ requirement: text, rule: text }),
  ),
  provocation: optional(text),
  psuId: optional(text),
});

const shapes: Readonly<Record<RecordingLine['kind'], Guard>> = {
  start: isStart,
  exchange: isExchange,
  handshake: allMembers<FailedConnection>({ at: instant, code: text, message: text, source: optional(text) }),
  bound: allMembers<ReachedBound>({ at: instant, source: optional(text) }),
  end: allMembers<RecordingEnd>({ at: instant, reason: text, answered: optional(number) }),
};

/** Far more than a line of ours needs. */
const deepest = 8;

/** Whether a value is a line of a recording. What the first one says is asked later where it has another format. */
export const isRecordingLine = (value: unknown, format: number): value is RecordingLine => {
  if (!isObject(value) || typeof value.kind !== 'string' || !Object.hasOwn(shapes, value.kind)) return false;
  if (isDeeperThan(deepest, value)) return false;
  const isOfAnotherFormat = value.kind === 'start' && value.format !== format;
  return isOfAnotherFormat || shapes[value.kind as RecordingLine['kind']](value.value);
};
