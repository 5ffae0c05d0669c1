import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
  Asn1Error,
  type Asn1Value,
  boolean,
  childrenOf,
  contentOf,
  encode,
  integer,
  isInteger,
  isTagged,
  nullValue,
  objectIdentifier,
  octetString,
  readDer,
  readObjectIdentifier,
  sequence,
} from '../signing/asn1.ts';
import { readBounded } from '../target/bounded-file.ts';
import { unreadable } from '../target/key-pairs.ts';
import { loadProxy, proxyTo } from '../target/proxy.ts';
import { undiciTransport } from '../tpp/undici-transport.ts';
import { timeStampFile } from './attestation.ts';
import { readSealed, type SealedAttestation } from './read-attestation.ts';
import { writeWhole } from './write-files.ts';

/*
 * Time stamps by an authority (RFC 3161): that an attestation was there at a time, whatever clock the run went by. The
 * answer of the authority is kept as it is, so that `openssl ts -verify` reads it as well.
 */

/** When an authority has seen an attestation. */
export interface TimeStamp {
  readonly at: string;
  /** Who says so, by the certificate that was checked; undefined where none was. */
  readonly authority?: string;
}

/** No time stamp, or one that does not show what it should; why, as a sentence. */
export class TimeStampError extends Error {
  override readonly name = 'TimeStampError';
}

const oids = {
  sha256: '2.16.840.1.101.3.4.2.1',
  signedData: '1.2.840.113549.1.7.2',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  messageDigest: '1.2.840.113549.1.9.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
} as const;

