import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { KeptInRun } from '../../src/checks/kept-in-run.ts';
import { Inconclusive, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import { isHeaderValue } from '../../src/spec/header-value.ts';
import type { Psu } from '../../src/tpp/call.ts';
import { wordsOf } from '../told-values.ts';
import { withCustomer } from './spare-customers.ts';
import { passSca, walking } from './walks.ts';

/**
 * An agreement that the corporate customer has no part in: that of the target file, else one that the sandbox lists,
 * else that of another company, which passes SCA for it. That the listing names agreements by what PSU-Corporate-ID
 * carries shows in that of the customer itself.
 */
export async function agreementOfOthers(context: CheckContext): Promise<string> {
  const { corporateId = '', ...psu } = corporatePsu(context);
  const named = context.target.psu.other?.corporateId;
  if (named !== undefined) {
    if ((await ownAgreements(context, psu)).includes(named.toLowerCase()))
      throw new NotApplicable(
        'psu.other.corporateId of the target file is an agreement in which the PSU of the company has a part: give one of others.',
      );
    return named;
  }
  const own = `${corporateId} ${await ownAgreements(context, psu)}`.toLowerCase();
  const isOfOthers = (id: string): boolean => !own.includes(id.toLowerCase());
  const listed = await listedAgreements(context);
  const ofOthers = listed.every(isOfOthers)
    ? await agreementOfAnotherCompany(context)
    : listed.find(isOfOthers);
  if (ofOthers === undefined || !isOfOthers(ofOthers))
    throw new NotApplicable(
      'No agreement is known that the corporate PSU has no part in, neither of the listing of the sandbox nor from SCA of another company: add psu.other.corporateId to the target file.',
    );
  return ofOthers;
}

/** By run: what another company was given as psu-corporate-id. */
const ofAnotherCompany = new KeptInRun<'agreement', Promise<string | undefined>>();

/** A sandbox may list its agreements by other ids than TPPs get to see; those of the redirect are right for certain. */
function agreementOfAnotherCompany(context: CheckContext): Promise<string | undefined> {
  if (walking.some((capability) => context.missing(capability) !== undefined))
    return Promise.resolve(undefined);
  return ofAnotherCompany.of(context.run, 'agreement', () =>
    withCustomer(context, 'CORPORATE', async (customer) => {
      // Through a second TPP it would be the same company.
      if (customer.identity !== undefined) return undefined;
      return (await passSca(context, customer)).psuCorporateId;
    }).catch((error: unknown) => {
      if (error instanceof NotApplicable || error instanceof Inconclusive) return undefined;
      throw error;
    }),
  );
}

async function listedAgreements(context: CheckContext): Promise<readonly string[]> {
  if (context.missing('sandbox') !== undefined) return [];
  const listing = await context.call(
    { operation: 'listSandboxCustomers', query: { withAgreements: 'true' } },
    {},
    'look for agreements of others',
  );
  return agreementIdsIn(listing.json);
}

/** What the bank says of the agreements of a PSU, in lower case; nothing where it does not offer to. */
export async function ownAgreements(context: CheckContext, psu: Psu): Promise<string> {
  try {
    const answer = await context.call({ operation: 'listAgreements', psu }, {}, 'agreements of the PSU');
    return answer.isSuccess ? wordsOf(answer) : '';
  } catch (error) {
    // Declared away in the target file, which excuses from nothing else.
    if (error instanceof NotOffered) return '';
    throw error;
  }
}

function agreementIdsIn(listing: unknown): readonly string[] {
  if (!Array.isArray(listing)) return [];
  return listing
    .flatMap((customer: { readonly agreements?: unknown } | null) => customer?.agreements ?? [])
    .flatMap((agreement) => {
      const id = (agreement as { readonly id?: unknown } | null)?.id;
      return typeof id === 'string' && id !== '' && isHeaderValue(id) ? [id] : [];
    });
}
