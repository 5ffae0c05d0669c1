import type { JsonObject } from '../payloads/json.ts';
import { formatSignatureHeader } from '../signing/signature-header.ts';
import type { Call, Variation } from '../tpp/call.ts';
import type { SigningPlan } from '../tpp/signing-plan.ts';
import { withBody } from './call-body.ts';
import type { CheckContext } from './context.ts';
import { type Context, corporate } from './contexts.ts';
import type { Subject } from './subject.ts';

/** The kind of request that it is in a context: what a company puts into a basket is its own. */
export const subjectIn = (values: Context, of: Subject): Subject =>
  values.includes(corporate) ? (of.ofCompany ?? of) : of;

/** The body as it is in a context. */
export const bodyIn = (values: Context, body: JsonObject, context: CheckContext): JsonObject =>
  values.reduce((changed, value) => value.body?.(changed, context) ?? changed, body);

/** The call as it is in a context, once nothing else changes about it. */
export function callIn(values: Context, call: Call, context: CheckContext): Call {
  const psu = call.psu ?? values.find((value) => value.psu !== undefined)?.psu?.(context);
  const query = call.query ?? values.find((value) => value.query !== undefined)?.query;
  return { ...call, ...(psu === undefined ? {} : { psu }), ...(query === undefined ? {} : { query }) };
}

/** The body as bytes, where a context formats it; what is no JSON object any more stays as it is. */
export function writtenIn(values: Context, call: Call): Call {
  const write = values.find((value) => value.write !== undefined)?.write;
  return write === undefined ? call : withBody(call, (body) => Buffer.from(write(body), 'utf8'));
}

/** A fault is put into the request after its context, so that it has the last word. */
export function variationIn(values: Context, variation: Variation = {}): Variation {
  if (values.length === 0) return variation;
  const plans = [...values.map(({ signing }) => signing), variation.signing];
  const signing: SigningPlan = Object.fromEntries(plans.flatMap((plan) => Object.entries(plan ?? {})));
  return {
    ...variation,
    beforeSigning: (draft) => {
      for (const { beforeSigning } of values) beforeSigning?.(draft);
      variation.beforeSigning?.(draft);
    },
    afterSigning: (draft) => {
      variation.afterSigning?.(draft);
      // Only how things are written, which holds for what the fault has put there as well.
      for (const { afterSigning } of values) afterSigning?.(draft);
    },
    signing: {
      ...signing,
      format: (parts) => {
        const value = (signing.format ?? formatSignatureHeader)(parts);
        return values.reduce((text, { writeSignature }) => text && (writeSignature?.(text) ?? text), value);
      },
    },
  };
}
