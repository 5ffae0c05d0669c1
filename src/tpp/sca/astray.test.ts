import { expect, it } from 'vitest';
import { bank, person, start } from './page-bank.test.data.ts';

it.each([
  ['https://tpp.example/back&psu-id=7&tpp-session-id=1&context=PRIVATE', undefined],
  ['tpp.example/back?psu-id=7', 'https://bank.example/sca/tpp.example/back?psu-id=7'],
])('tells when the bank puts the address of the TPP together wrongly: %s', async (location, reached) => {
  const { walker } = bank(({ url }) =>
    url.pathname.includes('tpp.example') ? { status: 404, html: '<title>Not found</title>' } : { location },
  );
  const address = reached ?? location;
  await expect(walker.pass(start, person)).rejects.toMatchObject({ kind: 'astray', address });
});

it('takes a page of the bank that passes on what the TPP will be told for a page', async () => {
  const { walker } = bank(({ url }) =>
    url.pathname === '/sca/1'
      ? { location: '/sca/2?psu-id=7' }
      : { status: 503, html: '<title>Later</title>' },
  );
  await expect(walker.pass(start, person)).rejects.toMatchObject({ kind: 'stuck' });
});
