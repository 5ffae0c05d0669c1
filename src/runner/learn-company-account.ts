import type { RunContext } from '../checks/context.ts';
import { describeAnswer, wentThrough } from '../checks/expectation.ts';
import { listedDebtors } from '../checks/listed-accounts.ts';
import { type DebtorAccount, withIban } from '../target/accounts.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Psu } from '../tpp/call.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { paymentCalls } from './preflight.ts';

type Sender = Pick<RunContext, 'target' | 'client' | 'seed'>;

export interface CompanyAccount {
  /** Undefined where the company pays neither from that of the target file nor from one that the bank lists for it. */
  readonly corporateDebtor?: DebtorAccount;
  readonly remarks: readonly string[];
}

/** So many accounts of the company are tried: the first ones may be such as nobody pays from. */
const most = 3;

/**
 * Finds the account that the company pays from, where the target file names none (freedom psus/companies). Where one
 * of the target file will do, that is known from here on as well: without an account no fault would be tried for the
 * company.
 */
export async function learnTheCompanyAccount(sender: Sender): Promise<CompanyAccount> {
  const psu = companyOf(sender);
  if (psu === undefined || sender.target.accounts.corporateDebtor !== undefined) return { remarks: [] };
  try {
    return await learned(sender, psu);
  } catch (error) {
    // The checks will run into the same trouble, and tell of it.
    if (error instanceof NoAnswerError) return { remarks: [] };
    throw error;
  }
}

/** The target with what was learned, as if its file had named it. */
export const withCompanyAccount = (target: Target, { corporateDebtor }: CompanyAccount): Target =>
  corporateDebtor === undefined ? target : { ...target, accounts: { ...target.accounts, corporateDebtor } };

/** Who acts for a company next to a private PSU. */
function companyOf({ target, client }: Sender): Psu | undefined {
  const { id, corporateId, sessionId } = target.psu.corporate ?? {};
  if (id === undefined || corporateId === undefined) return undefined;
  return { ...client.psu, id, corporateId, ...(sessionId === undefined ? {} : { sessionId }) };
}

async function learned(sender: Sender, psu: Psu): Promise<CompanyAccount> {
  const { target, client } = sender;
  const first = await paidFrom(sender, psu, target.accounts.debtor);
  if (first === undefined) return { remarks: [] };
  if (wentThrough(first, target.readings)) return { corporateDebtor: target.accounts.debtor, remarks: [] };
  if (!isRefused(first)) return { remarks: [] };
  const listing = await client.call({ operation: 'listAccounts', psu }, {}, 'preflight, of the company');
  const listed = listing.isSuccess ? listedDebtors(listing.json) : [];
  const inKroner = listed.filter(({ currency }) => currency === 'NOK');
  for (const account of inKroner.slice(0, most)) {
    const answer = await paidFrom(sender, psu, withIban(account));
    if (answer === undefined || !wentThrough(answer, target.readings)) continue;
    const remark = `The company does not pay from accounts.debtor, but from ${account.bban}, which the bank lists for it: the run goes on with that. Give it as accounts.corporateDebtor of the target file.`;
    return { corporateDebtor: withIban(account), remarks: [remark] };
  }
  return {
    remarks: [
      `A payment of the company from accounts.debtor was refused: ${describeAnswer(first)}. If it may pay from its own accounts only, give one as accounts.corporateDebtor of the target file.`,
    ],
  };
}

const isRefused = ({ status, asksForSca }: Answer): boolean => status >= 400 && status < 500 && !asksForSca;

/** A payment of the company from that account; undefined where payments may not be created. */
async function paidFrom({ target, client, seed }: Sender, psu: Psu, debtor: DebtorAccount) {
  const [payment] = paymentCalls({ ...target, accounts: { ...target.accounts, debtor } }, seed + 3);
  if (payment === undefined) return undefined;
  // The same seed sends the same payments again, which a strict bank would call duplicates.
  const query = { allowLogicalDuplicate: 'true' };
  return client.call({ ...payment.call, psu, query }, {}, 'preflight, of the company');
}
