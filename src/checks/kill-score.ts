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
