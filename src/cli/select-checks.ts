import { requirementsOf } from '../checks/check.ts';
import { type PlacedCheck, placeChecks } from '../checks/judge.ts';
import { selectionText } from '../report/selection.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { requirementById } from '../spec/catalogue.ts';
import { CommandError } from './exit-codes.ts';
import { matchesId, unknownIdMessage } from './matching-ids.ts';

export interface Selection {
  readonly planned: readonly PlacedCheck[];
  /** How the run names its choice; absent when it judges everything. */
  readonly selection?: string;
}

/**
 * The checks that `--only` and `--shard` leave. An id names a check, a requirement, a suite, or all ids that begin
 * with it (`AMT`, `signing/`).
 */
export async function selectChecks({
  only,
  shard,
}: {
  readonly only?: readonly string[];
  readonly shard?: { readonly index: number; readonly count: number };
}): Promise<Selection> {
  const all = placeChecks(await loadSuites());
  const wanted = only?.map((id) => {
    const matching = all.filter(({ check, suite }) =>
      matchesId(id, [check.id, ...requirementsOf(check)], suite.id),
    );
    if (matching.length === 0)
      throw new CommandError(
        unknownId(
          id,
          all.flatMap(({ check, suite }) => [check.id, suite.id]),
        ),
      );
    return matching;
  });
  const chosen =
    wanted === undefined ? all : all.filter((entry) => wanted.some((matching) => matching.includes(entry)));
  const planned =
    shard === undefined ? chosen : chosen.filter((_, index) => index % shard.count === shard.index - 1);
  const selection = selectionText({ only: only ?? [], ...(shard === undefined ? {} : { shard }) });
  return { planned, ...(selection === undefined ? {} : { selection }) };
}

function unknownId(id: string, ids: readonly string[]): string {
  if (requirementById.has(id)) return `No check judges ${id}. See: xs2a-conformance explain ${id}`;
  return unknownIdMessage(id, ids);
}
