import { check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import {
  describeAnswer,
  type Expectation,
  expectAnswer,
  mustSucceed,
  refused,
  succeeded,
  wentThrough,
} from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import { aPayment, drawCall } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import type { SigningIdentity } from '../../src/signing/identity.ts';
import { everyProduct } from '../../src/spec/products.ts';
import { missingCapability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Variation } from '../../src/tpp/call.ts';
import { scaRedirectOf } from '../../src/tpp/sca/start-sca.ts';
import { withReadyReader } from '../sca/readers.ts';
import { mustPayAsPispAlone } from '../sca/single-roles.ts';
import { callAgainAfterSca, mustBeOffered, mustLeadToAPage, newSession } from '../sca/walks.ts';
import { wordsOf } from '../told-values.ts';

/** 401 with the link, a success with it, or a redirect there: how an operation that only starts SCA is answered is not shown. */
const startsSca: Expectation = {
  text: 'an answer with a link named scaRedirect (401 or 2xx), or a redirect (3xx with Location)',
  met: (answer) => scaRedirectOf(answer) !== undefined || redirects(answer),
  scaIsAnAnswer: true,
};

const redirects = ({ status, headers, exchange }: Answer): boolean => {
  const location = headers.get('Location') ?? '';
  return status >= 300 && status < 400 && location !== '' && URL.canParse(location, exchange.request.url);
};

/** What no TPP can start is not offered, whatever the bank answers in its place; unless it asks for SCA and does not say where. */
async function mustStartForOthers(context: CheckContext): Promise<void> {
  const call = { operation: 'startUserFlow', psu: newSession(context) } as const;
  const answer = await context.call(call, {}, 'as a TPP with both roles');
  if (!refused().met(answer, context.readings)) return;
  if (answer.status === 401 && (await isAbsentElsewhere(context, call)))
    expectAnswer(context, answer, startsSca, 'for GET /v1/user');
  throw new NotApplicable(`The bank does not offer GET /v1/user (${describeAnswer(answer)}).`);
}

/** A path that no bank has. Some answer 401 to whatever they do not know. */
async function isAbsentElsewhere(context: CheckContext, call: Call): Promise<boolean> {
  const elsewhere: Variation = {
    beforeSigning: (draft) => {
      draft.target = draft.target.replace(/\/user$/, '/conformance-knows-nobody');
    },
  };
  return (await context.call(call, elsewhere, 'at a path that nobody has')).isAbsent;
}

/** Freedom: tpps/registered. */
async function mustBeTaken(context: CheckContext, identity: SigningIdentity): Promise<void> {
  const call = await drawCall(context, aPayment());
  const answer = await context.call(call, { signing: { identity } }, 'control');
  if (!wentThrough(answer, context.readings)) {
    throw new Inconclusive(
      `The bank does not take the certificate "${identity.name}": a domestic payment with it was answered ${describeAnswer(answer)}. Give one that the bank knows under signing.identities of the target file.`,
    );
  }
}

/** Bodies that would matter if they were read. */
const consentBodies: readonly unknown[] = [
  {},
  undefined,
  [],
  { access: { accounts: [{ iban: 'NO0995360573002' }], balances: [] } },
  {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: '2099-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  },
  { access: 'none', recurringIndicator: 'perhaps' },
];

/**
 * With the PSU-ID alone, since a PSU-Corporate-ID is chosen from the result. But in corporate context a bank answers
 * whatever lacks one with 400, and nothing exempts this request.
 */
async function agreementsOfTheCorporatePsu(context: CheckContext): Promise<Answer> {
  const { corporateId: _, ...psu } = corporatePsu(context);
  const answer = await callThroughSca(
    context,
    { operation: 'listAgreements', psu },
    'as a PSU who has agreements',
  );
  if (answer.status !== 400) return answer;
  const call = { operation: 'listAgreements', psu: corporatePsu(context) } as const;
  return callThroughSca(context, call, 'the same with its PSU-Corporate-ID');
}

export default suite('PSU, agreements and consents', section('Endpoints', 'Other paths referred to'), () => [
  check({
    id: 'ACC-05',
    requirement: 'ACC-05',
    title: 'the corporate agreements of a PSU can be listed',
    steps: ['Ask for the agreements of a PSU who has passed SCA; there may be none.'],
    expected: succeeded().text,
    async run(context) {
      const first = await callThroughSca(context, { operation: 'listAgreements' }, 'agreements');
      // Freedom: offers/less.
      mustBeOffered(first, 'GET /v1/agreements');
      if (first.isSuccess) return;
      await withReadyReader(context, async (reader) => {
        let answer = await callAgainAfterSca(context, reader, { operation: 'listAgreements' }, 'agreements');
        // Nothing says how a PSU is answered who has none.
        if (refused().met(answer, context.readings)) {
          const remedy = missingCapability(context.target, 'corporate-psu');
          if (remedy !== undefined) {
            throw new NotApplicable(
              `The PSU is refused (${describeAnswer(answer)}), perhaps because it has no agreements: ${remedy}`,
            );
          }
          answer = await agreementsOfTheCorporatePsu(context);
        }
        expectAnswer(context, answer, succeeded(), 'for the agreements of a PSU who has passed SCA');
      });
    },
  }),
  check({
    id: 'ACC-05-corporate',
    requirement: 'ACC-05',
    title: 'the agreements of a corporate PSU hold its PSU-Corporate-ID',
    // It is "chosen from the result of GET /v1/agreements" (PSU identification and SCA).
    needs: ['corporate-psu'],
    steps: [
      'Ask for the agreements of the corporate PSU with its PSU-ID; where that is answered 400, with its PSU-Corporate-ID too.',
      'Look for its PSU-Corporate-ID anywhere in the answer, whose shape is not shown.',
    ],
    expected: 'a success (2xx) that holds the PSU-Corporate-ID',
    async run(context) {
      const { corporateId = '' } = corporatePsu(context);
      const answer = await agreementsOfTheCorporatePsu(context);
      mustBeOffered(answer, 'GET /v1/agreements');
      expectAnswer(context, answer, succeeded(), 'for the agreements of the corporate PSU');
      const holds = wordsOf(answer).includes(corporateId.toLowerCase());
      if (!holds) throw new ExpectationFailed('the PSU-Corporate-ID among the agreements', 'others, or none');
    },
  }),
  check({
    id: 'ACC-05-others',
    requirement: 'ACC-05',
    title: 'an agreement of others is not among those of a corporate PSU',
    needs: ['corporate-psu'],
    steps: [
      'Ask for the agreements of the corporate PSU, as before.',
      'Look for psu.other.corporateId of the target file, which is an agreement of others, anywhere in the answer.',
    ],
    expected: 'agreements without that of others',
    async run(context) {
      const answer = await agreementsOfTheCorporatePsu(context);
      mustBeOffered(answer, 'GET /v1/agreements');
      // Only now: a bank without agreements needs no such line.
      const others = context.target.psu.other?.corporateId;
      if (others === undefined)
        throw new NotApplicable('Add psu.other.corporateId, an agreement of others, to the target file.');
      mustSucceed(answer, 'asking for the agreements of the corporate PSU');
      if (wordsOf(answer).includes(others.toLowerCase()))
        throw new ExpectationFailed('the agreements of the PSU alone', 'one of others among them');
    },
  }),
  check({
    id: 'ACC-06',
    requirement: 'ACC-06',
    others: ['SCA-02', ...everyProduct.map(({ requirements }) => requirements.created)],
    title: 'GET /v1/user starts an SCA flow for a PISP that is not an AISP',
    needs: ['identity:pispOnly'],
    steps: [
      'Ask for the user without PSU-ID in a new session, with a certificate that has the PISP role alone.',
      'Where that is refused, ask as a TPP with both roles: what is answered 401 without the link there, while a path that nobody has is not, is a fault.',
      'Where only the first is refused, send a domestic payment with the certificate, as control: it must go through.',
      'Open the link scaRedirect, where there is one, as a browser does: it leads to a page.',
      'Send a payment with the certificate. Where that is refused, it counts if the agreements of the PSU are shown to that certificate, and if a payment with both roles goes through.',
    ],
    expected: startsSca.text,
    async run(context) {
      const identity = await context.target.identities.pispOnly?.();
      if (identity === undefined)
        throw new NotApplicable('Add signing.identities.pispOnly to the target file.');
      const answer = await context.call(
        { operation: 'startUserFlow', psu: newSession(context) },
        { signing: { identity } },
      );
      mustBeOffered(answer, 'GET /v1/user');
      if (refused().met(answer, context.readings)) {
        await mustStartForOthers(context);
        await mustBeTaken(context, identity);
      }
      expectAnswer(context, answer, startsSca, 'for GET /v1/user');
      await mustLeadToAPage(context, answer, 'GET /v1/user');
      await mustPayAsPispAlone(context, identity);
    },
  }),
  check({
    id: 'ACC-07',
    requirement: 'ACC-07',
    others: ['SCA-02'],
    title: 'a consent is answered with an SCA redirect, whatever its body',
    steps: [
      'Ask for a consent without PSU-ID, at /v1/consents or at /v1/bank-offered-consents, which replaces it.',
      'Open the link scaRedirect, where there is one, as a browser does: it leads to a page.',
      'Do so with bodies that would ask for different things.',
    ],
    expected: startsSca.text,
    async run(context) {
      const [first, ...others] = consentBodies;
      const { answer, operation } = await firstConsent(context, first);
      expectAnswer(context, answer, startsSca, 'for an empty body');
      await mustLeadToAPage(context, answer, 'a consent');
      context.cases = consentBodies.length;
      for (const body of others) {
        const again = await context.call({ operation, body, psu: newSession(context) });
        expectAnswer(
          context,
          again,
          startsSca,
          body === undefined ? 'without a body' : `for the body ${JSON.stringify(body)}`,
        );
      }
    },
  }),
]);

/** Freedom: offers/less. /v1/consents is scheduled for removal. */
async function firstConsent(
  context: CheckContext,
  body: unknown,
): Promise<{ readonly answer: Answer; readonly operation: 'createConsent' | 'createBankOfferedConsent' }> {
  for (const operation of ['createConsent', 'createBankOfferedConsent'] as const) {
    const answer = await context.call({ operation, body, psu: newSession(context) });
    if (!answer.isAbsent) return { answer, operation };
  }
  throw new NotOffered('The bank offers neither POST /v1/consents nor POST /v1/bank-offered-consents.');
}
