import { describe, expect, it } from 'vitest';
import { asksToCancel, bank, cancelled, ended, failure, person, success } from './page-bank.test.data.ts';

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
    const { abort, requests } = bank(({ url }, sent) => {
      if (sent.has('cancel')) return cancelled;
      return url.searchParams.has('choice') ? asksToCancel : `<form>${field}<button>Videre</button></form>`;
    });
    for (const who of [undefined, person])
      expect((await abort(who))?.code).toBe(chosen === undefined ? undefined : failure.code);
    expect(requests[1]?.url.searchParams.get('choice')).toBe(
      chosen ?? (requests.length > 1 ? null : undefined),
    );
  });
});

it('a list that approves the whole page is no choice of the account before it', async () => {
  const box = (number: string): string =>
    `<label><input type=checkbox name=acc value=${number}>${number}</label>`;
  const html = `<form>${box('95360573002')}${box('95360573010')}<select name=answer><option>–<option value=decline>Decline<option value=approve>Approve</select><button>Send</button></form>`;
  const { pass, requests } = bank(({ url }) => (url.searchParams.has('answer') ? ended : html));
  const back = await pass({ ...person, deselects: ['95360573010'] });
  expect(back).toMatchObject({ ...success, hasDeselected: true });
  expect(requests[1]?.url.search).toBe('?acc=95360573002&answer=approve');
});

it.each(['Avbryt', 'Gå ut', 'Annuller', 'Exit', 'Avslutt', 'Lukk', 'Close'])(
  'a page is cancelled by its button "%s"',
  async (words) => {
    const form = `<form><input name=fnr><button name=end value=0>Neste</button><button name=end value=1>${words}</button></form>`;
    const { abort } = bank(({ url }) => (url.searchParams.get('end') === '1' ? cancelled : form));
    expect(await abort()).toMatchObject(failure);
  },
);

describe('a list of people', () => {
  const listing = (...numbers: readonly string[]) =>
    bank(({ url }) =>
      url.searchParams.has('who')
        ? ended
        : `<form><select name=who><option value="">Choose</option>${numbers.map((number) => `<option value=${number}>Kari, ${number}`)}</select><button>Videre</button></form>`,
    );

  it('has the one chosen who is to pass SCA', async () => {
    const { pass, requests } = listing('17887610096', person.nationalId);
    expect(await pass()).toMatchObject(success);
    expect(requests[1]?.url.searchParams.get('who')).toBe(person.nationalId);
  });

  it('is left where it has nobody but others', async () => {
    const { pass } = listing('17887610096', '05829210160', '912345675');
    await expect(pass()).rejects.toThrow(/has no such person/);
  });
});

describe('pages of a row with the same buttons', () => {
  const page = (title: string, says: string): string =>
    `<title>${title}</title><p>${says}<form method=post><button name=on value=1>Videre</button></form>`;
  it.each([
    ['their titles', [page('Accounts', 'Sure?'), page('Approval', 'Sure?')]],
    ['what they say', [page('Bank', 'No accounts'), page('Bank', 'NOK 100.00')]],
  ])('are told apart by %s', async (_, row) => {
    const left = [...row];
    expect(await bank(() => left.shift() ?? ended).pass()).toMatchObject(success);
  });

  it('are one that comes back if they say the same', async () => {
    const { pass, requests } = bank(() => page('Bank', 'Sure?'));
    await expect(pass()).rejects.toThrow(/comes back/);
    expect(requests.length).toBeGreaterThan(12);
  });
});
