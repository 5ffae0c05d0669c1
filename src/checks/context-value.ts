import type { JsonObject } from '../payloads/json.ts';
import type { Call, Psu, Variation } from '../tpp/call.ts';
import type { SigningPlan } from '../tpp/signing-plan.ts';
import type { CheckContext } from './context.ts';
import type { Subject } from './subject.ts';

/**
 * What can be different about a valid request without its rules becoming others: a bug often shows only for a company,
 * with SHA-512, or when another field is there. The usual value of each dimension is what a request is without any of
 * this, and is not listed.
 */
export const dimensions = [
  'psu',
  'psuContext',
  'debtor',
  'creditor',
  'amount',
  'fields',
  'remittance',
  'letters',
  'query',
  'digest',
  'client',
  'headers',
  'names',
  'address',
  'redirect',
  'preference',
  'fixes',
  'mediaType',
  'formatting',
  'signature',
] as const;
export type Dimension = (typeof dimensions)[number];

/** One value of a dimension: how a request with it differs from the usual one, and where it is compliant. */
export interface ContextValue {
  readonly dimension: Dimension;
  /** Completes "it was sent …": `for a corporate PSU`. */
  readonly label: string;
  /** Whether such a request is compliant for the kind of request, and the target file has what it takes. */
  readonly fits: (of: Subject, context: CheckContext) => boolean;
  /** Every optional field, or none. */
  readonly optional?: 'all' | 'none';
  readonly body?: (body: JsonObject, context: CheckContext) => JsonObject;
  readonly psu?: (context: CheckContext) => Psu;
  readonly query?: NonNullable<Call['query']>;
  readonly write?: (body: JsonObject) => string;
  readonly beforeSigning?: NonNullable<Variation['beforeSigning']>;
  readonly signing?: SigningPlan;
  /** How the request is written in the end, fault and all. */
  readonly afterSigning?: NonNullable<Variation['afterSigning']>;
  /** How the Signature header is written, whatever is in it. */
  readonly writeSignature?: (value: string) => string;
  /**
   * Only for faults. A bank that takes a request in this context has to refuse the fault in it, and yet need not take
   * everything in it that it takes elsewhere: the specification does not say so.
   */
  readonly onlyForFaults?: true;
}

/** Values of several dimensions at once, at most one of each. None at all is the usual context. */
export type Context = readonly ContextValue[];
