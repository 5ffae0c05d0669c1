import fc from 'fast-check';
import type { RunContext } from '../checks/context.ts';
import { describeAnswer, wentThrough } from '../checks/expectation.ts';
import { Amounts } from '../payloads/amounts.ts';
import { crossBorderPayments } from '../payloads/cross-border-payments.ts';
import { type JsonObject, setAt } from '../payloads/json.ts';
import { simplePaymentsOf } from '../payloads/payments.ts';
import type { Readings } from '../spec/interpretations.ts';
import { type Product, products, staysInAscii } from '../spec/products.ts';
import { payableProducts } from '../target/capabilities.ts';
import type { Answer } from '../tpp/answer.ts';
import { NoAnswerError } from '../tpp/exchange.ts';

export interface LearnedLetters {
  readonly letters: Readings['letters'];
  readonly remarks: readonly string[];
  /** What showed it. */
  readonly answers: readonly Answer[];
}

/**
 * Finds out whether the bank can process Norwegian letters: what a downstream system cannot process may be answered 400
 * (What the service does). Where they are refused, and the same payment without them is not, the run stays in ASCII,
 * so that only the checks on those letters are decided by it. They judge the status: nothing but 400 is allowed.
 */
export async function learnTheLetters(
  { target, client }: Pick<RunContext, 'target' | 'client'>,
  seed: number,
): Promise<LearnedLetters> {
  const { letters } = target.readings;
  const known: LearnedLetters = { letters, remarks: [], answers: [] };
  if (letters !== 'norwegian') return known;
  const amounts = new Amounts(seed, -2);
  const facts = { ...target.accounts, now: client.clock.now(), letters: 'ascii-only' as const };
  const send = (product: Product, change: (body: JsonObject) => JsonObject, purpose: string) => {
    const [body = {}] = fc.sample(simplePaymentsOf(product, facts, amounts), { seed, numRuns: 1 });
    // The same seed sends the same payments again, which a strict bank would call duplicates.
    const query = { allowLogicalDuplicate: 'true' };
    return client.call({ operation: product.creation, body: change(body), query }, {}, purpose);
  };
  const isTaken = (answer: Answer): boolean => wentThrough(answer, target.readings);
  const refused: { readonly product: Product; readonly answer: Answer }[] = [];
  try {
    for (const product of payableProducts(target))
      for (const change of [inEveryText, inTheText]) {
        const answer = await send(product, change(norwegian), 'learn the letters');
        if (isTaken(answer)) break;
        const control = await send(product, change(ascii), 'the same in ASCII');
        if (!isTaken(control)) continue;
        refused.push({ product, answer });
        break;
      }
  } catch (error) {
    // The checks will run into the same trouble, and tell of it.
    if (error instanceof NoAnswerError) return known;
    throw error;
  }
  const isAscii = (reading: Readings['letters']): boolean =>
    refused.every(({ product }) => staysInAscii(reading, product.name));
  return {
    letters: (['norwegian', 'ascii-abroad', 'ascii-only'] as const).find(isAscii) ?? 'ascii-only',
    remarks: refused.map(
      ({ product, answer }) =>
        `The bank does not process Norwegian letters in a ${product.word} payment (${describeAnswer(answer)}), so that the run stays in ASCII there.`,
    ),
    answers: refused.map(({ answer }) => answer),
  };
}

/**
 * Finds out whether the bank takes less than the cross-border product is meant for. Some take the regulatory fields with those
 * transfers alone that need them. An error says nothing: the checks will run into it, and tell of it.
 */
export async function learnSmallTransfers(
  { target, client }: Pick<RunContext, 'target' | 'client'>,
  seed: number,
): Promise<Pick<Readings, 'smallTransfers'> & { readonly remarks: readonly string[] }> {
  const { crossBorder } = products;
  const known = { smallTransfers: target.readings.smallTransfers, remarks: [] };
  if (known.smallTransfers !== 'where-taken' || !payableProducts(target).includes(crossBorder)) return known;
  const facts = { ...target.accounts, now: client.clock.now(), currencies: target.readings.currencies };
  const small = crossBorderPayments(facts, new Amounts(seed, -4), { optional: 'none', amount: 'small' });
  const [body = {}] = fc.sample(small, { seed, numRuns: 1 });
  const { regulatoryReportingCode: _, regulatoryReportingInformation: __, ...unreported } = body;
  let refusal: Answer | undefined;
  try {
    for (const one of [body, unreported]) {
      const call = { operation: crossBorder.creation, body: one, query: { allowLogicalDuplicate: 'true' } };
      refusal = await client.call(call, {}, 'learn whether small transfers are taken');
      if (wentThrough(refusal, target.readings)) return known;
    }
  } catch (error) {
    if (error instanceof NoAnswerError) return known;
    throw error;
  }
  return {
    smallTransfers: 'not-taken',
    remarks: [
      `The bank takes no small transfer across the border (${refusal === undefined ? '' : describeAnswer(refusal)}): what the run sends there is worth NOK 100 000 or more in every currency.`,
    ],
  };
}

type Letters = Readonly<Record<'text' | 'name' | 'street', string>>;

const norwegian: Letters = {
  text: 'Blåbærsyltetøy på Ærfuglveien',
  name: 'Bjørn Ærlig Ås',
  street: 'Ærfuglveien',
};
const ascii: Letters = { text: 'Invoice from the harbour', name: 'Tom Berg', street: 'Strandveien' };

const inTheText =
  ({ text }: Letters) =>
  (body: JsonObject): JsonObject =>
    setAt(body, ['remittanceInformationUnstructured'], text);

/**
 * Names and addresses may go another way than the text, and meet another system. Where the bank takes no other name
 * either, such as one that is not that of the account, the text alone tells.
 */
const inEveryText =
  (letters: Letters) =>
  (body: JsonObject): JsonObject => {
    const texts: readonly (readonly [path: readonly string[], value: string])[] = [
      [['creditorName'], letters.name],
      [['creditorAddress', 'street'], letters.street],
      [['regulatoryReportingInformation'], letters.text],
    ];
    return texts
      .filter(([[field = '']]) => body[field] !== undefined)
      .reduce((changed, [path, value]) => setAt(changed, path, value), inTheText(letters)(body));
  };
