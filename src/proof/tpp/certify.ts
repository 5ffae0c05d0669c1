import { connect } from 'node:tls';
import type { Bank } from '../../bank/bank.ts';
import type { Clock } from '../../bank/state/clock.ts';
import { createCertificationBank } from '../../certification/certification-bank.ts';
import { type BehaviourChange, correctBehaviour } from '../../certification/reference-tpp/behaviour.ts';
import { ReferenceTpp } from '../../certification/reference-tpp/reference-tpp.ts';
import { Session } from '../../certification/session.ts';
import { connectTpp } from '../../certification/tpp-connection.ts';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
  type TestPki,
} from '../../signing/certificate-authority.ts';
import type { KeyIdentity } from '../../signing/identity.ts';
import { dayMs } from '../../spec/days.ts';
import type { Transport } from '../../tpp/transport.ts';
import { undiciTransport } from '../../tpp/undici-transport.ts';
import { injectTransport } from '../inject-transport.ts';
import { quickKey } from '../quick-key.ts';
import { modulusLength, signingAtOnce } from '../short-keys.ts';
import { tlsKeys } from '../tls-keys.ts';

/** Keys and certificates that all TPPs of a proof share: making them costs more than a certification. */
export interface TppKeys {
  readonly ca: CertificateAuthority;
  readonly tpp: KeyIdentity;
  readonly bankSigner: KeyIdentity;
  /** Identities for TPPs that differ in who they are. */
  readonly others: OtherIdentities;
  readonly authorities: readonly string[];
}

export interface OtherIdentities {
  /** Its issuer's name holds a comma and letters outside ASCII. */
  readonly oddIssuer: KeyIdentity;
  readonly informerOnly: KeyIdentity;
  readonly initiatorOnly: KeyIdentity;
  /** Of somebody who is neither. */
  readonly withoutRole: KeyIdentity;
  readonly expired: KeyIdentity;
  readonly untrusted: KeyIdentity;
}

export async function createTppKeys(): Promise<TppKeys> {
  const [ca, odd, otherAuthority] = await Promise.all([
    createCertificateAuthority({ modulusLength }),
    createCertificateAuthority({ modulusLength, subject: subjectWithCommaAndNorwegianLetters }),
    createCertificateAuthority({ modulusLength }),
  ]);
  const key = quickKey(modulusLength);
  const tpp = signingAtOnce(await ca.issueTpp({ key }));
  return {
    ca,
    tpp,
    bankSigner: signingAtOnce(
      await ca.issueTpp({
        key: quickKey(modulusLength),
        commonName: 'Reference Bank',
        organisation: 'Reference Bank',
        roles: [],
      }),
    ),
    others: {
      oddIssuer: await odd.issueTpp({ key }),
      informerOnly: await ca.issueTpp({ key, roles: ['PSP_AI'] }),
      initiatorOnly: await ca.issueTpp({ key, roles: ['PSP_PI'] }),
      withoutRole: await ca.issueTpp({ key, roles: ['PSP_IC'] }),
      expired: await ca.issueTpp({
        key,
        notBefore: new Date(Date.now() - 20 * dayMs),
        notAfter: new Date(Date.now() - 2 * dayMs),
      }),
      untrusted: await otherAuthority.issueTpp({ key }),
    },
    authorities: [ca.certificatePem, odd.certificatePem],
  };
}

const baseUrl = 'https://bank.example';
const customers = { private: '01819010001', corporate: '05829210160' } as const;
const orderFacts = {
  debtor: { bban: '95360573002', currency: 'NOK' },
  corporateDebtor: { bban: '95360576346', currency: 'NOK' },
  card: { identification: '95379010017', currency: 'NOK' },
} as const;

/** A clock that runs, and that a TPP's pauses move on instead of being waited for. */
function skippingClock(): Clock & { skip(milliseconds: number): void } {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    skip: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}

export interface CertifiedTpp {
  readonly session: Session;
  /** What the TPP itself could not bring about. */
  readonly problems: readonly string[];
}

/** Sends a TPP of that behaviour through all journeys at a bank in this process. */
export async function certifyInProcess(
  keys: TppKeys,
  change: BehaviourChange = (behaviour) => behaviour,
  drive?: (tpp: ReferenceTpp) => Promise<readonly string[]>,
): Promise<CertifiedTpp> {
  const clock = skippingClock();
  const session = new Session({
    tool: { name: 'proof', version: '0' },
    startedAt: clock.now().toISOString(),
    baseUrl,
    trustedAuthorities: keys.authorities,
  });
  const bank = await createCertificationBank({
    trustedAuthorities: keys.authorities,
    signer: keys.bankSigner,
    clock,
    publicUrl: baseUrl,
    record: (exchange) => session.add(exchange),
  });
  const behaviour = change(correctBehaviour);
  const transport = injectTransport(bank, { tlsVersion: 'TLSv1.3' });
  const pageTransport: Transport = {
    ...transport,
    send: ({ headers, ...request }, timeoutMs) =>
      transport.send({ ...request, headers: [...headers, ...behaviour.pageHeaders] }, timeoutMs),
  };
  const tpp = new ReferenceTpp({
    ...connectTpp({ baseUrl, identity: keys.tpp, transport, pageTransport }),
    customers,
    facts: orderFacts,
    behaviour,
    sleep: async (milliseconds) => clock.skip(milliseconds),
  });
  const problems = await (drive ?? ((driven: ReferenceTpp) => driven.completeJourneys()))(tpp);
  return { session, problems };
}

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
  const pki = await tlsKeys();
  let session: Session | undefined;
  const bank = await createCertificationBank({
    trustedAuthorities: [pki.ca.certificatePem],
    signer: pki.tpp,
    retryAfterSeconds: 1,
    record: (exchange) => session?.add(exchange),
    onFailedConnection: (handshake) => session?.addFailedConnection(handshake),
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
