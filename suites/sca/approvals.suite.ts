import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { expectAnswer, succeeded } from '../../src/checks/expectation.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { offeredProduct } from '../../src/checks/subject.ts';
import { pageOf } from '../../src/checks/through-sca.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { suffixes } from '../id-suffixes.ts';
import { statusOf } from '../payments/approved-payments.ts';
import { onceApproved } from '../payments/once-approved.ts';
import {
  atEachLink,
  basketOfTheCompany,
  byIdentity,
  inTheApp,
  ofTheCompany,
  singleSca,
} from './approvals.ts';
import { approveAtOtherAddresses } from './approvals-at-addresses.ts';
import { mustHoldOtherwise } from './ended-by-others.ts';
import { notJudged } from './not-judged.ts';
import {
  afterEveryFailure,
  afterEverySca,
  inContext,
  mustKeepTo,
  type RedirectDemand,
  toTheTpp,
  withoutCorporateId,
} from './redirect-demands.ts';
import { accountsIn, mustStillBeListed } from './still-listed.ts';
import { abortSca, callFor, ownCustomer, walk, walking, whatIsAt } from './walks.ts';

/** Whoever approves acts as they did when they asked for it. */
const demandsOn = ({ target }: CheckContext): readonly RedirectDemand[] => [
  ...afterEverySca,
  inContext(target.psu.context),
  withoutCorporateId,
];

/** A link into an app leads to no page: only one to where the pages of the others were is looked at. */
const isOfThePages = ({ exchanges }: CheckContext, link: string): boolean =>
  exchanges.some(
    ({ request: { method, url }, response }) =>
      method === 'GET' &&
      response?.status === 200 &&
      URL.canParse(link) &&
      new URL(url).origin === new URL(link).origin &&
      /^[^?]*\//.exec(url)?.[0] === /^[^?]*\//.exec(link)?.[0],
  );

/** Who the PSU is has only come out with the approval: the payment is theirs from then on, and known by their PSU-ID. */
async function mustBeReadable(context: CheckContext, created: Answer): Promise<void> {
  const id = created.text('paymentId');
  if (id === undefined || context.unjudged(['payment-lifecycle']) !== undefined) return;
  const payment = { product: offeredProduct(context).path, id };
  const answer = await onceApproved(context, () => statusOf(context, payment, 'its status'));
  context.showing('PST-01', () =>
    expectAnswer(context, answer, succeeded(), 'for the status of an approved payment, by PSU-ID'),
  );
}

const accounts = { operation: 'listAccounts' } as const;

async function accountsShown(context: CheckContext): Promise<number> {
  if (context.missing('aisp-role') !== undefined) return 0;
  return accountsIn(await context.call(accounts, {}, 'accounts, before anything is approved'));
}

/** Who approves a payment deselects no account, and who cancels its approval does not end the session. */
async function mustStillBeShown(
  context: CheckContext,
  before: number,
  requirement: string,
  what: string,
): Promise<void> {
  const call = callFor(context, {}, context.psu);
  const listing = await call(accounts, {}, `accounts, after ${what}`);
  await mustHoldOtherwise(context, { psu: context.psu, call }, listing);
  mustStillBeListed(context, before, listing, `${what} in the session`, requirement);
}

