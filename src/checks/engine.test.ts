import { afterEach, describe, expect, it, vi } from 'vitest';
import { everyProduct } from '../spec/products.ts';
import type { TargetParts } from '../target/target.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { mostBeginnings } from '../tpp/sca/sca-walker.ts';
import type { Check, CheckDefinition } from './check.ts';
import type { RunContext } from './context.ts';
import { placeChecks, runChecks } from './engine.ts';
import {
  aCheck,
  created,
  type FakeBank,
  fakeRunContext,
  refusal,
  suiteOf,
  throwing,
  verdictAt,
  verdictOn,
} from './fake-run-context.test.data.ts';
import { ExpectationFailed, Inconclusive, LostOnTheWay, NotApplicable } from './outcomes.ts';
import { aDomesticPayment } from './subject.ts';
import { acceptsEvery } from './trial.ts';
import { verdicts } from './verdict.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a check takes no time below nothing where the clock of the machine is set back meanwhile', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-02T10:00:00Z'), toFake: ['Date'] });
  const setting = aCheck({ run: async () => void vi.setSystemTime(Date.parse('2026-03-02T09:59:55Z')) });
  const { startedAt, durationMs } = await verdictAt(undefined, setting);
  expect(startedAt).toBe('2026-03-02T10:00:00.000Z');
  expect(durationMs).toBeGreaterThanOrEqual(0);
});

const accepting = (id: string) =>
  acceptsEvery({ id, requirement: 'NDC-69', title: 'accepted', of: aDomesticPayment() });

describe('the six verdicts', () => {
  it.each([
    ['pass', aCheck(), undefined],
    ['fail', throwing(new ExpectationFailed('400', '201')), 'Expected 400, but got 201'],
    [
      'warning',
      throwing(new ExpectationFailed('400', '201'), { requirement: 'SGH-03' }),
      'Expected 400, but got 201',
    ],
    ['not-applicable', throwing(new NotApplicable('add accounts.card')), 'add accounts.card'],
    ['inconclusive', throwing(new Inconclusive('the control was refused')), 'the control was refused'],
    ['error', throwing(new TypeError('our own bug')), /^The suite itself broke: TypeError: our own bug/],
  ] as const)('%s', async (verdict, one, reason) => {
    const result = await verdictAt(undefined, one);
    expect(result.verdict).toBe(verdict);
    if (reason === undefined) expect(result).not.toHaveProperty('reason');
    else expect(result.reason).toMatch(reason);
  });

  it.each([
    ['an answer that never came', new NoAnswerError('timeout', 'No answer within 30 s.', []), true],
    ['what may have been carried out', new LostOnTheWay('It may have been carried out.'), true],
    ['a refused control', new Inconclusive('the control was refused'), undefined],
  ])('tell %s as unanswered, or not', async (_, error, unanswered) => {
    expect((await verdictAt(undefined, throwing(error))).unanswered).toBe(unanswered);
  });

  const paying = aCheck({
    run: async (context) => void (await context.call({ operation: 'createDomesticPayment', body: {} })),
  });
  const environment = 'production';
  const declared = [...everyProduct].map(({ creation }) => ({ what: creation, reason: 'accounts only' }));
  it.each<[string, Partial<TargetParts>, true | undefined]>([
    ['a payment in production', { environment }, true],
    ['a payment in a sandbox', { environment: 'sandbox' }, undefined],
    ['a payment with leave', { environment, allowProductionPayments: true }, undefined],
    ['a payment where none are judged', { environment, profiles: ['accounts'] }, undefined],
    ['a payment where none are offered', { environment, notOffered: declared }, undefined],
  ])('tell %s as withheld, or not', async (_, target, withheld) => {
    for (const one of [aCheck({ needs: ['create-payments'] }), paying])
      expect((await verdictAt(undefined, one, { target })).withheld).toBe(withheld);
    const card = aCheck({ needs: ['card-account'] });
    expect((await verdictAt(undefined, card, { target })).withheld).toBeUndefined();
  });

  it('are all that there are', () => {
    expect([...verdicts].sort()).toEqual(
      ['error', 'fail', 'inconclusive', 'not-applicable', 'pass', 'warning'].sort(),
    );
  });

  it.each<[string, unknown, object]>([
    [
      'carry what was expected and what came',
      new ExpectationFailed('status 400', '201'),
      { expected: 'status 400', actual: '201' },
    ],
    [
      'survive a quote of what is not there',
      new ExpectationFailed('a string', JSON.stringify(undefined)),
      { verdict: 'fail', actual: 'nothing' },
    ],
    [
      'survive a throw of something that is no error',
      'text',
      { verdict: 'error', reason: 'The suite itself broke: text' },
    ],
  ])('%s', async (_, thrown, result) => {
    expect(await verdictAt(undefined, throwing(thrown))).toMatchObject(result);
  });
});

