import type { PaymentFacts } from '../payloads/payment-facts.ts';
import type { Psu } from '../tpp/psu.ts';
import type { CheckContext } from './context.ts';

/** The corporate customer of the target file. */
export function corporatePsu({ target, psu }: CheckContext): Psu {
  const { corporate } = target.psu;
  return {
    ...psu,
    ...(corporate?.id === undefined ? {} : { id: corporate.id }),
    ...(corporate?.corporateId === undefined ? {} : { corporateId: corporate.corporateId }),
    ...(corporate?.sessionId === undefined ? {} : { sessionId: corporate.sessionId }),
  };
}

/** Paid from an account of the company: a bank lets nobody pay from that of another. */
export const corporateFacts = ({ facts, target }: CheckContext): PaymentFacts => ({
  ...facts,
  debtor: target.accounts.corporateDebtor ?? facts.debtor,
});
