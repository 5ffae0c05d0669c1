import { describe, expect, it } from 'vitest';
import { bank, done, person, redirectUri, start } from './page-bank.test.data.ts';

describe('a page of choices before the one that can be cancelled', () => {
  const list = (choices: string): string => `<select name=choice>${choices}</select>`;
  it.each([
    ['for a language', list('<option value=nb>Norsk<option value=en selected>English'), 'en'],
    [
      'how to log in',
      '<input type=radio name=choice value=app>App<input type=radio name=choice value=web checked>Web',
      'web',
    ],
    ['for an account', list('<option>9536.05.73002<option>9536.05.73010'), undefined],
    ['for access', list('<option value=0>No access<option value=1>Balances'), undefined],
    ['for approval', list('<option value=y>Godkjenn<option value=n>Avslå'), 'n'],
    [
      'for approval, by buttons',
      '<label><input type=radio name=choice value=y>Approve</label><label><input type=radio name=choice value=n>Decline</label>',
      'n',
    ],
    ['to tick a box', '<input type=checkbox name=choice value=1>', undefined],
  ])('cancels behind a page that asks %s if that grants nothing', async (_, field, chosen) => {
    const cancel = '<form><input name=fnr><button name=end value=1>Avbryt</button></form>';
    const { walker, requests } = bank(({ url }) => {
      if (url.searchParams.has('end')) return { location: `${redirectUri}?status=401&code=SCA_INVALID` };
      return {
        html: url.searchParams.has('choice') ? cancel : `<form>${field}<button>Videre</button></form>`,
      };
    });
    for (const who of [undefined, person]) {
      const back = await walker.abort(start, who);
      if (chosen === undefined) expect(back).toBeUndefined();
      else expect(back).toMatchObject({ code: 'SCA_INVALID' });
    }
    expect(requests[1]?.url.searchParams.get('choice')).toBe(
      chosen ?? (requests.length > 1 ? null : undefined),
    );
  });
});

it('a list that approves the whole page is no choice of the account before it', async () => {
  const box = (number: string): string =>
    `<label><input type=checkbox name=acc value=${number}>${number}</label>`;
  const html = `<form>${box('95360573002')}${box('95360573010')}<select name=answer><option>–<option value=decline>Decline<option value=approve>Approve</select><button>Send</button></form>`;
  const { walker, requests } = bank(({ url }) =>
    url.searchParams.has('answer') ? { location: done } : { html },
  );
  await expect(walker.pass(start, { ...person, deselects: ['95360573010'] })).resolves.toMatchObject({
    psuId: '7',
    hasDeselected: true,
  });
  expect(requests[1]?.url.search).toBe('?acc=95360573002&answer=approve');
});

it.each(['Avbryt', 'Gå ut', 'Annuller', 'Exit', 'Avslutt', 'Lukk', 'Close'])(
  'a page is cancelled by its button "%s"',
  async (words) => {
    const form = `<form><input name=fnr><button name=end value=0>Neste</button><button name=end value=1>${words}</button></form>`;
    const { walker } = bank(({ url }) =>
      url.searchParams.get('end') === '1'
        ? { location: `${redirectUri}?status=401&code=SCA_INVALID` }
        : { html: form },
    );
    await expect(walker.abort(start)).resolves.toMatchObject({ code: 'SCA_INVALID' });
  },
);

describe('a list of people', () => {
  const list = (...numbers: readonly string[]): string =>
    `<form><select name=who><option value="">Choose</option>${numbers.map((number) => `<option value=${number}>Kari, ${number}`)}</select><button>Videre</button></form>`;
  const isDone = (url: URL): boolean => url.searchParams.has('who');

  it('has the one chosen who is to pass SCA', async () => {
    const { walker, requests } = bank(({ url }) =>
      isDone(url) ? { location: done } : { html: list('17887610096', person.nationalId) },
    );
    await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
    expect(requests[1]?.url.searchParams.get('who')).toBe(person.nationalId);
  });

  it('is left where it has nobody but others', async () => {
    const { walker } = bank(({ url }) =>
      isDone(url) ? { location: done } : { html: list('17887610096', '05829210160', '912345675') },
    );
    await expect(walker.pass(start, person)).rejects.toThrow(/has no such person/);
  });
});

describe('pages of a row with the same buttons', () => {
  const page = (title: string, says: string): string =>
    `<title>${title}</title><p>${says}<form method=post><button name=on value=1>Videre</button></form>`;
  it.each([
    ['their titles', [page('Accounts', 'Sure?'), page('Approval', 'Sure?')]],
    ['what they say', [page('Bank', 'No accounts'), page('Bank', 'NOK 100.00')]],
  ])('are told apart by %s', async (_, row) => {
    let shown = 0;
    const { walker } = bank(() => {
      const html = row[shown];
      shown += 1;
      return html === undefined ? { location: done } : { html };
    });
    await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
  });

  it('are one that comes back if they say the same', async () => {
    const { walker, requests } = bank(() => ({ html: page('Bank', 'Sure?') }));
    await expect(walker.pass(start, person)).rejects.toThrow(/comes back/);
    expect(requests.length).toBeGreaterThan(12);
  });
});
