import {
  type Asn1Value,
  childrenOf,
  contentOf,
  isInteger,
  isObjectIdentifier,
  isSequence,
  readDer,
  readObjectIdentifier,
} from './asn1.ts';

const encryptedBlock =
  /-----BEGIN ENCRYPTED PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END ENCRYPTED PRIVATE KEY-----/g;

/**
 * Why nobody should try to decrypt the keys of a PEM text, as a sentence: who made one says how much work that is, and
 * OpenSSL does it all, for hours if need be, while nobody can interrupt it.
 */
export function decryptionProblem(pem: string): string | undefined {
  const works = [...pem.matchAll(encryptedBlock)].map(([, base64 = '']) => workOf(base64));
  if (works.includes(undefined)) return 'How its private key is encrypted cannot be told.';
  return works.some((work) => (work ?? 0) > 1)
    ? 'To decrypt its private key takes too long. Encrypt it again with less work: openssl pkcs8 -topk8 -iter 100000.'
    : undefined;
}

/** Some seconds of each; what openssl writes by itself takes 2048 rounds, and `-scrypt` 2 ** 17 blocks. */
const mostRounds = 10_000_000;
const mostBlocks = 2 ** 24;

const scrypt = '1.3.6.1.4.1.11591.4.11';

/** The work as a share of the most that is done; undefined where it is not told. */
function workOf(base64: string): number | undefined {
  try {
    const [algorithm] = childrenOf(readDer(Buffer.from(base64, 'base64')));
    return algorithm === undefined ? undefined : workIn(algorithm);
  } catch {
    return undefined;
  }
}

/** Of all algorithms in there: PBES2 holds one that makes the key and one that decrypts (RFC 8018, A.4). */
function workIn(algorithm: Asn1Value): number {
  const [name, parameters] = childrenOf(algorithm);
  if (name === undefined || parameters === undefined || !isSequence(parameters)) return 0;
  const parts = childrenOf(parameters);
  const inner = parts.filter(isSequence).map(workIn);
  if (!isObjectIdentifier(name)) return Math.max(0, ...inner);
  // A salt stands before them (RFC 8018, A.2 and A.3; RFC 7292, appendix C; RFC 7914, section 7).
  const numbers = parts.slice(1).filter(isInteger).map(numberOf);
  const [count = 0, size = 0, times = 0] = numbers;
  const own =
    readObjectIdentifier(name) === scrypt ? (count * size * times) / mostBlocks : count / mostRounds;
  return Math.max(own, ...inner);
}

const numberOf = (value: Asn1Value): number => Number(`0x0${contentOf(value).toString('hex')}`);
