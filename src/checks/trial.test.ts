import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonObject, removeAt, setAt } from '../payloads/json.ts';
import { headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import type { WireResponse } from '../tpp/transport.ts';
import type { Check } from './check.ts';
import type { CheckContext } from './context.ts';
import { dimensions } from './contexts.ts';
import { created as created201, rejectedWith } from './expectation.ts';
import {
  created,
  type FakeBank,
  type FakeRunContextOptions,
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
  answeringFaults,
  hasName,
  refusesWithoutName,
  strict,
  withHeaderPresent,
  withoutName,
  withoutPurpose,
} from './trial.test.data.ts';
import { accepts, acceptsEvery, refuses, type Twist } from './trial.ts';

/** What becomes of a check at a bank: everything of its result that matters. */
type Judged = [
  title: string,
  check: Check,
  bank: () => FakeBank,
  result: object,
  options?: FakeRunContextOptions,
];
const judge = async (...[, check, bank, result, options]: Judged) =>
  expect(await verdictAt(bank(), check, options)).toMatchObject(result);
const always = (answer: () => WireResponse) => (): FakeBank => () => answer();
const faults = (answer: () => WireResponse) => () => answeringFaults(() => answer());
const reason = (text: string | RegExp) => expect.stringMatching(text);

describe('a check that a fault is refused', () => {
  it('shows the control and one case as evidence of a pass, and sends as much as it has to', async () => {
    const runContext = fakeRunContext(strict);
    const result = await verdictOn(refusesWithoutName, runContext);
    expect(result).toMatchObject({ verdict: 'pass', cases: 5, notes: [] });
    expect(result.exchanges.map(({ purpose }) => purpose)).toEqual(['control', 'creditorName is missing']);
    // The control, one in each of three contexts, and the cases.
    expect(runContext.transport.requests).toHaveLength(1 + 3 + 5);
  });

  const values = ['DEM', 'FRF', 'XAU'].map(
    (value): Twist => ({
      label: `purposeCode is ${value}`,
      body: (body) => setAt(body, ['purposeCode'], value),
    }),
  );
  const elsewhere =
    'Perhaps refused for another reason: the answer points at debtorAccount.currency, the fault is in creditorName.';
  it.each<Judged>([
    [
      'fails on a bank that takes it, with what was expected and what came',
      refusesWithoutName,
      always(created),
      {
        verdict: 'fail',
        expected: 'a refusal (4xx) when creditorName is missing',
        actual: '201',
        reproduce: 'xs2a-conformance run --only NDC-09 --seed 7',
        exchanges: [{ purpose: 'control' }, { purpose: 'creditorName is missing' }],
      },
    ],
    [
      'says how often it went wrong, and after how much that went right',
      refusesWithoutName,
      () => {
        let seen = 0;
        return answeringFaults(() => {
          seen += 1;
          return seen > 3 ? created() : refusal('creditorName');
        });
      },
      {
        verdict: 'fail',
        notes: expect.arrayContaining([
          'It went wrong in 2 of 5 cases, the first time after 3 that went right.',
        ]),
      },
    ],
    [
      'is inconclusive on a bank that answers 429 to one kind of request: it has not looked at it',
      refusesWithoutName,
      faults(() => responseOf(429)),
      { verdict: 'inconclusive' },
    ],
    [
      'is inconclusive on a bank that refuses everything: it passes nothing',
      refusesWithoutName,
      always(refusal),
      {
        verdict: 'inconclusive',
        reason: reason(/^The control was refused: a domestic payment without any fault was answered 400/),
      },
    ],
    [
      'takes another control when the first one has something else that the bank refuses',
      refusesWithoutName,
      () => {
        let controls = 0;
        return ({ body }) => {
          if (!hasName(body)) return refusal();
          controls += 1;
          return controls === 1 ? refusal('purposeCode') : created();
        };
      },
      { verdict: 'pass', notes: expect.arrayContaining([reason('A control was refused')]) },
    ],
    [
      'fails when one twist of many is taken',
      refuses({ ...about, twists: values }),
      () =>
        ({ body }) =>
          ['DEM', 'XAU'].includes(String(body.purposeCode)) ? refusal() : created(),
      { verdict: 'fail', expected: 'a refusal (4xx) when purposeCode is FRF' },
    ],
    [
      'says where a refusal points at something else than the fault',
      refusesWithoutName,
      faults(() => refusal('debtorAccount.currency')),
      { verdict: 'pass', pointsElsewhere: true, notes: [elsewhere] },
    ],
    [
      'does not stumble over messages that are malformed',
      refusesWithoutName,
      faults(() => responseOf(400, { tppMessages: [{ path: 5, code: null }, null] })),
      { verdict: 'pass' },
    ],
    ...[
      [500],
      [500, '<h1>Internal Server Error</h1>'],
      [500, 'upstream connect error'],
      [502],
      [408],
      [301],
    ].map(
      ([status, body = '{}']): Judged => [
        `fails on a bank that answers ${status} ${body} to one kind of request`,
        refusesWithoutName,
        faults(() => responseOf(Number(status), body)),
        { verdict: 'fail', actual: String(status) },
      ],
    ),
    ...[429, 502, 503, 504].map(
      (status): Judged => [
        `is inconclusive on a bank that answers ${status} to everything`,
        refusesWithoutName,
        always(() => responseOf(status)),
        { verdict: 'inconclusive', reason: reason(String(status)) },
      ],
    ),
    ...[502, 503, 504].map(
      (status): Judged => [
        `passes where a gateway answers ${status} in one case of five`,
        refusesWithoutName,
        () => {
          let requests = 0;
          return (seen) => {
            requests += 1;
            return requests % 5 === 0 ? responseOf(status) : strict(seen);
          };
        },
        { verdict: 'pass' },
        { runs: 40 },
      ],
    ),
    ...['names[1]', '$.names[0].text', '/names/1'].map(
      (path): Judged => [
        `takes ${path} for the fault of an element`,
        refuses({ ...about, twists: [{ ...withoutName, points: 'names[]' }] }),
        faults(() => refusal(path)),
        { verdict: 'pass', notes: [] },
      ],
    ),
  ])('%s', judge);

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

  it('never fails where half of all requests are turned away by chance', async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const chances = fc.sample(fc.boolean(), { seed, numRuns: 5000 });
      const bank: FakeBank = (seen) => (chances.pop() === true ? responseOf(503) : strict(seen));
      const { verdict } = await verdictAt(bank, refusesWithoutName, { runs: 40 });
      expect(['pass', 'inconclusive']).toContain(verdict);
    }
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
});

describe('a check with a status that the specification fixes', () => {
  const fixed = refuses({ ...about, twists: [withoutName], expected: rejectedWith(400) });
  it.each<Judged>([
    [
      'fails on another refusal',
      fixed,
      faults(() => responseOf(403)),
      { verdict: 'fail', expected: 'status 400 when creditorName is missing', actual: '403' },
    ],
    [
      'is inconclusive when the same request is refused without the fault as well',
      fixed,
      // Takes the control, and then nothing.
      () =>
        ({ number }) =>
          number === 1 ? created() : responseOf(403),
      {
        verdict: 'inconclusive',
        reason: reason('without this as well: creditorName is missing'),
      },
    ],
  ])('%s', judge);
});

describe('a check that something is accepted', () => {
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
    const runContext = fakeRunContext(withoutPurpose, { runs: 20 });
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

  const withEverything = { ...about, of: aDomesticPayment({ optional: 'all' }), twists: [withHeaderPresent] };
  const only201 = acceptsEvery({ ...about, expected: created201() });
  it.each<Judged>([
    ['passes on a bank that takes it', acceptsAll, always(created), { verdict: 'pass' }],
    [
      'fails where its control is of another kind, which tells nothing of the request without the twist',
      accepts({ ...withEverything, control: aDomesticPayment({ optional: 'none' }) }),
      () => withoutPurpose,
      { verdict: 'fail' },
      { seed: 1 },
    ],
    [
      'is inconclusive where the twist is not what is refused',
      accepts(withEverything),
      () => {
        let controls = 0;
        return ({ body }) => {
          if (body.purposeCode === undefined) return created();
          controls += 1;
          return controls === 1 ? created() : refusal();
        };
      },
      { verdict: 'inconclusive' },
    ],
    [
      'is inconclusive when the bank answers differently each time',
      acceptsEvery({ ...about, cases: 1, fixed: dimensions }),
      () =>
        ({ number }) =>
          number <= 2 ? responseOf(505) : created(),
      { verdict: 'inconclusive', reason: reason('answered differently') },
    ],
    [
      'that has to be created is not content with 200',
      only201,
      always(() => responseOf(200)),
      { verdict: 'fail', actual: '200' },
    ],
    ['that has to be created is content with 201', only201, always(created), { verdict: 'pass' }],
  ])('%s', judge);
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

  it.each<Judged>([
    ['pass when all are taken', either, () => takes('present', 'missing'), { verdict: 'pass' }],
    [
      'fail when one is taken',
      either,
      () => takes('missing'),
      { verdict: 'fail', expected: 'the request to be accepted (2xx) when present' },
    ],
    ['say nothing when none is taken', either, () => takes(), { verdict: 'inconclusive' }],
  ])('%s', judge);
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
