import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonObject, removeAt, setAt } from '../payloads/json.ts';
import { headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import type { CheckContext } from './context.ts';
import { dimensions } from './contexts.ts';
import { created as created201, rejectedWith } from './expectation.ts';
import {
  created,
  type FakeBank,
  fakeRunContext,
  refusal,
  verdictAt,
  verdictOn,
} from './fake-run-context.test.data.ts';
import { aDomesticPayment } from './subject.ts';
import {
  about,
  acceptsAll,
  amountOf,
  hasName,
  refusesWithoutName,
  strict,
  withoutName,
} from './trial.test.data.ts';
import { accepts, acceptsEvery, refuses, type Twist } from './trial.ts';

describe('a check that a fault is refused', () => {
  it('passes on a bank that refuses the fault and takes the control', async () => {
    const runContext = fakeRunContext(strict);
    const result = await verdictOn(refusesWithoutName, runContext);
    expect(result).toMatchObject({ verdict: 'pass', cases: 5, notes: [] });
    // The evidence of a pass: the control, and one case.
    expect(result.exchanges.map(({ purpose }) => purpose)).toEqual(['control', 'creditorName is missing']);
    // The control, one in each of three contexts, and the cases.
    expect(runContext.transport.requests).toHaveLength(1 + 3 + 5);
  });

  it('fails on a bank that takes it, with what was expected and what came', async () => {
    const result = await verdictAt(() => created(), refusesWithoutName);
    expect(result).toMatchObject({
      verdict: 'fail',
      expected: 'a refusal (4xx) when creditorName is missing',
      actual: '201',
      reproduce: 'xs2a-conformance run --only NDC-09 --seed 7',
    });
    expect(result.exchanges.map(({ purpose }) => purpose)).toEqual(['control', 'creditorName is missing']);
  });

  it('says how often it went wrong, and after how much that went right', async () => {
    let faults = 0;
    const tired: FakeBank = (request) => {
      if (!hasName(request.body)) faults += 1;
      return faults > 3 ? created() : strict(request);
    };
    const { notes } = await verdictAt(tired, refusesWithoutName);
    expect(notes).toContain('It went wrong in 2 of 5 cases, the first time after 3 that went right.');
  });

  it('lays a failure to the requirement of its fault, where the faults of a check break different ones', async () => {
    const withoutAddress: Twist = {
      label: 'creditorAddress is missing',
      body: (body) => removeAt(body, ['creditorAddress']),
      requirement: 'NDC-15',
    };
    const check = refuses({
      ...about,
      id: 'SCA-12-faults',
      requirement: 'SCA-12',
      others: ['NDC-09', 'NDC-15'],
      twists: [{ ...withoutName, requirement: 'NDC-09' }, withoutAddress],
    });
    const { requirements, held, notReached, verdict } = await verdictAt(strict, check);
    expect({ requirements, held, notReached, verdict }).toEqual({
      requirements: ['NDC-15'],
      held: ['NDC-09'],
      notReached: ['SCA-12'],
      verdict: 'fail',
    });
    const allStrict: FakeBank = ({ body }) =>
      hasName(body) && body.creditorAddress !== undefined ? created() : refusal('creditorName');
    expect((await verdictAt(allStrict, check)).requirements).toEqual(['SCA-12', 'NDC-09', 'NDC-15']);
  });

  it.each([
    [500],
    [500, '<h1>Internal Server Error</h1>'],
    [500, 'upstream connect error'],
    [502],
    [408],
    [301],
  ])('fails on a bank that answers %i %s to one kind of request', async (status, body = '{}') => {
    const bank: FakeBank = ({ body: sent, wire }) =>
      hasName(sent) || wire.method === 'GET' ? created() : responseOf(status, body);
    expect(await verdictAt(bank, refusesWithoutName)).toMatchObject({
      verdict: 'fail',
      actual: String(status),
    });
  });

  it.each([429, 502, 503, 504])('is inconclusive on a bank that answers %i to everything', async (status) => {
    const result = await verdictAt(() => responseOf(status), refusesWithoutName);
    expect(result).toMatchObject({ verdict: 'inconclusive' });
    expect(result.reason).toContain(String(status));
  });

  it('is inconclusive on a bank that answers 429 to one kind of request: it has not looked at it', async () => {
    const bank: FakeBank = ({ body, wire }) =>
      hasName(body) || wire.method === 'GET' ? created() : responseOf(429);
    expect(await verdictAt(bank, refusesWithoutName)).toMatchObject({
      verdict: 'inconclusive',
    });
  });

  it.each([502, 503, 504])('passes where a gateway answers %i in one case of five', async (status) => {
    let requests = 0;
    const bank: FakeBank = (seen) => {
      requests += 1;
      return requests % 5 === 0 ? responseOf(status) : strict(seen);
    };
    expect(await verdictAt(bank, refusesWithoutName, { runs: 40 })).toMatchObject({
      verdict: 'pass',
    });
  });

  it('never fails where half of all requests are turned away by chance', async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const chances = fc.sample(fc.boolean(), { seed, numRuns: 5000 });
      const bank: FakeBank = (seen) => (chances.pop() === true ? responseOf(503) : strict(seen));
      const { verdict } = await verdictAt(bank, refusesWithoutName, { runs: 40 });
      expect(['pass', 'inconclusive']).toContain(verdict);
    }
  });

  it('is inconclusive on a bank that refuses everything: it passes nothing', async () => {
    const result = await verdictAt(() => refusal(), refusesWithoutName);
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toMatch(
      /^The control was refused: a domestic payment without any fault was answered 400/,
    );
  });

  it('takes another control when the first one has something else that the bank refuses', async () => {
    let controls = 0;
    const bank: FakeBank = ({ body }) => {
      if (!hasName(body)) return refusal();
      controls += 1;
      return controls === 1 ? refusal('purposeCode') : created();
    };
    const result = await verdictAt(bank, refusesWithoutName);
    expect(result.verdict).toBe('pass');
    expect(result.notes.join()).toContain('A control was refused');
  });

  it('leaves to each kind of request its share of a list, and with the next seed the rest', async () => {
    const twists = Array.from(
      { length: 20 },
      (_, number): Twist => ({
        ...withoutName,
        label: `value ${number}`,
        ...(number === 0 ? {} : { isOneOfMany: true }),
      }),
    );
    const triedBy = async (place: number, seed: number): Promise<ReadonlySet<string>> => {
      const tried = new Set<string>();
      const runContext = {
        ...fakeRunContext(strict, { seed }),
        onExchange: ({ purpose }: { readonly purpose: string }) => void tried.add(purpose),
      };
      const sharesList = { place, among: 2 };
      await verdictOn(refuses({ ...about, twists, sharesList, cases: 1 }), runContext);
      return new Set([...tried].filter((purpose) => purpose.startsWith('value')));
    };
    const [first, second, next] = [await triedBy(0, 7), await triedBy(1, 7), await triedBy(0, 8)];
    expect([...first].filter((label) => second.has(label))).toEqual(['value 0']);
    expect(new Set([...first, ...second]).size).toBe(20);
    expect(next).toEqual(second);
  });

  it('tries each twist at least once, however few the cases', async () => {
    const purposes = new Set<string>();
    const twists = Array.from(
      { length: 12 },
      (_, index): Twist => ({
        label: `twist ${index}`,
        body: (body) => setAt(removeAt(body, ['creditorName']), ['ultimateDebtor'], `twist ${index}`),
      }),
    );
    const bank: FakeBank = ({ body }) => {
      if (hasName(body)) return created();
      purposes.add(String(body.ultimateDebtor));
      return refusal();
    };
    const result = await verdictAt(bank, refuses({ ...about, twists, cases: 1 }));
    expect(result).toMatchObject({ verdict: 'pass', cases: 2 * 12 });
    expect(purposes.size).toBe(12);
  });

  it('fails when one twist of many is taken', async () => {
    const twists = ['DEM', 'FRF', 'XAU'].map(
      (value): Twist => ({
        label: `purposeCode is ${value}`,
        body: (body) => setAt(body, ['purposeCode'], value),
      }),
    );
    const bank: FakeBank = ({ body }) =>
      ['DEM', 'XAU'].includes(String(body.purposeCode)) ? refusal() : created();
    const result = await verdictAt(bank, refuses({ ...about, twists }));
    expect(result).toMatchObject({ verdict: 'fail', expected: 'a refusal (4xx) when purposeCode is FRF' });
  });

  it('says where a refusal points at something else than the fault', async () => {
    const bank: FakeBank = ({ body }) => (hasName(body) ? created() : refusal('debtorAccount.currency'));
    const result = await verdictAt(bank, refusesWithoutName);
    expect(result).toMatchObject({ verdict: 'pass', pointsElsewhere: true });
    expect(result.notes).toEqual([
      'Perhaps refused for another reason: the answer points at debtorAccount.currency, the fault is in creditorName.',
    ]);
  });

  it.each(['names[1]', '$.names[0].text', '/names/1'])(
    'takes %s for the fault of an element',
    async (path) => {
      const inList: Twist = { ...withoutName, points: 'names[]' };
      const bank: FakeBank = ({ body }) => (hasName(body) ? created() : refusal(path));
      const result = await verdictAt(bank, refuses({ ...about, twists: [inList] }));
      expect(result).toMatchObject({ verdict: 'pass', notes: [] });
    },
  );

  it('does not stumble over messages that are malformed', async () => {
    const bank: FakeBank = ({ body }) =>
      hasName(body) ? created() : responseOf(400, { tppMessages: [{ path: 5, code: null }, null] });
    expect((await verdictAt(bank, refusesWithoutName)).verdict).toBe('pass');
  });
});

