import { isSameNumber } from '../spec/customer-number.ts';
import { member } from '../spec/json.ts';
import type { Target } from '../target/target.ts';

/** What the sandbox lists, of which nothing is known yet. */
type Listed = readonly unknown[];

const typeOf = (customer: unknown): unknown => member(customer, 'customerType');

/**
 * Whether the bank serves companies only, where its target file declares so (psu.context CORPORATE). A sandbox that lists
 * private customers has others, whom such a run does not act for: then it is not whole, and says what to give.
 */
export function judgedAsDeclared(
  { psu }: Target,
  customers: Listed,
): { readonly remarks: readonly string[]; readonly incomplete: readonly string[] } {
  if (psu.context === 'PRIVATE') return { remarks: [], incomplete: [] };
  const hasPrivate = customers.some((customer) => typeOf(customer) === 'PRIVATE');
  return { remarks: [declared], incomplete: hasPrivate ? [contradicted] : [] };
}

const declared =
  'The bank is judged as one that serves companies only: psu of the target file acts for one (psu.context CORPORATE).';

const contradicted =
  'The sandbox lists private customers, for whom nothing but their SCA was judged: psu.context CORPORATE is for a bank that serves companies only. Give a private customer as psu of the target file, and the company as psu.corporate.';

/**
 * Why no check can be run for a PSU who gets nowhere in private context: the sandbox lists it as a company, which lies
 * with the target file and not with the bank.
 */
export function whyNotPrivate({ psu }: Target, customers: Listed): string | undefined {
  if (psu.context === 'CORPORATE' || psu.nationalId === undefined) return undefined;
  const own = customers.find((customer) => isSameNumber(member(customer, 'customerNumber'), psu.nationalId));
  return typeOf(own) === 'CORPORATE' ? mistaken : undefined;
}

const mistaken =
  'psu of the target file is a company, as the sandbox lists it, and gets nowhere in private context. Give a private customer as psu and this one as psu.corporate; or, where the bank serves companies only, set psu.context to CORPORATE.';
