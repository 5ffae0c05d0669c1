import { connect, type Socket } from 'node:net';

/** What came back: a status, or nothing before the connection was closed. */
export interface RawAnswer {
  readonly status: number | undefined;
  readonly body: string;
}

const nothing: RawAnswer = { status: undefined, body: '' };

/** For how long an answer is waited for. The bank itself gives up on half a request after thirty seconds. */
const longestMs = 40_000;

const parts = 40;

/**
 * Gives up after so long. It counts in parts, because timers go by the clock: a process that was stopped for a while finds
 * all of them overdue, before it has read the answers that came in the meantime.
 */
function givingUpAfter(milliseconds: number, giveUp: () => void): () => void {
  let left = parts;
  const timer = setInterval(() => {
    left -= 1;
    if (left === 0) giveUp();
  }, milliseconds / parts);
  return () => clearInterval(timer);
}

/** Sends bytes as they are on a connection of their own, and says no more. */
export function sendAlone(port: number, bytes: Buffer): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const settle = (): void => {
      stopWaiting();
      resolve(firstAnswer(received)?.answer ?? nothing);
      // A closed connection keeps its port for a minute, a reset one does not, and there are hundreds of thousands.
      socket.resetAndDestroy();
    };
    const stopWaiting = givingUpAfter(longestMs, settle);
    socket.on('error', settle).on('close', settle);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (firstAnswer(received) !== undefined) settle();
    });
    socket.end(bytes);
  });
}

/** A connection that is kept, for one request after the other. */
export class RawConnection {
  readonly #port: number;
  readonly #longestMs: number;
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #settle: ((answer: RawAnswer) => void) | undefined;
  #askedAt = 0;
  #keptUntil = Number.POSITIVE_INFINITY;

  constructor(port: number, mostMs = longestMs) {
    this.#port = port;
    this.#longestMs = mostMs;
  }

  ask(bytes: Buffer): Promise<RawAnswer> {
    return new Promise((resolve) => {
      const stopWaiting = givingUpAfter(this.#longestMs, () => this.#drop());
      this.#settle = (answer) => {
        stopWaiting();
        resolve(answer);
      };
      // What is sent after that may meet the closing of the connection on its way.
      if (performance.now() > this.#keptUntil) this.close();
      this.#socket ??= this.#open();
      this.#askedAt = performance.now();
      this.#socket.write(bytes);
    });
  }

  /** At once: whoever asks next must not find what is closed already and has only not said so yet. */
  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#received = Buffer.alloc(0);
    this.#keptUntil = Number.POSITIVE_INFINITY;
    socket?.resetAndDestroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket === socket) this.#drop();
    });
    socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      const first = firstAnswer(this.#received);
      if (first === undefined) return;
      this.#received = Buffer.alloc(0);
      // Not from now: the answer may have been lying here for as long as that.
      this.#keptUntil = this.#askedAt + first.keptForMs;
      if (first.closes) this.close();
      this.#done(first.answer);
    });
    return socket;
  }

  #drop(): void {
    this.close();
    this.#done(nothing);
  }

  #done(answer: RawAnswer): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
  }
}

/** An answer, and what it says of its connection. */
interface WholeAnswer {
  readonly answer: RawAnswer;
  readonly closes: boolean;
  readonly keptForMs: number;
}

/** The first whole answer in what was received; undefined while it is not whole. */
function firstAnswer(received: Buffer): WholeAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  if (status >= 100 && status < 200) return firstAnswer(received.subarray(end + 4));
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  if (received.length < end + 4 + length) return undefined;
  const seconds = /^keep-alive: timeout=(\d+)/im.exec(head)?.[1];
  return {
    answer: { status, body: received.toString('utf8', end + 4, end + 4 + length) },
    closes: /^connection: close/im.test(head),
    keptForMs: seconds === undefined ? Number.POSITIVE_INFINITY : (Number(seconds) * 1000) / 2,
  };
}
