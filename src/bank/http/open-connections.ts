import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface MostConnections {
  readonly ofAll: number;
  readonly ofOneSource: number;
}

interface OpenConnection {
  readonly socket: Socket;
  readonly source: string;
  asked?: readonly [IncomingMessage, ServerResponse];
}

/**
 * All open connections of a server, within bounds. Whoever is one too many takes the place of a connection on which
 * nobody waits for an answer, the longest so of all: those who send nothing, or send by drops, keep nobody out.
 */
export class OpenConnections {
  readonly #most: MostConnections;
  /** By the address and port at the other end, which TLS has in common with the socket below it. */
  readonly #open = new Map<string, OpenConnection>();

  constructor(most: MostConnections) {
    this.#most = most;
  }

  keepThoseOf(server: Server): void {
    server.on('connection', (socket: Socket) => this.#add(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const key = keyOf(request.socket);
      const connection = this.#open.get(key);
      if (connection === undefined) return;
      connection.asked = [request, response];
      this.#open.delete(key);
      this.#open.set(key, connection);
    });
  }

  /** Node ends only those that have got as far as HTTP: one that never starts TLS would keep the server. */
  closeAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const { remoteAddress: source } = socket;
    // Who has gone already has no address any more.
    if (source === undefined || !this.#hasPlaceFor(source)) {
      socket.destroy();
      return;
    }
    const connection = { socket, source };
    this.#open.set(key, connection);
    socket.once('close', () => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
  }

  #hasPlaceFor(source: string): boolean {
    const all = [...this.#open];
    const ofSource = all.filter(([, connection]) => connection.source === source);
    const isFull = ofSource.length >= this.#most.ofOneSource;
    if (!isFull && all.length < this.#most.ofAll) return true;
    const [key = '', leaving] = (isFull ? ofSource : all).find(([, { asked }]) => !isAnswering(asked)) ?? [];
    leaving?.socket.destroy();
    return this.#open.delete(key);
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** The whole of a request has come, and its answer is still to be written. */
const isAnswering = (asked: OpenConnection['asked']): boolean =>
  asked?.[0].complete === true && !asked[1].writableEnded;
