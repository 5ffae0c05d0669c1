import { describe, expect, it } from 'vitest';
import { bank, done, person, start } from './page-bank.test.data.ts';

describe('pages on which the PSU waits for something elsewhere', () => {
  it.each([
    ['by its address', '<meta http-equiv=refresh content="1; url=1">Wait'],
    ['by none', '<base href="https://elsewhere.example/"><meta http-equiv=refresh content=1>Wait'],
  ])('waits on a page that is loaded again, %s, until the PSU has approved elsewhere', async (_, html) => {
    let asked = 0;
    const { walker } = bank(() => {
      asked += 1;
      return asked < 3 ? { html } : { location: done };
    });
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
    expect(asked).toBe(3);
  });

  it.each([
    ['the same', () => 'x'],
    ['another token each time', (asked: number) => `token-${asked}`],
  ])('presses the button again, with %s, until the PSU has approved elsewhere', async (_, token) => {
    let asked = 0;
    const { walker } = bank(() => {
      asked += 1;
      const html = `<p>Godkjenn i appen.<form method=post><input type=hidden name=t value=${token(asked)}><button>Fortsett</button></form>`;
      return asked < 20 ? { html } : { location: done };
    });
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
  });

  it('waits for nobody without end, and less long the next time', async () => {
    const { walker, requests } = bank(() => ({ html: '<meta http-equiv=refresh content=1>Venter' }));
    await expect(walker.pass(start, person)).rejects.toThrow(/came back 40 times.*approve elsewhere/);
    const first = requests.length;
    await expect(walker.pass(start, person)).rejects.toThrow(/came back 6 times/);
    expect(requests.length - first).toBeLessThan(first);
  });
});
