import { connect } from 'node:tls';
import type { Bank } from '../../bank/bank.ts';
import { createTestPki, type TestPki } from '../../signing/test-pki.ts';
import { undiciTransport } from '../../tpp/undici-transport.ts';
import { createCertificationBank } from '../certification-bank.ts';
import { correctBehaviour } from '../reference-tpp/behaviour.ts';
import { ReferenceTpp } from '../reference-tpp/reference-tpp.ts';
import { Session } from '../session.ts';
import { connectTpp } from '../tpp-connection.ts';
import { customers, orderFacts } from './in-process.ts';

/** Made once: keys that TLS accepts take their time. */
let shared: Promise<TestPki> | undefined;

export interface ListeningBank {
  readonly bank: Bank;
  readonly baseUrl: string;
  readonly pki: TestPki;
  readonly session: Session;
}

/** A certification on a socket, for what only a connection shows. */
export async function withListeningBank<Result>(
  use: (listening: ListeningBank) => Promise<Result>,
): Promise<Result> {
  shared ??= createTestPki();
  const pki = await shared;
  let session: Session | undefined;
  const bank = await createCertificationBank({
    trustedAuthorities: [pki.ca.certificatePem],
    signer: pki.tpp,
    retryAfterSeconds: 1,
    record: (exchange) => session?.add(exchange),
    onFailedHandshake: (handshake) => session?.addFailedHandshake(handshake),
  });
  const { baseUrl } = await bank.listen({
    tls: { cert: pki.server.certificatePem, key: pki.server.privateKeyPem },
  });
  session = new Session({
    tool: { name: 'proof', version: '0' },
    startedAt: new Date().toISOString(),
    baseUrl,
    trustedAuthorities: [pki.ca.certificatePem],
  });
  try {
    return await use({ bank, baseUrl, pki, session });
  } finally {
    await bank.close();
  }
}

/** A TPP with one part that still speaks TLS 1.1, and another that does everything right. */
export const oldTlsSession = (): Promise<Session> =>
  withListeningBank(async ({ baseUrl, pki, session }) => {
    await connectWithOldTls(baseUrl);
    const transport = undiciTransport({
      origin: baseUrl,
      connections: 4,
      tls: { ca: pki.ca.certificatePem },
    });
    const tpp = new ReferenceTpp({
      ...connectTpp({ baseUrl, identity: pki.tpp, transport }),
      customers,
      facts: orderFacts,
      behaviour: correctBehaviour,
      sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    });
    await tpp.completeJourneys();
    await transport.close();
    return session;
  });

async function connectWithOldTls(baseUrl: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({
    host: hostname,
    port: Number(port),
    servername: hostname,
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    // OpenSSL offers versions below 1.2 only at security level 0.
    ciphers: 'DEFAULT@SECLEVEL=0',
    rejectUnauthorized: false,
  });
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
