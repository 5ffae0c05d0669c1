import type { World } from '../checks/context.ts';
import { type OperationName, operations } from '../spec/operations.ts';
import { operationPath } from '../target/operation-path.ts';
import type { Target } from '../target/target.ts';
import type { Addressing } from '../tpp/call.ts';
import { TppClient } from '../tpp/client.ts';
import { Pace } from '../tpp/pace.ts';
import type { Psu } from '../tpp/psu.ts';
import type { Transport } from '../tpp/transport.ts';
import { undiciTransport } from '../tpp/undici-transport.ts';

export interface WorldOptions {
  readonly target: Target;
  readonly seed: number;
  readonly runs: number;
  readonly repeatsPayments?: boolean;
  readonly command?: string;
  /** By default keep-alive connections to the target. */
  readonly transport?: Transport;
  readonly patienceMs?: number;
}

/** The customer of the target file. */
export function psuOf({ psu }: Target): Psu {
  return {
    sessionId: psu.sessionId,
    ipAddress: psu.ipAddress,
    redirectUri: psu.redirectUri,
    ...(psu.id === undefined ? {} : { id: psu.id }),
  };
}

export function addressingOf({ baseUrl, paths, customHeaders }: Target): Addressing {
  const { host, pathname } = new URL(baseUrl);
  const names = Object.keys(operations) as OperationName[];
  return {
    prefix: pathname.replace(/\/+$/, ''),
    paths: Object.fromEntries(names.map((name) => [name, operationPath(paths, name)])),
    customHeaders,
    host,
  };
}

export function transportTo({ baseUrl, tls, pace }: Target): Transport {
  const { client } = tls;
  return undiciTransport({
    origin: new URL(baseUrl).origin,
    connections: pace.concurrency,
    tls: {
      rejectUnauthorized: !tls.insecure,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.privateKey }),
      ...(client?.passphrase === undefined ? {} : { passphrase: client.passphrase }),
    },
  });
}

/** A TPP that talks to the target, and all that its checks share. */
export function createWorld({ target, transport, ...options }: WorldOptions): World {
  const client = new TppClient({
    transport: transport ?? transportTo(target),
    pace: new Pace(target.pace),
    identity: target.identities.main,
    psu: psuOf(target),
    addressing: addressingOf(target),
    origin: new URL(target.baseUrl).origin,
    timeoutMs: target.pace.timeoutMs,
    retries: target.pace.retries,
    ...(options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs }),
  });
  return {
    target,
    client,
    seed: options.seed,
    runs: options.runs,
    observations: [],
    repeatsPayments: options.repeatsPayments ?? false,
    command: options.command ?? 'xs2a-conformance run',
  };
}
