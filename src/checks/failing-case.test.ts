import { describe, expect, it } from 'vitest';
import { responseOf } from '../tpp/fake-transport.test.data.ts';
import { TransportError } from '../tpp/transport.ts';
import { created, type FakeBank, refusal, verdictAt } from './fake-run-context.test.data.ts';
import { amountOf, hasName, refusesWithoutName } from './trial.test.data.ts';

/** Takes the second fault, and no other. */
function takingOnce(): FakeBank {
  let faults = 0;
  return ({ body }) => {
    if (hasName(body)) return created();
    faults += 1;
    return faults === 2 ? created() : refusal('creditorName');
  };
}

describe('a fault', () => {
  it('that is taken once is a failure, also where it is refused when it is tried again', async () => {
    const result = await verdictAt(takingOnce(), refusesWithoutName);
    expect(result).toMatchObject({ verdict: 'fail', actual: '201' });
    expect(result.notes.join()).toContain('now and then');
    expect(result.exchanges.at(-1)).toMatchObject({ response: { status: 201 } });
  });

  it('that is taken once is left open where a request was lost: the answer may be that of another', async () => {
    const bank = takingOnce();
    const losingTheFirst: FakeBank = (request) => {
      if (request.number === 1) throw new TransportError('reset', 'lost');
      return bank(request);
    };
    const result = await verdictAt(losingTheFirst, refusesWithoutName);
    expect(result).toMatchObject({ verdict: 'inconclusive' });
    expect(result.reason).toContain('answered differently when the case was tried again');
  });

  it('that is taken by its amount is a failure, also where the plainest case is refused when it is tried again, and another is not', {
    timeout: 120_000,
  }, async () => {
    const ofWholeKroner: FakeBank = ({ body }) =>
      hasName(body) || amountOf(body).endsWith('.00') ? created() : refusal('creditorName');
    for (let seed = 1; seed <= 20; seed += 1) {
      const { verdict } = await verdictAt(ofWholeKroner, refusesWithoutName, { seed });
      expect(verdict).toBe('fail');
    }
  });

  it('that breaks a bank down by its amount is a failure, also where another amount does not', {
    timeout: 120_000,
  }, async () => {
    const ofWholeKroner: FakeBank = ({ body }) => {
      if (hasName(body)) return created();
      return amountOf(body).endsWith('.00') ? responseOf(500, {}) : refusal('creditorName');
    };
    const verdicts: string[] = [];
    for (let seed = 1; seed <= 60; seed += 1)
      verdicts.push((await verdictAt(ofWholeKroner, refusesWithoutName, { seed })).verdict);
    expect(new Set(verdicts)).toEqual(new Set(['fail']));
  });
});
