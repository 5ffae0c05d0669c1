import { decodeWord, EncodedWordError, isEncodedWord } from '../encoded-word.ts';
import { parseSignatureHeader, SignatureFormatError } from '../signature-header.ts';

/** Something that is wrong, and what to do about it. */
export interface SignatureFinding {
  readonly id: string;
  /** The requirement by which a bank refuses it. */
  readonly requirement: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A finding about the Signature header itself. */
export const form = (
  requirement: string,
  id: string,
  problem: string,
  remedy?: string,
): SignatureFinding => ({
  id,
  requirement,
  problem,
  remedy:
    remedy ?? 'Write keyId="SN=…,CA=…",algorithm="rsa-sha256",headers="…",signature="…", in this order.',
});

/** A Signature header as far as it can be read. */
export interface WrittenParts {
  /** Decoded, where it was an encoded word. */
  readonly text: string;
  readonly wasEncoded: boolean;
  readonly keyId: string | undefined;
  readonly algorithm: string | undefined;
  readonly headers: string | undefined;
  readonly signature: string | undefined;
  /** Why it is not as the specification has it; undefined when it is. */
  readonly problem: string | undefined;
  readonly isOutOfOrder: boolean;
}

/** Strictly first; what is not in form is read as far as anybody can guess it, so that more can be said. */
export function readSignatureParts(value: string): WrittenParts {
  const wasEncoded = isEncodedWord(value);
  const text = decoded(value);
  const part = (name: string): string | undefined =>
    new RegExp(`(?:^|[,;\\s])${name}\\s?=\\s?"((?:[^"\\\\]|\\\\.)*)"`, 'isu').exec(text)?.[1] ??
    new RegExp(`(?:^|[,;\\s])${name}\\s?=\\s?'?([^"',;\\s]+)`, 'isu').exec(text)?.[1];
  return {
    text,
    wasEncoded,
    keyId: part('keyId'),
    algorithm: part('algorithm'),
    headers: part('headers'),
    signature: part('signature'),
    ...problemOf(value),
  };
}

function decoded(value: string): string {
  try {
    return decodeWord(value);
  } catch (error) {
    if (error instanceof EncodedWordError) return value;
    throw error;
  }
}

const rightOrder = 'keyId, algorithm, headers, signature';

function problemOf(value: string): Pick<WrittenParts, 'problem' | 'isOutOfOrder'> {
  try {
    const order = parseSignatureHeader(value).partOrder.join(', ');
    if (order === rightOrder) return { problem: undefined, isOutOfOrder: false };
    return { problem: `The parts of the Signature header stand in the order ${order}.`, isOutOfOrder: true };
  } catch (error) {
    if (error instanceof SignatureFormatError) return { problem: error.problem, isOutOfOrder: false };
    throw error;
  }
}
