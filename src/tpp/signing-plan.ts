import { digestHeader } from '../signing/digest.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { signText } from '../signing/signature.ts';
import { formatKeyId, formatSignatureHeader, type SignatureParts } from '../signing/signature-header.ts';
import { requestTarget, signingString } from '../signing/signing-string.ts';
import { candidateHeaders } from '../spec/code-lists.ts';
import { requiredHeaders } from '../spec/headers.ts';
import { type OperationName, operations } from '../spec/operations.ts';
import type { HeaderList } from './exchange.ts';

/** A request on its way to the wire. Faults change it freely, before or after it is signed. */
export interface RequestDraft {
  readonly operation: OperationName | 'other';
  method: string;
  /** Path and query, prefix of the base address included. */
  target: string;
  readonly headers: HeaderList;
  body: Buffer | undefined;
}

/** How a request is signed. Every step can be replaced, so that a fault is one step done differently. */
export interface SigningPlan {
  readonly identity?: SigningIdentity;
  /** The Digest header for a body; undefined sends none. */
  readonly digest?: (body: Buffer) => string | undefined;
  /** Which of the candidate headers that are present get signed, in which order. */
  readonly covered?: (present: readonly string[]) => readonly string[];
  /** The text that is signed, from the names and values that are covered. */
  readonly text?: (names: readonly string[], valueFor: (name: string) => string | undefined) => string;
  readonly sign?: (text: string, identity: SigningIdentity) => Promise<string>;
  /** The Signature header; undefined sends none. */
  readonly format?: (parts: SignatureParts) => string | undefined;
  /** Changes the parts before they are written. */
  readonly parts?: (parts: SignatureParts) => SignatureParts;
}

const digestIsRequired = (draft: RequestDraft): boolean =>
  draft.operation !== 'other' && requiredHeaders(operations[draft.operation].headers).includes('Digest');

/** Puts Digest, TPP-Signature-Certificate and Signature onto a draft. */
export async function signDraft(
  draft: RequestDraft,
  identity: SigningIdentity,
  plan: SigningPlan,
): Promise<void> {
  const signer = plan.identity ?? identity;
  addDigest(draft, plan);
  if (!draft.headers.has('TPP-Signature-Certificate')) {
    draft.headers.set('TPP-Signature-Certificate', signer.certificate.base64);
  }
  const valueFor = (name: string): string | undefined =>
    name === '(request-target)' ? requestTarget(draft.method, draft.target) : draft.headers.get(name);
  const present = candidateHeaders.filter((name) => draft.headers.has(name));
  const covered = plan.covered?.(present) ?? present;
  const text = (plan.text ?? signingString)(covered, valueFor);
  const signature = await (plan.sign ?? signText)(text, signer);
  const parts: SignatureParts = {
    keyId: formatKeyId(signer.certificate),
    algorithm: 'rsa-sha256',
    headers: covered,
    signature,
  };
  const value = (plan.format ?? formatSignatureHeader)(plan.parts?.(parts) ?? parts);
  if (value !== undefined) draft.headers.set('Signature', value);
}

function addDigest(draft: RequestDraft, plan: SigningPlan): void {
  if (draft.headers.has('Digest') || (plan.digest === undefined && !digestIsRequired(draft))) return;
  const value = (plan.digest ?? digestHeader)(draft.body ?? Buffer.alloc(0));
  if (value !== undefined) draft.headers.set('Digest', value);
}
