import type { buildConnector } from 'undici';
import { openTunnel } from './tunnel.ts';

/** How undici opens a connection by way of a proxy; the rest it does as it does without. */
export function proxyConnector(
  proxy: string,
  options: buildConnector.BuildOptions & { readonly timeout: number },
  build: typeof buildConnector,
): buildConnector.connector {
  const secure = build(options);
  return (asked, callback) => {
    const { hostname, port, protocol } = asked;
    const isTls = protocol === 'https:';
    const endpoint = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isTls ? 443 : 80) : Number(port),
    };
    openTunnel(proxy, endpoint, options.timeout).then(
      (socket) => (isTls ? secure({ ...asked, httpSocket: socket }, callback) : callback(null, socket)),
      (error: Error) => callback(error, null),
    );
  };
}
