import type { BankDesign } from '../../bank/design/design.ts';
import type { PlacedCheck } from '../../checks/engine.ts';
import { learnReadings } from '../../runner/learn-readings.ts';
import { prepared } from '../../runner/prepare-run.ts';
import { type Readings, strictestFirst } from '../../spec/interpretations.ts';
import { type BankKeys, createBankRunContext, type RunContextParts } from './bank-under-test.ts';

/** Dialects that keep to other readings than the reference bank does: what is learned of each makes it conformant. */
export const dialectsToLearn: readonly string[] = [
  'letters/ascii-only',
  'letters/ascii-abroad',
  'strict/remittance-pairs',
  'strict/ten-in-a-basket',
  'strict/length-in-bytes',
  'lenient/fraction-digits',
  'lenient/accounts',
  'lenient/unsigned-headers',
  'lenient/header-values',
  'lenient/advice',
  'known-issue/unreadable',
  'answers/signed-in-baskets',
  'answers/unsigned-and-unreadable',
  'answers/exempt',
  'answers/nulls',
  'sca/before-creation',
  'sca/before-creation-once',
  'sca/before-the-body',
  'sessions/ended-403',
  'headers/no-date',
];

/** Every reading that can be learned, with the value that asks the least of a bank. */
export const mildestReadings: Partial<Readings> = {
  ...Object.fromEntries(Object.entries(strictestFirst).map(([id, values]) => [id, values.at(-1)])),
  letters: 'ascii-only',
  clockReference: 'own-clock',
};

/** The readings that `doctor --learn --write` would write into the target file of a bank. */
export async function readingsLearnedOf(
  design: BankDesign,
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  parts: RunContextParts = {},
): Promise<Partial<Readings>> {
  const { runContext: before } = await createBankRunContext(keys, design, { ...parts, leavesSca: true });
  const { runContext } = await prepared(before);
  const learned = await learnReadings(runContext, checks);
  return Object.fromEntries(
    learned.flatMap(({ id, observed }) => (observed === undefined ? [] : [[id, observed]])),
  );
}
