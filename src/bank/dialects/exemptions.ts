import { textAt } from '../../spec/json.ts';
import { creations } from '../../spec/products.ts';
import type { DesignChange } from '../design/design-changes.ts';
import type { Payment } from '../state/payment-store.ts';
import { type Dialect, deciding, dialect } from './dialect.ts';
import { executing } from './success-bodies.ts';

const payeeOf = ({ body }: Payment): string | undefined =>
  textAt(body, 'creditorAccount', 'iban') ?? textAt(body, 'creditorAccount', 'bban');

/** Whom the PSU has paid before, and approved it, the bank takes for trusted. */
const trustingPayees: DesignChange = executing(
  creations,
  (_, payment, { payments }) =>
    payment.customerId !== undefined &&
    payments
      .values()
      .some(
        (other) =>
          other.approvedAt !== undefined &&
          other.standsStill !== true &&
          other.customerId === payment.customerId &&
          payeeOf(other) === payeeOf(payment),
      ),
);

/** As PSD2 has payments counted that go without SCA, until one has to be asked for again. */
const askingEveryThird: DesignChange = (design) => {
  let count = 0;
  return executing(creations, () => {
    count += 1;
    return count % 3 !== 0;
  })(design);
};

/** Exemptions may be applied (PSU identification and SCA): which ones is not said. */
export const exemptionDialects: readonly Dialect[] = [
  dialect(
    'exemptions/trusted-payees',
    'executes at once what goes to an account that the PSU has paid before',
    trustingPayees,
  ),
  dialect(
    'exemptions/every-third',
    'asks for the approval of every third payment, and executes the others at once',
    askingEveryThird,
  ),
].map((each) => deciding('answers', each));
