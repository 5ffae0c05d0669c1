import { afterEach, describe, expect, it, vi } from 'vitest';
import { everyProduct } from '../spec/products.ts';
import type { TargetParts } from '../target/target.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { mostBeginnings } from '../tpp/sca/sca-walker.ts';
import type { Check, CheckDefinition } from './check.ts';
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

it('a check that quotes what is not there comes to its verdict', async () => {
  const quoted = JSON.stringify(undefined);
  const quoting = throwing(new ExpectationFailed('a string', quoted));
  expect(await verdictAt(undefined, quoting)).toMatchObject({ verdict: 'fail', actual: 'nothing' });
});

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

  it('tell a refused control from an answer that never came', async () => {
    const unanswered = async (error: Error) => (await verdictAt(undefined, throwing(error))).unanswered;
    expect(await unanswered(new NoAnswerError('timeout', 'No answer within 30 s.', []))).toBe(true);
    expect(await unanswered(new LostOnTheWay('It may have been carried out.'))).toBe(true);
    expect(await unanswered(new Inconclusive('the control was refused'))).toBeUndefined();
  });

  it('tell what the run had no leave to ask for from what is not there', async () => {
    const withheld = async (one: Check, target: Partial<TargetParts>) =>
      (await verdictAt(undefined, one, { target })).withheld;
    const paying = aCheck({
      run: async (context) => void (await context.call({ operation: 'createDomesticPayment', body: {} })),
    });
    const declared = [...everyProduct].map(({ creation }) => ({ what: creation, reason: 'accounts only' }));
    for (const one of [aCheck({ needs: ['create-payments'] }), paying]) {
      expect(await withheld(one, { environment: 'production' })).toBe(true);
      expect(await withheld(one, { environment: 'sandbox' })).toBeUndefined();
      expect(
        await withheld(one, { environment: 'production', allowProductionPayments: true }),
      ).toBeUndefined();
      expect(await withheld(one, { environment: 'production', profiles: ['accounts'] })).toBeUndefined();
      expect(await withheld(one, { environment: 'production', notOffered: declared })).toBeUndefined();
    }
    expect(
      await withheld(aCheck({ needs: ['card-account'] }), { environment: 'production' }),
    ).toBeUndefined();
  });

  it('are all that there are', () => {
    expect([...verdicts].sort()).toEqual(
      ['error', 'fail', 'inconclusive', 'not-applicable', 'pass', 'warning'].sort(),
    );
  });

  it('carry what was expected and what came', async () => {
    const result = await verdictAt(undefined, throwing(new ExpectationFailed('status 400', '201')));
    expect(result).toMatchObject({ expected: 'status 400', actual: '201' });
  });

  it('survive a throw of something that is no error', async () => {
    expect(await verdictAt(undefined, throwing('text'))).toMatchObject({
      verdict: 'error',
      reason: 'The suite itself broke: text',
    });
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

  it('breaks that which the failing step shows, and says which were shown to hold', async () => {
    expect(await failing('SCA-19')).toMatchObject({
      verdict: 'fail',
      requirements: ['SCA-19'],
      held: ['SES-02'],
      notReached: ['SES-04', 'RDF-05'],
    });
  });

  it('breaks its own where the step says nothing, and what held before may break later', async () => {
    expect(await failing(undefined)).toMatchObject({ requirements: ['SES-04'], held: ['SES-02'] });
    const later = await failing('SES-02');
    expect(later.requirements).toEqual(['SES-02']);
    expect(later.held).toBeUndefined();
  });

  it('is as grave as the requirement that it breaks', async () => {
    expect(await failing('RDF-05')).toMatchObject({ verdict: 'warning', level: 'advisory' });
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

  it('leaves nothing open where it needs companies, and the target file says that none are served', async () => {
    const ofCompanies = aCheck({ requirement: 'SES-02', needs: ['corporate-psu', 'aisp-role'] });
    const open = await verdictAt(undefined, ofCompanies);
    expect(open).toMatchObject({ verdict: 'not-applicable' });
    expect(open.notOffered).toBeUndefined();
    const target = { notOffered: [{ what: 'corporate-psus', reason: 'private customers only' }] };
    expect(await verdictAt(undefined, ofCompanies, { target })).toMatchObject({
      verdict: 'not-applicable',
      notOffered: true,
      reason: expect.stringContaining('private customers only'),
    });
  });

  it('leaves nothing open where it needs leave that a normal run does without', async () => {
    const byLeave = aCheck({ requirement: 'SES-01', needs: ['expired-session'] });
    expect(await verdictAt(undefined, byLeave)).toMatchObject({
      verdict: 'not-applicable',
      leftOpen: true,
    });
  });
});

describe('a run of checks', () => {
  it('judges every check and tells each verdict as it falls', async () => {
    const checks = placeChecks([
      suiteOf(...Array.from({ length: 120 }, (_, index) => aCheck({ id: `A-${index}` }))),
    ]);
    const heard: string[] = [];
    const results = await runChecks(checks, fakeRunContext(), ({ id }) => heard.push(id));
    expect(results).toHaveLength(120);
    expect(heard).toEqual(results.map(({ id }) => id));
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
    await runChecks(
      placeChecks([suiteOf(taking('O', true), taking('SLOW', false, fastIsOver), taking('FAST', false))]),
      fakeRunContext(),
    );
    expect(order).toEqual(['FAST', 'SLOW', 'O']);
  });

  it('takes those that pass SCA early, wherever they stand, and others next to them', async () => {
    const checks = Array.from({ length: 200 }, (_, index) => aCheck({ id: `A-${index}` }));
    const last = aCheck({ id: 'SCA', needs: ['sca-unattended'] });
    const heard: string[] = [];
    await runChecks(placeChecks([suiteOf(...checks, last)]), fakeRunContext(), ({ id }) => heard.push(id));
    expect(heard.slice(0, 2)).toEqual(['SCA', 'A-0']);
    expect(heard).toHaveLength(201);
  });

  it('draws with the seed which of those that pass SCA is first', async () => {
    const judged = async (seed: number): Promise<readonly string[]> => {
      const checks = ['A', 'B', 'C', 'D'].map((id) => aCheck({ id, needs: ['sca-unattended'] }));
      const results = await runChecks(placeChecks([suiteOf(...checks)]), fakeRunContext(undefined, { seed }));
      return results.map(({ id }) => id);
    };
    const orders = await Promise.all([1, 2, 3, 4, 5].map(judged));
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
    expect(await judged(1)).toEqual(orders[0]);
  });

  it('shows observers every answer of the run, whichever check got it', async () => {
    const payments = acceptsEvery({
      id: 'NDC-69',
      requirement: 'NDC-69',
      title: 'accepted',
      of: aDomesticPayment(),
    });
    let seen = 0;
    const observer = aCheck({
      id: 'PRS-01',
      observes: true,
      run: async ({ run }) => {
        seen = run.observations.kept.length;
      },
    });
    await runChecks(placeChecks([suiteOf(observer, payments)]), fakeRunContext());
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
    const checks = ['A', 'B', 'C', 'D'].map((id) =>
      acceptsEvery({ id, requirement: 'NDC-69', title: 'accepted', of: aDomesticPayment() }),
    );
    await runChecks(placeChecks([suiteOf(...checks)]), fakeRunContext(bank, { runs: 40 }));
    // A control in each of five contexts is sent once for all of them.
    expect(amounts).toHaveLength(160 + 5);
    expect(new Set(amounts).size).toBe(160 + 5);
  });
});

describe('the same seed', () => {
  const checks = ['NDC-69', 'NDC-64', 'NDC-67'].map((id) =>
    acceptsEvery({ id, requirement: id, title: 'accepted', of: aDomesticPayment() }),
  );

  /** All bodies of a run, by check, without the order in which they happened to be sent. */
  async function bodiesOf(seed: number, only: readonly string[] = ['NDC-69', 'NDC-64', 'NDC-67']) {
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
    const runContext = fakeRunContext(undefined, { repeatsPayments: true });
    await verdictOn(checks[0] ?? aCheck(), runContext);
    for (const { target } of runContext.transport.requests)
      expect(target).toContain('?allowLogicalDuplicate=true');
    const first = fakeRunContext();
    await verdictOn(checks[0] ?? aCheck(), first);
    for (const { target } of first.transport.requests) expect(target).not.toContain('?');
  });
});

describe('what is told of a check', () => {
  it('hides secrets, in sentences as well as in exchanges', async () => {
    const bank: FakeBank = () => refusal('psu 01819010001 of the-key-of-the-sandbox');
    const runContext = fakeRunContext(bank, {
      target: { customHeaders: { 'X-API-Key': 'the-key-of-the-sandbox' } },
    });
    const failing = acceptsEvery({
      id: 'NDC-69',
      requirement: 'NDC-69',
      title: 'accepted',
      of: aDomesticPayment(),
    });
    const told = JSON.stringify(await verdictOn(failing, runContext));
    expect(told).toContain('[national-id#1, redacted]');
    expect(told).toContain('[custom-header#1 of 22 characters, redacted]');
    expect(told).not.toContain('01819010001');
    expect(told).not.toContain('the-key-of-the-sandbox');
    expect(told).not.toContain(runContext.target.identities.main.certificate.base64);
  });

  it('is bounded: a check with many cases shows a few exchanges', async () => {
    const many = acceptsEvery({
      id: 'A',
      requirement: 'NDC-69',
      title: 'accepted',
      of: aDomesticPayment(),
    });
    const result = await verdictAt(undefined, many, { runs: 100 });
    expect(result.cases).toBe(100);
    expect(result.exchanges.length).toBeLessThanOrEqual(2);
  });
});

describe('the order of checks', () => {
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
    const long = one('long', { takesLong: true });
    const running = runChecks(placeChecks([suiteOf(...many, long)]), fakeRunContext());
    expect(begun.slice(0, 3)).toEqual(['long', 'short 0', 'short 1']);
    release();
    await running;
    expect(begun).toHaveLength(301);
  });
});