describe('a failure of a check of several requirements', () => {
  const others = ['SES-02', 'RDF-05', 'SCA-19'];
  const failing = (requirement: string | undefined) =>
    verdictAt(
      undefined,
      aCheck({
        requirement: 'SES-04',
        others,
        async run(context) {
          await context.showing('SES-02', async () => {});
          context.showing(requirement, () => {
            throw new ExpectationFailed('400', '201');
          });
        },
      }),
    );

  it.each<[string, string | undefined, object]>([
    [
      'breaks that which the failing step shows, and says which were shown to hold',
      'SCA-19',
      { verdict: 'fail', requirements: ['SCA-19'], held: ['SES-02'], notReached: ['SES-04', 'RDF-05'] },
    ],
    ['breaks its own where the step says nothing', undefined, { requirements: ['SES-04'], held: ['SES-02'] }],
    ['may break what held before', 'SES-02', { requirements: ['SES-02'], held: undefined }],
    ['is as grave as the requirement that it breaks', 'RDF-05', { verdict: 'warning', level: 'advisory' }],
  ])('%s', async (_, requirement, result) => {
    expect({ held: undefined, ...(await failing(requirement)) }).toMatchObject(result);
  });
});

describe('a check whose SCA was lost on the way', () => {
  const lost = () => new LostOnTheWay('SCA could not be passed');
  const losing = (times: number) => {
    const begun = { times: 0 };
    const one = aCheck({
      run: async () => {
        begun.times += 1;
        if (begun.times <= times) throw lost();
      },
    });
    return { one, begun };
  };

  it('is begun again', async () => {
    const { one, begun } = losing(2);
    expect(await verdictAt(undefined, one)).toMatchObject({ verdict: 'pass' });
    expect(begun.times).toBe(3);
  });

  it('names the rule that the last beginning has found broken', async () => {
    let begun = 0;
    const one = aCheck({
      others: ['SCA-19'],
      run: async (context) => {
        begun += 1;
        if (begun > 1) throw new ExpectationFailed('400', '201');
        context.showing('SCA-19', () => {});
        throw lost();
      },
    });
    expect(await verdictAt(undefined, one)).toMatchObject({
      verdict: 'fail',
      requirements: ['TRN-01'],
      notReached: ['SCA-19'],
    });
  });

  it('is not begun without end', async () => {
    const { one, begun } = losing(Number.POSITIVE_INFINITY);
    expect(await verdictAt(undefined, one)).toMatchObject({ verdict: 'inconclusive' });
    expect(begun.times).toBe(mostBeginnings);
  });

  it('is not begun again where its payments would move money', async () => {
    const { one, begun } = losing(1);
    const inProduction = fakeRunContext(undefined, { target: { environment: 'production' } });
    expect(await verdictOn(one, inProduction)).toMatchObject({ verdict: 'inconclusive' });
    expect(begun.times).toBe(1);
  });
});

describe('a check that needs what the target does not offer', () => {
  it('does not apply, says everything that is missing, and sends nothing', async () => {
    const runContext = fakeRunContext();
    const needy = acceptsEvery({
      id: 'NDC-62',
      requirement: 'NDC-62',
      title: 'a card is accepted',
      of: aDomesticPayment({ debtor: 'card' }),
      needs: ['card-account', 'bulk-payment'],
    });
    const result = await verdictOn(needy, runContext);
    expect(result.verdict).toBe('not-applicable');
    expect(result.reason).toMatch(/accounts\.card.*; .*payments\.bulk/s);
    expect(result.leftOpen).toBeUndefined();
    expect(runContext.transport.requests).toHaveLength(0);
  });

  const ofCompanies = aCheck({ requirement: 'SES-02', needs: ['corporate-psu', 'aisp-role'] });
  const notOffered = [{ what: 'corporate-psus', reason: 'private customers only' }];
  it.each<[string, Check, Partial<TargetParts>, object]>([
    ['leaves open what it needs companies for', ofCompanies, {}, { notOffered: undefined }],
    [
      'leaves nothing open where the target file says that no companies are served',
      ofCompanies,
      { notOffered },
      { notOffered: true, reason: expect.stringContaining('private customers only') },
    ],
    [
      'leaves nothing open where it needs leave that a normal run does without',
      aCheck({ requirement: 'SES-01', needs: ['expired-session'] }),
      {},
      { leftOpen: true },
    ],
  ])('%s', async (_, one, target, expected) => {
    const result = { notOffered: undefined, ...(await verdictAt(undefined, one, { target })) };
    expect(result).toMatchObject({ verdict: 'not-applicable', ...expected });
  });
});

