import { CertificateError, readCertificate } from '../signing/certificate.ts';
import { verifyDigest } from '../signing/digest.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { verifyText } from '../signing/signature.ts';
import { parseSignatureHeader, SignatureFormatError } from '../signing/signature-header.ts';
import { MissingSignedHeaderError, signingString } from '../signing/signing-string.ts';
import type { Call, Psu } from './call.ts';
import { type Exchange, HeaderList, NoAnswerError } from './exchange.ts';
import { boundedJsonOf, jsonOf } from './json-of-body.ts';
import { linkIn, linksInHeader } from './links.ts';

/** What an answer was before it was brought within the limits. */
export interface AnswerSource {
  /** An earlier attempt died on the way or was put off, so the bank may have seen this request twice. */
  readonly afterTrouble?: boolean;
  /** The body as it went over the wire, where it was packed: a Digest is over these bytes. */
  readonly packed?: Buffer;
  /** Why the body is not whole: it was longer than what is read. */
  readonly cut?: string;
}

/** Who has asked, and about what: as the same TPP and for the same PSU an answer is followed up. */
interface Asked extends Pick<Call, 'params'> {
  readonly psu: Psu;
  readonly identity: SigningIdentity;
}

/** A response, with the exchange that it came by. It judges nothing. */
export class Answer {
  readonly exchange: Exchange;
  /** Known of what the client has sent, and not of what was recorded. */
  asked?: Asked;
  readonly status: number;
  readonly headers: HeaderList;
  readonly bytes: Buffer;
  readonly afterTrouble: boolean;
  readonly wireBytes: Buffer;
  /** Why the body is not whole; absent when it is. */
  readonly cut: string | undefined;
  /** Whether it was read to its end, however much of it is kept. */
  readonly #isWhole: boolean;

  constructor(exchange: Exchange, bytes: Buffer, { afterTrouble = false, packed, cut }: AnswerSource = {}) {
    this.exchange = exchange;
    this.status = exchange.response?.status ?? 0;
    this.headers = new HeaderList(exchange.response?.headers);
    this.afterTrouble = afterTrouble;
    this.#isWhole = cut === undefined;
    // What was cut out of the JSON need not be kept next to it either.
    this.bytes = this.#isWhole ? boundedJsonOf(bytes).bytes : bytes;
    this.wireBytes = packed ?? this.bytes;
    this.cut =
      this.bytes === bytes ? cut : 'parts of it are longer or deeper than anything the interface has';
  }

  /** The body as JSON; undefined when it is none. A body that was not read to its end says neither. */
  get json(): unknown {
    const value = this.#value;
    if (value === undefined && this.cut !== undefined) {
      const { method, url } = this.exchange.request;
      throw new NoAnswerError('size', `The answer to ${method} ${url} was not read whole: ${this.cut}.`, [
        this.exchange,
      ]);
    }
    return value;
  }

  /** The bytes are within the limits since they were first read. */
  get #value(): unknown {
    return this.#isWhole ? jsonOf(this.bytes) : undefined;
  }

  /** A member of the JSON body when that is an object. */
  member(name: string): unknown {
    return memberOf(this.json, name);
  }

  text(name: string): string | undefined {
    const value = this.member(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** The address of a link of that name, wherever the answer has it: error bodies are not shown in the specification. */
  link(name: string): string | undefined {
    return linkIn(this.#value, name) ?? linksInHeader(this.headers)[name];
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** A fault of the bank itself: by 501 it only says that it does not offer something. */
  get isBrokenDown(): boolean {
    return this.status >= 500 && this.status !== 501;
  }

  /** 401 with a scaRedirect link: the bank asks for SCA and refuses nothing else. */
  get asksForSca(): boolean {
    return this.status === 401 && this.link('scaRedirect') !== undefined;
  }

  /** How a bank answers at a path that it does not have, or has no longer (RFC 9110, 15.5.11). */
  get isAbsent(): boolean {
    return isAbsence(this.status);
  }

  /** What `tppMessages` say, as far as they can be read. */
  get messages(): readonly Readonly<Message>[] {
    const messages = memberOf(this.#value, 'tppMessages');
    if (!Array.isArray(messages)) return [];
    return messages.map(textsOf);
  }

  /** What an error without `tppMessages` says in words, as RFC 7807, OAuth and gateways have it: its shape is not shown. */
  get complaint(): string | undefined {
    if (this.isSuccess) return undefined;
    const body: unknown = Array.isArray(this.#value) ? this.#value[0] : this.#value;
    const words = typeof body === 'string' ? [body] : complaintMembers.map((name) => memberOf(body, name));
    return words.find((word) => typeof word === 'string' && word !== '') as string | undefined;
  }
}

/** What says the most comes first. */
const complaintMembers = ['detail', 'message', 'error_description', 'title', 'error', 'code'];

export const isAbsence = (status: number): boolean => [404, 405, 410, 501].includes(status);

type Message = { [Name in 'category' | 'code' | 'path' | 'text']?: string };

/** Whether messages are well-formed is for checks to say; whoever reads them must not stumble. */
function textsOf(message: unknown): Message {
  const texts: Message = {};
  if (typeof message !== 'object' || message === null) return texts;
  for (const name of ['category', 'code', 'path', 'text'] as const) {
    const value: unknown = Reflect.get(message, name);
    if (typeof value === 'string') texts[name] = value;
  }
  return texts;
}

const memberOf = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined;

/** Whether a response is signed, and if so whether the signature holds. */
type ResponseSignature =
  | { readonly state: 'unsigned' | 'verified' }
  /** Signed by a key that the response does not show: nothing can be said. */
  | { readonly state: 'unknown-key' }
  | { readonly state: 'broken'; readonly problem: string };

/** Headers in which banks send the certificate of their signature; the specification names none for responses. */
const certificateHeaders = [
  'TPP-Signature-Certificate',
  'ASPSP-Signature-Certificate',
  'Signature-Certificate',
];

export const foreignDigest = 'the Digest is not that of the body';

/** Authentication, Transport and signing, 5: responses may be signed; a TPP should verify it. */
export function verifyResponse({ headers, bytes, wireBytes, cut }: Answer): ResponseSignature {
  const value = headers.get('Signature');
  if (value === undefined) return { state: 'unsigned' };
  const digest = headers.get('Digest');
  // A gateway packs what the bank has signed: what the body is then, with its packing or without, is not said.
  const bodies = wireBytes === bytes ? [bytes] : [wireBytes, bytes];
  const isOfBody = (text: string): boolean => bodies.some((body) => verifyDigest(text, body).ok);
  if (digest !== undefined && cut === undefined && !isOfBody(digest)) {
    return { state: 'broken', problem: foreignDigest };
  }
  const sent = certificateHeaders.map((name) => headers.get(name)).find((text) => text !== undefined);
  if (sent === undefined) return { state: 'unknown-key' };
  try {
    const { headers: names, signature } = parseSignatureHeader(value);
    const text = signingString(names, (name) => headers.get(name));
    return verifyText(text, signature, readCertificate(sent).publicKey)
      ? { state: 'verified' }
      : { state: 'broken', problem: 'the signature does not verify with the certificate sent' };
  } catch (error) {
    const isExpected =
      error instanceof SignatureFormatError ||
      error instanceof MissingSignedHeaderError ||
      error instanceof CertificateError;
    if (!isExpected) throw error;
    return { state: 'broken', problem: error.message };
  }
}
