import { NotApplicable } from '../../src/checks/outcomes.ts';
import type { Reader } from '../sca/readers.ts';
import { accountIdsIn } from './account-ids.ts';

/** An account that the reader may read. */
export function accountOf({ listing }: Reader): { readonly accountId: string } {
  const [accountId] = accountIdsIn(listing.json);
  if (accountId !== undefined) return { accountId };
  throw new NotApplicable(
    'No account was found in the answer to GET /v1/accounts, whose shape is not shown: looked for accounts[] with resourceId, id or accountId. Grant an account to the TPP.',
  );
}
