import { Command } from 'commander';
import { oneShortLine, terminalJson } from '../report/harmless-text.ts';
import { type Paint, painter } from '../report/paint.ts';
import { CertificateError, readCertificate } from '../signing/certificate.ts';
import { explainSignature, type SignatureExplanation } from '../signing/debugger/explain-signature.ts';
import {
  ReceivedRequestError,
  readReceivedRequest,
  visibleText,
} from '../signing/debugger/received-request.ts';
import { readBounded } from '../target/bounded-file.ts';
import { CommandError, exitCodes, type Finish, terminalOf } from './terminal.ts';

interface ExplainSignatureFlags {
  readonly body?: string;
  readonly certificate?: string;
  readonly json?: boolean;
}

export const explainSignatureCommand = (finish: Finish): Command =>
  new Command('explain-signature')
    .argument(
      '<file>',
      'a raw HTTP request, or what curl printed with -v, --trace or --trace-ascii; - reads standard input',
    )
    .option('--body <file>', 'the body that was sent, where the file does not hold it (curl -v)')
    .option(
      '--certificate <file>',
      'the certificate of the TPP, where the request has no TPP-Signature-Certificate',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Takes the request apart as a bank does: the parts of the Signature header, keyId
against the certificate, the signing string line by line, and the digest of the
body. Where the signature does not verify, the usual mistakes are tried until it
does: the answer then names the mistake. Nothing is sent anywhere.

Examples:
  $ curl --trace request.txt … ; xs2a-conformance explain-signature request.txt
  $ curl -v … 2>&1 | xs2a-conformance explain-signature - --body payment.json
  $ xs2a-conformance explain-signature request.http --certificate tpp.pem

Exit codes: 0 the signature is right, 1 it is not, 2 wrong usage.`,
    )
    .action((file: string, flags: ExplainSignatureFlags) => finish(explain(file, flags)));

function explain(file: string, flags: ExplainSignatureFlags): number {
  const explanation = explanationOf(file, flags);
  const terminal = terminalOf(process.stdout);
  const { parts, ...rest } = explanation;
  terminal.write(
    flags.json === true
      ? `${terminalJson({ ...rest, parts: parts ?? null })}\n`
      : `${signatureText(explanation, painter(terminal.colour))}\n`,
  );
  return explanation.verdict === 'verified' ? exitCodes.conformant : exitCodes.nonConformant;
}

function explanationOf(file: string, { body, certificate }: ExplainSignatureFlags): SignatureExplanation {
  const source = contentOf(file);
  const pem = certificate === undefined ? undefined : contentOf(certificate).toString('latin1');
  try {
    if (pem !== undefined) readCertificate(pem);
    const request = readReceivedRequest(source);
    const known = body === undefined ? request : { ...request, body: contentOf(body), remarks: [] };
    return explainSignature(known, pem);
  } catch (error) {
    if (error instanceof ReceivedRequestError)
      throw new CommandError(`${nameOf(file)} cannot be read. ${error.message}`);
    if (error instanceof CertificateError) throw new CommandError(`${certificate}: ${error.message}`);
    throw error;
  }
}

const nameOf = (file: string): string => (file === '-' ? 'Standard input' : file);

function contentOf(file: string): Buffer {
  try {
    return readBounded(file === '-' ? 0 : file);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${nameOf(file)} cannot be read: ${said}. Give a file with one request in it.`);
  }
}

const shown = (text: string): string => oneShortLine(text, 400);

/** Enough to tell two of them apart: logs keep what a terminal shows. */
const signatureOf = (signature: string | undefined): string | undefined =>
  signature && `${signature.length} characters, beginning with ${signature.slice(0, 12)}`;

/** Names in a column of their own. */
const table = (rows: readonly (readonly [name: string, value: string | undefined])[]): readonly string[] =>
  rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(12)} ${shown(value)}`]));

/** As prose for a terminal. */
function signatureText(explanation: SignatureExplanation, paint: Paint): string {
  const { verdict, summary, findings, parts, certificate, digest, remarks } = explanation;
  const verified = verdict === 'verified';
  return [
    [
      `${paint(verified ? 'green' : 'red', verified ? 'VERIFIED' : 'REFUSED')}  ${paint('bold', shown(summary))}`,
      ...remarks.map((remark) => `  ${paint('yellow', 'Note')}  ${shown(remark)}`),
    ],
    findings.length === 0
      ? []
      : [
          paint('bold', 'What is wrong'),
          ...findings.flatMap(({ requirement, problem, remedy }) => [
            `  ${paint('red', requirement.padEnd(7))} ${shown(problem)}`,
            `  ${' '.repeat(7)} ${paint('gray', 'Remedy:')} ${shown(remedy)}`,
          ]),
        ],
    parts === undefined
      ? []
      : [
          paint('bold', 'Signature header'),
          ...table([
            ['keyId', parts.keyId],
            ['algorithm', parts.algorithm],
            ['headers', parts.headers],
            ['signature', signatureOf(parts.signature)],
            ['encoded', parts.wasEncoded ? 'as an RFC 2047 word, which is read' : undefined],
          ]),
        ],
    certificate === undefined
      ? []
      : [
          paint('bold', 'Certificate'),
          ...table([
            ['subject', certificate.subject],
            ['serial', `${certificate.serialHex} in hexadecimal, ${certificate.serialDecimal} in decimal`],
            ['issuer', `${certificate.issuer.rfc2253}  (RFC 2253)`],
            ['', `${certificate.issuer.openssl}  (OpenSSL)`],
            ['', `${certificate.issuer.java}  (Java, toString())`],
            ['right keyId', certificate.keyId],
          ]),
        ],
    ...signingStrings(explanation, paint),
    digest.digests.length === 0
      ? []
      : [
          paint('bold', 'Digest'),
          ...table([['header', digest.header ?? 'none']]),
          ...digest.digests.map(({ of, value }) => `  ${value}  is that of ${of}`),
        ],
  ]
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n');
}

function signingStrings(
  { signingString, signed, hashes }: SignatureExplanation,
  paint: Paint,
): readonly (readonly string[])[] {
  const numbered = (text: string): readonly string[] =>
    linesWithEnds(text).map(
      (line, index) => `  ${paint('gray', String(index + 1).padStart(2))}  ${shown(visibleText(line))}`,
    );
  const computed = signingString.map(([name, value]) => `${name}: ${value}`).join('\n');
  const isOther = signed !== undefined && signed.text !== computed;
  return [
    signingString.length === 0
      ? []
      : [
          `${paint('bold', 'Signing string that the bank computes')} ${paint('gray', '(↵ newline, ‹CR› carriage return, · space)')}`,
          ...numbered(computed),
          ...(hashes === undefined ? [] : [`  ${paint('gray', `sha256: ${hashes.computed}`)}`]),
        ],
    isOther ? [paint('bold', 'Signing string that was signed'), ...numbered(signed.text)] : [],
    !isOther && hashes?.signed !== undefined && signed === undefined
      ? [paint('bold', 'Hash that was signed'), `  ${hashes.signed}`]
      : [],
  ];
}

/** Lines with the signs that end them, so that these are seen. */
const linesWithEnds = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
