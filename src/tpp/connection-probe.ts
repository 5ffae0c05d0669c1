import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect as connectTls,
  type PeerCertificate,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls';
import { proxyTo } from '../target/proxy.ts';
import type { Target } from '../target/target.ts';
import type { TargetTls } from '../target/tls.ts';
import { type Endpoint, openTunnel, slowAddresses } from './tunnel.ts';

/** Where a base address leads. */
export function endpointOf(baseUrl: string): Endpoint {
  const { hostname, port, protocol } = new URL(baseUrl);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

/** How a bank is reached, for connections on which no request is sent. */
export interface Way {
  readonly baseUrl: string;
  readonly proxy: string | undefined;
  readonly timeoutMs: number;
}

export const wayTo = ({ baseUrl, proxy, pace }: Pick<Target, 'baseUrl' | 'proxy' | 'pace'>): Way => ({
  baseUrl,
  proxy: proxyTo(proxy, baseUrl),
  timeoutMs: pace.timeoutMs,
});

/** A line that fails now and then is tried so often, with a pause that grows. */
const attempts = 3;
const pauseMs = 250;

/**
 * Tries something of a connection again where it fails: one lost packet says nothing of a bank. What has taken as long
 * as anybody waits for an answer is not tried again, so that a host that says nothing does not take three times as long.
 */
async function persistently<T>(look: () => Promise<T>, timeoutMs: number): Promise<T> {
  const started = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await look();
    } catch (error) {
      if (attempt === attempts || performance.now() - started >= timeoutMs) throw error;
      await sleep(attempt * pauseMs);
    }
  }
}

/** The addresses of a host, first the one that would be taken. */
export async function resolveHost(host: string, timeoutMs: number): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await persistently(() => lookup(host, { all: true }), timeoutMs);
  return found.map(({ address }) => address);
}

/** Opens a connection and closes it; the milliseconds that it took. */
export const reach = (way: Way): Promise<number> => persistently(() => reachOnce(way), way.timeoutMs);

async function reachOnce({ baseUrl, proxy, timeoutMs }: Way): Promise<number> {
  const endpoint = endpointOf(baseUrl);
  const started = performance.now();
  if (proxy === undefined) await reachStraight(endpoint, timeoutMs);
  else (await openTunnel(proxy, endpoint, timeoutMs)).destroy();
  return Math.round(performance.now() - started);
}

const reachStraight = ({ host, port }: Endpoint, timeoutMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp({ ...slowAddresses, host, port, timeout: timeoutMs });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => {
      socket.destroy();
      reject(new Error(`no connection within ${timeoutMs} ms`));
    });
    socket.once('error', reject);
  });

/** Begins a handshake that goes through even if the chain is not trusted: that is judged elsewhere, or told. */
async function beginTls({ baseUrl, proxy, timeoutMs }: Way, options: ConnectionOptions): Promise<TLSSocket> {
  const endpoint = endpointOf(baseUrl);
  const socket = proxy === undefined ? undefined : await openTunnel(proxy, endpoint, timeoutMs);
  return connectTls({
    ...endpoint,
    ...slowAddresses,
    ...(socket === undefined ? {} : { socket }),
    ...(isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}),
    rejectUnauthorized: false,
    ...options,
  });
}

const showing = (client: TargetTls['client']): ConnectionOptions => ({
  ...(client === undefined ? {} : { cert: client.certificate, key: client.privateKey }),
  ...(client?.passphrase === undefined ? {} : { passphrase: client.passphrase }),
});

const trusting = (ca: string | undefined): ConnectionOptions => (ca === undefined ? {} : { ca });

export interface TlsProbe {
  readonly protocol: string;
  readonly certificate: PeerCertificate;
  /** Why the chain is not trusted; absent when it is. */
  readonly distrust?: string;
}

/** What a server shows of itself, whether or not it is trusted. */
export const probeTls = (way: Way, tls: Omit<TargetTls, 'insecure'>): Promise<TlsProbe> =>
  persistently(() => probeOnce(way, tls), way.timeoutMs);

async function probeOnce(way: Way, { ca, client }: Omit<TargetTls, 'insecure'>): Promise<TlsProbe> {
  const socket = await beginTls(way, { ...trusting(ca), ...showing(client) });
  return new Promise((resolve, reject) => {
    const { timeoutMs } = way;
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

/** The SHA-256 fingerprint of the certificate that a server shows; undefined where it shows none in time. */
export async function tlsFingerprint(way: Way, ca: string | undefined): Promise<string | undefined> {
  if (!/^https:/i.test(way.baseUrl)) return undefined;
  const probe = await probeTls(way, ca === undefined ? {} : { ca }).catch(() => undefined);
  return probe?.certificate.fingerprint256;
}

export interface Handshake {
  /** `unreachable` when not even a connection came about, so that nothing is known of TLS. */
  readonly outcome: 'connected' | 'refused' | 'unreachable';
  /** It ended without a word of TLS: the version may be the reason, or that there was no room for a connection. */
  readonly isCut?: true;
  /** What happened, for the report. */
  readonly said: string;
  readonly protocol?: string;
}

/** Tries a TLS handshake with one version alone. Certificates are not judged here. */
export async function handshake(
  way: Way,
  version: SecureVersion,
  client: TargetTls['client'],
): Promise<Handshake> {
  let socket: TLSSocket;
  try {
    socket = await beginTls(way, {
      minVersion: version,
      maxVersion: version,
      ...showing(client),
      // OpenSSL offers versions below 1.2 only at security level 0.
      ...(version === 'TLSv1' || version === 'TLSv1.1' ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { outcome: 'unreachable', isCut: true, said: `${version}: ${said}` };
  }
  return new Promise((resolve) => {
    const { proxy, timeoutMs } = way;
    // By way of a proxy the connection is there before the handshake begins.
    let reached = proxy !== undefined;
    const end = (handshake: Handshake): void => {
      socket.destroy();
      resolve(handshake);
    };
    socket.setTimeout(timeoutMs, () =>
      end({
        outcome: reached ? 'refused' : 'unreachable',
        isCut: true,
        said: `${version}: no handshake within ${timeoutMs} ms`,
      }),
    );
    socket.on('connect', () => {
      reached = true;
    });
    socket.once('secureConnect', () => {
      const protocol = socket.getProtocol() ?? version;
      end({ outcome: 'connected', said: `${version}: connected`, protocol });
    });
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end({
        outcome: reached ? 'refused' : 'unreachable',
        ...(/^(?:ERR_SSL|EPROTO)/.test(error.code ?? '') ? {} : { isCut: true }),
        said: `${version}: ${error.message}`,
      }),
    );
  });
}
