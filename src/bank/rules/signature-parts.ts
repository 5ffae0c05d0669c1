import { decodeWord, EncodedWordError } from '../../signing/encoded-word.ts';
import type { BankRequest } from '../route.ts';

/** A Signature header as far as it can be read: each rule judges one side of it (Signature header). */
export interface SignatureParts {
  /** Undefined when the header is no list of quoted parts. */
  readonly order: readonly string[] | undefined;
  readonly keyId: string | undefined;
  readonly algorithm: string | undefined;
  /** As written, so that the form of the list can be judged. */
  readonly headersText: string | undefined;
  readonly headers: readonly string[] | undefined;
  readonly signature: string | undefined;
}

const unreadable: SignatureParts = {
  order: undefined,
  keyId: undefined,
  algorithm: undefined,
  headersText: undefined,
  headers: undefined,
  signature: undefined,
};

export const partNames = ['keyId', 'algorithm', 'headers', 'signature'] as const;

/** Undefined when the request has no Signature header. */
export function signaturePartsOf(request: BankRequest): SignatureParts | undefined {
  const value = request.header('signature');
  if (value === undefined) return undefined;
  const parts = quotedParts(value);
  if (parts === undefined) return unreadable;
  const headersText = parts.get('headers');
  return {
    order: [...parts.keys()],
    keyId: parts.get('keyId') || undefined,
    algorithm: parts.get('algorithm') || undefined,
    headersText: headersText || undefined,
    headers: headersText?.trim() ? headersText.trim().split(/\s+/) : undefined,
    signature: parts.get('signature') || undefined,
  };
}

function quotedParts(value: string): ReadonlyMap<string, string> | undefined {
  const text = decoded(value);
  if (text === undefined) return undefined;
  const parts = new Map<string, string>();
  const part = /[ \t]*([A-Za-z]+)="((?:[^"\\]|\\.)*)"[ \t]*(,|$)/suy;
  for (let more = true; more; ) {
    const [, name, content, separator] = part.exec(text) ?? [];
    if (name === undefined || content === undefined || parts.has(name)) return undefined;
    if (!partNames.some((known) => known === name)) return undefined;
    parts.set(name, content);
    more = separator === ',';
  }
  return parts;
}

function decoded(value: string): string | undefined {
  try {
    return decodeWord(value);
  } catch (error) {
    if (error instanceof EncodedWordError) return undefined;
    throw error;
  }
}
