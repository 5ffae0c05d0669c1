import { describe, expect, it } from 'vitest';
import { bank, done, person, redirectUri, start } from './page-bank.test.data.ts';

const portal = '<h1>Welcome to our network</h1>';
const form =
  '<form method=post><input name=fnr><button>OK</button><button name=cancel>Cancel</button></form>';

/** A bank before which a portal answers the first requests of that method. */
const behindPortal = (times: number, method: 'GET' | 'POST' = 'GET') => {
  let left = times;
  return bank((request, entries) => {
    if (request.method === method && left > 0) {
      left -= 1;
      return { html: portal };
    }
    if (request.method === 'GET') return { html: form };
    return { location: entries.has('cancel') ? `${redirectUri}?status=401&code=SCA_INVALID` : done };
  });
};

describe('a page that leads nowhere', () => {
  it('is looked at again: something on the way may have shown it', async () => {
    expect(await behindPortal(3).walker.pass(start, person)).toMatchObject({ psuId: '7' });
    expect(await behindPortal(3).walker.abort(start)).toMatchObject({ code: 'SCA_INVALID' });
  });

  it('says nothing of a way to cancel where it is the first', async () => {
    await expect(behindPortal(99).walker.abort(start)).rejects.toMatchObject({ kind: 'stuck' });
  });

  it('is not asked for again where that would send a form twice, nor where SCA is over', async () => {
    const { walker, requests } = behindPortal(1, 'POST');
    await expect(walker.pass(start, person)).rejects.toMatchObject({ kind: 'stuck' });
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
    const finished = bank(({ url, method }) => {
      if (url.pathname === '/end') return { html: '<p>Thank you. Close this page.' };
      return method === 'GET' ? { html: form } : { location: '/end' };
    });
    await expect(finished.walker.pass(start, person)).rejects.toMatchObject({ kind: 'left-behind' });
    expect(finished.requests).toHaveLength(3);
  });

  it('is kept where it is shown once only', async () => {
    let asked = 0;
    const { walker } = bank(() => {
      asked += 1;
      return asked === 1 ? { html: portal } : { status: 410 };
    });
    await expect(walker.pass(start, person)).rejects.toThrow('has no form to fill in');
  });
});
