import { type Bank, type Environment, type SeededSession, seedSession } from '../bank/bank.ts';
import { type SeededPayments, seedPayments } from '../bank/payments/seed-payments.ts';
import { kidAccount } from '../bank/rules/kid-rules.ts';
import { tppIdOf } from '../bank/sca/identify-psu.ts';
import type { KeyIdentity } from '../signing/identity.ts';
import { limits } from '../spec/limits.ts';
import type { Creditors } from '../target/creditors.ts';
import type { PsuContext } from '../target/psu.ts';

/** Customers of the initial data set who show all that a target file can name. */
const customers = {
  private: '01819010001',
  corporate: '05829210160',
  expired: '24877910012',
  other: '12848510058',
  otherCompany: '17887610096',
} as const;

/** A little more than the hour that an SCA holds. */
const expiredSecondsAgo = limits.sessionSeconds + 60;

/** The customers who have passed SCA already. */
export interface NamedSessions {
  /** A private customer; of a bank that serves companies only, the representative of one. */
  readonly psu: SeededSession;
  /** The representative of a company next to a private customer. */
  readonly company?: SeededSession;
  /** One who passed SCA long ago. */
  readonly expired?: SeededSession;
}

export type SessionIds = Readonly<Record<'private' | 'corporate' | 'expired', string>>;

/** The context in which psu acts: the private one, unless the bank serves companies only. */
export const contextAt = ({ state }: Bank): PsuContext =>
  state.customers.byNumber(customers.private) === undefined ? 'CORPORATE' : 'PRIVATE';

export function sessionsOf(
  { state }: Bank,
  tpp: KeyIdentity['certificate'],
  sessionIds: SessionIds,
  context: PsuContext,
): NamedSessions {
  const [agreement] = state.customers.ownAgreementsOf(customers.corporate);
  if (agreement === undefined) throw new Error('The initial data set has lost its corporate agreement.');
  const representative = { tpp, customerNumber: customers.corporate, agreementId: agreement.id };
  if (context === 'CORPORATE') return { psu: { ...representative, sessionId: sessionIds.corporate } };
  return {
    psu: { tpp, customerNumber: customers.private, sessionId: sessionIds.private },
    company: { ...representative, sessionId: sessionIds.corporate },
    expired: {
      tpp,
      customerNumber: customers.expired,
      sessionId: sessionIds.expired,
      secondsAgo: expiredSecondsAgo,
    },
  };
}

export const sessionList = ({ psu, company, expired }: NamedSessions): readonly SeededSession[] =>
  [psu, company, expired].filter((session) => session !== undefined);

/** What their sessions and payments are at the start; `again` gives the payments the ids that they had before. */
export function seedNamed(bank: Bank, sessions: NamedSessions, again?: SeededPayments): SeededPayments {
  for (const session of sessionList(sessions)) seedSession(bank.state, session);
  const { tpp: certificate, customerNumber } = sessions.psu;
  return seedPayments(bank.state, tppIdOf({ certificate }), customerNumber, again);
}

export function describePsu(bank: Bank, { psu, company, expired }: NamedSessions) {
  const known = ({ tpp, customerNumber, agreementId, sessionId }: SeededSession) => ({
    id: bank.psuIdOf(tpp, customerNumber),
    ...(agreementId === undefined ? {} : { corporateId: agreementId }),
    sessionId,
    nationalId: customerNumber,
  });
  return {
    sca: 'form' as const,
    ...(psu.agreementId === undefined ? {} : { context: 'CORPORATE' as const }),
    ...known(psu),
    ...(company === undefined ? {} : { corporate: known(company) }),
    ...(expired === undefined ? {} : { expired: known(expired) }),
    other: {
      nationalId: otherIn(psu.agreementId === undefined ? 'PRIVATE' : 'CORPORATE'),
      corporateId: agreementOfOthers(bank),
    },
  };
}

const otherIn = (context: PsuContext): string =>
  context === 'CORPORATE' ? customers.otherCompany : customers.other;

/** The representative of the company has no part in it. */
function agreementOfOthers({ state }: Bank): string {
  const own = new Set(state.customers.agreementsOf(customers.corporate).map(({ id }) => id));
  const [agreement] = state.customers
    .list()
    .flatMap(({ customerNumber }) => state.customers.ownAgreementsOf(customerNumber))
    .filter(({ id }) => !own.has(id));
  if (agreement === undefined) throw new Error('The initial data set has lost its second agreement.');
  return agreement.id;
}

export function describeAccounts({ state }: Bank, environment: Environment, context: PsuContext) {
  const { accountsOf, cardAccountsOf } = state.customers;
  const firstOf = (customerNumber: string) => {
    const [first] = accountsOf(customerNumber);
    if (first === undefined) throw new Error('The initial data set has lost accounts of its customers.');
    const { bban, iban, currency } = first;
    return { bban, iban, currency };
  };
  const others = {
    otherDebtor: firstOf(otherIn(context)),
    kidCreditor: { bban: kidAccount, currency: 'NOK' },
    ...payees,
    ...(environment === 'production' ? { creditors: { crossBorder: payeesAbroad } } : {}),
  };
  if (context === 'CORPORATE') return { debtor: firstOf(customers.corporate), ...others };
  const debtor = firstOf(customers.private);
  const [card] = cardAccountsOf(customers.private);
  if (card === undefined) throw new Error('The initial data set has lost the card of its customer.');
  return {
    debtor,
    corporateDebtor: firstOf(customers.corporate),
    card: { identification: card.identification, currency: card.currency },
    manyTransactions: debtor.bban,
    ...others,
  };
}

/** The same accounts at a bank that pays only those that it knows, or deals in another currency abroad. */
export function payingOnly(
  { creditor, creditorForeign, ...accounts }: ReturnType<typeof describeAccounts>,
  {
    creditors,
    currencyAbroad: currency = creditorForeign.currency,
  }: { readonly creditors?: Creditors; readonly currencyAbroad?: string },
) {
  return creditors === undefined
    ? { creditor, creditorForeign: { ...creditorForeign, currency }, ...accounts }
    : { ...accounts, creditors };
}

/** Here no money moves, so that the usual examples will do. */
const payees = {
  creditor: { bban: '86011117947', currency: 'NOK' },
  creditorForeign: {
    iban: 'DE89370400440532013000',
    agent: 'COBADEFFXXX',
    currency: 'EUR',
    country: 'DE',
  },
} as const;

/** In production the suite makes up nobody to pay to: what else it may pay has to be named. */
const payeesAbroad = [
  payees.creditorForeign,
  { bban: '12345678903', agent: 'CHASUS33XXX', currency: 'USD', country: 'US' },
] as const;
