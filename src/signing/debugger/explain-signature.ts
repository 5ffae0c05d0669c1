import { createHash, type KeyObject } from 'node:crypto';
import { candidateHeaders } from '../../spec/code-lists.ts';
import { CertificateError, readCertificate, type TppCertificate } from '../certificate.ts';
import { verifyDigest } from '../digest.ts';
import { verifyText } from '../signature.ts';
import { requestTarget } from '../signing-string.ts';
import { bodyWritings, digestWritings } from './body-writings.ts';
import { findSignedText } from './find-mistakes.ts';
import type { Mistake, SignedLine } from './line-mistakes.ts';
import { decodeSignature, openSignature, signatureLength } from './opened-signature.ts';
import { headerOf, type ReceivedRequest } from './received-request.ts';
import {
  form,
  type KeyFacts,
  keyFacts,
  keyIdFindings,
  readSignatureParts,
  type SignatureFinding,
  type WrittenParts,
} from './signature-parts.ts';

interface DigestFacts {
  /** As the header has it; undefined when absent. */
  readonly header: string | undefined;
  /** Whose hash the header is: `the body as it was received`, `the compact JSON`; undefined when nobody's. */
  readonly headerIs: string | undefined;
  readonly digests: readonly { readonly of: string; readonly value: string }[];
}

/** Whose hash the Digest header is, next to the hashes of what was received. */
function digestFacts(request: ReceivedRequest, findings: SignatureFinding[]): DigestFacts {
  const header = headerOf(request, 'digest');
  const { body } = request;
  if (body === undefined) return { header, headerIs: undefined, digests: [] };
  const others = bodyWritings(body);
  const shown = [{ of: 'the body as it was received', value: hashOf(body) }, ...jsonDigests(body)];
  if (header === undefined) return { header, headerIs: undefined, digests: shown };
  if (verifyDigest(header, body).ok) {
    return { header, headerIs: 'the body as it was received', digests: shown };
  }
  const written = digestWritings(body, others).find(({ value }) => value === header);
  findings.push({
    id: written?.id ?? 'digest-other-body',
    requirement: digestRequirement(written?.id),
    problem:
      written === undefined
        ? 'The Digest header is not that of the body as it was received, nor of the same JSON written in another way.'
        : `The Digest header holds ${written.name}, not the digest of the body as it was received.`,
    remedy:
      'Write the body once, hash those very bytes, and send the same bytes: Digest: SHA-256=<Base64 of the hash>.',
  });
  return { header, headerIs: written?.name, digests: shown };
}

const digestRequirement = (id = ''): string => {
  if (id === 'digest-other-form') return 'DIG-07';
  return id.startsWith('digest-of-json') ? 'DIG-05' : 'DIG-03';
};

const hashOf = (bytes: Buffer): string => `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`;

/** Of the two ways in which most programs write JSON, whether or not the body is one of them. */
function jsonDigests(body: Buffer): DigestFacts['digests'] {
  const writings = bodyWritings(Buffer.concat([body, Buffer.from(' ')]));
  return writings
    .filter(({ id }) => id === 'json-compact' || id === 'json-indented-2')
    .map(({ name, bytes }) => ({ of: name, value: hashOf(bytes) }));
}

/** Everything that is known about the signature of a request, as data: for a terminal, a page or a program. */
export interface SignatureExplanation {
  readonly verdict: 'verified' | 'refused';
  /** One sentence. */
  readonly summary: string;
  readonly parts: WrittenParts | undefined;
  readonly certificate: KeyFacts | undefined;
  /** Line by line, as the bank computes it from the request; undefined where a listed header is missing. */
  readonly signingString: readonly SignedLine[];
  /** The text that was signed, where it could be found, with how it differs. */
  readonly signed: { readonly text: string; readonly mistakes: readonly Mistake[] } | undefined;
  /** SHA-256 of the text that the bank computes, and the hash inside the signature, in hexadecimal. */
  readonly hashes: { readonly computed: string; readonly signed: string | undefined } | undefined;
  readonly tried: number;
  readonly digest: DigestFacts;
  readonly findings: readonly SignatureFinding[];
  readonly remarks: readonly string[];
}

/** Longer values of the Signature header are not looked into. */
const longestSignature = 16_384;
const mostNames = 40;

/**
 * Explains why a bank takes or refuses the signature of a request. `certificate` stands in for the header
 * TPP-Signature-Certificate where the request has none.
 */
