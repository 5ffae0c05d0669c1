import { describe, expect, it } from 'vitest';
import { responseOf } from '../tpp/fake-transport.test.data.ts';
import { mostBeginnings } from '../tpp/sca/sca-walker.ts';
import type { CheckContext } from './context.ts';
import { expectAnswer, mustSucceed, rejectedWith } from './expectation.ts';
import { aCheck, fakeRunContext, scaWanted, verdictAt, verdictOn } from './fake-run-context.test.data.ts';

/** Accounts are shown, and what comes after that has to be answered 400. */
const failing = (prepare: (context: CheckContext) => void = () => {}) =>
  aCheck({
    async run(context) {
      mustSucceed(await context.call({ operation: 'listAccounts' }, {}, 'control'), 'asking for accounts');
      prepare(context);
      const answer = await context.call({ operation: 'startUserFlow' }, {}, 'the question');
      expectAnswer(context, answer, rejectedWith(400), 'for the question');
    },
  });

/** Accounts are shown for so long, in requests; what else it is asked, it asks for SCA. */
const bankWhoseSessionHolds = (requests: number) =>
  fakeRunContext(({ wire, number }) =>
    wire.target.includes('/accounts') && number <= requests ? responseOf(200, { accounts: [] }) : scaWanted(),
  );

describe('a check that fails because SCA is asked for', () => {
  it('fails where the session of the run holds, each time that it is begun', async () => {
    const run = bankWhoseSessionHolds(Number.POSITIVE_INFINITY);
    const result = await verdictOn(failing(), run);
    expect(result.verdict).toBe('fail');
    expect(result.reason).toContain('Expected status 400 for the question, but got 401');
    expect(run.transport.requests.filter(({ target }) => target.includes('/user'))).toHaveLength(
      mostBeginnings,
    );
  });

  it('says nothing where somebody else has ended the session of the run', async () => {
    const result = await verdictOn(failing(), bankWhoseSessionHolds(1));
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain('Run again alone');
  });

  it('passes in a session that is over and is renewed by SCA', async () => {
    let holds = 1;
    const psu = {
      id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c',
      nationalId: '01819010001',
      sca: 'form',
    } as const;
    const bank = fakeRunContext(
      ({ wire }) => {
        holds -= 1;
        if (holds < 0) return scaWanted();
        return wire.target.includes('/accounts') ? responseOf(200, { accounts: [] }) : responseOf(400, {});
      },
      { target: { psu } },
    );
    const pass = async () => {
      holds = 100;
      return {} as Awaited<ReturnType<typeof bank.walker.pass>>;
    };
    const run = { ...bank, walker: { ...bank.walker, pass } };
    expect((await verdictOn(failing(), run)).verdict).toBe('pass');
  });

  it('passes where it was so only once', async () => {
    const run = fakeRunContext(({ wire, number }) => {
      if (wire.target.includes('/accounts')) return responseOf(200, { accounts: [] });
      return number <= 2 ? scaWanted() : responseOf(400, {});
    });
    expect((await verdictOn(failing(), run)).verdict).toBe('pass');
  });

  it('fails where the end of that session is its question', async () => {
    const run = fakeRunContext(({ wire, number }) =>
      wire.target.includes('/accounts') && number % 2 === 1 ? responseOf(200, { accounts: [] }) : scaWanted(),
    );
    const judging = failing((context) => {
      context.judgesSession = true;
    });
    expect((await verdictOn(judging, run)).verdict).toBe('fail');
  });
});

describe('a check whose control is asked for SCA', () => {
  const bank =
    () =>
    ({ number }: { readonly number: number }) =>
      number === 1 ? scaWanted() : responseOf(number === 2 ? 200 : 400, { accounts: [] });

  it('begins again in a shard: another one may act for the same customer', async () => {
    const run = fakeRunContext(bank(), { shard: { index: 2, count: 3 } });
    expect((await verdictOn(failing(), run)).verdict).toBe('pass');
  });

  it('says nothing in a run that is alone', async () => {
    expect((await verdictAt(bank(), failing())).verdict).toBe('inconclusive');
  });
});
