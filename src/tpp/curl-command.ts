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
    `curl --silent --show-error --include --http1.1 --globoff --path-as-is --request ${quoted(draft.method)}`,
    ...(ca === undefined ? [] : [`--cacert ${quoted(ca)}`]),
    ...(clientCertificate === undefined ? [] : [`--cert ${quoted(clientCertificate)}`]),
    ...(clientKey === undefined ? [] : [`--key ${quoted(clientKey)}`]),
    ...(insecure === true ? ['--insecure'] : []),
    ...(proxy === undefined ? [] : [`--proxytunnel --proxy ${quoted(proxy)}`]),
    ...headerArguments(draft),
    ...bodyArguments(draft.body, bodyFile),
    quoted(origin + draft.target),
  ];
  return parts.join(' \\\n  ');
}

/** Curl writes Host and Content-Length itself, and would add headers of its own that the request does not have. */
function headerArguments({ headers, body }: RequestDraft): readonly string[] {
  const sent = headers
    .lines()
    .filter(([name]) => !/^(host|content-length|transfer-encoding)$/i.test(name))
    // A header without a value is written with a semicolon; with a colon curl would leave it out.
    .map(([name, value]) => `--header ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  const unwanted = ['User-Agent', 'Accept', ...(body === undefined ? [] : ['Content-Type', 'Expect'])];
  return [
    ...sent,
    ...unwanted.filter((name) => !headers.has(name)).map((name) => `--header ${quoted(`${name}:`)}`),
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
  return [`--data-binary ${quoted(fitsAShell ? text : `@${bodyFile(body)}`)}`];
}

/** Single quotes keep everything but themselves. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
