import { section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { accepts } from '../../src/checks/trial.ts';
import { headerRequirement } from '../../src/spec/headers.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import type { Level } from '../../src/spec/requirement.ts';
import { type Psu, type Variation, withHeader } from '../../src/tpp/call.ts';
import { payments } from '../subjects.ts';
import { withoutPsuId } from './psu-identity.ts';
import { newSession } from './walks.ts';

const withNationalId = ({ target }: CheckContext): Variation =>
  withHeader('X-PSU-IDENTITY', target.psu.nationalId ?? '');

/** PSU-Context is required for single-SCA initiation, which a payment without PSU-ID is. */
const inItsContext = (context: CheckContext): Variation => ({
  beforeSigning(draft) {
    withNationalId(context).beforeSigning?.(draft);
    draft.headers.set('PSU-Context', context.target.psu.context);
  },
});

/** In corporate context PSU-Corporate-ID goes with it, since a bank may demand that of every corporate request. */
const inANewSession = (context: CheckContext): Psu => {
  const { corporateId } = context.psu;
  return { ...newSession(context), ...(corporateId === undefined ? {} : { corporateId }) };
};

/** Where a bank demands PSU-ID in any case, a single SCA begins in a new session as well. */
const isAlwaysSent = ({ readings }: CheckContext): boolean => readings.psuIdentification === 'not-judged';

const isJudged = ({ psuIdentification }: Readings): Level | undefined =>
  psuIdentification === 'one-of-them' ? 'must' : undefined;

export default suite('Identification of the PSU', section('Endpoints', 'Common request headers'), () => [
  payments.map(({ headers, of }) =>
    accepts({
      id: headerRequirement(headers, 'X-PSU-IDENTITY'),
      requirement: headerRequirement(headers, 'X-PSU-IDENTITY'),
      title: `${of.title} is accepted with and without X-PSU-IDENTITY`,
      // "An alternative to PSU-ID" may mean that only one of them is taken.
      levelUnder: () => 'advisory',
      of,
      needs: ['personal-number'],
      fixed: ['psu', 'psuContext'],
      twists: [
        { label: 'X-PSU-IDENTITY stands next to PSU-ID', request: withNationalId },
        { label: 'X-PSU-IDENTITY is missing' },
      ],
      control: 'one-of-the-twists',
      cases: 2,
    }),
  ),
  payments.map(({ suffix, headers, of }) =>
    accepts({
      id: `SCA-12${suffix}`,
      requirement: 'SCA-12',
      // A bank that takes one of them at a time takes the optional one here.
      others: [headerRequirement(headers, 'X-PSU-IDENTITY')],
      title: `${of.title} with X-PSU-IDENTITY in place of PSU-ID is accepted`,
      levelUnder: isJudged,
      of,
      needs: ['personal-number'],
      fixed: ['psu', 'psuContext'],
      twists: [
        {
          label: 'X-PSU-IDENTITY stands in place of PSU-ID',
          call: withoutPsuId,
          request: inItsContext,
        },
      ],
      cases: 1,
    }),
  ),
  payments.map(({ suffix, of }) =>
    accepts({
      id: `SCA-14${suffix}`,
      requirement: 'SCA-14',
      title: `${of.title} with PSU-Context is accepted for single-SCA initiation`,
      of,
      needs: ['personal-number'],
      fixed: ['psu', 'psuContext'],
      twists: [
        {
          label: 'a PSU in a new session is named by X-PSU-IDENTITY and PSU-Context',
          call: (call, context) => {
            const { id } = context.psu;
            const psu = inANewSession(context);
            return { ...call, psu: isAlwaysSent(context) && id !== undefined ? { ...psu, id } : psu };
          },
          request: (context) =>
            isAlwaysSent(context)
              ? withHeader('PSU-Context', context.target.psu.context)
              : inItsContext(context),
        },
      ],
      cases: 1,
    }),
  ),
]);
