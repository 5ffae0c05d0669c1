import { describe, expect, it } from 'vitest';
import type { RunContext } from '../checks/context.ts';
import type { TppClient } from '../tpp/client.ts';
import { Ripening } from '../tpp/ripening.ts';
import { learnSessions } from './learn-ripening.ts';

/** A bank that asks for SCA so many times after it was passed. */
function bankOf(early: number): { readonly client: TppClient; asked: () => number } {
  let asked = 0;
  const client = {
    options: { patienceMs: 5 },
    ripening: new Ripening(),
    call: async () => {
      asked += 1;
      return { asksForSca: asked <= early };
    },
  };
  return { client: client as unknown as RunContext['client'], asked: () => asked };
}

describe('how long after SCA a bank knows the session', () => {
  it('is asked once where it is known at once', async () => {
    const { client, asked } = bankOf(0);
    expect(await learnSessions(client)).toEqual([]);
    expect(asked()).toBe(1);
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
