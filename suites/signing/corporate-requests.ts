import type { CheckContext } from '../../src/checks/context.ts';
import { aDomesticPayment, type Subject } from '../../src/checks/subject.ts';
import { domesticPayments } from '../../src/payloads/domestic-payments.ts';
import type { PaymentFacts } from '../../src/payloads/payment-facts.ts';
import type { Psu } from '../../src/tpp/psu.ts';

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

/** A domestic payment of the corporate customer. */
export const corporate: Subject = {
  ...aDomesticPayment(),
  title: 'a corporate payment',
  bodies: (context) => domesticPayments(corporateFacts(context), context.amounts),
  call: (context, body) => ({ operation: 'createDomesticPayment', body, psu: corporatePsu(context) }),
};
