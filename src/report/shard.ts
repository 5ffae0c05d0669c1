/** One part of a run that several machines share. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** More parts than there are checks, of which each would be named where it is missing. */
export const mostShards = 10_000;

export const isShard = ({ index, count }: Shard): boolean =>
  index >= 1 && index <= count && count <= mostShards;
