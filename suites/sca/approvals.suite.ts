import { check, section, suite } from '../../src/checks/check.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { suffixes } from '../id-suffixes.ts';
import { atEachLink } from './approvals.ts';
import { afterEveryFailure, afterEverySca, mustKeepTo } from './redirect-demands.ts';
import { abortSca, ownCustomer, walk, walking, whatIsAt } from './walks.ts';

export default suite('Approvals', section('Authentication', 'Redirect after successful SCA'), [
  check({
    id: `RDR-01${suffixes.approvals}`,
    requirement: 'RDR-01',
    others: ['RDR-02', 'RDR-03', 'SCA-03', 'SCA-04'],
    title: 'the redirect after a basket or a cross-border payment was approved is as after every SCA',
    needs: [...walking, 'create-payments'],
    steps: [
      'Create a cross-border payment and pass SCA at its link scaRedirect.',
      'Do the same with a signing basket.',
      'Look at the address that the bank redirects to, and at what it carries.',
    ],
    expected: 'a redirect to TPP-Redirect-URI with the psu-id of the PSU, tpp-session-id and context',
    run: (context) =>
      atEachLink(context, async (link, what) => {
        const back = await walk(context, link, ownCustomer(context));
        mustKeepTo(context, afterEverySca, back, context.psu, `after ${what} was approved`);
      }),
  }),
  check({
    id: `RDF-02${suffixes.approvals}`,
    requirement: 'RDF-02',
    others: ['RDF-03', 'RDF-04', 'SCA-03'],
    title: 'the redirect after the approval of a payment or basket was cancelled says what failed',
    needs: ['sca-unattended', 'create-payments'],
    steps: [
      'Create a cross-border payment and cancel SCA at its link scaRedirect.',
      'Do the same with a signing basket.',
      'Look at what the address carries that the bank redirects to.',
    ],
    expected: 'status with an HTTP status code, code, and message, URL-encoded',
    run: (context) =>
      atEachLink(context, async (link, what) => {
        const back = await abortSca(context, link, ownCustomer(context));
        const when = `after the approval of ${what} was cancelled`;
        mustKeepTo(context, afterEveryFailure, back, context.psu, when);
      }),
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
