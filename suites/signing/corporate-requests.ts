import type { CheckContext } from '../../src/checks/context.ts';
import { aDomesticPayment, type Subject } from '../../src/checks/subject.ts';
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

/** A domestic payment of the corporate customer. */
export const corporate: Subject = {
  ...aDomesticPayment(),
  title: 'a corporate payment',
  call: (context, body) => ({ operation: 'createDomesticPayment', body, psu: corporatePsu(context) }),
};
