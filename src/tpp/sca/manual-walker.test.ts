import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { manualWalker } from './manual-walker.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const person = { nationalId: '01819010001', context: 'PRIVATE' } as const;
const link = 'https://bank.example/1';

/** Nobody comes back to it. */
async function waitingInVain(options: { readonly ownContext?: 'PRIVATE' | 'CORPORATE' } = {}) {
  const told: string[] = [];
  const redirectUri = `http://localhost:${await freePort()}/redirect`;
  const walker = manualWalker({
    redirectUri,
    tell: (text) => void told.push(text),
    timeoutMs: 20,
    ...options,
  });
  return { walker, told };
}

describe('a walk by hand', () => {
  it('shows the link and catches the return, one walk at a time', async () => {
    const redirectUri = `http://localhost:${await freePort()}/redirect`;
    const told: string[] = [];
    const tell = (text: string): void => {
      told.push(text);
      const number = told.length;
      void fetch(`${new URL(redirectUri).origin}/favicon.ico`).then(() =>
        fetch(`${redirectUri}?psu-id=${number}`),
      );
    };
    const walker = manualWalker({ redirectUri, tell, timeoutMs: 5000 });
    const returns = await Promise.all([
      walker.pass('https://bank.example/1', person),
      walker.pass('https://bank.example/2', person),
    ]);
    expect(returns.map(({ psuId }) => psuId)).toEqual(['1', '2']);
    expect(told[0]).toContain('https://bank.example/1');
    expect(told[0]).toContain('psu of the target file');
    expect(told.join()).not.toContain('01819010001');
    expect(await walker.abort('https://bank.example/3')).toBeUndefined();
  });

  it.each([
    ['PRIVATE', 'as psu.corporate of the target file, corporate context'],
    ['CORPORATE', 'as psu of the target file, corporate context'],
  ] as const)('says who is meant where psu is %s, and does not wait for ever', async (ownContext, said) => {
    const { walker, told } = await waitingInVain({ ownContext });
    await expect(walker.pass(link, { ...person, context: 'CORPORATE' })).rejects.toThrow(/Nobody came back/);
    expect(told[0]).toContain(said);
  });

  it('shows no link as it is that commands a terminal', async () => {
    const { walker, told } = await waitingInVain();
    for (const hostile of ['https://bank.example/\u001b[2J\n::error::x', '\u001b[2J\n::error::x']) {
      await expect(walker.pass(hostile, person)).rejects.toThrow(/Nobody came back/);
    }
    expect(told).toHaveLength(2);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    expect(told.join()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^\s*::/m);
  });

  it('says what is wrong with an address where it cannot listen', async () => {
    const walker = manualWalker({ redirectUri: 'https://tpp.example/back', tell: () => {} });
    await expect(walker.pass(link, person)).rejects.toThrow(/http address of this machine/);
  });
});
