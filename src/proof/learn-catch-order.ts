import { type CatchOrder, type CheckCost, catchOrderOf, type NoticedBank } from '../checks/proof-findings.ts';

/** What is known of the requests of a run before any order of its checks. */
export interface KnownCosts {
  /** By the id of the check, where it is the only one. */
  readonly alone: ReadonlyMap<string, CheckCost>;
  /** Before the first check. */
  readonly preparation: number;
}

/**
 * The order in which a small budget takes the checks, with what each of them really sends there. Whoever looks at the
 * exchanges of others (`observing`) has to send the fewer of its own the more of them there are, which shows only in an order.
 */
export async function learnCatchOrder(
  banks: readonly NoticedBank[],
  { alone, preparation }: KnownCosts,
  observing: ReadonlySet<string>,
  sentInTurn: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): Promise<CatchOrder> {
  const inOrder = async (costs: KnownCosts['alone']) => {
    const order = catchOrderOf(banks, costs);
    const sent = await sentInTurn(order.map(({ id }) => id));
    return order.map((check) => ({ ...check, requests: sent.get(check.id) ?? 0 }));
  };
  const first = new Map((await inOrder(alone)).map(({ id, requests }) => [id, requests]));
  const costs = [...alone].map(([id, cost]) => {
    const own = first.get(id);
    return [id, observing.has(id) && own !== undefined ? { own, shared: new Map() } : cost] as const;
  });
  const checks = await inOrder(new Map(costs));
  // What is shared has long names: its number says as much.
  const all = [...new Set([...alone.values()].flatMap((cost) => [...cost.shared.keys()]))];
  const numbers = new Map(all.map((what, place) => [what, place + 1]));
  return {
    banks: banks.length,
    preparation,
    checks: checks.map((check) => {
      const { own = 0, shared = new Map<string, number>() } = alone.get(check.id) ?? {};
      const byNumber = [...shared].map(([what, requests]) => [numbers.get(what), requests] as const);
      return { ...check, own, shared: Object.fromEntries(byNumber) };
    }),
  };
}
