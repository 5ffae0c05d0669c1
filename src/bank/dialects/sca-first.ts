import { bodies } from '../../spec/bodies/index.ts';
import { demandsOf } from '../../spec/field.ts';
import { isObject, textAt } from '../../spec/json.ts';
import { createdBy, creations } from '../../spec/products.ts';
import { type DesignChange, withAnswers, withRules } from '../design/design-changes.ts';
import { type BankAnswer, type BankRequest, type BankState, rule } from '../design/route.ts';
import { accessFor, scaNeeded } from '../sca/request-sca.ts';
import { isApproved } from '../state/payment-store.ts';
import { type Dialect, dialect, hiding } from './dialect.ts';
import { alsoRefusing } from './own-choice.ts';

/** SCA before anything is created: the TPP is to come back with the same payment. */
const askingForSca = (answer: BankAnswer): BankAnswer => {
  const body = isObject(answer.body) ? answer.body : {};
  const found = isObject(body._links) ? body._links.scaRedirect : undefined;
  // What is exempted from SCA is created at once.
  if (found === undefined) return answer;
  return {
    status: 401,
    body: {
      tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID' }],
      _links: { scaRedirect: found },
    },
  };
};

/** The SCA that was asked for before each payment, by what was sent. */
function askedBefore() {
  const flows = new Map<string, string>();
  const keyOf = ({ bytes }: BankRequest): string => bytes.toString('utf8');
  return {
    remember: (request: BankRequest, href: string): void => void flows.set(keyOf(request), href),
    /** Whether the PSU has passed it. */
    isPassed: (request: BankRequest, state: BankState): boolean => {
      const flowId = flows.get(keyOf(request))?.split('/').at(-1) ?? '';
      return state.flows.find(flowId)?.step === 'finished';
    },
  };
}

const scaFirst: DesignChange = (design) => {
  const asked = askedBefore();
  return withAnswers(creations, (answer, request, state) => {
    if (asked.isPassed(request, state)) return answer;
    asked.remember(request, textAt(answer.body, '_links', 'scaRedirect', 'href') ?? '');
    return askingForSca(answer);
  })(design);
};

const scaOnce: DesignChange = (design) => {
  const asked = new Set<string>();
  const isNew = ({ bytes }: BankRequest): boolean => asked.size < asked.add(bytes.toString()).size;
  return withAnswers(creations, (answer, request) => (isNew(request) ? askingForSca(answer) : answer))(
    design,
  );
};

/** SCA before the body is looked at, whatever stands in it. The same payment is looked at after that SCA. */
const scaBeforeTheBody: DesignChange = (design) => {
  const asked = askedBefore();
  return withRules((operation, rules) => {
    const product = createdBy(operation);
    if (product === undefined) return rules;
    const scaFirstOfAll = rule(
      'ERR-03',
      'this bank wants SCA for every payment',
      'sessionUnknown',
      (request, state) => {
        if (asked.isPassed(request, state)) return undefined;
        const needed = scaNeeded(request, state, { purpose: accessFor(request) });
        asked.remember(request, needed.links?.scaRedirect?.href ?? '');
        return { text: 'Send the PSU to the link scaRedirect.', ...needed };
      },
      { ownChoice: true },
    );
    const ofBody = new Set(demandsOf(bodies[product.body]).map(({ id }) => id));
    const firstOfBody = rules.findIndex(({ requirement }) => ofBody.has(requirement));
    return rules.toSpliced(firstOfBody, 0, scaFirstOfAll);
  })(design);
};

/** Reading the status of a payment that nobody has approved begins its approval. */
const approvalAtStatus = withRules((operation, rules) =>
  operation === 'readPaymentStatus'
    ? [
        ...rules,
        rule(
          'ERR-03',
          'this bank has a payment approved before its status is read',
          'sessionUnknown',
          (request, state) => {
            const payment = state.payments.get(request.params.paymentId ?? '');
            if (payment?.transactionStatus !== 'RCVD' || isApproved(payment)) return undefined;
            const { paymentId } = payment;
            return {
              text: 'Send the PSU to the link scaRedirect.',
              links: { scaRedirect: state.psus.startSca(request, state, { kind: 'payment', paymentId }) },
            };
          },
          { ownChoice: true },
        ),
      ]
    : rules,
);

/** The known issue of domestic payments (States and transitions), here with the details of all of them. */
export const detailsOnceApproved = alsoRefusing(
  ['readPayment'],
  ({ params }, { payments }) => {
    const payment = payments.get(params.paymentId ?? '');
    return payment?.transactionStatus === 'RCVD' && !isApproved(payment);
  },
  { status: 409, code: 'CONFLICT' },
);

/** A payment is answered 401 with a scaRedirect link before anything is created (ERR-03). */
export const scaFirstDialects: readonly Dialect[] = [
  hiding(
    dialect(
      'sca/before-creation',
      'answers payments with 401 and a scaRedirect link, and creates them after that SCA',
      scaFirst,
    ),
  ),
  hiding(
    dialect(
      'sca/before-creation-once',
      'answers a payment with 401 and a scaRedirect link, and creates it when it comes again',
      scaOnce,
    ),
  ),
  dialect(
    'sca/approval-at-status',
    'asks for the approval of a payment when its status is read before that',
    approvalAtStatus,
  ),
  dialect(
    'payments/details-once-approved',
    'tells the details of a payment once the PSU has approved it, across the border as well',
    detailsOnceApproved,
  ),
  hiding(dialect('sca/before-the-body', 'asks for SCA before it looks at a payment', scaBeforeTheBody)),
];