export function explainSignature(request: ReceivedRequest, certificatePem?: string): SignatureExplanation {
  const findings: SignatureFinding[] = [];
  const certificate = certificateOf(request, certificatePem, findings);
  const header = headerOf(request, 'signature');
  const parts =
    header === undefined || header.length > longestSignature ? undefined : readSignatureParts(header);
  if (header === undefined) {
    findings.push({
      id: 'signature-missing',
      requirement: 'SIG-01',
      problem: 'The request has no Signature header.',
      remedy: 'Sign every request: Signature: keyId="…",algorithm="rsa-sha256",headers="…",signature="…".',
    });
  } else if (parts === undefined) {
    findings.push(
      form('SGH-12', 'signature-too-long', `The Signature header has ${header.length} characters.`),
    );
  }
  if (parts !== undefined) findings.push(...formFindings(parts));
  if (parts !== undefined && certificate !== undefined) findings.push(...keyIdFindings(parts, certificate));
  const lines = parts === undefined ? [] : linesOf(parts, request, findings);
  const judged = judge(parts, lines, request, certificate, findings);
  const digest = digestFacts(request, findings);
  return {
    verdict: findings.length === 0 ? 'verified' : 'refused',
    summary: summaryOf(findings, judged.signed?.mistakes),
    parts,
    certificate: certificate && keyFacts(certificate),
    signingString: lines,
    ...judged,
    digest,
    findings,
    remarks: request.remarks,
  };
}

function summaryOf(findings: readonly SignatureFinding[], mistakes: readonly Mistake[] = []): string {
  if (findings.length === 0) return 'The signature is right: the bank computes the text that was signed.';
  if (mistakes.length > 0) return fitSentence(mistakes);
  return findings[0]?.problem ?? '';
}

/** `The signature fits if the line digest is left out.` */
const fitSentence = (mistakes: readonly Mistake[]): string =>
  `The signature fits if ${mistakes.map(({ mistake }) => mistake).join(', and ')}.`;

function certificateOf(
  request: ReceivedRequest,
  given: string | undefined,
  findings: SignatureFinding[],
): TppCertificate | undefined {
  const header = headerOf(request, 'tpp-signature-certificate');
  if (header === undefined && given === undefined) {
    findings.push({
      id: 'certificate-missing',
      requirement: 'TPP-16',
      problem: 'The request has no TPP-Signature-Certificate, so nobody can verify its signature.',
      remedy:
        'Send the certificate as Base64 of its DER: the PEM without its first and last line, on one line.',
    });
    return undefined;
  }
  if (header !== undefined) {
    findings.push(...certificateForm(header));
    const read = readable(header);
    if (read !== undefined) return read;
  }
  return given === undefined ? undefined : readCertificate(given);
}

const onOneLine = 'Send the Base64 of the DER: the PEM without its first and last line, on one line.';

/** What can be read in some way is worth looking at further; a bank need not be so kind. */
function readable(header: string): TppCertificate | undefined {
  const texts = [header, unescapedPem(header), Buffer.from(header, 'base64').toString('latin1')];
  for (const text of texts) {
    try {
      return readCertificate(text);
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
    }
  }
  return undefined;
}

const unescapedPem = (header: string): string => {
  try {
    return decodeURIComponent(header).replaceAll('\\n', '\n');
  } catch {
    return header.replaceAll('\\n', '\n');
  }
};

function certificateForm(header: string): readonly SignatureFinding[] {
  const finding = (problem: string): readonly SignatureFinding[] => [
    { id: 'certificate-form', requirement: 'CRT-06', problem, remedy: onOneLine },
  ];
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(header) && header.startsWith('MI')) {
    return readable(header) === undefined
      ? finding('TPP-Signature-Certificate is Base64, but of no certificate.')
      : [];
  }
  if (header.includes('BEGIN'))
    return finding('TPP-Signature-Certificate holds the whole PEM, with its first and last line.');
  if (header.startsWith('LS0tLS'))
    return finding('TPP-Signature-Certificate is the Base64 of a PEM file: it is encoded twice.');
  if (header.includes('%')) return finding('TPP-Signature-Certificate is percent-encoded.');
  return finding('TPP-Signature-Certificate is not the Base64 of a certificate.');
}

function formFindings(parts: WrittenParts): readonly SignatureFinding[] {
  const missing = (['keyId', 'algorithm', 'headers', 'signature'] as const).filter((name) => !parts[name]);
  const requirementOf = {
    keyId: 'SGH-05',
    algorithm: 'SGH-06',
    headers: 'SGH-07',
    signature: 'SGH-08',
  } as const;
  return [
    ...(parts.problem === undefined
      ? []
      : [form(parts.isOutOfOrder ? 'SGH-04' : 'SGH-12', 'signature-form', parts.problem)]),
    ...missing.map((name) =>
      form(
        requirementOf[name],
        'part-missing',
        `The Signature header has no part "${name}", or it is empty.`,
      ),
    ),
    ...(parts.headers !== undefined && !/^[^\sA-Z]+(?: [^\sA-Z]+)*$/.test(parts.headers)
      ? [
          form(
            'SGH-13',
            'headers-list',
            'The names in the part "headers" are not all in lower case and separated by one space.',
            'Write headers="date digest x-request-id": lower case, one space between two names.',
          ),
        ]
      : []),
    ...(parts.algorithm !== undefined && parts.algorithm !== 'rsa-sha256'
      ? [
          form(
            'SGH-09',
            'algorithm',
            `The algorithm is "${parts.algorithm.slice(0, 40)}".`,
            'Write algorithm="rsa-sha256", and sign so.',
          ),
        ]
      : []),
  ];
}

