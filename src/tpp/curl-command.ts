import { shellWord } from '../spec/shell-word.ts';
import type { RequestDraft } from './signing-plan.ts';

/** Files and switches of the connection, as curl takes them. */
export interface CurlConnection {
  readonly origin: string;
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly insecure?: boolean;
  /** Without a name and a password, which would stand in the command for all to read. */
  readonly proxy?: string;
}

/** The body as a file, for bytes that no shell can hold; undefined where the text will do. */
export type BodyFile = (body: Buffer) => string;

const longestInline = 16_000;

/** A curl command that sends the request as it is, for a POSIX shell. */
export function curlCommand(draft: RequestDraft, connection: CurlConnection, bodyFile: BodyFile): string {
  const { origin, ca, clientCertificate, clientKey, insecure, proxy } = connection;
  const parts = [
    `curl --silent --show-error --include --http1.1 --globoff --path-as-is --request ${shellWord(draft.method)}`,
    ...(ca === undefined ? [] : [`--cacert ${shellWord(ca)}`]),
    ...(clientCertificate === undefined ? [] : [`--cert ${shellWord(clientCertificate)}`]),
    ...(clientKey === undefined ? [] : [`--key ${shellWord(clientKey)}`]),
    ...(insecure === true ? ['--insecure'] : []),
    ...(proxy === undefined ? [] : [`--proxytunnel --proxy ${shellWord(proxy)}`]),
    ...headerArguments(draft),
    ...bodyArguments(draft.body, bodyFile),
    shellWord(origin + draft.target),
  ];
  return parts.join(' \\\n  ');
}

/** Curl writes Host and Content-Length itself, and would add headers of its own that the request does not have. */
function headerArguments({ headers, body }: RequestDraft): readonly string[] {
  const sent = headers
    .lines()
    .filter(([name]) => !/^(host|content-length|transfer-encoding)$/i.test(name))
    // A header without a value is written with a semicolon; with a colon curl would leave it out.
    .map(([name, value]) => `--header ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`);
  const unwanted = ['User-Agent', 'Accept', ...(body === undefined ? [] : ['Content-Type', 'Expect'])];
  return [
    ...sent,
    ...unwanted.filter((name) => !headers.has(name)).map((name) => `--header ${shellWord(`${name}:`)}`),
  ];
}

function bodyArguments(body: Buffer | undefined, bodyFile: BodyFile): readonly string[] {
  if (body === undefined) return [];
  const text = body.toString('utf8');
  const fitsAShell =
    body.length <= longestInline &&
    Buffer.from(text, 'utf8').equals(body) &&
    !text.includes('\0') &&
    !text.startsWith('@');
  return [`--data-binary ${shellWord(fitsAShell ? text : `@${bodyFile(body)}`)}`];
}
