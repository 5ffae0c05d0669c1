import { describe, expect, test } from 'vitest';
import { responseOf } from '../tpp/fake-transport.test.data.ts';
import { placeChecks, runChecks } from './engine.ts';
import {
  aCheck,
  type FakeBank,
  fakeRunContext,
  suiteOf,
  verdictAt,
  verdictOn,
} from './fake-run-context.test.data.ts';
import { NotOffered } from './outcomes.ts';
import { theAccounts } from './subject.ts';
import { refuses } from './trial.ts';

const unsigned = refuses({
  id: 'SIG-01-accounts',
  requirement: 'SIG-01',
  title: 'is refused unless signed',
  of: theAccounts(),
  twists: [{ label: 'it is not signed', request: { signing: { format: () => undefined } } }],
});

const askingOnce = aCheck({
  run: async (context) => {
    const answer = await context.call({ operation: 'listAccounts' });
    if (answer.isAbsent) throw new NotOffered('The bank does not offer GET /v1/accounts.');
  },
});

const goneAfter =
  (answers: number): FakeBank =>
  ({ number }) =>
    number <= answers ? responseOf(200, { accounts: [] }) : responseOf(404);

describe('what is answered 404', () => {
  test.each([
    ['as control', unsigned],
    ['in a check', askingOnce],
  ])('is not offered where it was never there (%s)', async (_, check) => {
    const result = await verdictAt(goneAfter(0), check);
    expect(result).toMatchObject({ verdict: 'not-applicable', notOffered: true });
  });

  test.each([
    ['as control', unsigned],
    ['in a check', askingOnce],
  ])('leaves the question open where it went through before (%s)', async (_, check) => {
    const runContext = fakeRunContext(goneAfter(1));
    expect(await verdictOn(askingOnce, runContext)).toMatchObject({ verdict: 'pass' });
    expect(await verdictOn(check, runContext)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'GET /v1/accounts was answered 404, as if it was not offered, and went through before.',
    });
  });

  test('is not offered to another session, whatever the first was shown', async () => {
    const runContext = fakeRunContext(goneAfter(1));
    await verdictOn(askingOnce, runContext);
    const elsewhere = aCheck({
      run: async (context) => {
        const psu = { ...context.psu, sessionId: 'another' };
        const answer = await context.call({ operation: 'listAccounts', psu });
        if (answer.isAbsent) throw new NotOffered('The bank does not offer GET /v1/accounts.');
      },
    });
    expect(await verdictOn(elsewhere, runContext)).toMatchObject({ verdict: 'not-applicable' });
  });
});

describe('a deletion that is answered 404 at first', () => {
  /** One check asks for it once, the other until it is there. */
  const deleting = (id: string, times: number) =>
    aCheck({
      id,
      run: async (context) => {
        for (let time = 1; time <= times; time += 1) {
          const answer = await context.call({ operation: 'deleteSigningBasket', params: { basketId: id } });
          if (!answer.isAbsent) return;
        }
        throw new NotOffered('The bank does not offer DELETE /v1/signing-baskets.');
      },
    });
  const verdictsOn = async (bank: FakeBank): Promise<readonly string[]> => {
    const told: string[] = [];
    const checks = placeChecks([suiteOf(deleting('ONCE', 1), deleting('OFTEN', 3))]);
    await runChecks(checks, fakeRunContext(bank), ({ id, verdict }) => told.push(`${id} ${verdict}`));
    return told.toSorted();
  };
  const notThereBefore =
    (first: number): FakeBank =>
    ({ number }) =>
      number < first ? responseOf(404) : responseOf(204);

  test('is judged once it has gone through for another check', async () => {
    expect(await verdictsOn(notThereBefore(4))).toEqual(['OFTEN pass', 'ONCE pass']);
  });

  test('is not offered where it never goes through', async () => {
    expect(await verdictsOn(notThereBefore(9))).toEqual(['OFTEN not-applicable', 'ONCE not-applicable']);
  });
});