/** The lines that the part headers names; what is missing, and what is not named, is told. */
function linesOf(
  parts: WrittenParts,
  request: ReceivedRequest,
  findings: SignatureFinding[],
): readonly SignedLine[] {
  const listed = (parts.headers ?? '').trim().toLowerCase().split(/\s+/).filter(Boolean);
  const names = listed.length > 0 ? listed.slice(0, mostNames) : present(request);
  const lines: SignedLine[] = [];
  for (const name of names) {
    const value =
      name === '(request-target)' ? requestTarget(request.method, request.target) : headerOf(request, name);
    if (value !== undefined) lines.push([name, value]);
    else {
      findings.push(
        form(
          'SGS-09',
          'header-missing',
          `The signature covers the header "${name.slice(0, 60)}", which the request does not carry.`,
          'Send every header that is signed; name in "headers" only what is sent.',
        ),
      );
    }
  }
  for (const name of present(request).filter((candidate) => !names.includes(candidate))) {
    findings.push(
      form(
        name === 'digest' ? 'SGS-07' : 'SGS-08',
        'header-unsigned',
        `The header "${name}" is sent and not signed.`,
        `Sign each of these that the request carries: ${candidateHeaders.join(', ')}.`,
      ),
    );
  }
  return lines;
}

const present = (request: ReceivedRequest): readonly string[] =>
  candidateHeaders.filter((name) => headerOf(request, name) !== undefined);

type Judged = Pick<SignatureExplanation, 'signed' | 'hashes' | 'tried'>;

function judge(
  parts: WrittenParts | undefined,
  lines: readonly SignedLine[],
  request: ReceivedRequest,
  certificate: TppCertificate | undefined,
  findings: SignatureFinding[],
): Judged {
  const nothing: Judged = { signed: undefined, hashes: undefined, tried: 0 };
  if (!parts?.signature || certificate === undefined || lines.length === 0) return nothing;
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
  const key = certificate.publicKey;
  const computed = createHash('sha256').update(text).digest('hex');
  const isWhole = !findings.some(({ id }) => id === 'header-missing');
  if (isWhole && verifyText(text, parts.signature, key)) {
    return { signed: { text, mistakes: [] }, hashes: { computed, signed: computed }, tried: 1 };
  }
  const decoded = decodeSignature(parts.signature, key);
  if (decoded === undefined) {
    findings.push(unreadableSignature(parts.signature, key));
    return { ...nothing, hashes: { computed, signed: undefined } };
  }
  const opened = openSignature(decoded.bytes, key);
  if (opened.kind === 'other-key') {
    findings.push({
      id: 'other-key',
      requirement: 'CRT-07',
      problem:
        'The signature was not made with the private key of the certificate that was sent, or it was damaged on the way.',
      remedy:
        'Sign with the key that belongs to TPP-Signature-Certificate: openssl x509 -pubkey of the one and openssl pkey -pubout of the other are equal.',
    });
    return { ...nothing, hashes: { computed, signed: undefined } };
  }
  const { found, tried } = findSignedText(lines, request, opened, key, decoded.bytes);
  const mistakes = [...(decoded.mistake === undefined ? [] : [decoded.mistake]), ...(found?.mistakes ?? [])];
  const signedHash = opened.kind === 'hash' ? `${opened.hash}: ${opened.digest.toString('hex')}` : undefined;
  const hashes = { computed, signed: signedHash };
  if (found === undefined) {
    findings.push({
      id: 'other-text',
      requirement: 'SIG-02',
      problem: `The signature was made with the right key over another text than the one that this request gives; none of ${tried} usual mistakes explains it.`,
      remedy:
        'Print the exact text that your program signs, and compare it with the one below, byte by byte; the hashes tell when they are equal.',
    });
    return { signed: undefined, hashes, tried };
  }
  if (mistakes.length > 0) {
    findings.push({
      id: mistakes[0]?.id ?? '',
      requirement: 'SIG-02',
      problem: fitSentence(mistakes),
      remedy: [...new Set(mistakes.map(({ remedy }) => remedy))].join(' '),
    });
  }
  return { signed: { text: found.text, mistakes }, hashes, tried };
}

function unreadableSignature(signature: string, key: KeyObject): SignatureFinding {
  if (key.asymmetricKeyType !== 'rsa') {
    return form(
      'SGH-14',
      'other-key-type',
      `The key of the certificate is of type ${key.asymmetricKeyType}.`,
      'Signatures are RSA-SHA256: use a certificate with an RSA key.',
    );
  }
  const bytes = Buffer.from(signature, 'base64').length;
  return {
    id: 'signature-length',
    requirement: 'SIG-02',
    problem: `The part "signature" is not Base64 of a signature of this key: it has ${bytes} bytes where ${signatureLength(key)} are expected.`,
    remedy: 'Check that it was not cut, wrapped or made with another key.',
  };
}
