import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';

/** Where a base address leads: host without brackets, and port. */
export function endpointOf(baseUrl: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(baseUrl);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

/** The addresses of a host, first the one that would be taken. */
export async function resolveHost(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Opens a connection and closes it; the milliseconds that it took. */
export function reach(host: string, port: number, timeoutMs: number): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, timeout: timeoutMs });
    socket.once('connect', () => {
      socket.destroy();
      resolve(Math.round(performance.now() - started));
    });
    socket.once('timeout', () => {
      socket.destroy();
      reject(new Error(`no connection within ${timeoutMs} ms`));
    });
    socket.once('error', reject);
  });
}

export interface TlsProbe {
  readonly protocol: string;
  readonly certificate: PeerCertificate;
  /** Why the chain is not trusted; absent when it is. */
  readonly distrust?: string;
}

export interface TlsProbeOptions {
  readonly ca?: string;
  readonly client?: {
    readonly certificate: string;
    readonly privateKey: string;
    readonly passphrase?: string;
  };
  readonly timeoutMs: number;
}

/** A handshake that goes through even if the chain is not trusted, so that there is something to tell. */
export function probeTls(host: string, port: number, options: TlsProbeOptions): Promise<TlsProbe> {
  const { ca, client, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host,
      port,
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.privateKey }),
      ...(client?.passphrase === undefined ? {} : { passphrase: client.passphrase }),
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no handshake within ${timeoutMs} ms`)));
    socket.once('secureConnect', () => {
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      resolve({
        protocol: socket.getProtocol() ?? 'unknown',
        certificate: socket.getPeerCertificate(),
        ...(distrust === undefined ? {} : { distrust }),
      });
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