/** The hashes that an authority may sign with. */
const hashes: ReadonlyMap<string, string> = new Map([
  [oids.sha256, 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

const hashOf = (name: string, bytes: Buffer): Buffer => createHash(name).update(bytes).digest();

/** Far more than the certificates of any authority take. */
const mostBytes = 256 * 1024;
const patienceMs = 30_000;

/** Asks an authority for a time stamp, and gives back its answer when it fits what was asked. */
async function requestTimeStamp(address: string, data: Buffer): Promise<Buffer> {
  const { origin, pathname, search } = new URL(address);
  const nonce = integer(randomBytes(8).toString('hex'));
  const imprint = sequence(
    sequence(objectIdentifier(oids.sha256), nullValue()),
    octetString(hashOf('sha256', data)),
  );
  const body = encode(sequence(integer('1'), imprint, nonce, boolean(true)));
  const complain = (_: unknown, why: string): never => {
    throw new TimeStampError(why);
  };
  const proxy = proxyTo(loadProxy({ environment: process.env, complain }, undefined, address), address);
  const transport = undiciTransport({ origin, connections: 1, proxy });
  try {
    const headers = [['Content-Type', 'application/timestamp-query']] as const;
    const target = `${pathname}${search}`;
    const answer = await transport.send({ method: 'POST', target, headers, body }, patienceMs);
    if (answer.status !== 200) throw new TimeStampError(`it answers ${answer.status}`);
    if (answer.cut !== undefined || answer.body.length > mostBytes)
      throw new TimeStampError(`it answers with more than ${mostBytes / 1024} kB`);
    const stamp = read(answer.body);
    const [told] = childrenOf(stamp.info).slice(5).filter(isInteger);
    if (told === undefined || !contentOf(told).equals(contentOf(nonce)))
      throw new TimeStampError('it answers another request: the nonce is not that of ours');
    if (!isOf(stamp, data)) throw new TimeStampError('it has stamped something else');
    return answer.body;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TimeStampError(`There is no time stamp of ${origin}: ${why}.`, { cause });
  } finally {
    await transport.close();
  }
}

/** Has an authority stamp the attestation of a run folder, and puts its answer next to it. */
export async function stampRun(dir: string, address: string): Promise<void> {
  const { text } = readSealed(dir);
  writeWhole(join(dir, timeStampFile), await requestTimeStamp(address, Buffer.from(text)));
}

/** The authorities of `--timestamp-ca`: certificates in PEM. */
export function readTimeAuthorities(file: string): readonly X509Certificate[] {
  try {
    const pem = readBounded(file).toString('utf8');
    const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (found.length > 0) return found.map((each) => new X509Certificate(each));
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause)
      throw new TimeStampError(unreadable(file, cause), { cause });
  }
  throw new TimeStampError(`${file} holds no certificate of an authority of time stamps, in PEM.`);
}

/** The time stamp that stands next to an attestation, and what speaks against it. */
export function readTimeStamp(
  dir: string,
  { text, file }: SealedAttestation,
  authorities?: readonly X509Certificate[],
): { readonly timeStamp?: TimeStamp; readonly problems: readonly string[] } {
  const path = join(dir, timeStampFile);
  const found = lstatSync(path, { throwIfNoEntry: false });
  const refused = (why: string) => ({ problems: [`${timeStampFile} ${why}.`] });
  if (found === undefined)
    return authorities === undefined ? { problems: [] } : refused('is missing: nobody has stamped the time');
  try {
    if (!found.isFile() || found.size > mostBytes) return refused('is no time stamp');
    const stamp = read(readBounded(path));
    if (!isOf(stamp, Buffer.from(text))) return refused(`is the time stamp of another ${file}`);
    if (authorities === undefined) return { timeStamp: { at: stamp.at }, problems: [] };
    const signer = signerOf(stamp, authorities);
    return signer === undefined
      ? refused('is not signed by an authority of those that were given')
      : { timeStamp: { at: stamp.at, authority: signer.subject.replaceAll('\n', ', ') }, problems: [] };
  } catch (error) {
    return refused(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Stamp {
  readonly at: string;
  /** TSTInfo, and the bytes of it that are signed. */
  readonly info: Asn1Value;
  readonly content: Buffer;
  readonly certificates: readonly X509Certificate[];
  readonly signer: Asn1Value;
}

/** TimeStampResp (RFC 3161, 2.4.2) with SignedData (RFC 5652, 5.1) in it. */
function read(response: Buffer): Stamp {
  const answer = readDer(response);
  const status = contentOf(at(answer, 0, 0)).toString('hex');
  if (status !== '00' && status !== '01')
    throw new TimeStampError(`the authority has refused it (status ${Number.parseInt(status, 16)})`);
  const signedData = at(answer, 1, 1, 0);
  const content = contentOf(at(signedData, 2, 1, 0));
  const info = readDer(content);
  const isStamp =
    readObjectIdentifier(at(answer, 1, 0)) === oids.signedData &&
    readObjectIdentifier(at(signedData, 2, 0)) === oids.timeStampInfo;
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(
    contentOf(at(info, 4)).toString('latin1'),
  );
  const [year, month, day, hour, minute, second] = digits?.slice(1) ?? [];
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (!isStamp || Number.isNaN(time.getTime())) throw new Asn1Error('It is no time stamp');
  const rest = childrenOf(signedData).slice(3);
  const certificates = rest.filter((part) => isTagged(part, 0)).flatMap(childrenOf);
  return {
    at: time.toISOString(),
    info,
    content,
    certificates: certificates.map((each) => new X509Certificate(encode(each))),
    signer: at(signedData, 2 + rest.length, 0),
  };
}

/** Whether the time stamp is of these bytes. */
const isOf = ({ info }: Stamp, data: Buffer): boolean =>
  readObjectIdentifier(at(info, 2, 0, 0)) === oids.sha256 &&
  contentOf(at(info, 2, 1)).equals(hashOf('sha256', data));

/** The certificate that has signed a stamp, where it may stamp times and is one that was given, or issued by one. */
function signerOf(
  { at: time, content, certificates, signer }: Stamp,
  authorities: readonly X509Certificate[],
): X509Certificate | undefined {
  const hash = hashes.get(readObjectIdentifier(at(signer, 2, 0)));
  const attributes = at(signer, 3);
  // RFC 3161 demands signed attributes, and among them the hash of what is stamped.
  if (hash === undefined || !isTagged(attributes, 0)) return undefined;
  const digest = childrenOf(attributes).find(
    (each) => readObjectIdentifier(at(each, 0)) === oids.messageDigest,
  );
  if (digest === undefined || !contentOf(at(digest, 1, 0)).equals(hashOf(hash, content))) return undefined;
  // They are signed as the SET that they are, not with the tag that they stand in (RFC 5652, 5.4).
  const bytes = encode(attributes);
  bytes[0] = 0x31;
  const signature = contentOf(at(signer, 5));
  const isValid = ({ validFrom, validTo }: X509Certificate): boolean =>
    Date.parse(validFrom) <= Date.parse(time) && Date.parse(time) <= Date.parse(validTo);
  const isIssued = (one: X509Certificate, by: X509Certificate): boolean =>
    one.checkIssued(by) && one.verify(by.publicKey);
  const isTrusted = (one: X509Certificate): boolean =>
    isValid(one) && authorities.some((by) => by.raw.equals(one.raw) || (isValid(by) && isIssued(one, by)));
  return [...certificates, ...authorities].find(
    (one) =>
      one.keyUsage?.includes(oids.timeStamping) === true &&
      verify(hash, bytes, one.publicKey, signature) &&
      isTrusted(one),
  );
}

/** A member of a member; those of strangers may lack any. */
const at = (value: Asn1Value, ...path: readonly number[]): Asn1Value =>
  path.reduce((whole, index) => {
    const member = childrenOf(whole)[index];
    if (member === undefined) throw new Asn1Error('A part of it is missing');
    return member;
  }, value);
