import { explainSignature, type SignatureExplanation } from '../signing/debugger/explain-signature.ts';
import type { ReceivedRequest } from '../signing/debugger/received-request.ts';
import type { ObservedRequest } from './observed-request.ts';

export const receivedRequest = ({ raw }: ObservedRequest): ReceivedRequest => ({
  method: raw.method,
  target: raw.url,
  headers: raw.headers,
  body: Buffer.from(raw.body ?? []),
  remarks: [],
});

const explained = new WeakMap<ObservedRequest, SignatureExplanation>();

/** Looked into once, when somebody asks: it may try many texts. */
export function explanationOf(observed: ObservedRequest): SignatureExplanation {
  const known = explained.get(observed) ?? explainSignature(receivedRequest(observed));
  explained.set(observed, known);
  return known;
}