describe('a check with a status that the specification fixes', () => {
  const fixed = refuses({ ...about, twists: [withoutName], expected: rejectedWith(400) });

  it('fails on another refusal', async () => {
    const bank: FakeBank = ({ body }) => (hasName(body) ? created() : responseOf(403));
    expect(await verdictAt(bank, fixed)).toMatchObject({
      verdict: 'fail',
      expected: 'status 400 when creditorName is missing',
      actual: '403',
    });
  });

  it('is inconclusive when the same request is refused without the fault as well', async () => {
    // Takes the control, and then nothing.
    const bank: FakeBank = ({ number }) => (number === 1 ? created() : responseOf(403));
    const result = await verdictAt(bank, fixed);
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain('without this as well: creditorName is missing');
  });
});

describe('a check that something is accepted', () => {
  it('passes on a bank that takes it', async () => {
    expect((await verdictAt(() => created(), acceptsAll)).verdict).toBe('pass');
  });

  it('fails on a bank that refuses it, and the case shrinks to something small', async () => {
    const bank: FakeBank = ({ body }) =>
      /[æøåÆØÅ]/.test(String(body.creditorName)) ? refusal('creditorName') : created();
    const runContext = fakeRunContext(bank, { runs: 30 });
    const result = await verdictOn(acceptsAll, runContext);
    expect(result).toMatchObject({
      verdict: 'fail',
      expected: 'the request to be accepted (2xx) when everything is valid',
      actual: '400, FORMAT_ERROR creditorName',
    });
    const smallest = JSON.parse(result.counterexample?.value ?? '{}');
    // Names have six letters at least, or are such as people have.
    expect(smallest.creditorName.length).toBeLessThanOrEqual('Ola Johansen'.length);
    expect(Object.keys(smallest)).toHaveLength(5);
    // Shrinking has a budget: a bank is not flooded for the sake of a nicer example.
    expect(runContext.transport.requests.length).toBeLessThan(30 * 2 + 60);
  });

  it('can be replayed by seed and path', async () => {
    const bank: FakeBank = ({ body }) => (body.purposeCode === undefined ? created() : refusal());
    const runContext = fakeRunContext(bank, { runs: 20 });
    const { counterexample } = await verdictOn(acceptsAll, runContext);
    // As the engine makes it: the seed of a check follows from that of the run and its id.
    const contexts: CheckContext[] = [];
    await verdictOn({ ...acceptsAll, run: async (given) => void contexts.push(given) }, runContext);
    const [context] = contexts;
    if (context === undefined || counterexample === undefined) throw new Error('There was no failing case.');
    const [replayed] = fc.sample(about.of.bodies(context), {
      seed: context.seed,
      path: counterexample.path,
      numRuns: 1,
    });
    const withoutAmount = (body: JsonObject) => removeAt(body, ['instructedAmount']);
    expect(withoutAmount(replayed ?? {})).toEqual(withoutAmount(JSON.parse(counterexample.value)));
  });

  it('judges a refused payment once more with another amount: an earlier run may have had its like', async () => {
    const seen = new Set<string>();
    const bank: FakeBank = ({ body, number }) => {
      const duplicate = number === 4;
      if (duplicate) expect(seen.has(amountOf(body))).toBe(false);
      seen.add(amountOf(body));
      return duplicate ? refusal() : created();
    };
    const result = await verdictAt(bank, acceptsAll);
    expect(result.verdict).toBe('pass');
    expect(result.notes).toEqual(['What was refused at first went through with another amount.']);
  });

  it('is inconclusive where the twist is not what is refused', async () => {
    const bank: FakeBank = ({ body }) => (body.purposeCode === undefined ? created() : refusal());
    const check = accepts({
      ...about,
      of: aDomesticPayment({ optional: 'all' }),
      control: aDomesticPayment({ optional: 'none' }),
      twists: [
        {
          label: 'a header is there',
          request: { beforeSigning: ({ headers }) => headers.set('PSU-Accept', 'a') },
        },
      ],
    });
    // With a control of another kind nothing can be told of the same request without the twist.
    expect((await verdictAt(bank, check, { seed: 1 })).verdict).toBe('fail');
    let controls = 0;
    const rarely: FakeBank = ({ body }) => {
      if (body.purposeCode === undefined) return created();
      controls += 1;
      return controls === 1 ? created() : refusal();
    };
    const same = accepts({
      ...about,
      of: aDomesticPayment({ optional: 'all' }),
      twists: [
        {
          label: 'a header is there',
          request: { beforeSigning: ({ headers }) => headers.set('PSU-Accept', 'a') },
        },
      ],
    });
    expect((await verdictAt(rarely, same)).verdict).toBe('inconclusive');
  });

  it('is inconclusive when the bank answers differently each time', async () => {
    const bank: FakeBank = ({ number }) => (number <= 2 ? responseOf(505) : created());
    const result = await verdictAt(bank, acceptsEvery({ ...about, cases: 1, fixed: dimensions }));
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain('answered differently');
  });

  it('that has to be created is not content with 200', async () => {
    const check = acceptsEvery({ ...about, expected: created201() });
    expect(await verdictAt(() => responseOf(200), check)).toMatchObject({ verdict: 'fail', actual: '200' });
    expect((await verdictAt(() => created(), check)).verdict).toBe('pass');
  });
});