export default suite('Approvals', section('Authentication', 'Redirect after successful SCA'), () => [
  check({
    id: `RDR-01${suffixes.approvals}`,
    requirement: 'RDR-01',
    others: ['RDR-02', 'RDR-03', 'RDR-04', 'RDR-05', 'SCA-03', 'SCA-04', 'PST-01', 'ACC-01'],
    title:
      'the redirect after a basket, a cross-border payment or one of a PSU named by X-PSU-IDENTITY was approved is as after every SCA',
    needs: [...walking, 'create-payments'],
    steps: [
      'Create a cross-border payment and pass SCA at its link scaRedirect.',
      'Do the same with a signing basket, and with a payment of the PSU who is named by X-PSU-IDENTITY in place of PSU-ID.',
      'Look at the address that the bank redirects to, and at what it carries.',
      'Read the status of the last of them with the PSU-ID.',
      'Ask for accounts before and after: those that the PSU has granted are still listed. If that asks for SCA, pass it and ask three times with nothing in between: they have to go through.',
    ],
    expected: 'a redirect to TPP-Redirect-URI with the psu-id of the PSU, tpp-session-id and context',
    async run(context) {
      const before = await accountsShown(context);
      await atEachLink(
        context,
        async (link, what, created) => {
          const back = await walk(context, link, ownCustomer(context));
          mustKeepTo(context, demandsOn(context), back, context.psu, `after ${what} was approved`);
          if (what === byIdentity.what) await mustBeReadable(context, created);
        },
        singleSca(context),
      );
      if (before > 0) await mustStillBeShown(context, before, 'ACC-01', 'payments were approved');
    },
  }),
  check({
    id: `RDF-02${suffixes.approvals}`,
    requirement: 'RDF-02',
    others: ['RDF-03', 'RDF-04', 'SCA-03', 'SES-04'],
    title: 'the redirect after the approval of a payment or basket was cancelled says what failed',
    needs: ['sca-unattended', 'create-payments'],
    steps: [
      'Create a cross-border payment and cancel SCA at its link scaRedirect.',
      'Do the same with a signing basket, and with a payment of the PSU who is named by X-PSU-IDENTITY in place of PSU-ID.',
      'Look at what the address carries that the bank redirects to.',
      'Ask for accounts before and after: the session still holds. If that asks for SCA, pass it and ask three times with nothing in between: they have to go through.',
    ],
    expected: 'status with an HTTP status code, code, and message, URL-encoded',
    async run(context) {
      const before = await accountsShown(context);
      await atEachLink(
        context,
        async (link, what) => {
          const back = await abortSca(context, link, ownCustomer(context));
          const when = `after the approval of ${what} was cancelled`;
          mustKeepTo(context, afterEveryFailure, back, context.psu, when);
        },
        singleSca(context),
      );
      if (before > 0) await mustStillBeShown(context, before, 'SES-04', 'approvals were cancelled');
    },
  }),
  check({
    id: `SCA-03${suffixes.approvals}`,
    requirement: 'SCA-03',
    title: 'after an approval the PSU is redirected to the TPP-Redirect-URI of that request alone',
    needs: [...walking, 'create-payments'],
    steps: [
      'Create a payment of each product, and a signing basket, each with a TPP-Redirect-URI that no other request names, and a payment with one that has a port. What is refused with it, or has no link scaRedirect, is not judged.',
      'Pass SCA at the link of each.',
      'Look at the address that the bank redirects to.',
    ],
    expected: toTheTpp.expected,
    run: approveAtOtherAddresses,
  }),
  check({
    id: `SCA-02${suffixes.approvals}`,
    requirement: 'SCA-02',
    title:
      'the link scaRedirect of a basket, of a cross-border payment, and of one in another name leads to a page',
    needs: ['create-payments'],
    steps: [
      'Create a cross-border payment, a signing basket, a payment with TPP-Redirect-Preferred false, one of a PSU who is named by X-PSU-IDENTITY, and a payment and a basket of a company.',
      'Open each link scaRedirect as a browser does.',
    ],
    expected: 'an HTML page (2xx)',
    run: (context) =>
      atEachLink(
        context,
        async (link, what) => {
          const isInTheApp = what === inTheApp.what;
          const page = isInTheApp
            ? await pageOf(context, link).catch(notJudged(context, 'A page beside the app'))
            : await pageOf(context, link);
          if (page === undefined || (isInTheApp && !isOfThePages(context, page))) return;
          const actual = await whatIsAt(context, page);
          context.evidence = context.exchanges.slice(-1);
          if (actual !== undefined)
            throw new ExpectationFailed(
              `the link scaRedirect of ${what} to lead to an HTML page (2xx)`,
              actual,
            );
        },
        [inTheApp, ...singleSca(context), ...ofTheCompany(context, ''), ...basketOfTheCompany(context)],
      ),
  }),
]);
