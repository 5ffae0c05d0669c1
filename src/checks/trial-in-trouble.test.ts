import { describe, expect, it } from 'vitest';
import { type JsonObject, removeAt, setAt } from '../payloads/json.ts';
import { headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import { TransportError } from '../tpp/transport.ts';
import { dimensions } from './contexts.ts';
import { refusedOrAskedForSca } from './expectation.ts';
import {
  created,
  type FakeBank,
  fakeRunContext,
  refusal,
  scaWanted,
  verdictAt,
  verdictOn,
} from './fake-run-context.test.data.ts';
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

describe('a request for SCA', () => {
  it('is no refusal', async () => {
    const bank: FakeBank = ({ body }) => (hasName(body) ? created() : scaWanted());
    expect(await verdictAt(bank, refusesWithoutName)).toMatchObject({
      verdict: 'fail',
      actual: '401, with a scaRedirect link',
    });
  });

  it('for everything says nothing about the fault', async () => {
    const result = await verdictAt(() => scaWanted(), refusesWithoutName);
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain('asks for SCA before it looks at the request');
  });

  it('by a session that has ended just now, and is begun anew by others, says nothing either', async () => {
    let faulty = 0;
    const bank: FakeBank = ({ body }) => {
      if (hasName(body)) return created();
      faulty += 1;
      return faulty <= 2 ? scaWanted() : refusal();
    };
    expect((await verdictAt(bank, refusesWithoutName)).verdict).toBe('pass');
  });

  it('is an answer where the customer is the question', async () => {
    const check = refuses({ ...about, twists: [withoutName], expected: refusedOrAskedForSca() });
    const bank: FakeBank = ({ body }) => (hasName(body) ? created() : scaWanted());
    expect((await verdictAt(bank, check)).verdict).toBe('pass');
  });

  it('accepts a payment, or does not, as the reading has it', async () => {
    expect((await verdictAt(() => scaWanted(), acceptsAll)).verdict).toBe('pass');
    const only201 = fakeRunContext(() => scaWanted(), { readings: { paymentSca: 'created' } });
    expect((await verdictOn(acceptsAll, only201)).verdict).toBe('fail');
  });
});

describe('trouble on the way', () => {
  const lost = (): never => {
    throw new TransportError('reset', 'lost');
  };

  it('makes the case be judged with a fresh payment, since its repetition may look like a duplicate', async () => {
    const seen = new Set<string>();
    let lostOnes = 0;
    // Carries out what then dies on the way, and refuses what it has seen.
    const bank: FakeBank = ({ body }) => {
      const amount = amountOf(body);
      if (seen.has(amount)) return refusal('instructedAmount');
      seen.add(amount);
      if (lostOnes === 3) return created();
      lostOnes += 1;
      return lost();
    };
    expect((await verdictAt(bank, acceptsAll)).verdict).toBe('pass');
    expect(lostOnes).toBe(3);
  });

  it('does not let the refusal of a duplicate pass for that of the fault', async () => {
    const seen = new Set<string>();
    let isLost = false;
    // Takes the fault, loses its answer, and refuses the repetition.
    const bank: FakeBank = ({ body }) => {
      if (seen.has(amountOf(body))) return refusal();
      seen.add(amountOf(body));
      if (hasName(body) || isLost) return created();
      isLost = true;
      return lost();
    };
    expect((await verdictAt(bank, refuses({ ...about, twists: [withoutName], cases: 1 }))).verdict).toBe(
      'fail',
    );
  });

  it('each time is inconclusive', async () => {
    const seen = new Set<string>();
    const bank: FakeBank = ({ body }) => {
      if (seen.has(amountOf(body))) return refusal();
      seen.add(amountOf(body));
      return lost();
    };
    const result = await verdictAt(bank, acceptsEvery({ ...about, cases: 1 }));
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain('died on the way');
  });

  it('of some cases leaves the verdict open, with what was tried', async () => {
    const bank: FakeBank = ({ body, number }) =>
      number > 3 && !hasName(body) ? lost() : strict({ body, number } as never);
    const result = await verdictAt(bank, refusesWithoutName);
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain('got no usable answer in 2 attempts');
    expect(result.exchanges.map(({ trouble }) => trouble?.kind)).toEqual(['reset', 'reset']);
  });

  it('of some cases does not hide that others failed', async () => {
    const twists: Twist[] = [
      { label: 'lost', body: (body) => setAt(body, ['ultimateDebtor'], 'lost') },
      { label: 'taken', body: (body) => setAt(body, ['ultimateDebtor'], 'taken') },
    ];
    const bank: FakeBank = ({ body }) => (body.ultimateDebtor === 'lost' ? lost() : created());
    expect(await verdictAt(bank, refuses({ ...about, twists, cases: 2 }))).toMatchObject({
      verdict: 'fail',
      expected: 'a refusal (4xx) when taken',
    });
  });

  it('while a case is shrunk leaves the smallest one so far', async () => {
    let failing = 0;
    const bank: FakeBank = ({ body }) => {
      if (hasName(body) && failing < 20) {
        failing += 1;
        return responseOf(500);
      }
      return lost();
    };
    const result = await verdictAt(bank, acceptsEvery({ ...about, cases: 1, fixed: dimensions }));
    expect(result).toMatchObject({ verdict: 'fail', actual: '500' });
    expect(result.counterexample?.value).toContain('instructedAmount');
  });

  it('with no answer at all is inconclusive after one control', async () => {
    const runContext = fakeRunContext(() => lost());
    expect((await verdictOn(refusesWithoutName, runContext)).verdict).toBe('inconclusive');
    // Tried twice.
    expect(runContext.transport.requests).toHaveLength(2);
  });
});

describe('a fault of our own', () => {
  it('in one case of many is an error, whatever the other cases found', async () => {
    const twists: Twist[] = [
      { label: 'taken', body: (body) => removeAt(body, ['creditorName']) },
      {
        label: 'broken',
        body: () => {
          throw new TypeError('our own bug');
        },
      },
    ];
    const result = await verdictAt(() => created(), refuses({ ...about, twists }));
    expect(result.verdict).toBe('error');
    expect(result.reason).toContain('our own bug');
  });
});

describe('a fault', () => {
  it('that was taken once is none the less for being a duplicate from then on', async () => {
    const seen = new Set<string>();
    const bank: FakeBank = ({ body, wire }) => {
      const isAllowed = wire.target.includes('allowLogicalDuplicate=true');
      if (seen.has(amountOf(body)) && !isAllowed) return responseOf(409);
      seen.add(amountOf(body));
      return created();
    };
    const twists = [
      {
        label: 'the amount is huge',
        body: (body: JsonObject) => setAt(body, ['instructedAmount', 'amount'], '9'.repeat(30)),
      },
    ];
    const check = refuses({ ...about, twists, cases: 1 });
    expect((await verdictAt(bank, check)).verdict).toBe('fail');
  });
});

describe('a control', () => {
  // The control that looks into the context of a case is the first of two alike.
  it('that is a duplicate by then does not hide a wrong refusal', async () => {
    const seen = new Set<string>();
    const bank: FakeBank = ({ body, wire }) => {
      if (headerOf(wire, 'PSU-Accept') !== undefined) return refusal();
      if (seen.has(amountOf(body))) return responseOf(409);
      seen.add(amountOf(body));
      return created();
    };
    const check = accepts({
      ...about,
      twists: [
        {
          label: 'a header is there',
          request: { beforeSigning: ({ headers }) => headers.set('PSU-Accept', 'a') },
        },
      ],
      cases: 2,
    });
    expect((await verdictAt(bank, check, { seed: 1 })).verdict).toBe('fail');
  });
});
