import { describe, expect, it } from 'vitest';
import { asksToCancel, bank, cancelled, ended, failure, success } from './page-bank.test.data.ts';

const portal = '<h1>Welcome to our network</h1>';
const form = asksToCancel.replace('<button', '<button>OK</button>$&');

/** A bank before which a portal answers the first requests of that method. */
const behindPortal = (times: number, method: 'GET' | 'POST' = 'GET') => {
  let left = times;
  return bank((request, entries) => {
    if (request.method === method && left > 0) {
      left -= 1;
      return portal;
    }
    if (request.method === 'GET') return form;
    return entries.has('cancel') ? cancelled : ended;
  });
};

describe('a page that leads nowhere', () => {
  it('is looked at again: something on the way may have shown it', async () => {
    expect(await behindPortal(3).pass()).toMatchObject(success);
    expect(await behindPortal(3).abort()).toMatchObject(failure);
  });

  it('says nothing of a way to cancel where it is the first', async () => {
    await expect(behindPortal(99).abort()).rejects.toMatchObject({ kind: 'stuck' });
  });

  it('is not asked for again where that would send a form twice, nor where SCA is over', async () => {
    const { pass, requests } = behindPortal(1, 'POST');
    await expect(pass()).rejects.toMatchObject({ kind: 'stuck' });
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
    const finished = bank(({ url, method }) => {
      if (url.pathname === '/end') return '<p>Thank you. Close this page.';
      return method === 'GET' ? form : { location: '/end' };
    });
    await expect(finished.pass()).rejects.toMatchObject({ kind: 'left-behind' });
    expect(finished.requests).toHaveLength(3);
  });

  it('is kept where it is shown once only', async () => {
    const left = [portal];
    const { pass } = bank(() => left.shift() ?? { status: 410 });
    await expect(pass()).rejects.toThrow('has no form to fill in');
  });
});
