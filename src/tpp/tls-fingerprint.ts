import { connect } from 'node:tls';

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
