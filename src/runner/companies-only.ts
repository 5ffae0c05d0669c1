import type { RunContext } from '../checks/context.ts';
import { member } from '../spec/json.ts';
import { missingCapability } from '../target/capabilities.ts';
import { NoAnswerError } from '../tpp/exchange.ts';

interface CustomersFound {
  readonly remarks: readonly string[];
  /** Why the run cannot be whole. */
  readonly incomplete: readonly string[];
}

/**
 * Whether the bank serves companies only, where its target file declares so (psu.context CORPORATE). A sandbox that lists
 * private customers has others, whom such a run does not act for: then it is not whole, and says what to give.
 */
export async function lookForPrivateCustomers({
  target,
  client,
}: Pick<RunContext, 'target' | 'client'>): Promise<CustomersFound> {
  if (target.psu.context === 'PRIVATE') return { remarks: [], incomplete: [] };
  const isListed = target.notOffered.every(({ what }) => what !== 'listSandboxCustomers');
  const hasPrivate =
    missingCapability(target, 'sandbox') === undefined && isListed && (await listsPrivate(client));
  return {
    remarks: [declared],
    incomplete: hasPrivate ? [contradicted] : [],
  };
}

const declared =
  'The bank is judged as one that serves companies only: psu of the target file acts for one (psu.context CORPORATE).';

const contradicted =
  'The sandbox lists private customers, for whom nothing but their SCA was judged: psu.context CORPORATE is for a bank that serves companies only. Give a private customer as psu of the target file, and the company as psu.corporate.';

async function listsPrivate(client: RunContext['client']): Promise<boolean> {
  try {
    const { json } = await client.call(
      { operation: 'listSandboxCustomers' },
      {},
      'look for private customers',
    );
    return Array.isArray(json) && json.some((customer) => member(customer, 'customerType') === 'PRIVATE');
  } catch (error) {
    // Who cannot be asked has listed nobody; the checks on the listing tell what is wrong with it.
    if (error instanceof NoAnswerError) return false;
    throw error;
  }
}