/** `count` checks that pass, A-0 and so on. */
const numbered = (count: number): readonly Check[] =>
  Array.from({ length: count }, (_, index) => aCheck({ id: `A-${index}` }));
const runAll = (runContext: RunContext, ...checks: readonly Check[]) =>
  runChecks(placeChecks([suiteOf(...checks)]), runContext);
/** Ids in the order in which the verdicts fell. */
async function heardOf(...checks: readonly Check[]): Promise<readonly string[]> {
  const heard: string[] = [];
  const results = await runChecks(placeChecks([suiteOf(...checks)]), fakeRunContext(), ({ id }) =>
    heard.push(id),
  );
  expect(heard).toEqual(results.map(({ id }) => id));
  return heard;
}

describe('a run of checks', () => {
  it('judges every check and tells each verdict as it falls', async () => {
    const heard = await heardOf(...numbered(120));
    expect(heard).toHaveLength(120);
    expect(new Set(heard).size).toBe(120);
  });

  it('lets those that observe come last, whatever their place', async () => {
    const order: string[] = [];
    const fastIsOver = () => vi.waitFor(() => expect(order).toContain('FAST'), { timeout: 20_000 });
    const taking = (id: string, observes: boolean, until = async () => {}) =>
      aCheck({
        id,
        observes,
        run: async () => {
          await until();
          order.push(id);
        },
      });
    await runAll(
      fakeRunContext(),
      taking('O', true),
      taking('SLOW', false, fastIsOver),
      taking('FAST', false),
    );
    expect(order).toEqual(['FAST', 'SLOW', 'O']);
  });

  it('takes those that pass SCA early, wherever they stand, and others next to them', async () => {
    const heard = await heardOf(...numbered(200), aCheck({ id: 'SCA', needs: ['sca-unattended'] }));
    expect(heard.slice(0, 2)).toEqual(['SCA', 'A-0']);
    expect(heard).toHaveLength(201);
  });

  it('has those that take long begin while the others do', async () => {
    const begun: string[] = [];
    let release = (): void => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const one = (id: string, changes: Partial<CheckDefinition> = {}) => {
      const run = (): Promise<void> => {
        begun.push(id);
        return first;
      };
      return aCheck({ id, run, ...changes });
    };
    const many = Array.from({ length: 300 }, (_, index) => one(`short ${index}`));
    const running = runAll(fakeRunContext(), ...many, one('long', { takesLong: true }));
    expect(begun.slice(0, 3)).toEqual(['long', 'short 0', 'short 1']);
    release();
    expect(await running).toHaveLength(301);
  });

  it('draws with the seed which of those that pass SCA is first', async () => {
    const judged = async (seed: number): Promise<readonly string[]> => {
      const checks = ['A', 'B', 'C', 'D'].map((id) => aCheck({ id, needs: ['sca-unattended'] }));
      const results = await runAll(fakeRunContext(undefined, { seed }), ...checks);
      return results.map(({ id }) => id);
    };
    const orders = await Promise.all([1, 2, 3, 4, 5].map(judged));
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
    expect(await judged(1)).toEqual(orders[0]);
  });

  it('shows observers every answer of the run, whichever check got it', async () => {
    let seen = 0;
    const observer = aCheck({
      id: 'PRS-01',
      observes: true,
      run: async ({ run }) => {
        seen = run.observations.kept.length;
      },
    });
    await runAll(fakeRunContext(), observer, accepting('NDC-69'));
    // The cases, and a control in each of three contexts.
    expect(seen).toBe(5 + 3);
  });

  it('stops between checks when it is told to', async () => {
    let judged = 0;
    const checks = Array.from({ length: 200 }, (_, index) =>
      aCheck({
        id: `A-${index}`,
        run: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          judged += 1;
        },
      }),
    );
    await runChecks(
      placeChecks([suiteOf(...checks)]),
      fakeRunContext(),
      () => {},
      () => judged > 10,
    );
    expect(judged).toBeGreaterThan(10);
    expect(judged).toBeLessThan(200);
  });

  it('gives each check a place of its own, over all suites', () => {
    const [a, b, c] = [aCheck({ id: 'A' }), aCheck({ id: 'B' }), aCheck({ id: 'C' })];
    const placed = placeChecks([suiteOf(a, b), suiteOf(c)]);
    expect(placed.map(({ place }) => place)).toEqual([0, 1, 2]);
    expect(() => placeChecks([suiteOf(a, b), suiteOf(a)])).toThrow(/^The check A is there twice: /);
  });

  it('keeps the amounts of checks apart', async () => {
    const amounts: string[] = [];
    const bank: FakeBank = ({ body }) => {
      amounts.push((body.instructedAmount as { amount: string }).amount);
      return created();
    };
    const checks = ['A', 'B', 'C', 'D'].map(accepting);
    await runAll(fakeRunContext(bank, { runs: 40 }), ...checks);
    // A control in each of five contexts is sent once for all of them.
    expect(amounts).toHaveLength(160 + 5);
    expect(new Set(amounts).size).toBe(160 + 5);
  });
});

