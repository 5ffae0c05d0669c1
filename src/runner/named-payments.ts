import fc from 'fast-check';
import { Amounts } from '../payloads/amounts.ts';
import { type DomesticOptions, domesticPayments } from '../payloads/domestic-payments.ts';
import { payableProducts } from '../target/capabilities.ts';
import type { Target } from '../target/target.ts';
import type { Call } from '../tpp/call.ts';

interface NamedPayment {
  readonly name: string;
  readonly call: Call;
  /** What to look at where the bank does not take it. */
  readonly remedy: string;
}

const trials = [
  {
    needs: 'kidCreditor',
    name: 'Payment with a KID',
    options: { optional: 'none', remittance: 'array', creditor: 'kid' },
    remedy:
      'Look at accounts.kidCreditor: does the bank pay that account, and do its KIDs have another length (kidLength)? Leave it out where there is none.',
  },
  {
    needs: 'card',
    name: 'Payment from a card',
    options: { optional: 'none', remittance: 'unstructured', debtor: 'card' },
    remedy:
      'Look at accounts.card: identification is what relatedAccount of the card account shows, and the card is that of psu. Where nobody pays from cards, leave it out, and name the requirements on cards under notOffered.',
  },
] as const satisfies readonly {
  readonly needs: keyof Target['accounts'];
  readonly name: string;
  readonly options: DomesticOptions;
  readonly remedy: string;
}[];

/** A payment for each account that the target file names for some of the checks, so that a wrong one is seen before them. */
export function namedPayments(target: Target, seed: number): readonly NamedPayment[] {
  const product = payableProducts(target).find(({ name }) => name === 'domestic');
  if (product === undefined) return [];
  const facts = { ...target.accounts, now: new Date(), letters: 'ascii-only' as const };
  return trials
    .filter(({ needs }) => target.accounts[needs] !== undefined)
    .map(({ name, options, remedy }, place) => {
      const amounts = new Amounts(seed + 2 + place, -1);
      const [body] = fc.sample(domesticPayments(facts, amounts, options), { seed, numRuns: 1 });
      return { name, remedy, call: { operation: product.creation, body } };
    });
}
