import { isUtf8 } from 'node:buffer';
import { certificateIn, type TppCertificate } from '../../signing/certificate.ts';
import { withoutSurroundingWhitespace } from '../../signing/signing-string.ts';
import { withoutNulls } from '../../spec/json.ts';
import type { RawRequest } from '../design/raw-message.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';

/** Reads body and certificate only when a rule asks for them: most refused requests never get that far. */
class ReadRequest implements BankRequest {
  readonly operation: BankOperation;
  readonly method: string;
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly headerNames: readonly string[];
  readonly bytes: Buffer;
  #body: { readonly value: unknown } | undefined;
  #certificate: { readonly value: TppCertificate | undefined } | undefined;

  constructor(raw: RawRequest, operation: BankOperation, params: Readonly<Record<string, string>>) {
    this.operation = operation;
    this.method = raw.method;
    this.target = raw.url;
    this.params = params;
    this.query = new URLSearchParams(raw.url.split('?').slice(1).join('?'));
    this.headers = headersOf(raw);
    this.headerNames = raw.headers.map(([name]) => name);
    this.bytes = raw.body === undefined ? Buffer.alloc(0) : bufferOf(raw.body);
  }

  header(name: string): string | undefined {
    return (this.headers.get(name) ?? this.headers.get(name.toLowerCase()))?.[0];
  }

  get body(): unknown {
    this.#body ??= { value: parsedJson(this.bytes) };
    return this.#body.value;
  }

  get certificate(): TppCertificate | undefined {
    this.#certificate ??= { value: certificateIn(this.header('tpp-signature-certificate')) };
    return this.#certificate.value;
  }
}

export const readRequest = (
  raw: RawRequest,
  operation: BankOperation,
  params: Readonly<Record<string, string>>,
): BankRequest => new ReadRequest(raw, operation, params);

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function headersOf({ headers }: RawRequest): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const trimmed = withoutSurroundingWhitespace(value);
    const values = byName.get(key);
    if (values === undefined) byName.set(key, [trimmed]);
    else values.push(trimmed);
  }
  return byName;
}

function parsedJson(bytes: Buffer): unknown {
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  try {
    return withoutNulls(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
