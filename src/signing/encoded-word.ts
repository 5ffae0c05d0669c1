import { decodeBase64 } from './digest.ts';

export type WordCharset = 'utf-8' | 'iso-8859-1';
export type WordEncoding = 'B' | 'Q';

/*
 * By hand, because packages for mail decode what they can and pass over the rest: here a word that is written wrongly
 * must be refused, or a signature over another text would verify. They also fold, and bring tables of all charsets.
 */

/** A value that looks like an RFC 2047 encoded word and cannot be read, or text that cannot be written as one. */
export class EncodedWordError extends Error {
  override readonly name = 'EncodedWordError';
}

/**
 * The whole value as one long word. RFC 2047 section 2 caps a word at 75 characters, but the specification
 * wants the header value as a single `=?charset?encoding?…?=`, so nothing is folded.
 */
export function encodeWord(
  value: string,
  charset: WordCharset = 'utf-8',
  encoding: WordEncoding = 'B',
): string {
  const bytes = charset === 'utf-8' ? Buffer.from(value, 'utf8') : latin1Bytes(value);
  const text = encoding === 'B' ? bytes.toString('base64') : quotedText(bytes);
  return `=?${charset}?${encoding}?${text}?=`;
}

export function isEncodedWord(value: string): boolean {
  const trimmed = value.trim();
  return trimmed.length > 4 && trimmed.startsWith('=?') && trimmed.endsWith('?=');
}

/** True when the value holds a character that an HTTP header cannot carry safely as it is. */
export function needsEncoding(value: string): boolean {
  return /[^\p{ASCII}]/u.test(value);
}

/**
 * The text of an encoded word; any other value comes back unchanged. A value that was folded into several
 * words is joined: white space between adjacent words is not part of the text (RFC 2047 section 6.2).
 */
export function decodeWord(value: string): string {
  if (!isEncodedWord(value)) return value;
  return value.trim().split(/\s+/).map(decodeSingleWord).join('');
}

function decodeSingleWord(word: string): string {
  const parts = /^=\?([^?]+)\?([^?]+)\?([^?]*)\?=$/.exec(word);
  if (parts === null) {
    throw new EncodedWordError('The encoded word is not of the form "=?charset?encoding?text?=".');
  }
  const [, charset = '', encoding = '', text = ''] = parts;
  return decodeCharset(decodeBytes(text, encoding), charset);
}

function decodeBytes(text: string, encoding: string): Buffer {
  switch (encoding.toUpperCase()) {
    case 'B': {
      const bytes = decodeBase64(text);
      if (bytes === undefined) throw new EncodedWordError('The text of the encoded word is not base64.');
      return bytes;
    }
    case 'Q':
      return unquotedBytes(text);
    default:
      throw new EncodedWordError(`The encoding "${encoding}" of the encoded word is neither B nor Q.`);
  }
}

function decodeCharset(bytes: Buffer, charset: string): string {
  switch (charset.toLowerCase()) {
    case 'utf-8':
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        throw new EncodedWordError('The encoded word claims utf-8, but its bytes are not UTF-8.');
      }
    case 'iso-8859-1':
      return bytes.toString('latin1');
    case 'us-ascii':
      if (bytes.some((byte) => byte > 0x7f)) {
        throw new EncodedWordError('The encoded word claims us-ascii, but holds bytes above 127.');
      }
      return bytes.toString('latin1');
    default:
      throw new EncodedWordError(
        `The charset "${charset}" of the encoded word is none of utf-8, iso-8859-1 and us-ascii.`,
      );
  }
}

function latin1Bytes(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.toString('latin1') !== value) {
    throw new EncodedWordError('The value holds a character that ISO-8859-1 does not have; use utf-8.');
  }
  return bytes;
}

// RFC 2047 section 5 (3) lists the characters that may stand for themselves wherever a word is used.
function quotedText(bytes: Buffer): string {
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9!*+/-]/.test(character)) return character;
    return character === ' ' ? '_' : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

// RFC 2047 section 4.2: printable ASCII stands for itself, "_" is a space, "=" starts two hexadecimal digits.
function unquotedBytes(text: string): Buffer {
  if (!/^(?:=[0-9A-Fa-f]{2}|[!-<>-~])*$/.test(text)) {
    throw new EncodedWordError('The text of the encoded word is not valid in the Q encoding.');
  }
  const latin1 = text
    .replaceAll('_', ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}
