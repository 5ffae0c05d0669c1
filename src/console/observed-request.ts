import type { RefusalKind } from '../bank/design/refusal-kinds.ts';
import type { BankRequest, BankState, RawRequest, RawResponse, Rule } from '../bank/design/route.ts';
import type { AnsweredRequest } from '../bank/http/dispatch.ts';
import { identifyPsu } from '../bank/sca/identify-psu.ts';
import { recordedOf } from '../certification/certification-bank.ts';
import type { RecordedExchange } from '../certification/recording.ts';

/** A rule that refuses a request, or would have, had no rule before it done so. */
interface FoundRefusal {
  readonly requirement: string;
  readonly rule: string;
  /** What the bank says is wrong. */
  readonly text: string;
  readonly path?: string;
  readonly kind?: RefusalKind;
}

/**
 * All rules that refuse a request, in the order of the bank; the first is the one that did. What a rule looks at is as
 * it was, because this is asked before the answer is sent.
 */
function refusalsOf({ request, refusedBy, rules = [], state }: AnsweredRequest): readonly FoundRefusal[] {
  if (request === undefined || refusedBy === undefined) return [];
  const first = rules.indexOf(refusedBy);
  const spectator = lookingOnly(state);
  return rules.slice(Math.max(0, first)).flatMap((rule) => {
    // What counts or has turns is told of only when it was the one that refused.
    if (rule.hasEffects === true && rule !== refusedBy) return [];
    return refusalBy(rule, request, spectator);
  });
}

function refusalBy(rule: Rule, request: BankRequest, state: BankState): readonly FoundRefusal[] {
  try {
    const fault = rule.hasEffects === true ? { text: rule.name } : rule.refuses(request, state);
    if (fault === undefined) return [];
    return [
      {
        requirement: rule.requirement,
        rule: rule.name,
        text: fault.text,
        ...('path' in fault && fault.path !== undefined ? { path: fault.path } : {}),
        ...('kind' in fault ? { kind: fault.kind } : {}),
      },
    ];
  } catch {
    // A later rule may build on what an earlier one makes sure of, such as a body that can be read.
    return [];
  }
}

/** The same memory, in which looking starts no SCA: thousands of refusals would push out the flows that PSUs are in. */
const lookingOnly = (state: BankState): BankState => ({
  ...state,
  psus: { ...state.psus, startSca: () => ({ href: '', verbs: ['GET'] }) },
  flows: {
    ...state.flows,
    start: (start) => ({
      ...start,
      id: '',
      startedAt: state.clock.now(),
      step: 'identify',
      failedAttempts: 0,
    }),
  },
});

/** One line of the live list. Texts of strangers are cut, and are text wherever they are shown. */
export interface RequestRow {
  readonly number: number;
  /** ISO 8601, by the bank's clock. */
  readonly at: string;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requirement?: string;
  /** What was wrong with it. */
  readonly problem?: string;
  /** The name of the customer. */
  readonly psu?: string;
  /** The journeys that it belongs to, as far as they are complete. */
  readonly journey?: string;
  /** The request that it repeats. */
  readonly replayOf?: number;
}

/** A request with all that the console can tell about it. */
export interface ObservedRequest {
  readonly row: RequestRow;
  readonly raw: RawRequest;
  readonly operation: string;
  readonly response: RawResponse;
  readonly refusals: readonly FoundRefusal[];
  readonly recorded: RecordedExchange;
  readonly bytes: number;
}

const longestPath = 300;

export function observe(answered: AnsweredRequest, number: number, replayOf?: number): ObservedRequest {
  const { raw, request, response, receivedAt, durationMs, state, refusedBy } = answered;
  const refusals = unlessItFails(() => refusalsOf(answered), []);
  const [first] = refusals;
  const requirement = first?.requirement ?? refusedBy?.requirement;
  const psu = unlessItFails(() => request && psuOf(request, state), undefined);
  return {
    row: {
      number,
      at: receivedAt.toISOString(),
      method: raw.method.slice(0, 16),
      path: raw.url.slice(0, longestPath),
      status: response.status,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(requirement === undefined
        ? {}
        : { requirement, problem: (first?.text ?? refusedBy?.name ?? '').slice(0, longestPath) }),
      ...(psu === undefined ? {} : { psu }),
      ...(replayOf === undefined ? {} : { replayOf }),
    },
    raw,
    operation: request?.operation ?? 'unknown',
    response,
    refusals,
    recorded: recordedOf(number, answered),
    bytes: sizeOf(raw, response),
  };
}

/** A bank that is broken on purpose may throw anywhere; looking on must not keep its answer back. */
function unlessItFails<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** The customer for whom a request speaks, or who is at a page. */
function psuOf(request: BankRequest, state: BankState): string | undefined {
  const number =
    request.operation === 'page'
      ? state.flows.find(request.params.flowId ?? '')?.identified?.customerNumber
      : identifyPsu(request, state)?.customerNumber;
  return number === undefined ? undefined : state.customers.byNumber(number)?.customerName;
}

const sizeOf = (raw: RawRequest, response: RawResponse): number =>
  [...raw.headers, ...response.headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0) +
  // Kept twice: as bytes, and as the text of the recording.
  ((raw.body?.length ?? 0) + response.body.length) * 3 +
  raw.url.length;
