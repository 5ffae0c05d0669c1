import { describe, expect, it } from 'vitest';
import type { TargetParts } from '../target/target.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { scaPage } from '../tpp/sca/sca-walker.ts';
import type { Check } from './check.ts';
import { placeChecks, runChecks } from './engine.ts';
import { aCheck, fakeRunContext, suiteOf } from './fake-run-context.test.data.ts';
import { ExpectationFailed, LostOnTheWay } from './outcomes.ts';
import { TurnsAlone } from './turns-alone.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('whoever begins again alone', () => {
  it('waits until every other one has ended or waits for the same, and then takes turns', async () => {
    const turns = new TurnsAlone();
    const told: string[] = [];
    let endOther = (): void => {};
    const other = turns.among(() => new Promise<void>((resolve) => (endOther = resolve)));
    const disturbed = ['A', 'B'].map((name) =>
      turns.among(() =>
        turns.alone(
          async () => {
            told.push(`${name} begins`);
            await tick();
            told.push(`${name} ends`);
            return name;
          },
          () => false,
        ),
      ),
    );
    await tick();
    await tick();
    expect(told).toEqual([]);
    endOther();
    expect(await Promise.all(disturbed)).toEqual(['A', 'B']);
    await other;
    expect(told).toEqual(['A begins', 'A ends', 'B begins', 'B ends']);
  });

  it('begins beside nobody who was taken next', async () => {
    const turns = new TurnsAlone();
    let isUnderWay = false;
    const disturbed = turns.among(() =>
      turns.alone(
        async () => isUnderWay,
        () => false,
      ),
    );
    const first = turns.among(tick).then(() =>
      turns.among(async () => {
        isUnderWay = true;
        for (let ticks = 0; ticks < 5; ticks += 1) await tick();
        isUnderWay = false;
      }),
    );
    expect(await disturbed).toBe(false);
    await first;
  });

  it('is left as it is where it has helped none of three', async () => {
    const turns = new TurnsAlone();
    let begun = 0;
    const again = () =>
      turns.among(() =>
        turns.alone(
          async () => {
            begun += 1;
            return 'the same';
          },
          () => true,
        ),
      );
    const outcomes = await Promise.all([again(), again(), again(), again(), again()]);
    expect(outcomes).toEqual(['the same', 'the same', 'the same', undefined, undefined]);
    expect(await again()).toBeUndefined();
    expect(begun).toBe(3);
  });
});

describe('a check that others may have disturbed', () => {
  const page = (status: number): Exchange => ({
    id: 'page',
    purpose: scaPage,
    operation: 'other',
    attempt: 1,
    startedAt: '2026-03-02T10:00:00.000Z',
    durationMs: 1,
    request: { method: 'GET', url: 'https://bank.example/sca/1', headers: [], body: '' },
    response: { status, headers: [], body: '' },
  });
  /** It opens its link a moment after it was given, and is told that the link is over where others are under way. */
  const opening = (id: string, underWay: Set<string>, isAlwaysOver = false): Check =>
    aCheck({
      id,
      run: async (context) => {
        underWay.add(id);
        await new Promise((resolve) => setImmediate(resolve));
        const isOver = underWay.size > 1 || isAlwaysOver;
        underWay.delete(id);
        context.exchanges.push(page(isOver ? 410 : 200));
        if (isOver) throw new ExpectationFailed('a page', 'status 410');
      },
    });
  const judged = async (checks: readonly Check[], target: Partial<TargetParts> = {}) => {
    const results = await runChecks(placeChecks([suiteOf(...checks)]), fakeRunContext(undefined, { target }));
    return results.map(({ verdict }) => verdict);
  };

  it('begins again alone where a link was over', async () => {
    const underWay = new Set<string>();
    const checks = ['A', 'B', 'C', 'D', 'E'].map((id) => opening(id, underWay));
    expect(await judged(checks)).toEqual(Array(5).fill('pass'));
  });

  it('fails where its link is over whoever else is there', async () => {
    expect(await judged([opening('A', new Set(), true), opening('B', new Set(), true)])).toEqual([
      'fail',
      'fail',
    ]);
  });

  it('begins again where payments move money as well: the page of an error has approved nothing', async () => {
    const underWay = new Set<string>();
    const checks = ['A', 'B'].map((id) => opening(id, underWay));
    expect(await judged(checks, { environment: 'production' })).toEqual(['pass', 'pass']);
  });

  it('does not begin again there for what was lost, which may have been carried out', async () => {
    let begun = 0;
    const losing = (id: string): Check =>
      aCheck({
        id,
        run: async (context) => {
          begun += 1;
          context.exchanges.push(page(410));
          throw new LostOnTheWay('It died on the way.');
        },
      });
    await judged([losing('A'), losing('B')], { environment: 'production' });
    expect(begun).toBe(2);
  });
});
