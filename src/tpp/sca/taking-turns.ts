import { isSameNumber } from '../../spec/customer-number.ts';
import { ScaWalkError, type ScaWalker } from './sca-walker.ts';

interface Walk {
  /** Undefined where it may be anybody's: whoever cancels at once says nothing of themselves. */
  readonly nationalId: string | undefined;
  /** Another walk of the same PSU was under way at some time of it. */
  isDisturbed: boolean;
}

const mayBeOfOne = (one: Walk, other: Walk): boolean =>
  isSameNumber(one.nationalId, other.nationalId) ||
  one.nationalId === undefined ||
  other.nationalId === undefined;

/**
 * Freedom: sca/one-at-a-time. Walks go side by side, until one is shown an error while another one of its PSU is
 * under way: it was lost, and may be begun again, and from then on walks take turns.
 */
export function takingTurns(walker: ScaWalker): ScaWalker & Required<Pick<ScaWalker, 'look'>> {
  const underWay = new Set<Walk>();
  let isInTurn = false;
  let last: Promise<unknown> = Promise.resolve();

  async function sideBySide<T>(nationalId: string | undefined, go: () => Promise<T>): Promise<T> {
    const walk: Walk = { nationalId, isDisturbed: false };
    for (const other of underWay) {
      if (mayBeOfOne(walk, other)) walk.isDisturbed = other.isDisturbed = true;
    }
    underWay.add(walk);
    try {
      return await go();
    } catch (error) {
      if (!walk.isDisturbed || !(error instanceof ScaWalkError) || (error.status ?? 500) >= 500) throw error;
      isInTurn = true;
      throw new ScaWalkError('lost', error.message, undefined, error.status);
    } finally {
      underWay.delete(walk);
    }
  }

  function walked<T>(nationalId: string | undefined, go: () => Promise<T>): Promise<T> {
    if (!isInTurn) return sideBySide(nationalId, go);
    const mine = last.then(() => sideBySide(nationalId, go));
    last = mine.catch(() => {});
    return mine;
  }

  return {
    pass: (link, person, record) => walked(person.nationalId, () => walker.pass(link, person, record)),
    abort: (link, person, record) => walked(person?.nationalId, () => walker.abort(link, person, record)),
    look: (open) => walked(undefined, open),
  };
}
