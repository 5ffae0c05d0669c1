import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { domesticPath, domesticPayment } from '../bank/bank-under-test.test.data.ts';
import { compliantDesign } from '../bank/compliant-design.ts';
import { adjustableClock } from '../bank/state/clock.ts';
import { type EmbeddedBank, startEmbeddedBank } from '../runner/embedded-bank.ts';
import type { SandboxPki } from '../runner/sandbox-pki.ts';
import { digestHeader } from '../signing/digest.ts';
import { formatHttpDate } from '../spec/http-date.ts';
import { HeaderList } from '../tpp/exchange.ts';
import { type SigningPlan, signDraft } from '../tpp/signing-plan.ts';
import { BankByHand, createInterruption } from './bank-by-hand.ts';
import type { CertificationView } from './certification-view.ts';
import { type RunningConsole, startConsole } from './console-server.ts';
import { RequestBook } from './request-book.ts';

export interface SentRequest {
  readonly method?: string;
  readonly path?: string;
  readonly body?: Buffer | object;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly plan?: SigningPlan;
  /** Changes headers after they were signed. */
  readonly afterSigning?: (headers: HeaderList) => void;
}

export interface ConsoleUnderTest {
  readonly embedded: EmbeddedBank;
  readonly book: RequestBook;
  readonly byHand: BankByHand;
  readonly running: RunningConsole;
  readonly origin: string;
  /** A request of the sandbox's TPP, signed unless the plan says otherwise, past the socket. */
  send(request?: SentRequest): Promise<{ readonly status: number; readonly text: string }>;
  /** Calls an endpoint with the token. */
  api(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly json: Json }>;
  close(): Promise<void>;
}

export type Json = Readonly<Record<string, unknown>>;

/** The reference bank with its console, as serve has them, or certify-tpp where there is a certification. */
export async function consoleUnderTest(
  pki?: SandboxPki,
  certification?: CertificationView,
  requestTimeoutMs?: number,
): Promise<ConsoleUnderTest> {
  const book = new RequestBook();
  const clock = adjustableClock();
  const interruption = createInterruption();
  const embedded = await startEmbeddedBank({
    design: interruption.change(compliantDesign),
    clock,
    onAnswer: (answered) => book.add(answered),
    ...(pki === undefined ? {} : { pki }),
  });
  const { bank, baseUrl } = embedded;
  const byHand = new BankByHand({
    bank,
    startDesign: bank.design,
    plainDesign: compliantDesign,
    interruption,
    clock,
    started: { dialects: [], deviations: [] },
    reset: () => embedded.reset(),
  });
  const running = await startConsole(
    {
      book,
      bank,
      baseUrl,
      byHand,
      ...(certification === undefined ? {} : { certification }),
      identity: embedded.pki.tpp,
      connection: { origin: new URL(baseUrl).origin },
      start: {
        tool: { name: 'test', version: '0' },
        startedAt: new Date().toISOString(),
        baseUrl,
        trustedAuthorities: [embedded.pki.ca.certificatePem],
      },
    },
    { host: 'localhost', port: 0, ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }) },
  );
  const origin = new URL(running.url).origin;
  return {
    embedded,
    book,
    byHand,
    running,
    origin,
    send: (request = {}) => send(embedded, request),
    api: async (method, path, body) => {
      const response = await fetch(`${running.apiUrl}/${path}`, {
        method,
        headers: { Authorization: `Bearer ${running.token}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: text.startsWith('{') ? (JSON.parse(text) as Json) : { text } };
    },
    close: async () => {
      await running.close();
      await embedded.close();
    },
  };
}

async function send(
  { bank, description, pki }: EmbeddedBank,
  {
    method = 'POST',
    path = domesticPath,
    body = domesticPayment(),
    headers = {},
    plan = {},
    afterSigning,
  }: SentRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const all = Object.entries({
    Date: formatHttpDate(bank.state.clock.now()),
    'X-Request-ID': crypto.randomUUID(),
    'x-accept-fix': 'amount-as-string',
    'Content-Type': 'application/json',
    'TPP-Session-ID': description.psu.sessionId,
    'TPP-Redirect-URI': 'https://tpp.example/back',
    'PSU-ID': description.psu.id,
    'PSU-IP-Address': '192.0.2.10',
    ...headers,
  }).filter((header): header is [string, string] => header[1] !== undefined);
  const draft = {
    operation: 'other' as const,
    method,
    target: path,
    headers: new HeaderList(all),
    body: method === 'GET' ? undefined : bytes,
  };
  await signDraft(draft, pki.tpp, {
    digest: (content) => (method === 'GET' ? undefined : digestHeader(content)),
    ...plan,
  });
  afterSigning?.(draft.headers);
  const response = await bank.inject({
    method,
    url: path,
    headers: draft.headers.lines(),
    ...(draft.body === undefined ? {} : { body: draft.body }),
  });
  return { status: response.status, text: response.body.toString('utf8') };
}

/** A request with any headers and path: `fetch` sets Host and Origin by itself, and tidies the path up. */
export const rawGet = (
  url: string,
  headers: Readonly<Record<string, string>>,
  path: string = new URL(url).pathname + new URL(url).search,
): Promise<{ readonly status: number; readonly text: string; readonly headers: IncomingHttpHeaders }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    httpRequest({ hostname, port, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      );
    })
      .on('error', reject)
      .end();
  });
