import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { OpenConnections } from '../bank/http/open-connections.ts';
import { codeRoot } from '../runner/package.ts';
import { GrowingBytes } from '../spec/growing-bytes.ts';
import { percentDecoded } from '../spec/percent-encoding.ts';
import {
  apiAnswer,
  type ConsoleAnswer,
  pageAnswer,
  reportAnswer,
  textAnswer,
  write,
} from './console-answer.ts';
import { answerApi } from './console-api.ts';
import type { ConsoleContext } from './console-context.ts';
import { notFound, pageAt } from './console-pages.ts';
import { Guard, newToken, reportFolder } from './guard.ts';
import { icon } from './pages/layout.ts';
import { consoleStyle } from './pages/style.ts';

/** Pages that stay open all day; more than that are no people. */
const mostStreams = 32;
/** Rows come in bursts: what comes within this time is sent together. */
const gatherMs = 100;
const heartbeatMs = 15_000;
/** Who does not read so much is not waited for. */
const mostUnread = 4 * 1024 * 1024;

/** Tells all open pages what is new, as server-sent events. */
class EventStream {
  readonly #streams = new Set<ServerResponse>();
  readonly #gathered = new Map<string, unknown[]>();
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  get size(): number {
    return this.#streams.size;
  }

  /** False where there are too many already. */
  open(response: ServerResponse): boolean {
    if (this.#streams.size >= mostStreams) return false;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.write('retry: 1000\n\n');
    this.#streams.add(response);
    this.#heartbeat ??= setInterval(() => this.#write(': still here\n\n'), heartbeatMs).unref();
    response.once('close', () => this.#streams.delete(response));
    return true;
  }

  /** Values of one event that come soon after each other arrive as one list. */
  tell(event: string, value: unknown): void {
    if (this.#streams.size === 0) return;
    const waiting = this.#gathered.get(event);
    if (waiting === undefined) this.#gathered.set(event, [value]);
    else waiting.push(value);
    this.#timer ??= setTimeout(() => this.#flush(), gatherMs);
  }

  close(): void {
    this.#flush();
    clearInterval(this.#heartbeat);
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [event, values] of this.#gathered) {
      // JSON holds no line break, which would end the event.
      this.#write(`event: ${event}\ndata: ${JSON.stringify(values)}\n\n`);
    }
    this.#gathered.clear();
  }

  #write(text: string): void {
    for (const stream of this.#streams) {
      if (stream.writableLength > mostUnread) stream.destroy();
      else stream.write(text);
    }
  }
}

export interface ConsoleOptions {
  readonly host: string;
  readonly port: number;
  /** How long a request may take to come. */
  readonly requestTimeoutMs?: number;
}

export interface RunningConsole {
  /** With the token that opens it. */
  readonly url: string;
  /** What programs call, with the token as bearer. */
  readonly apiUrl: string;
  readonly token: string;
  /** How many pages are open. */
  readonly watchers: number;
  /** Pages that show how something goes on look again. */
  tellNews(): void;
  close(): Promise<void>;
}

const mostBodyBytes = 64 * 1024;
/** One person and a few programs, on the same machine as a rule. */
const mostConnections = { ofAll: 256, ofOneSource: 256 } as const;
/** Whoever sends a request by drops takes up a place; whether the time is over is looked at more often than by default. */
const limitsFor = (requestTimeout = 10_000): ServerOptions => ({
  requestTimeout,
  headersTimeout: requestTimeout,
  connectionsCheckingInterval: requestTimeout / 5,
  maxHeaderSize: 16_384,
});

/** Journeys are looked for when requests have come, and not more often. */
const journeyPauseMs = 500;

/** What is served: pages with a token, on an address of their own. */
export interface Site {
  /** The page that is opened first. */
  readonly start: string;
  answer(request: IncomingMessage, url: URL): ConsoleAnswer | Promise<ConsoleAnswer>;
  /** Tells pages what is new from now on; gives back what ends that. */
  begin?(events: Pick<EventStream, 'size' | 'tell'>): () => void;
  /** A page has begun to listen. */
  watched?(): void;
}

/** Lets pages listen for whoever has their token. */
export async function serveSite(site: Site, options: ConsoleOptions): Promise<RunningConsole> {
  const token = newToken();
  const guard = new Guard(token, options.host);
  const events = new EventStream();
  const files = publicFiles();
  const server = createServer(limitsFor(options.requestTimeoutMs), (request, response) => {
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else write(response, textAnswer(500, 'The console failed.'));
    });
  });
  const stop = site.begin?.(events);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const written = request.url ?? '/';
    // An address such as `//` is none.
    const url = new URL(URL.canParse(written, 'http://console') ? written : '/', 'http://console');
    const file = files.get(url.pathname);
    const denial = guard.denies(request, url, file !== undefined);
    if (url.pathname === '/console/api/events' && denial === undefined && events.open(response)) {
      site.watched?.();
      return;
    }
    if (denial === undefined && url.searchParams.has('token'))
      response.setHeader('Set-Cookie', guard.cookies);
    write(
      response,
      denial === undefined
        ? (file ?? (await site.answer(request, url)))
        : textAnswer(denial.status, denial.text),
    );
  }

  const connections = new OpenConnections(mostConnections);
  connections.keepThoseOf(server);
  const { port, name } = await listen(server, options);
  guard.listensOn(port);
  const origin = `http://${name}:${port}`;
  return {
    url: `${origin}${site.start}?token=${token}`,
    apiUrl: `${origin}/console/api`,
    token,
    get watchers() {
      return events.size;
    },
    tellNews: () => events.tell('news', true),
    close: async () => {
      stop?.();
      events.close();
      connections.closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lets the console listen, apart from the bank: a TPP that is misled to it finds nothing of the interface. */
export function startConsole(context: ConsoleContext, options: ConsoleOptions): Promise<RunningConsole> {
  let journeyTimer: NodeJS.Timeout | undefined;
  const placeSoon = (): void => {
    journeyTimer ??= setTimeout(() => {
      journeyTimer = undefined;
      context.book.placeInJourneys(context.start, context.certification?.session);
    }, journeyPauseMs);
  };
  const site: Site = {
    start: context.certification === undefined ? '/console' : '/console/certification',
    answer: (request, url) => answerTo(request, url, context),
    watched: placeSoon,
    begin: (events) => {
      const stopListening = context.book.onRows((rows) => {
        if (events.size === 0) return;
        for (const row of rows) events.tell('rows', row);
        if (rows.some(({ journey }) => journey === undefined)) placeSoon();
      });
      return () => {
        stopListening();
        clearTimeout(journeyTimer);
      };
    },
  };
  return serveSite(site, options);
}

async function listen(
  server: Server,
  { host, port }: ConsoleOptions,
): Promise<{ readonly port: number; readonly name: string }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return {
    port: (server.address() as AddressInfo).port,
    name: isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host,
  };
}

/** Style and script are the same for all who open the console. */
const publicFiles = (): ReadonlyMap<string, ConsoleAnswer> => {
  const script = readFileSync(join(codeRoot, 'src/console/browser/console.js'));
  const file = (type: string, content: string | Buffer): ConsoleAnswer => ({ status: 200, type, content });
  return new Map([
    ['/console/style.css', file('text/css; charset=utf-8', consoleStyle)],
    ['/console/script.js', file('text/javascript; charset=utf-8', script)],
    ['/console/icon.svg', file('image/svg+xml', icon)],
    ['/favicon.ico', file('image/svg+xml', icon)],
  ]);
};

async function answerTo(request: IncomingMessage, url: URL, context: ConsoleContext): Promise<ConsoleAnswer> {
  if (url.pathname.startsWith('/console/api/')) {
    return apiAnswer(await answerApi(await callOf(request, url), context));
  }
  if (request.method !== 'GET') return textAnswer(405, 'Pages are read with GET.');
  if (url.pathname.startsWith(`${reportFolder}/`))
    return reportAnswer(url.pathname, context.certification?.state.end);
  const made = pageAt(url, context);
  return made === undefined ? pageAnswer(404, notFound(context)) : pageAnswer(200, made);
}

async function callOf(request: IncomingMessage, url: URL): Promise<Parameters<typeof answerApi>[0]> {
  return {
    method: request.method ?? 'GET',
    path: url.pathname
      .split('/')
      .slice(3)
      .filter(Boolean)
      .map((segment) => percentDecoded(segment) ?? segment),
    query: url.searchParams,
    body: await jsonOf(request),
  };
}

/** Undefined where there is none, and null where it is no JSON; what an endpoint needs it asks for by name. */
async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const body = new GrowingBytes();
  for await (const chunk of request as AsyncIterable<Buffer>) {
    body.add(chunk);
    if (body.length > mostBodyBytes) return null;
  }
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.whole().toString('utf8'));
  } catch {
    return null;
  }
}
