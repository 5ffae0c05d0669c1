/** The part of the suite that a run was told to judge, as it stands in the run's header. */
export interface Selection {
  /** Ids of checks, suites or requirements. */
  readonly only: readonly string[];
  readonly shard?: Shard;
}

export interface Shard {
  readonly index: number;
  readonly count: number;
}

const shardText = /(?:^| )--shard (\d+)\/(\d+)$/;

/** The header's `selection`: the flags that made it. Undefined when everything is judged. */
export function selectionText({ only, shard }: Selection): string | undefined {
  const flags = [
    ...(only.length > 0 ? [`--only ${only.join(',')}`] : []),
    ...(shard === undefined ? [] : [`--shard ${shard.index}/${shard.count}`]),
  ];
  return flags.length === 0 ? undefined : flags.join(' ');
}

/** Takes the shard out of a header's selection; what is left was asked for by hand. */
export function splitShard(selection: string | undefined): { rest: string | undefined; shard?: Shard } {
  const match = selection === undefined ? null : shardText.exec(selection);
  if (selection === undefined || match === null) return { rest: selection };
  const rest = selection.slice(0, match.index).trim();
  return {
    rest: rest === '' ? undefined : rest,
    shard: { index: Number(match[1]), count: Number(match[2]) },
  };
}
