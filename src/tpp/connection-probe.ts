import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import { connect, connect as connectTls, type PeerCertificate, type SecureVersion } from 'node:tls';

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

/** The SHA-256 fingerprint of the certificate that a server shows; undefined where it shows none in time. */
export function tlsFingerprint(
  baseUrl: string,
  ca: string | undefined,
  timeoutMs: number,
): Promise<string | undefined> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return Promise.resolve(undefined);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      ...(ca === undefined ? {} : { ca }),
      // Whether it is trusted is found out by the run itself; here it is only written down.
      rejectUnauthorized: false,
    });
    const end = (fingerprint: string | undefined): void => {
      socket.destroy();
      resolve(fingerprint);
    };
    socket.setTimeout(timeoutMs, () => end(undefined));
    socket.once('secureConnect', () => end(socket.getPeerCertificate().fingerprint256));
    socket.once('error', () => end(undefined));
  });
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
export function handshake(
  baseUrl: string,
  version: SecureVersion,
  tls: {
    readonly client?: {
      readonly certificate: string;
      readonly privateKey: string;
      readonly passphrase?: string;
    };
  },
  timeoutMs: number,
): Promise<Handshake> {
  const { hostname, port } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    let reached = false;
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      minVersion: version,
      maxVersion: version,
      rejectUnauthorized: false,
      ...(tls.client === undefined ? {} : { cert: tls.client.certificate, key: tls.client.privateKey }),
      ...(tls.client?.passphrase === undefined ? {} : { passphrase: tls.client.passphrase }),
      // OpenSSL offers versions below 1.2 only at security level 0.
      ...(version === 'TLSv1' || version === 'TLSv1.1' ? { ciphers: 'DEFAULT@SECLEVEL=0' } : {}),
    });
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
