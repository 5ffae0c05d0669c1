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
  readonly requests: number;
  /** Broken banks of the proof that it notices, and none before it does. */
  readonly caught: number;
}

/** Which checks to run first when there is not time for all. Learned from the proof, and published with it. */
export interface CatchOrder {
  /** Banks of the proof that break a requirement, conditional ones included. */
  readonly banks: number;
  readonly checks: readonly CatchingCheck[];
}

/** A broken bank, and the checks that noticed it with a single case. */
export interface NoticedBank {
  readonly noticedBy: readonly string[];
}

/**
 * Takes the check that notices most banks per request among those that nobody has noticed yet, again and again. Checks
 * that add nothing come last, the cheap ones first.
 */
export function catchOrderOf(
  banks: readonly NoticedBank[],
  requestsOf: ReadonlyMap<string, number>,
): CatchOrder {
  const open = new Map<string, Set<NoticedBank>>([...requestsOf.keys()].map((id) => [id, new Set()]));
  for (const bank of banks) for (const id of bank.noticedBy) open.get(id)?.add(bank);
  const cost = (id: string): number => Math.max(1, requestsOf.get(id) ?? 1);
  const value = (id: string): number => (open.get(id)?.size ?? 0) / cost(id);
  const checks: CatchingCheck[] = [];
  while (open.size > 0) {
    const [first = ''] = [...open.keys()].toSorted((a, b) => value(b) - value(a) || cost(a) - cost(b));
    const caught = open.get(first) ?? new Set();
    open.delete(first);
    for (const others of open.values()) for (const bank of caught) others.delete(bank);
    checks.push({ id: first, requests: requestsOf.get(first) ?? 0, caught: caught.size });
  }
  return { banks: banks.length, checks };
}

/** The checks that fit into so many requests, and the share of the broken banks that they notice. */
export function withinBudget(
  { banks, checks }: CatchOrder,
  requests: number,
): { readonly ids: ReadonlySet<string>; readonly share: number } {
  const ids = new Set<string>();
  let left = requests;
  let caught = 0;
  for (const check of checks) {
    if (check.requests > left) continue;
    left -= check.requests;
    caught += check.caught;
    ids.add(check.id);
  }
  return { ids, share: banks === 0 ? 0 : caught / banks };
}
