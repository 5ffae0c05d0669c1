import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { proxyCredentials } from '../target/proxy.ts';

/** Where a connection leads: host without brackets, and port. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * A host with several addresses is tried at one after the other. Node gives each a quarter of a second, which is not enough for
 * a bank far away: the address that works is given up, and the last one, often IPv6 where there is none, fails at once.
 */
export const slowAddresses = { autoSelectFamilyAttemptTimeout: 1_500 } as const;

/** The code of {@link ProxyError}, beside those of Node and undici. */
export const proxyErrorCode = 'ERR_PROXY';

/** The proxy did not lead to the bank, so that nothing was sent there and nothing is known of it. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = proxyErrorCode;
}

/** The proxy as it may be shown: without the name and the password that it wants. */
export const shownProxy = (proxy: string): string => new URL(proxy).origin;

/** A connection to an endpoint by way of an HTTP proxy (RFC 9110, section 9.3.6). */
export function openTunnel(proxy: string, { host, port }: Endpoint, timeoutMs: number): Promise<Socket> {
  const url = new URL(proxy);
  const isTls = url.protocol === 'https:';
  const credentials = proxyCredentials(url);
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const asking = (isTls ? httpsRequest : httpRequest)({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
      method: 'CONNECT',
      path: authority,
      headers: {
        Host: authority,
        ...(credentials && { 'Proxy-Authorization': `Basic ${credentials.basic}` }),
      },
      agent: false,
      ...slowAddresses,
    });
    const fail = (said: string): void => {
      clearTimeout(deadline);
      asking.destroy();
      reject(new ProxyError(`the proxy ${shownProxy(proxy)} ${said}`));
    };
    const deadline = setTimeout(() => fail(`leads nowhere within ${timeoutMs} ms`), timeoutMs);
    asking.on('error', ({ message }) => fail(`cannot be reached: ${message}`));
    asking.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode >= 300) {
        socket.destroy();
        return fail(`answers ${statusCode} when it is asked for ${authority}`);
      }
      clearTimeout(deadline);
      if (head.length > 0) socket.unshift(head);
      resolve((socket as Socket).setNoDelay(true));
    });
    asking.end();
  });
}
