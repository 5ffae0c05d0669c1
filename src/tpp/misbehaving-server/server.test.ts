import { beforeAll, describe, expect, it } from 'vitest';
import { createCertificateAuthority, type ServerCertificate } from '../../signing/certificate-authority.ts';
import { fakeTransport, responseOf } from '../fake-transport.test.data.ts';
import { limits } from '../limits.ts';
import { TransportError } from '../transport.ts';
import { undiciTransport } from '../undici-transport.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviours } from './behaviours.ts';
import { type MisbehavingServer, startMisbehavingServer } from './server.ts';

let ca: string;
let certificate: ServerCertificate;
let other: ServerCertificate;
beforeAll(async () => {
  const authority = await createCertificateAuthority();
  ca = authority.certificatePem;
  [certificate, other] = await Promise.all([
    authority.issueServer(['localhost']),
    (await createCertificateAuthority()).issueServer(['bank.example']),
  ]);
});

const elsewhere = 'https://elsewhere.example';

async function serverOf(behaviour?: Behaviour): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer({
    certificate,
    otherCertificates: { 'of-another-authority': other, 'of-another-name': other },
    elsewhere,
  });
  server.bank = fakeTransport(() => responseOf(400, { tppMessages: [] }));
  if (behaviour !== undefined) await server.behave([behaviour]);
  return server;
}

/** On a busy machine a sound answer takes its time, too; whoever waits for one that never comes has less of it. */
const patience = { forSound: 10_000, forTrouble: 300 } as const;

/** What becomes of some requests: a status, or the kind of trouble. */
async function outcomesOf(
  server: MisbehavingServer,
  count: number,
  timeoutMs: number,
): Promise<readonly (number | string)[]> {
  const transport = undiciTransport({
    origin: `https://localhost:${server.port}`,
    connections: 2,
    connectTimeoutMs: timeoutMs,
    tls: { ca },
  });
  const request = { method: 'GET', target: '/', headers: [['Host', 'localhost'] as const], body: undefined };
  const outcomes: (number | string)[] = [];
  for (let index = 0; index < count; index += 1) {
    try {
      const { status, body } = await transport.send(request, timeoutMs);
      expect(body.length).toBeLessThanOrEqual(limits.bodyBytes);
      outcomes.push(status);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      outcomes.push(error.kind);
    }
  }
  await Promise.all([transport.close(), server.close()]);
  return outcomes;
}

describe('the misbehaving server', () => {
  it('hands on what the bank answers while it is told nothing', async () => {
    expect(await outcomesOf(await serverOf(), 3, patience.forSound)).toEqual([400, 400, 400]);
  });

  it('knows at least sixty ways to misbehave, each by a name of its own', () => {
    const ids = behaviours.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(60);
  });

  it('comes back when it no longer has to be down', async () => {
    const server = await serverOf();
    await server.behave([{ id: 'tcp/refuses', when: 'always', outcome: 'blocked', isDown: true }]);
    await server.behave([]);
    expect(await outcomesOf(server, 1, patience.forSound)).toEqual([400]);
  });
});

describe('the transport', () => {
  it('gets an answer within the limits or says what the trouble was, whatever the server does', async () => {
    const wrong: string[] = [];
    for (const behaviour of behaviours) {
      const always = await serverOf({ ...behaviour, when: 'always' });
      const [outcome] = await outcomesOf(always, 1, patience.forTrouble).catch((error: unknown) => [
        `broke: ${String(error)}`,
      ]);
      const isTold =
        typeof outcome === 'number' || /^(?:timeout|reset|refused|tls|protocol)$/.test(outcome ?? '');
      if (!isTold) wrong.push(`${behaviour.id}: ${outcome}`);
    }
    expect(wrong).toEqual([]);
  }, 120_000);
});
