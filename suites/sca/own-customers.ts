import { type CheckContext, lookAside, type RunContext } from '../../src/checks/context.ts';
import { member } from '../../src/spec/json.ts';

/** What the suite calls the customers that it creates in a sandbox, and removes again. */
export const ownCustomerName = 'Conformance check';

export interface NamedCustomer {
  readonly customerId?: unknown;
  readonly customerName?: unknown;
}

/** The ids of all who were listed; undefined where the bank gave no list. */
type Ids = ReadonlySet<unknown> | undefined;

/** By run: those who were there before it created anybody. */
const initialOnes = new WeakMap<RunContext, Promise<Ids>>();

/**
 * To be awaited before anybody is created: they are told from the others by not having been there (freedom
 * sandbox/creation).
 */
export function rememberCustomers(context: CheckContext): Promise<Ids> {
  const { run } = context;
  const known = initialOnes.get(run);
  if (known !== undefined) return known;
  const looking = listedIds(context).catch((error: unknown) => {
    // The next one looks again.
    initialOnes.delete(run);
    throw error;
  });
  initialOnes.set(run, looking);
  return looking;
}

async function listedIds(context: CheckContext): Promise<Ids> {
  const answer = await lookAside(context, () =>
    context.call({ operation: 'listSandboxCustomers' }, {}, 'who was there before'),
  );
  if (!Array.isArray(answer.json)) return undefined;
  return new Set(answer.json.map((customer: unknown) => member(customer, 'customerId')));
}

/** Those whom nobody has created through this suite: its own are not of the initial data set, and go away again. */
export async function withoutOwnCustomers<Listed extends NamedCustomer>(
  { run }: Pick<CheckContext, 'run'>,
  listed: readonly Listed[],
): Promise<readonly Listed[]> {
  const known = await initialOnes.get(run)?.catch(() => undefined);
  // By their name, since another shard may have created them, or an earlier run.
  const isOwn = ({ customerId, customerName }: Listed): boolean =>
    (typeof customerName === 'string' && customerName.startsWith(ownCustomerName)) ||
    known?.has(customerId) === false;
  return listed.filter((customer) => !isOwn(customer));
}
