import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { member } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { accountIdsIn } from './readers.ts';
import type { Login } from './walks.ts';

const cardAccounts = { operation: 'listCardAccounts' } as const;

/** A card account, and what the pages may call it: what is short may stand anywhere. */
export interface Card {
  readonly id: string;
  readonly words: readonly string[];
}

export const cardsListed = async (call: Login['call'], when: string): Promise<readonly Card[]> =>
  cardsIn(await call(cardAccounts, {}, when));

export const cardsIn = ({ isSuccess, json }: Answer): readonly Card[] =>
  isSuccess
    ? [member(json, 'cardAccounts') ?? json].flat().flatMap((card) => {
        const [id] = accountIdsIn([card]);
        const masked = member(card, 'maskedPan');
        const words = [id, masked].filter((word) => typeof word === 'string' && word.length > 4) as string[];
        return id === undefined ? [] : [{ id, words }];
      })
    : [];

/** Only those that had a box: the PSU may grant others directly with the bank. */
export const cardsLeftEmpty = (cards: readonly Card[], leftEmpty: readonly string[] = []): readonly Card[] =>
  cards.filter(({ words }) => words.some((word) => leftEmpty.includes(word)));

/** The cards that are still listed, none of which may be among those whose boxes were left empty. */
export async function cardsMustBeForgotten(
  context: CheckContext,
  call: Login['call'],
  cards: readonly Card[],
  when: string,
): Promise<readonly Card[]> {
  if (cards.length === 0) return [];
  const keptBy = (listing: Answer): readonly Card[] =>
    cardsIn(listing).filter(({ id }) => cards.some((card) => card.id === id));
  const listing = await patiently(
    context.run,
    () => call(cardAccounts, {}, when),
    (answer) => keptBy(answer).length === 0,
  );
  const kept = keptBy(listing).length;
  context.evidence = [listing.exchange];
  if (kept > 0)
    throw new ExpectationFailed(
      'none of the card accounts whose boxes the PSU has left empty',
      `${kept} of them`,
    );
  return cardsIn(listing);
}
