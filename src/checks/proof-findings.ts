/** How many of the ways to break a requirement its checks notice, as the proof of the suite found. */
export interface KillScore {
  readonly killed: number;
  readonly total: number;
}

/** By requirement. */
export type KillScores = ReadonlyMap<string, KillScore>;

/** The score of each requirement, from what became of the ways to break it. */
export function killScoresFrom(
  ways: readonly { readonly requirement: string; readonly isNoticed: boolean }[],
): KillScores {
  const scores = new Map<string, KillScore>();
  for (const { requirement, isNoticed } of ways) {
    const { killed, total } = scores.get(requirement) ?? { killed: 0, total: 0 };
    scores.set(requirement, { killed: killed + Number(isNoticed), total: total + 1 });
  }
  return scores;
}

/** One check in the order of what it catches per request, with one case of each of its properties. */
export interface CatchingCheck {
  readonly id: string;
  /** What it sends behind those before it: what one of them has asked already need not be asked again. */
  readonly requests: number;
  /** What it sends for itself alone, and what the first of several checks sends for all, by the number of that. */
  readonly own: number;
  readonly shared: Readonly<Record<string, number>>;
  /** Broken banks of the proof that it notices, and none before it does. */
  readonly caught: number;
}

/** Which checks to run first when there is not time for all. Learned from the proof, and published with it. */
export interface CatchOrder {
  /** Banks of the proof that break a requirement, conditional ones included. */
  readonly banks: number;
  /** Requests before the first check: SCA, and one correct request of each kind. */
  readonly preparation: number;
  readonly checks: readonly CatchingCheck[];
}

/** A broken bank, and the checks that noticed it with a single case. */
export interface NoticedBank {
  readonly noticedBy: readonly string[];
}

/** The requests that a check sends for itself, and those that are sent once for all checks that need them, by what they ask. */
export interface CheckCost {
  readonly own: number;
  readonly shared: ReadonlyMap<string, number>;
}

/** The order of the checks, without what each of them sends there. */
export type CatchingOrder = readonly Pick<CatchingCheck, 'id' | 'caught'>[];

/**
 * Takes the check that notices most banks per request among those that nobody has noticed yet, again and again. What one
 * check has paid for costs the others nothing. Checks that add nothing come last, the cheap ones first.
 */
export function catchOrderOf(
  banks: readonly NoticedBank[],
  costs: ReadonlyMap<string, CheckCost>,
): CatchingOrder {
  const open = new Map<string, Set<NoticedBank>>([...costs.keys()].map((id) => [id, new Set()]));
  for (const bank of banks) for (const id of bank.noticedBy) open.get(id)?.add(bank);
  const paid = new Set<string>();
  const costOf = (id: string): number => {
    const { own = 0, shared = [] } = costs.get(id) ?? {};
    return [...shared].reduce((sum, [what, requests]) => (paid.has(what) ? sum : sum + requests), own);
  };
  const order: CatchingOrder[number][] = [];
  while (open.size > 0) {
    const ranked = [...open].map(([id, { size }]) => {
      const cost = Math.max(1, costOf(id));
      return { id, cost, value: size / cost };
    });
    const [{ id } = { id: '' }] = ranked.toSorted((a, b) => b.value - a.value || a.cost - b.cost);
    const caught = open.get(id) ?? new Set();
    open.delete(id);
    for (const others of open.values()) for (const bank of caught) others.delete(bank);
    for (const what of costs.get(id)?.shared.keys() ?? []) paid.add(what);
    order.push({ id, caught: caught.size });
  }
  return order;
}

/** The order of some checks. What others would have asked before them they ask themselves, the first of them for all. */
export function partOfOrder(order: CatchOrder, ids: ReadonlySet<string>): CatchOrder {
  const checks = order.checks.filter(({ id }) => ids.has(id));
  if (checks.length === order.checks.length) return order;
  const paid = new Set<string>();
  const sentBy = ({ own, shared }: CatchingCheck): number => {
    const open = Object.entries(shared).filter(([what]) => !paid.has(what));
    for (const [what] of open) paid.add(what);
    return open.reduce((sum, [, requests]) => sum + requests, own);
  };
  return { ...order, checks: checks.map((check) => ({ ...check, requests: sentBy(check) })) };
}

/**
 * The checks that fit into so many requests, and the share of the broken banks that they notice. None is passed over: those
 * behind it may do with what it sends.
 */
export function withinBudget(
  { banks, preparation, checks }: CatchOrder,
  requests: number,
): { readonly ids: ReadonlySet<string>; readonly share: number } {
  const ids = new Set<string>();
  let left = requests - preparation;
  let caught = 0;
  for (const check of checks) {
    left -= check.requests;
    if (left < 0) break;
    caught += check.caught;
    ids.add(check.id);
  }
  return { ids, share: banks === 0 ? 0 : caught / banks };
}
