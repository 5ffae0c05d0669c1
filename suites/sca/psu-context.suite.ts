import { check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { describeAnswer, rejectedWith } from '../../src/checks/expectation.ts';
import { ExpectationFailed, NotOffered, notCreated } from '../../src/checks/outcomes.ts';
import { drawCall } from '../../src/checks/subject.ts';
import { accepts, refuses } from '../../src/checks/trial.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import type { Level } from '../../src/spec/requirement.ts';
import { companyOf } from '../../src/target/psu.ts';
import { type Variation, withHeader } from '../../src/tpp/call.ts';
import { type ScaLink, scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { aCorporatePayment } from '../signing/corporate-requests.ts';
import { payments } from '../subjects.ts';
import { withoutCorporateId, withoutPsuId } from './psu-identity.ts';
import { walk, walking } from './walks.ts';

const inCorporateContext = withHeader('PSU-Context', 'CORPORATE');

const namedBy = (nationalId = ''): Variation => withHeader('X-PSU-IDENTITY', nationalId);

const contextIsJudged = ({ singleScaContext }: Readings): Level | undefined =>
  singleScaContext === 'required' ? 'must' : undefined;

export default suite('PSU-Context', section('Endpoints', 'Common request headers'), () => [
  payments.map(({ suffix, product }) => {
    const of = aCorporatePayment(product);
    return accepts({
      id: `COR-05${suffix}`,
      requirement: 'COR-05',
      title: `${of.title} with PSU-Context CORPORATE is accepted`,
      of,
      needs: ['corporate-psu'],
      twists: [{ label: 'PSU-Context is CORPORATE', request: inCorporateContext }],
      fixed: ['psu', 'psuContext', 'headers'],
      cases: 1,
    });
  }),
  refuses({
    id: 'COR-01-context',
    requirement: 'COR-01',
    title: 'a corporate payment with PSU-Context CORPORATE and without PSU-Corporate-ID is answered 400',
    of: aCorporatePayment(),
    needs: ['corporate-psu'],
    twists: [
      {
        label: 'PSU-Context is CORPORATE and PSU-Corporate-ID is missing',
        points: 'PSU-Corporate-ID',
        call: withoutCorporateId,
        request: inCorporateContext,
      },
    ],
    fixed: ['psu', 'psuContext', 'headers'],
    expected: rejectedWith(400),
    cases: 1,
  }),
  check({
    id: 'COR-06',
    requirement: 'COR-06',
    title: 'single-SCA initiation with PSU-Context CORPORATE ends in corporate context',
    needs: [...walking, 'corporate-psu', 'corporate-sca', 'create-payments'],
    steps: [
      'Create a corporate domestic payment with X-PSU-IDENTITY in place of PSU-ID and with PSU-Context CORPORATE.',
      'Approve it at its link scaRedirect, in the session of the corporate PSU.',
    ],
    expected: 'a redirect with context CORPORATE and a psu-corporate-id',
    async run(context) {
      const { nationalId = '' } = companyOf(context.target.psu) ?? {};
      const link = await singleScaLink(context, nationalId);
      const back = await walk(context, link, { nationalId, context: 'CORPORATE' });
      const told = back.context ?? 'no context';
      if (told !== 'CORPORATE') throw new ExpectationFailed('context CORPORATE in the redirect', told);
      if (back.psuCorporateId === undefined)
        throw new ExpectationFailed('psu-corporate-id in the redirect', 'a redirect without it');
    },
  }),
  payments.map(({ suffix, of }) =>
    refuses({
      id: `SCA-18${suffix}`,
      requirement: 'SCA-18',
      title: `${of.title} with X-PSU-IDENTITY in place of PSU-ID is refused without PSU-Context`,
      levelUnder: contextIsJudged,
      of,
      needs: ['personal-number'],
      twists: [
        {
          label: 'X-PSU-IDENTITY stands in place of PSU-ID, and PSU-Context is missing',
          points: 'PSU-Context',
          call: withoutPsuId,
          request: ({ target }) => namedBy(target.psu.nationalId),
        },
      ],
      fixed: ['psu', 'psuContext', 'headers'],
      cases: 1,
    }),
  ),
]);

/** Single-SCA initiation in the session that the corporate PSU has already: passing SCA there ends no other. */
async function singleScaLink(context: CheckContext, nationalId: string): Promise<ScaLink> {
  const { id: _, corporateId: __, ...psu } = corporatePsu(context);
  const call = { ...(await drawCall(context, aCorporatePayment())), psu };
  const answer = await context.call(
    call,
    {
      beforeSigning(draft) {
        namedBy(nationalId).beforeSigning?.(draft);
        inCorporateContext.beforeSigning?.(draft);
      },
    },
    'single-SCA initiation in corporate context',
  );
  const link = scaLinkOf(answer);
  if (link !== undefined) return link;
  if (answer.isSuccess) throw new NotOffered('The bank exempted the payment from SCA.');
  if (answer.status === 400)
    throw new NotOffered(
      `The bank demands PSU-Corporate-ID of every corporate request, which it may: ${describeAnswer(answer)}.`,
    );
  throw notCreated(answer, `There is nothing to approve: creation was answered ${describeAnswer(answer)}.`);
}
