import { bodies } from '../../spec/bodies/index.ts';
import { demandsOf } from '../../spec/field.ts';
import { member, textAt } from '../../spec/json.ts';
import { creations, everyProduct } from '../../spec/products.ts';
import {
  awaitsApproval,
  cancelledBySca,
  detailsOnceApproved,
  executing,
  offering,
  paymentOf,
  startedByTheTpp,
} from '../design/approval-changes.ts';
import { byChoice, perBank, withAnswers } from '../design/design-changes.ts';
import { inHeader, not } from '../design/requests.ts';
import type { BankAnswer, BankRequest, BankState, ScaPurpose } from '../design/route.ts';
import { accessFor, scaNeeded } from '../sca/request-sca.ts';
import type { Payment } from '../state/payment-store.ts';
import { hidesOthers, rows, topic } from './dialect.ts';

export { cancelledBySca, detailsOnceApproved, startedByTheTpp } from '../design/approval-changes.ts';

const framework = ['answers', 'sca'];

// biome-ignore format: a table
export const authorisationDialects = rows(
  ['authorisations/instead', 'has the TPP start an authorisation for what it has created, and gives the link to SCA then', framework, startedByTheTpp],
  ['authorisations/as-well', 'gives a link to SCA with what was created, and has the TPP start an authorisation if it likes', framework,
    offering(() => true)],
  ['authorisations/unless-by-identity', 'gives a link to SCA with payments by X-PSU-IDENTITY, and has the TPP start an authorisation for others', framework,
    offering(not(inHeader('psu-id')))],
  ['authorisations/of-cancellations', 'answers the deletion of an approved payment with 202, and cancels it once the PSU has approved that', 'deletion', cancelledBySca],
);

const payeeOf = ({ body }: Payment): string | undefined =>
  textAt(body, 'creditorAccount', 'iban') ?? textAt(body, 'creditorAccount', 'bban');

const wasPaidBefore = (_: BankRequest, payment: Payment, { payments }: BankState): boolean =>
  payment.customerId !== undefined &&
  payments
    .values()
    .some(
      (other) =>
        other.approvedAt !== undefined &&
        other.standsStill !== true &&
        other.customerId === payment.customerId &&
        payeeOf(other) === payeeOf(payment),
    );

/** Exemptions may be applied (PSU identification and SCA): which ones is not said. PSD2 has payments counted. */
// biome-ignore format: a table
export const exemptionDialects = rows(
  ['exemptions/trusted-payees', 'executes at once what goes to an account that the PSU has paid before', 'answers', executing(creations, wasPaidBefore)],
  ['exemptions/every-third', 'asks for the approval of every third payment, and executes the others at once', 'answers', perBank(() => {
    let count = 0;
    return executing(creations, () => ++count % 3 !== 0);
  })],
);

/** SCA before anything is created: the TPP is to come back with the same payment. What is exempted is created at once. */
function askingForSca(answer: BankAnswer): BankAnswer {
  const scaRedirect = member(member(answer.body, '_links'), 'scaRedirect');
  const tppMessages = [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID' }];
  return scaRedirect === undefined ? answer : { status: 401, body: { tppMessages, _links: { scaRedirect } } };
}

function askedBefore() {
  const flows = new Map<string, string>();
  const keyOf = ({ bytes }: BankRequest): string => bytes.toString('utf8');
  return {
    remember: (request: BankRequest, href: string): void => void flows.set(keyOf(request), href),
    isPassed: (request: BankRequest, state: BankState): boolean =>
      state.flows.find(flows.get(keyOf(request))?.split('/').at(-1) ?? '')?.step === 'finished',
  };
}

const scaFirst = perBank(() => {
  const asked = askedBefore();
  return withAnswers(creations, (answer, request, state) => {
    if (asked.isPassed(request, state)) return answer;
    asked.remember(request, textAt(answer.body, '_links', 'scaRedirect', 'href') ?? '');
    return askingForSca(answer);
  });
});

const scaOnce = perBank(() => {
  const asked = new Set<string>();
  const isNew = ({ bytes }: BankRequest): boolean => asked.size < asked.add(bytes.toString()).size;
  return withAnswers(creations, (answer, request) => (isNew(request) ? askingForSca(answer) : answer));
});

export const scaAgain = { status: 401, code: 'SCA_EXPIRED', text: 'Please pass SCA once more.' } as const;
export const toScaLink = { text: 'Send the PSU to the link scaRedirect.' } as const;

export const linkToSca = (
  request: BankRequest,
  state: BankState,
  purpose: ScaPurpose = { kind: 'access' },
) => ({
  links: { scaRedirect: state.psus.startSca(request, state, purpose) },
});

const ofBodies = new Set(everyProduct.flatMap(({ body }) => demandsOf(bodies[body]).map(({ id }) => id)));

/** Whatever stands in the body. The same payment is looked at after that SCA. */
const scaBeforeTheBody = perBank(() => {
  const asked = askedBefore();
  return byChoice(
    creations,
    (request, state) => {
      if (asked.isPassed(request, state)) return undefined;
      const needed = scaNeeded(request, state, { purpose: accessFor(request) });
      asked.remember(request, needed.links?.scaRedirect?.href ?? '');
      return { kind: 'sessionUnknown', ...toScaLink, ...needed };
    },
    {
      requirement: 'ERR-03',
      name: 'this bank wants SCA for every payment',
      tried: (rules) => rules.findIndex(({ requirement }) => ofBodies.has(requirement)),
    },
  );
});

const approvalAtStatus = byChoice(
  ['readPaymentStatus'],
  (request, state) => {
    const payment = paymentOf(request, state);
    if (!awaitsApproval(payment)) return undefined;
    const { paymentId } = payment;
    return {
      kind: 'sessionUnknown',
      ...toScaLink,
      ...linkToSca(request, state, { kind: 'payment', paymentId }),
    };
  },
  { requirement: 'ERR-03', name: 'this bank has a payment approved before its status is read' },
);

// biome-ignore format: a table
export const scaFirstDialects = rows(
  ['sca/before-creation', 'answers payments with 401 and a scaRedirect link, and creates them after that SCA', topic, scaFirst, hidesOthers],
  ['sca/before-creation-once', 'answers a payment with 401 and a scaRedirect link, and creates it when it comes again', topic, scaOnce, hidesOthers],
  ['sca/approval-at-status', 'asks for the approval of a payment when its status is read before that', topic, approvalAtStatus],
  ['payments/details-once-approved', 'tells the details of a payment once the PSU has approved it, across the border as well', topic, detailsOnceApproved],
  ['sca/before-the-body', 'asks for SCA before it looks at a payment', topic, scaBeforeTheBody, hidesOthers],
);
