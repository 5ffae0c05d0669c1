import { connect, type SecureVersion } from 'node:tls';

export interface Handshake {
  /** `unreachable` when not even a connection came about, so that nothing is known of TLS. */
  readonly outcome: 'connected' | 'refused' | 'unreachable';
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
    socket.once('error', (error) =>
      end({ outcome: reached ? 'refused' : 'unreachable', said: `${version}: ${error.message}` }),
    );
  });
}
