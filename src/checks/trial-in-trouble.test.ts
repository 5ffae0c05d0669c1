import { describe, expect, it } from 'vitest';
import { removeAt, setAt } from '../payloads/json.ts';
import { headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import { TransportError } from '../tpp/transport.ts';
import type { Check } from './check.ts';
import { dimensions } from './contexts.ts';
import { refusedOrAskedForSca } from './expectation.ts';
import {
  created,
  type FakeBank,
  type FakeRunContextOptions,
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
  answeringFaults,
  hasName,
  refusesWithoutName,
  strict,
  withHeaderPresent,
  withoutName,
} from './trial.test.data.ts';
import { accepts, acceptsEvery, refuses, type Twist } from './trial.ts';

/** Remembers amounts: what has one that was seen before is answered as a duplicate, and all else by the bank. */
function noticingDuplicates(
  bank: FakeBank,
  duplicate: FakeBank = () => refusal('instructedAmount'),
): FakeBank {
  const seen = new Set<string>();
  return (request) => {
    const amount = amountOf(request.body);
    if (seen.has(amount)) return duplicate(request);
    seen.add(amount);
    return bank(request);
  };
}
const lost = (): never => {
  throw new TransportError('reset', 'lost');
};
const oneCase = { ...about, cases: 1 };

describe('a request for SCA', () => {
  const whereCustomersMatter = refuses({
    ...about,
    twists: [withoutName],
    expected: refusedOrAskedForSca(),
  });
  it.each<[string, Check, () => FakeBank, object, FakeRunContextOptions?]>([
    [
      'is no refusal',
      refusesWithoutName,
      () => answeringFaults(scaWanted),
      { verdict: 'fail', actual: '401, with a scaRedirect link' },
    ],
    [
      'for everything says nothing about the fault',
      refusesWithoutName,
      () => scaWanted,
      {
        verdict: 'inconclusive',
        reason: expect.stringContaining('asks for SCA before it looks at the request'),
      },
    ],
    [
      'by a session that has ended just now, and is begun anew by others, says nothing either',
      refusesWithoutName,
      () => {
        let faulty = 0;
        return answeringFaults(() => {
          faulty += 1;
          return faulty <= 2 ? scaWanted() : refusal();
        });
      },
      { verdict: 'pass' },
    ],
    [
      'is an answer where the customer is the question',
      whereCustomersMatter,
      () => answeringFaults(scaWanted),
      { verdict: 'pass' },
    ],
    ['accepts a payment', acceptsAll, () => scaWanted, { verdict: 'pass' }],
    [
      'does not accept a payment where the reading has it so',
      acceptsAll,
      () => scaWanted,
      { verdict: 'fail' },
      { readings: { paymentSca: 'created' } },
    ],
  ])('%s', async (_, check, bank, result, options) => {
    expect(await verdictAt(bank(), check, options)).toMatchObject(result);
  });
});

describe('trouble on the way', () => {
  it('makes the case be judged with a fresh payment, since its repetition may look like a duplicate', async () => {
    let lostOnes = 0;
    // Carries out what then dies on the way, and refuses what it has seen.
    const bank = noticingDuplicates(() => {
      if (lostOnes === 3) return created();
      lostOnes += 1;
      return lost();
    });
    expect((await verdictAt(bank, acceptsAll)).verdict).toBe('pass');
    expect(lostOnes).toBe(3);
  });

  it('does not let the refusal of a duplicate pass for that of the fault', async () => {
    let isLost = false;
    // Takes the fault, loses its answer, and refuses the repetition.
    const bank = noticingDuplicates(({ body }) => {
      if (hasName(body) || isLost) return created();
      isLost = true;
      return lost();
    });
    expect((await verdictAt(bank, refuses({ ...oneCase, twists: [withoutName] }))).verdict).toBe('fail');
  });

  it('each time is inconclusive', async () => {
    const result = await verdictAt(noticingDuplicates(lost), acceptsEvery(oneCase));
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
    const result = await verdictAt(bank, acceptsEvery({ ...oneCase, fixed: dimensions }));
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

it('a fault that was taken once is none the less for being a duplicate from then on', async () => {
  const bank = noticingDuplicates(
    () => created(),
    ({ wire }) => (wire.target.includes('allowLogicalDuplicate=true') ? created() : responseOf(409)),
  );
  const huge: Twist = {
    label: 'the amount is huge',
    body: (body) => setAt(body, ['instructedAmount', 'amount'], '9'.repeat(30)),
  };
  expect((await verdictAt(bank, refuses({ ...oneCase, twists: [huge] }))).verdict).toBe('fail');
});

// The control that looks into the context of a case is the first of two alike.
it('a control that is a duplicate by then does not hide a wrong refusal', async () => {
  const remembering = noticingDuplicates(
    () => created(),
    () => responseOf(409),
  );
  const bank: FakeBank = (request) =>
    headerOf(request.wire, 'PSU-Accept') === undefined ? remembering(request) : refusal();
  const check = accepts({ ...about, twists: [withHeaderPresent], cases: 2 });
  expect((await verdictAt(bank, check, { seed: 1 })).verdict).toBe('fail');
});
