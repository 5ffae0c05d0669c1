import { expect, it } from 'vitest';
import { fakeRunContext, scaWanted, verdictOn } from '../../src/checks/fake-run-context.test.data.ts';
import { responseOf } from '../../src/tpp/fake-transport.test.data.ts';
import sessionEnds from './session-ends.suite.ts';

const unfinished = sessionEnds.checks.find(({ id }) => id === 'SES-04-unfinished');
if (unfinished === undefined) throw new Error('There is no such check.');

type EndedBy = 'a new session' | 'another run';

/** Accounts are shown after SCA, until the session is over. */
function bankWhoseSessionIsEndedBy(whom: EndedBy) {
  let isOpen = true;
  const psu = {
    id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c',
    nationalId: '01819010001',
    sessionId: 'of-the-run',
  };
  const run = fakeRunContext(
    ({ wire }) => {
      const isNew = wire.headers.every(([, value]) => value !== psu.sessionId);
      const wasOpen = isOpen;
      if (isNew || whom === 'another run') isOpen = false;
      return isNew || !wasOpen ? scaWanted() : responseOf(200, { accounts: [] });
    },
    { target: { psu: { ...psu, sca: 'form' } } },
  );
  const pass: typeof run.walker.pass = async () => {
    isOpen = true;
    return { address: 'https://tpp.example/redirect', pages: [] } as never;
  };
  return { ...run, walker: { ...run.walker, pass } };
}

it('an old session that ends when SCA is begun in a new one is a failure of the bank', async () => {
  expect((await verdictOn(unfinished, bankWhoseSessionIsEndedBy('a new session'))).verdict).toBe('fail');
});

it('one that ends by itself may have been ended by another run', async () => {
  const { verdict, reason } = await verdictOn(unfinished, bankWhoseSessionIsEndedBy('another run'));
  expect(verdict).toBe('inconclusive');
  expect(reason).toContain('another run at the same time');
});
