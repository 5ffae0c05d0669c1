import { connect, type Socket } from 'node:net';

/** What came back: a status, or nothing before the connection was closed. */
export interface RawAnswer {
  readonly status: number | undefined;
  readonly body: string;
}

const nothing: RawAnswer = { status: undefined, body: '' };

/** For how long an answer is waited for. The bank itself gives up on half a request after thirty seconds. */
const longestMs = 40_000;

/** Sends bytes as they are on a connection of their own, and says no more. */
export function sendAlone(port: number, bytes: Buffer): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const settle = (): void => {
      const answer = firstAnswer(received);
      resolve(answer === undefined ? nothing : answer.answer);
      // A closed connection keeps its port for a minute, a reset one does not, and there are hundreds of thousands.
      socket.resetAndDestroy();
    };
    socket.setTimeout(longestMs, settle);
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
  #socket: Socket | undefined;
  #received: Buffer = Buffer.alloc(0);
  #settle: ((answer: RawAnswer) => void) | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  ask(bytes: Buffer): Promise<RawAnswer> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#socket ??= this.#open();
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.resetAndDestroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.setTimeout(longestMs, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#received = Buffer.alloc(0);
      this.#done(nothing);
    });
    socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      const first = firstAnswer(this.#received);
      if (first === undefined) return;
      this.#received = Buffer.alloc(0);
      if (first.closes) {
        this.#socket = undefined;
        socket.resetAndDestroy();
      }
      this.#done(first.answer);
    });
    return socket;
  }

  #done(answer: RawAnswer): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
  }
}

/** The first whole answer in what was received; undefined while it is not whole. */
function firstAnswer(received: Buffer): { readonly answer: RawAnswer; readonly closes: boolean } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  if (status >= 100 && status < 200) return firstAnswer(received.subarray(end + 4));
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  if (received.length < end + 4 + length) return undefined;
  const body = received.toString('utf8', end + 4, end + 4 + length);
  return { answer: { status, body }, closes: /^connection: close/im.test(head) };
}
