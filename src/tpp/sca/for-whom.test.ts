import { describe, expect, it } from 'vitest';
import { bank, ended, person, success } from './page-bank.test.data.ts';

const company = { ...person, context: 'CORPORATE' } as const;

const page = (question: string, one: string, other: string): string =>
  `<form><label>Fødselsnummer <input name=fnr></label><fieldset><legend>${question}</legend>
<label><input type=radio name=hvem value=1 checked> ${one}</label><label><input type=radio name=hvem value=2> ${other}</label></fieldset><button>Neste</button></form>`;

const walked = (html: string) => bank(({ url }) => (url.searchParams.has('fnr') ? ended : html));

describe('for whom somebody acts', () => {
  it.each([
    ['Kundetype', 'Privat', 'Næring'],
    ['Kundetype', 'Forbruker', 'Bedrift'],
    ['Hvem handler du for?', 'Meg selv', 'Et selskap'],
    ['Hvem handler du for?', 'På egne vegne', 'På vegne av en virksomhet'],
    ['Who do you act for?', 'Yourself', 'Somebody else'],
    ['Acting for', 'Retail', 'Wholesale'],
    ['Hvem handler du for?', 'Meg selv', 'En fullmaktsgiver'],
    ['Hvem handler du for?', 'Kontohaver', 'Min arbeidsgiver'],
    ['Hvem handler du for?', 'Privat', 'Enkeltpersonforetak'],
  ])('is chosen where it is asked "%s": %s or %s', async (...words) => {
    for (const [who, value] of [
      [person, '1'],
      [company, '2'],
    ] as const) {
      const { pass, requests } = walked(page(...words));
      await pass(who);
      expect(requests[1]?.url.searchParams.get('hvem')).toBe(value);
    }
  });

  it('is not guessed for a company where nobody can tell, and left to the page for others', async () => {
    const unclear = page('Hvem handler du for?', 'Profil A', 'Profil B');
    await expect(walked(unclear).pass(company)).rejects.toMatchObject({
      kind: 'untold',
      message: expect.stringContaining('psu.form.contextField'),
    });
    const { pass, requests } = walked(unclear);
    await pass(person);
    expect(requests[1]?.url.searchParams.get('hvem')).toBe('1');
  });

  it('is another question than for which of two companies', async () => {
    const { pass } = walked(page('Hvem representerer du?', 'Fjord AS', 'Nordfjord Drift AS'));
    expect(await pass(company)).toMatchObject(success);
  });
});
