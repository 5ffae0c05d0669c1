import type { CheckContext } from '../../src/checks/context.ts';
import { NotOffered } from '../../src/checks/outcomes.ts';
import type { Psu } from '../../src/tpp/call.ts';
import type { Customer } from './spare-customers.ts';
import { askForSca, isRefusedSca, newSession } from './walks.ts';

/** Where SCA begins that is to end at an unusual address. */
export interface Beginning {
  readonly link: string;
  readonly psu: Psu;
}

/** Some banks take the addresses only that a TPP has registered, which the specification does not forbid. */
export async function beginAt(
  context: CheckContext,
  customer: Partial<Customer>,
  psu: Psu,
): Promise<Beginning> {
  try {
    return { link: await askForSca(context, customer, psu), psu };
  } catch (error) {
    if (!isRefusedSca(error)) throw error;
    throw new NotOffered(`The bank takes no other TPP-Redirect-URI. ${error.message}`);
  }
}

/** The same after a request in that session has given the usual address. */
export async function beginAgainAt(
  context: CheckContext,
  customer: Partial<Customer>,
  psu: Psu,
): Promise<Beginning> {
  const before = await askForSca(context, customer, { ...psu, redirectUri: context.psu.redirectUri });
  const again = await beginAt(context, customer, psu);
  if (again.link !== before) return again;
  // One link for both is that of the request before: there another session tells.
  return beginAt(context, customer, { ...psu, sessionId: newSession(context).sessionId });
}

/** Another page of the same TPP; a path is one in capitals as well (RFC 3986, 6.2.2.1). */
export function anotherPage(redirectUri: string): string {
  const address = new URL(redirectUri);
  address.pathname = `${address.pathname.replace(/\/$/, '')}/Another`;
  return address.href;
}

export const withAQuery = {
  steps: [
    'Ask for accounts without PSU-ID in a new session, with a TPP-Redirect-URI that has a query. A bank that refuses this is not judged.',
  ],
  // Two parameters, one of them with a character that has to be encoded in it.
  addressOf: (redirectUri: string) =>
    `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}state=4711&page=a%26b`,
};