describe('the same seed', () => {
  const ids = ['NDC-69', 'NDC-64', 'NDC-67'];
  const checks = ids.map(accepting);

  /** All bodies of a run, by check, without the order in which they happened to be sent. */
  async function bodiesOf(seed: number, only = ids) {
    const sent: string[] = [];
    const bank: FakeBank = async ({ body }) => {
      sent.push(JSON.stringify(body));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      return created();
    };
    const placed = placeChecks([suiteOf(...checks)]).filter(({ check: { id } }) => only.includes(id));
    await runChecks(placed, fakeRunContext(bank, { seed, runs: 10 }));
    return sent.sort();
  }

  it('gives the same cases twice, however the requests overtake each other', async () => {
    expect(await bodiesOf(7)).toEqual(await bodiesOf(7));
  });

  it('gives a check the same cases when it runs alone', async () => {
    const all = await bodiesOf(7);
    for (const body of await bodiesOf(7, ['NDC-67'])) expect(all).toContain(body);
  });

  it('gives other cases than another seed', async () => {
    const others = new Set(await bodiesOf(8));
    expect((await bodiesOf(7)).filter((body) => others.has(body))).toEqual([]);
  });

  it('given by hand allows duplicates, since the bank may have seen these payments', async () => {
    const asked = async (repeatsPayments: boolean) => {
      const runContext = fakeRunContext(undefined, { repeatsPayments });
      await verdictOn(accepting('NDC-69'), runContext);
      return new Set(runContext.transport.requests.map(({ target }) => target.split('?')[1]));
    };
    expect(await asked(true)).toEqual(new Set(['allowLogicalDuplicate=true']));
    expect(await asked(false)).toEqual(new Set([undefined]));
  });
});

describe('what is told of a check', () => {
  it('hides secrets, in sentences as well as in exchanges', async () => {
    const bank: FakeBank = () => refusal('psu 01819010001 of the-key-of-the-sandbox');
    const runContext = fakeRunContext(bank, {
      target: { customHeaders: { 'X-API-Key': 'the-key-of-the-sandbox' } },
    });
    const told = JSON.stringify(await verdictOn(accepting('NDC-69'), runContext));
    expect(told).toContain('[national-id#1, redacted]');
    expect(told).toContain('[custom-header#1 of 22 characters, redacted]');
    expect(told).not.toContain('01819010001');
    expect(told).not.toContain('the-key-of-the-sandbox');
    expect(told).not.toContain(runContext.target.identities.main.certificate.base64);
  });

  it('is bounded: a check with many cases shows a few exchanges', async () => {
    const result = await verdictAt(undefined, accepting('A'), { runs: 100 });
    expect(result.cases).toBe(100);
    expect(result.exchanges.length).toBeLessThanOrEqual(2);
  });
});
