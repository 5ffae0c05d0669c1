import { expect, it } from 'vitest';
import {
  created,
  type FakeBank,
  fakeRunContext,
  verdictOn,
} from '../../src/checks/fake-run-context.test.data.ts';
import { responseOf } from '../../src/tpp/fake-transport.test.data.ts';
import creation from './creation.suite.ts';

const twice = creation.checks.find(({ id }) => id === 'PAY-02');
if (twice === undefined) throw new Error('There is no such check.');

const verdictOnBank = async (takes: (...of: Parameters<FakeBank>) => boolean): Promise<string> => {
  const run = fakeRunContext((request) => (takes(request) ? created() : responseOf(400, {})));
  return (await verdictOn(twice, run)).verdict;
};

it('a bank that refuses allowLogicalDuplicate, and not the payment, is found', async () => {
  expect(await verdictOnBank(({ wire }) => !wire.target.includes('allowLogicalDuplicate'))).toBe('fail');
});

it('one that refuses some payments, with it or without, is not taken for one', async () => {
  const payments: string[] = [];
  const takesOnlyTheSecond: FakeBank = ({ body }) => {
    const payment = JSON.stringify(body);
    if (!payments.includes(payment)) payments.push(payment);
    return payments.indexOf(payment) === 1 ? created() : responseOf(400, {});
  };
  expect((await verdictOn(twice, fakeRunContext(takesOnlyTheSecond))).verdict).toBe('inconclusive');
});
