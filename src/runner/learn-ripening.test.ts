import { describe, expect, it } from 'vitest';
import type { Call } from '../tpp/call.ts';
import type { TppClient } from '../tpp/client.ts';
import { Ripening } from '../tpp/ripening.ts';
import { learnSessions } from './learn-ripening.ts';

/** A bank that asks for SCA so many times after it was passed. */
function bankOf(early: number) {
  let asked = 0;
  const sessions = new Set<string | undefined>();
  const client = {
    options: { patienceMs: 5 },
    ripening: new Ripening(),
    psu: { id: 'p-1', sessionId: 's-1', ipAddress: '192.0.2.1', redirectUri: 'https://tpp.example' },
    call: async ({ psu }: Call) => {
      asked += 1;
      sessions.add(psu?.sessionId);
      return { asksForSca: asked <= early };
    },
  };
  return { client: client as unknown as TppClient, asked: () => asked, sessions };
}

describe('how long after SCA a bank knows the session', () => {
  it('is asked once where it is known at once', async () => {
    const { client, asked } = bankOf(0);
    expect(await learnSessions(client)).toEqual([]);
    expect(asked()).toBe(1);
  });

  it('is asked in the session that was begun last', async () => {
    const { client, sessions } = bankOf(0);
    const corporate = { id: 'p-2', corporateId: 'c-2', sessionId: 's-2', nationalId: '17887610096' };
    await learnSessions(client, { corporate });
    expect([...sessions]).toEqual(['s-2']);
  });

  it('is told where it takes a moment', async () => {
    const { client } = bankOf(2);
    expect(await learnSessions(client)).toEqual([
      expect.stringMatching(/^The bank knows a session \d\.\d s after SCA, and not at once/),
    ]);
  });

  it('is not told where it is never known', async () => {
    const { client, asked } = bankOf(99);
    expect(await learnSessions(client)).toEqual([]);
    expect(asked()).toBe(4);
  });
});
