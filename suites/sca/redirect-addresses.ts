import type { CheckContext } from '../../src/checks/context.ts';
import { NotOffered } from '../../src/checks/outcomes.ts';
import { stateOf } from '../../src/payloads/appearance.ts';
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

/** SCA that somebody else begins with the same TPP, and never goes on with: whatever becomes of it is not looked at. */
export async function beginForAnother(context: CheckContext, customer: Customer): Promise<void> {
  await askForSca(context, customer, newSession(context)).catch(() => undefined);
}

/** The same between two requests that give the usual address: one in that session, and one for somebody else. */
export async function beginAgainAt(context: CheckContext, customer: Customer, psu: Psu): Promise<Beginning> {
  const before = await askForSca(context, customer, { ...psu, redirectUri: context.psu.redirectUri });
  const again = await beginAt(context, customer, psu);
  const begun =
    again.link !== before
      ? again
      : // One link for both is that of the request before: there another session tells.
        await beginAt(context, customer, { ...psu, sessionId: newSession(context).sessionId });
  await beginForAnother(context, customer);
  return begun;
}

/** Another page of the same TPP; a path is one in capitals as well (RFC 3986, 6.2.2.1). */
export function anotherPage(redirectUri: string, name = 'Another'): string {
  const address = new URL(redirectUri);
  address.pathname = `${address.pathname.replace(/\/$/, '')}/${name}`;
  return address.href;
}

export const withAQuery = {
  steps: [
    'Ask for accounts without PSU-ID in a new session, with a TPP-Redirect-URI that has a query. A bank that refuses this is not judged.',
  ],
  // Two parameters, one of them with a character that has to be encoded in it.
  addressOf: (redirectUri: string) =>
    `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}state=${stateOf(redirectUri)}&page=a%26b`,
};

export const withAFragment = {
  steps: [
    'Ask for accounts without PSU-ID in a new session, with a TPP-Redirect-URI that has a fragment. A bank that refuses this is not judged.',
  ],
  addressOf: (redirectUri: string) => `${redirectUri.split('#')[0]}#after-sca`,
};
