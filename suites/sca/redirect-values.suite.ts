import { randomUUID } from 'node:crypto';
import { createAnew } from '../../src/checks/awaiting-sca.ts';
import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { describeAnswer, expectAnswer, succeeded } from '../../src/checks/expectation.ts';
import { Inconclusive, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import { drawCall, offeredProduct } from '../../src/checks/subject.ts';
import { companyOf } from '../../src/target/psu.ts';
import type { ScaReturn } from '../../src/tpp/sca/sca-return.ts';
import { type ScaLink, scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { suffixes } from '../id-suffixes.ts';
import { aCorporateBasket, aCorporatePayment } from '../signing/corporate-requests.ts';
import { notJudged } from './not-judged.ts';
import {
  afterEveryFailure,
  afterEverySca,
  inContext,
  mustKeepTo,
  type RedirectDemand,
  withSameCorporateId,
  withSessionId,
} from './redirect-demands.ts';
import { type Customer, withCustomer } from './spare-customers.ts';
import { abortSca, askForSca, callFor, linkOfCreated, newSession, passSca, walk, walking } from './walks.ts';

interface SessionId {
  readonly id: string;
  readonly title: string;
  /** A new one each time: two SCAs in one session would be one session. */
  readonly made: () => string;
}

/** TPP-Session-ID is a string (Common request headers), where PSU-ID is a UUID. What may stand in it, others ask. */
const sessionIds: readonly SessionId[] = [
  {
    id: 'RDR-02-opaque',
    title: 'a TPP-Session-ID that is no UUID comes back unchanged in the redirect',
    // A little longer than one, too: whoever keeps no more than that of it does not know it again.
    made: () => `Tpp_~.${randomUUID()}`,
  },
  {
    id: 'RDR-02-reserved',
    title: 'a TPP-Session-ID that needs percent-encoding comes back unchanged in the redirect',
    made: () => `a b/c?d=e&f+g%20h#${randomUUID().slice(0, 8)}`,
  },
];

const comesBack = ({ id, title, made }: SessionId): Check =>
  check({
    id,
    requirement: 'RDR-02',
    title,
    needs: walking,
    steps: [
      'Ask for accounts without PSU-ID in a new session whose id is a UUID, as control: the answer asks for SCA.',
      'Do so in a session with the id in question, and pass SCA as a customer whom no other check acts for.',
      'Look at the address that the bank redirects to.',
    ],
    expected: 'tpp-session-id with the TPP-Session-ID of the request',
    run: (context) =>
      withCustomer(context, 'OTHER', async (customer) => {
        await askForSca(context, customer, newSession(context));
        const psu = { ...newSession(context), sessionId: made() };
        await askForSca(context, customer, psu).catch((error: unknown) => {
          if (!(error instanceof Inconclusive)) throw error;
          throw new NotApplicable(`The bank takes no such TPP-Session-ID: ${error.message}`);
        });
        mustKeepTo(context, [withSessionId], await passSca(context, customer, psu), psu);
      }),
  });

/** Where a payment of the company is approved, in its own session: that ends no session. */
async function linkOfTheCompany(context: CheckContext): Promise<ScaLink> {
  const created = await createAnew(
    context,
    () => drawCall(context, aCorporatePayment(offeredProduct(context))),
    (call) => context.call(call, {}, 'create a payment of the company'),
  );
  return linkOfCreated(context, created, corporatePsu(context));
}

const theCompany = ({ target }: CheckContext): Customer => ({
  nationalId: companyOf(target.psu)?.nationalId ?? '',
  context: 'CORPORATE',
});

const approveAt = (context: CheckContext, link: ScaLink): Promise<ScaReturn> =>
  walk(context, link, theCompany(context));

const approveForTheCompany = async (context: CheckContext): Promise<ScaReturn> =>
  approveAt(context, await linkOfTheCompany(context));

/** Undefined where there is nothing to approve (freedom sca/exempt). */
async function linkOfBasketOfTheCompany(context: CheckContext): Promise<ScaLink | undefined> {
  const call = await aCorporateBasket.call(context, {});
  const created = await context.call(call, {}, 'create a basket of the company');
  const link = created.isSuccess ? scaLinkOf(created) : undefined;
  if (link === undefined)
    context.note(
      `There is no link to approve a basket of the company at: it was answered ${describeAnswer(created)}.`,
    );
  return link;
}

const afterCorporateApproval = (id: string, what: string, demand: RedirectDemand): Check =>
  check({
    id,
    requirement: demand.requirement,
    title: `the redirect after a payment was approved in corporate context carries ${what}`,
    needs: ['sca-unattended', ...corporateApproval],
    steps: [
      'Create a domestic payment with PSU-Corporate-ID.',
      'Pass SCA at its link scaRedirect in corporate context; a bank may exempt it.',
      'Look at the address that the bank redirects to.',
    ],
    expected: demand.expected,
    run: async (context) =>
      mustKeepTo(context, [demand], await approveForTheCompany(context), corporatePsu(context)),
  });

const corporateApproval = ['corporate-sca', 'corporate-psu', 'create-payments'] as const;

/** What the other redirects of private PSUs are judged for, at once. */
const inCorporateContext: readonly Check[] = [
  check({
    id: `RDR-01${suffixes.corporate}`,
    requirement: 'RDR-01',
    others: ['RDR-02', 'RDR-03', 'SCA-03', 'SCA-06'],
    title: 'the redirect after SCA in corporate context is as after every SCA, and what it carries is taken',
    needs: walking,
    steps: [
      'Ask for accounts without PSU-ID in a new session.',
      'Pass SCA at the link scaRedirect as a corporate customer whom no other check acts for.',
      'Look at the address that the bank redirects to, and at what it carries.',
      'Repeat the call with the psu-id and the psu-corporate-id of the redirect, where the TPP is an AISP.',
    ],
    expected:
      'a redirect to TPP-Redirect-URI with psu-id, tpp-session-id and context, and accounts with what it carries',
    run: (context) =>
      withCustomer(context, 'CORPORATE', async (customer) => {
        const psu = newSession(context);
        const back = await passSca(context, customer, psu);
        mustKeepTo(context, afterEverySca, back, psu, 'after SCA for a company');
        const { psuId, psuCorporateId } = back;
        if (context.missing('aisp-role') !== undefined || !psuId || !psuCorporateId) return;
        const company = { ...psu, id: psuId, corporateId: psuCorporateId };
        const answer = await callFor(context, customer, company)(
          { operation: 'listAccounts' },
          {},
          'after SCA',
        );
        // SCA may have begun elsewhere, at a bank that shows no accounts.
        if (answer.isAbsent) return;
        context.showing('SCA-06', () =>
          expectAnswer(context, answer, succeeded(), 'for accounts after SCA for a company'),
        );
      }),
  }),
  check({
    id: `RDR-01${suffixes.corporate}${suffixes.payment}`,
    requirement: 'RDR-01',
    others: ['RDR-02', 'RDR-03', 'RDR-04', 'RDR-05', 'SCA-03', 'SCA-04'],
    title: 'the redirect after a payment or basket of a company was approved is as after every SCA',
    needs: ['sca-unattended', ...corporateApproval],
    steps: [
      'Create a domestic payment with PSU-Corporate-ID.',
      'Pass SCA at its link scaRedirect in corporate context; a bank may exempt it.',
      'Do the same with a signing basket of the company.',
      'Look at the address that the bank redirects to, and at what it carries.',
    ],
    expected:
      'a redirect to TPP-Redirect-URI with the psu-id of the PSU, tpp-session-id and context, after a basket also with psu-corporate-id',
    async run(context) {
      const psu = corporatePsu(context);
      const back = await approveForTheCompany(context);
      mustKeepTo(context, afterEverySca, back, psu, 'after a payment of a company was approved');
      const link = await linkOfBasketOfTheCompany(context);
      if (link === undefined) return;
      const demands = [...afterEverySca, withSameCorporateId, inContext('CORPORATE')];
      const ofBasket = await approveAt(context, link);
      mustKeepTo(context, demands, ofBasket, psu, 'after a basket of a company was approved');
    },
  }),
  check({
    id: `RDF-02${suffixes.corporate}`,
    requirement: 'RDF-02',
    others: ['RDF-03', 'RDF-04', 'SCA-03'],
    title:
      'the redirect after the approval of a payment or basket of a company was cancelled says what failed',
    needs: ['sca-unattended', ...corporateApproval],
    steps: [
      'Create a domestic payment with PSU-Corporate-ID.',
      'Cancel SCA at its link scaRedirect.',
      'Do the same with a signing basket of the company.',
      'Look at what the address carries that the bank redirects to.',
    ],
    expected: 'status with an HTTP status code, code, and message, URL-encoded',
    async run(context) {
      const cancelled = async (link: ScaLink, what: string): Promise<void> => {
        const back = await abortSca(context, link, theCompany(context));
        const when = `after the approval of a ${what} of a company was cancelled`;
        mustKeepTo(context, afterEveryFailure, back, context.psu, when);
      };
      await cancelled(await linkOfTheCompany(context), 'payment');
      const link = await linkOfBasketOfTheCompany(context);
      if (link !== undefined) await cancelled(link, 'basket');
    },
  }),
];

/** SCA begins where accounts are asked for, and at operations that do nothing else. */
const otherBeginnings = [
  { operation: 'startUserFlow', what: 'GET /v1/user' },
  { operation: 'createConsent', what: 'POST /v1/consents', body: {} },
] as const;

const begunElsewhere: Check = check({
  id: `RDR-01${suffixes.elsewhere}`,
  requirement: 'RDR-01',
  others: ['RDR-02', 'RDR-03', 'SCA-03'],
  title: 'the redirect after SCA that GET /v1/user or POST /v1/consents began is as after every SCA',
  needs: walking,
  steps: [
    'Ask for the user without PSU-ID in a new session, and for a consent in another.',
    'Pass SCA at the link scaRedirect of each that has one, as a customer whom no other check acts for.',
    'Look at the address that the bank redirects to, and at what it carries.',
  ],
  expected: 'a redirect to TPP-Redirect-URI with psu-id, tpp-session-id and context',
  run: (context) =>
    withCustomer(context, 'OTHER', async (customer) => {
      context.cases = 0;
      for (const { what, ...call } of otherBeginnings) {
        const psu = newSession(context);
        const link = scaLinkOf(await callFor(context, customer, psu)(call, {}, what));
        if (link === undefined) continue;
        const walked = walk(context, link, customer, psu.redirectUri);
        const back = await walked.catch(notJudged(context, `The redirect after SCA that ${what} began`));
        if (back === undefined) continue;
        context.cases += 1;
        mustKeepTo(context, afterEverySca, back, psu, `after SCA that ${what} began`);
      }
      if (context.cases === 0)
        throw new NotOffered(
          'Neither GET /v1/user nor POST /v1/consents gives a link scaRedirect at which SCA can be passed.',
        );
    }),
});

export default suite(
  'Values in the redirect after SCA',
  section('Authentication', 'Redirect after successful SCA'),
  () => [
    sessionIds.map(comesBack),
    inCorporateContext,
    begunElsewhere,
    afterCorporateApproval(
      `RDR-04${suffixes.payment}`,
      'psu-corporate-id of the company',
      withSameCorporateId,
    ),
    afterCorporateApproval(
      `RDR-05-corporate${suffixes.payment}`,
      'the context CORPORATE',
      inContext('CORPORATE'),
    ),
  ],
);
