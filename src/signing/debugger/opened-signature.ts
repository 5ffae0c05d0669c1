import { constants, type KeyObject, publicDecrypt } from 'node:crypto';
import { percentDecoded } from '../../spec/percent-encoding.ts';
import { decodeBase64 } from '../digest.ts';

export type HashName = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'md5';

/**
 * What a signature holds. The padding of PKCS #1 v1.5 can be taken off with the public key, and the hash inside tells
 * which text was signed without knowing it: every guess costs one hash, so thousands can be tried.
 */
export type OpenedSignature =
  | { readonly kind: 'hash'; readonly hash: HashName; readonly digest: Buffer }
  /** A hash without the name of its algorithm, as `openssl pkeyutl -sign` makes it when nothing else is said. */
  | { readonly kind: 'bare'; readonly content: Buffer }
  | { readonly kind: 'pss' }
  | { readonly kind: 'other-key' };

/** The signature as bytes, and what was unusual about the way it was written. */
export interface DecodedSignature {
  readonly bytes: Buffer;
  readonly mistake?: { readonly id: string; readonly mistake: string; readonly remedy: string };
}

/** DigestInfo up to its hash (RFC 8017 section 9.2, note 1). */
const digestInfos: readonly (readonly [HashName, string, number])[] = [
  ['md5', '3020300c06082a864886f70d020505000410', 16],
  ['sha1', '3021300906052b0e03021a05000414', 20],
  ['sha224', '302d300d06096086480165030402040500041c', 28],
  ['sha256', '3031300d060960864801650304020105000420', 32],
  ['sha384', '3041300d060960864801650304020205000430', 48],
  ['sha512', '3051300d060960864801650304020305000440', 64],
];

export function openSignature(signature: Buffer, key: KeyObject): OpenedSignature {
  const content = decrypted(signature, key, constants.RSA_PKCS1_PADDING);
  if (content === undefined) {
    const raw = decrypted(signature, key, constants.RSA_NO_PADDING);
    // EMSA-PSS ends with the byte 0xbc (RFC 8017 section 9.1.1); one in 256 other texts does so by chance.
    return raw?.at(-1) === 0xbc ? { kind: 'pss' } : { kind: 'other-key' };
  }
  for (const [hash, prefix, length] of digestInfos) {
    const start = Buffer.from(prefix, 'hex');
    if (content.length === start.length + length && content.subarray(0, start.length).equals(start)) {
      return { kind: 'hash', hash, digest: content.subarray(start.length) };
    }
  }
  return { kind: 'bare', content };
}

function decrypted(signature: Buffer, key: KeyObject, padding: number): Buffer | undefined {
  if (key.asymmetricKeyType !== 'rsa') return undefined;
  try {
    return publicDecrypt({ key, padding }, signature);
  } catch {
    return undefined;
  }
}

/** How many bytes a signature with this key has. */
export const signatureLength = (key: KeyObject): number =>
  Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);

interface Writing {
  readonly id: string;
  readonly mistake: string;
  readonly remedy: string;
  decode(text: string): Buffer | undefined;
}

const plain =
  'Write the signature in Base64 of RFC 4648 section 4: letters, digits, + and /, padded with =, in one piece.';

/** The usual ways to write bytes wrongly. Each gives undefined where the text is not of its form. */
const writings: readonly Writing[] = [
  {
    id: 'base64-unpadded',
    mistake: 'the = at the end of the Base64 is put back',
    remedy: plain,
    decode: (text) => (/^[A-Za-z0-9+/]+$/.test(text) ? decodeBase64(padded(text)) : undefined),
  },
  {
    id: 'base64url',
    mistake: 'it is read as base64url, with - and _ for + and /',
    remedy: plain,
    decode: (text) =>
      /^[A-Za-z0-9_=-]+$/.test(text)
        ? decodeBase64(padded(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')))
        : undefined,
  },
  {
    id: 'base64-plus-lost',
    mistake: 'the spaces in it are read as +, which a form or an address decoder has turned into spaces',
    remedy: `${plain} Do not pass the header through a URL decoder.`,
    decode: (text) => decodeBase64(text.replaceAll(' ', '+')),
  },
  {
    id: 'base64-wrapped',
    mistake: 'the line breaks and spaces inside the Base64 are taken out',
    remedy: `${plain} With OpenSSL use base64 -A; with Java Base64.getEncoder(), not getMimeEncoder().`,
    decode: (text) => decodeBase64(text.replace(/(?:\\r|\\n|\s)+/g, '')),
  },
  {
    id: 'base64-percent-encoded',
    mistake: 'its percent-encoding is taken off',
    remedy: `${plain} Nothing in a header is percent-encoded.`,
    decode: (text) => (text.includes('%') ? decodeBase64(percentDecoded(text) ?? '') : undefined),
  },
  {
    id: 'hexadecimal',
    mistake: 'it is read as hexadecimal',
    remedy: plain,
    decode: (text) => (/^(?:[0-9a-fA-F]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined),
  },
  {
    id: 'base64-twice',
    mistake: 'the Base64 is decoded twice',
    remedy: `${plain} Encode the bytes of the signature once.`,
    decode: (text) => decodeBase64(decodeBase64(text)?.toString('latin1') ?? '-'),
  },
];

/** Undefined where no way of reading gives as many bytes as the key makes. */
export function decodeSignature(text: string, key: KeyObject): DecodedSignature | undefined {
  const length = signatureLength(key);
  const bytes = decodeBase64(text);
  if (bytes !== undefined && bytes.length === length) return { bytes };
  for (const { decode, ...mistake } of writings) {
    const read = decode(text);
    if (read !== undefined && read.length === length) return { bytes: read, mistake };
  }
  return undefined;
}

const padded = (text: string): string => text.padEnd(Math.ceil(text.length / 4) * 4, '=');