describe('alternatives to each other', () => {
  const either = accepts({
    ...about,
    control: 'one-of-the-twists',
    twists: ['present', 'missing'].map((label) => ({
      label,
      request: { beforeSigning: ({ headers }) => headers.set('PSU-Accept', label) },
    })),
    cases: 2,
  });
  const takes =
    (...taken: readonly string[]): FakeBank =>
    ({ wire }) =>
      taken.includes(headerOf(wire, 'PSU-Accept') ?? '') ? created() : refusal();

  it('pass when all are taken, fail when one is, and say nothing when none is', async () => {
    expect((await verdictAt(takes('present', 'missing'), either)).verdict).toBe('pass');
    expect(await verdictAt(takes('missing'), either)).toMatchObject({
      verdict: 'fail',
      expected: 'the request to be accepted (2xx) when present',
    });
    expect((await verdictAt(takes(), either)).verdict).toBe('inconclusive');
  });
});

describe('what a check says of itself', () => {
  it('is its steps and what is expected', () => {
    expect(refusesWithoutName.steps).toEqual([
      'Send a domestic payment without any fault, as control: it must go through.',
      'Send a domestic payment in which creditorName is missing.',
    ]);
    expect(refusesWithoutName.expected).toBe('a refusal (4xx)');
  });
});
