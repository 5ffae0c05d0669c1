import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caughtAloneFile, packageRoot } from '../runner/package.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { DeviationResult } from './verdict-of-proof.ts';

/** Written by `npm run proof`: by check, the broken banks that it blames with the fewest requests. */
const file = join(packageRoot, 'fixtures', 'proof', 'first-to-blame.json');

type BlamedBank = Pick<DeviationResult, 'id' | 'blamedBy' | 'atOnceBy'>;

/** The tests of deviations end with the first check that blames, and so begin with that one. */
export function firstToBlameOf(
  banks: readonly BlamedBank[],
  requests: ReadonlyMap<string, number>,
): Readonly<Record<string, readonly string[]>> {
  const cheapest = ({ blamedBy, atOnceBy = [] }: BlamedBank): string | undefined => {
    const atOnce = blamedBy.filter((id) => atOnceBy.includes(id));
    const costOf = (id: string): number => requests.get(id) ?? 0;
    return (atOnce.length > 0 ? atOnce : blamedBy).toSorted((a, b) => costOf(a) - costOf(b))[0];
  };
  const blamed = banks.flatMap((bank) => {
    const check = cheapest(bank);
    return check === undefined ? [] : [{ id: bank.id, check }];
  });
  return byCheckOf(blamed);
}

const byCheckOf = (
  blamed: readonly { readonly id: string; readonly check: string }[],
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...groupedBy(blamed, ({ check }) => check)]
      .map(([check, those]) => [check, those.map(({ id }) => id).toSorted()] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** As many as somebody reads who asks what a check is for. */
const mostShown = 5;

/** By check, some of those that no other check blames. */
export function caughtAloneOf(deviations: readonly Pick<DeviationResult, 'id' | 'blamedBy'>[]) {
  const alone = deviations.flatMap(({ id, blamedBy: [check, ...others] }) =>
    check === undefined || others.length > 0 ? [] : [{ id, check }],
  );
  return Object.fromEntries(
    Object.entries(byCheckOf(alone)).map(([check, ids]) => [check, ids.slice(0, mostShown)]),
  );
}

export const writeCaughtAlone = (deviations: Parameters<typeof caughtAloneOf>[0]): void =>
  writeFileSync(caughtAloneFile, textOf(caughtAloneOf(deviations)));

/** As our formatter writes it: a list stands on one line where it fits. */
export function textOf(byCheck: ReturnType<typeof firstToBlameOf>): string {
  const lines = Object.entries(byCheck).map(([check, ids]) => {
    const name = `  ${JSON.stringify(check)}: `;
    const line = `${name}[${ids.map((id) => JSON.stringify(id)).join(', ')}]`;
    // A comma follows all but the last.
    return line.length < lineWidth ? line : `${name}${JSON.stringify(ids, null, 2).replaceAll('\n', '\n  ')}`;
  });
  return lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`;
}

const lineWidth = 110;

export const writeFirstToBlame = (...those: Parameters<typeof firstToBlameOf>): void =>
  writeFileSync(file, textOf(firstToBlameOf(...those)));

/** By deviation, the check to begin with; empty where the proof was never run. */
export function firstToBlame(): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const byCheck = JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>;
  return new Map(Object.entries(byCheck).flatMap(([check, ids]) => ids.map((id) => [id, check] as const)));
}
