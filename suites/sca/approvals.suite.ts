import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { expectAnswer, succeeded } from '../../src/checks/expectation.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { offeredProduct } from '../../src/checks/subject.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { suffixes } from '../id-suffixes.ts';
import { statusOf } from '../payments/approved-payments.ts';
import { onceApproved } from '../payments/once-approved.ts';
import { atEachLink, byIdentity, singleSca } from './approvals.ts';
import {
  afterEveryFailure,
  afterEverySca,
  inContext,
  mustKeepTo,
  type RedirectDemand,
  withoutCorporateId,
} from './redirect-demands.ts';
import { abortSca, ownCustomer, walk, walking, whatIsAt } from './walks.ts';

/** Whoever approves acts as they did when they asked for it. */
const demandsOn = ({ target }: CheckContext): readonly RedirectDemand[] => [
  ...afterEverySca,
  inContext(target.psu.context),
  withoutCorporateId,
];

/** Who the PSU is has only come out with the approval: the payment is theirs from then on, and known by their PSU-ID. */
async function mustBeReadable(context: CheckContext, created: Answer): Promise<void> {
  const id = created.text('paymentId');
  if (id === undefined || context.unjudged(['payment-lifecycle']) !== undefined) return;
  const payment = { product: offeredProduct(context).path, id };
  const answer = await onceApproved(context, () => statusOf(context, payment, 'its status'));
  context.broken = 'PST-01';
  expectAnswer(context, answer, succeeded(), 'for the status of an approved payment, by PSU-ID');
  context.broken = undefined;
}

export default suite('Approvals', section('Authentication', 'Redirect after successful SCA'), () => [
  check({
    id: `RDR-01${suffixes.approvals}`,
    requirement: 'RDR-01',
    others: ['RDR-02', 'RDR-03', 'RDR-04', 'RDR-05', 'SCA-03', 'SCA-04', 'PST-01'],
    title:
      'the redirect after a basket, a cross-border payment or one of a PSU named by X-PSU-IDENTITY was approved is as after every SCA',
    needs: [...walking, 'create-payments'],
    steps: [
      'Create a cross-border payment and pass SCA at its link scaRedirect.',
      'Do the same with a signing basket, and with a payment of the PSU who is named by X-PSU-IDENTITY in place of PSU-ID.',
      'Look at the address that the bank redirects to, and at what it carries.',
      'Read the status of the last of them with the PSU-ID.',
    ],
    expected: 'a redirect to TPP-Redirect-URI with the psu-id of the PSU, tpp-session-id and context',
    run: (context) =>
      atEachLink(
        context,
        async (link, what, created) => {
          const back = await walk(context, link, ownCustomer(context));
          mustKeepTo(context, demandsOn(context), back, context.psu, `after ${what} was approved`);
          if (what === byIdentity.what) await mustBeReadable(context, created);
        },
        singleSca(context),
      ),
  }),
  check({
    id: `RDF-02${suffixes.approvals}`,
    requirement: 'RDF-02',
    others: ['RDF-03', 'RDF-04', 'SCA-03'],
    title: 'the redirect after the approval of a payment or basket was cancelled says what failed',
    needs: ['sca-unattended', 'create-payments'],
    steps: [
      'Create a cross-border payment and cancel SCA at its link scaRedirect.',
      'Do the same with a signing basket, and with a payment of the PSU who is named by X-PSU-IDENTITY in place of PSU-ID.',
      'Look at what the address carries that the bank redirects to.',
    ],
    expected: 'status with an HTTP status code, code, and message, URL-encoded',
    run: (context) =>
      atEachLink(
        context,
        async (link, what) => {
          const back = await abortSca(context, link, ownCustomer(context));
          const when = `after the approval of ${what} was cancelled`;
          mustKeepTo(context, afterEveryFailure, back, context.psu, when);
        },
        singleSca(context),
      ),
  }),
  check({
    id: `SCA-02${suffixes.approvals}`,
    requirement: 'SCA-02',
    title: 'the link scaRedirect of a basket, and of a cross-border payment, leads to a page',
    needs: ['create-payments'],
    steps: [
      'Create a cross-border payment and a signing basket.',
      'Open each link scaRedirect as a browser does.',
    ],
    expected: 'an HTML page (2xx)',
    run: (context) =>
      atEachLink(context, async (link, what) => {
        const actual = await whatIsAt(context, link);
        context.evidence = context.exchanges.slice(-1);
        if (actual !== undefined)
          throw new ExpectationFailed(
            `the link scaRedirect of ${what} to lead to an HTML page (2xx)`,
            actual,
          );
      }),
  }),
]);
