import type { ServerResponse } from 'node:http';

/** Pages that stay open all day; more than that are no people. */
const mostStreams = 32;
/** Rows come in bursts: what comes within this time is sent together. */
const gatherMs = 100;
const heartbeatMs = 15_000;
/** Who does not read so much is not waited for. */
const mostUnread = 4 * 1024 * 1024;

/** Tells all open pages what is new, as server-sent events. */
export class EventStream {
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
