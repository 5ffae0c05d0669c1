import type { SigningIdentity } from '../signing/identity.ts';
import { type OperationName, operations } from '../spec/operations.ts';
import { type Psu, usualAppearance } from '../tpp/call.ts';
import { TppClient } from '../tpp/client.ts';
import { Pace } from '../tpp/pace.ts';
import { formWalker } from '../tpp/sca/form-walker.ts';
import { pageHttp } from '../tpp/sca/page-http.ts';
import type { ScaWalker } from '../tpp/sca/sca-walker.ts';
import type { Transport } from '../tpp/transport.ts';

export interface ConnectionOptions {
  readonly baseUrl: string;
  readonly identity: SigningIdentity;
  readonly transport: Transport;
  /** The browser's own way, where that is another one. */
  readonly pageTransport?: Transport;
  readonly psu?: Partial<Pick<Psu, 'redirectUri' | 'ipAddress'>>;
}

/** A client of the bank, and the PSU's browser on the same way. */
export function connectTpp(options: ConnectionOptions): {
  readonly client: TppClient;
  readonly walker: ScaWalker;
} {
  const { baseUrl, identity, transport } = options;
  const { origin, host, pathname } = new URL(baseUrl);
  const { redirectUri, ipAddress } = { ...usualAppearance, ...options.psu };
  const pace = new Pace({ concurrency: 8 });
  const names = Object.keys(operations) as OperationName[];
  const client = new TppClient({
    transport,
    pace,
    identity,
    psu: { sessionId: '', ipAddress, redirectUri },
    addressing: {
      prefix: pathname.replace(/\/+$/, ''),
      paths: Object.fromEntries(names.map((name) => [name, operations[name].path])),
      customHeaders: {},
      host,
    },
    origin,
    timeoutMs: 10_000,
    retries: 0,
  });
  const { pageTransport = transport } = options;
  const http = pageHttp({
    origin,
    transport: pageTransport,
    transportTo: () => pageTransport,
    pace,
    timeoutMs: 10_000,
  });
  return { client, walker: formWalker({ http, redirectUri, names: {} }) };
}
