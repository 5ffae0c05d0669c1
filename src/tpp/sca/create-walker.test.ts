import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../target/target-folder.test.data.ts';
import { createWalker, moduleWalker } from './create-walker.ts';

const folder = testFolder('all tests');

const link = 'https://bank.example/1';
const person = { nationalId: '01819010001', context: 'CORPORATE' } as const;

async function walkerOf(name: string, source: string) {
  const file = join(folder, name);
  await writeFile(file, source);
  return moduleWalker({ file, redirectUri: 'https://tpp.example/back', fetch });
}

describe('a script of the user', () => {
  it('asks as the browser of the PSU, unless it says otherwise', async () => {
    const server = createServer(({ headers, method }, answer) =>
      answer.end(`${method} ${headers['user-agent']} ${headers['x-own']}`),
    ).listen(0, '127.0.0.1');
    try {
      await new Promise((listening) => server.once('listening', listening));
      const file = join(folder, 'asks.mjs');
      await writeFile(
        file,
        `export default async ({ link, redirectUri, fetch }) => redirectUri + '?' + new URLSearchParams({
           code: await (await fetch(link, { method: 'POST', body: 'a', headers: { 'X-Own': '1' } })).text(),
           system: await (await fetch(link, { headers: { 'user-agent': 'own' } })).text() });`,
      );
      const psu = { sca: 'module', module: file, redirectUri: 'https://tpp.example/back' };
      const target = { psu, accounts: { debtor: {} } } as unknown as Parameters<typeof createWalker>[0];
      const http = { browser: 'Mozilla/5.0' } as Parameters<typeof createWalker>[1];
      const walker = createWalker(
        target,
        http,
        () => ({ tls: {} }),
        () => {},
      );
      const { port } = server.address() as AddressInfo;
      expect(await walker.pass(`http://127.0.0.1:${port}/`, person)).toMatchObject({
        code: 'POST Mozilla/5.0 1',
        system: 'GET own undefined',
      });
    } finally {
      server.close();
    }
  });

  it('is given all that it needs, and gives the address of the return', async () => {
    const walker = await walkerOf(
      'good.mjs',
      `export default async ({ link, nationalId, context, redirectUri, fetch }) =>
        redirectUri + '?' + new URLSearchParams({ 'psu-id': nationalId, context, code: link, message: typeof fetch });`,
    );
    expect(await walker.pass(link, person)).toMatchObject({
      psuId: '01819010001',
      context: 'CORPORATE',
      code: link,
      message: 'function',
    });
    expect(await walker.abort(link)).toBeUndefined();
  });

  it.each([
    ['names nobody', '', true],
    [
      'names the PSU in a form',
      "await fetch('data:,a', { body: new URLSearchParams({ nationalId }), method: 'POST' });",
      undefined,
    ],
    ['names the PSU in an address', "await fetch('data:,' + nationalId);", undefined],
  ])('that %s is told from others', async (name, names, wasPerhapsNotAsked) => {
    const walker = await walkerOf(
      `${name}.mjs`,
      `export default async ({ nationalId, redirectUri, fetch }) => { ${names} return redirectUri + '?psu-id=1'; };`,
    );
    const back = await walker.pass(link, person);
    expect(back).toMatchObject({ psuId: '1' });
    expect(back.wasPerhapsNotAsked).toBe(wasPerhapsNotAsked);
  });

  it('that follows the redirect has come back, whatever becomes of it then', async () => {
    const walker = await walkerOf(
      'following.mjs',
      `const follow = async ({ redirectUri, fetch }) => (await fetch(redirectUri + '?psu-id=1&code=2')).url;
       export default follow;
       export const cancel = follow;`,
    );
    expect(await walker.pass(link, person)).toMatchObject({ psuId: '1' });
    expect(await walker.abort(link)).toMatchObject({ code: '2' });
  });

  it('leaves out an account where it exports how, and says so where it does not', async () => {
    const leaving = { ...person, deselects: ['95360573002'] };
    const passing = 'export default async ({ redirectUri }) => redirectUri + "?psu-id=1";';
    const able = await walkerOf(
      'able.mjs',
      `${passing} export const deselect = async ({ redirectUri, deselects }) => redirectUri + '?psu-id=' + deselects;`,
    );
    expect(await able.pass(link, leaving)).toMatchObject({
      psuId: '95360573002',
      hasDeselected: true,
    });
    expect(await able.pass(link, person)).toMatchObject({ psuId: '1' });
    const back = await (await walkerOf('unable.mjs', passing)).pass(link, leaving);
    expect(back).not.toHaveProperty('hasDeselected');
    expect(back.cannotDeselect).toContain('no export deselect');
  });

  it('cancels where it exports how', async () => {
    const walker = await walkerOf(
      'cancelling.mjs',
      `export default async () => 'https://tpp.example/back';
       export const cancel = async ({ link, redirectUri, fetch }) =>
         redirectUri + '?' + new URLSearchParams({ status: 401, code: link, message: typeof fetch });`,
    );
    expect(await walker.abort(link)).toMatchObject({
      status: '401',
      code: link,
      message: 'function',
    });
    // Where it is cancelled, once the page knows for whom, is up to the script.
    expect(await walker.abort(link, { ...person, isLate: true })).toBeUndefined();
  });

  it.each([
    ['throwing.mjs', 'export default async () => { throw new Error("no such user"); };', /no such user/],
    ['empty.mjs', 'export default async () => undefined;', /gave nothing, which is no address/],
    ['named.mjs', 'export const passSca = 1;', /no default export/],
    ['broken.mjs', 'export default (', /cannot be loaded/],
  ])('that is wrong (%s) is told in a sentence', async (name, source, sentence) => {
    const walker = await walkerOf(name, source);
    await expect(walker.pass(link, person)).rejects.toThrow(sentence);
  });
});
