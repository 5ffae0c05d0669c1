import { randomUUID } from 'node:crypto';
import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { expectAnswer, mustSucceed, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import type { Subject } from '../../src/checks/subject.ts';
import { refuses } from '../../src/checks/trial.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import { type Psu, type Variation, withHeader } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { nearTo } from '../near-ids.ts';
import { aCorporateBasket, aCorporatePayment } from '../signing/corporate-requests.ts';
import { basket, payments } from '../subjects.ts';
import { wordsOf } from '../told-values.ts';
import { agreementOfOthers, ownAgreements } from './agreements-of-others.ts';
import { accountData, accountIdsIn, readingOf, withOneAlike, withoutThePsu } from './readers.ts';
import { askForSca, mustBeOffered, newSession } from './walks.ts';

/** Hands on what is taken from somebody else, who has it until it was used. */
type Lending = <T>(context: CheckContext, use: (variation: Variation) => Promise<T>) => Promise<T>;

const made =
  (make: (context: CheckContext) => Promise<Variation>): Lending =>
  async (context, use) =>
    use(await make(context));

/** One part of who speaks for whom, taken from somebody else. All else is as in a request that goes through. */
interface Mixture {
  readonly id: string;
  /** The end of a sentence. */
  readonly label: string;
  readonly needs: readonly Capability[];
  /** Whose requests they are otherwise. */
  readonly whose: 'private' | 'corporate';
  readonly variation: Lending;
  /**
   * In the session of another a payment may be created, with a link to the SCA that it needs; so there is nothing to
   * see but at account information.
   */
  readonly atAccountsOnly?: true;
  /** Whoever takes another TPP or PSU for the right one may tell it the agreements of a PSU. */
  readonly mayTellAgreements?: true;
  /** The same thing, wrong in another way, where a payment or basket is created. */
  readonly otherwise?: { readonly label: string; readonly variation: Variation };
  /** The payments of a basket would not be those of whoever is named, so that there were two faults. */
  readonly notAtBaskets?: true;
}

/** For whom accounts are asked for in the same way, and whether they have been shown to the right one. */
interface Further {
  readonly psu: Psu;
  readonly mixed: Variation;
  readonly hasControl: boolean;
}

/** The same without the PSU present, who is not to be asked then, and for a company that the target file names as well. */
function furtherOnes(
  context: CheckContext,
  { whose, atAccountsOnly }: Mixture,
  mixed: Variation,
): readonly Further[] {
  // Without the PSU present nothing is said of sessions.
  if (atAccountsOnly === true) return [];
  const hasCompany =
    context.missing('corporate-psu') === undefined && context.target.psu.context !== 'CORPORATE';
  const psu = whose === 'corporate' ? corporatePsu(context) : context.psu;
  return [
    // Calls without the PSU are few, so that those with it are the control.
    { psu, mixed: withoutThePsu(mixed), hasControl: true },
    ...(whose === 'private' && hasCompany ? [{ psu: corporatePsu(context), mixed, hasControl: false }] : []),
  ];
}

/** For whom a PSU acts is told to the TPP that knows the PSU. Where the agreement is not named, nothing was told. */
async function mustNotTellAgreements(context: CheckContext, mixed: Variation, label: string): Promise<void> {
  if (context.missing('corporate-psu') !== undefined) return;
  const { corporateId = '', ...psu } = corporatePsu(context);
  const agreement = corporateId.toLowerCase();
  if (agreement === '' || !(await ownAgreements(context, psu)).includes(agreement)) return;
  const told = await context.call({ operation: 'listAgreements', psu }, mixed, label);
  if (wordsOf(told).includes(agreement))
    expectAnswer(context, told, expected, `for agreements when ${label}`);
}

/** One that nobody has, and that begins like the right one. */
const havingAnother = (name: string): Variation => ({
  beforeSigning: ({ headers }) => headers.set(name, nearTo(headers.get(name) ?? randomUUID())),
});

const mixtures: readonly Mixture[] = [
  {
    id: 'SCA-15',
    label: 'another TPP uses the PSU-ID and session of this one',
    needs: ['identity:second'],
    whose: 'private',
    variation: made(async (context) => {
      const identity = await context.target.identities.second?.();
      if (identity === undefined)
        throw new NotApplicable('Add signing.identities.second to the target file.');
      // A TPP whom the bank does not take is refused whatever it sends.
      await askForSca(context, { identity }, newSession(context));
      return { signing: { identity } };
    }),
    notAtBaskets: true,
    mayTellAgreements: true,
  },
  {
    id: 'SCA-16',
    label: 'the session is that of another PSU',
    needs: [],
    whose: 'private',
    // Of one in another context the session may be refused for that.
    variation: (context, use) =>
      withOneAlike(context, ({ sessionId }) => use(withHeader('TPP-Session-ID', sessionId))),
    atAccountsOnly: true,
  },
  {
    id: 'SCA-17',
    label: 'PSU-ID is a UUID that nobody has',
    needs: [],
    whose: 'private',
    variation: made(async () => havingAnother('PSU-ID')),
    mayTellAgreements: true,
  },
  {
    id: 'COR-03',
    label: 'PSU-Corporate-ID is a UUID that nobody has',
    needs: ['corporate-psu'],
    whose: 'corporate',
    variation: made(async () => havingAnother('PSU-Corporate-ID')),
    otherwise: { label: 'PSU-Corporate-ID is empty', variation: withHeader('PSU-Corporate-ID', '') },
  },
  {
    id: 'COR-04',
    label: 'PSU-Corporate-ID is that of an agreement of others',
    needs: ['corporate-psu', 'agreement-of-others'],
    whose: 'corporate',
    variation: made(async (context) => withHeader('PSU-Corporate-ID', await agreementOfOthers(context))),
  },
];

const isJudged = ({ otherIdentities }: Readings): Level | undefined =>
  otherIdentities === 'refused' ? 'must' : undefined;

const expected = refusedOrAskedForSca();

const initiations: Readonly<
  Record<Mixture['whose'], readonly { readonly suffix: string; readonly of: Subject }[]>
> = {
  private: [...payments, basket],
  corporate: [
    ...payments.map(({ suffix, product }) => ({ suffix, of: aCorporatePayment(product) })),
    { suffix: basket.suffix, of: aCorporateBasket },
  ],
};

const atInitiations = ({
  id,
  label,
  needs,
  whose,
  variation,
  otherwise,
  notAtBaskets,
}: Mixture): readonly Check[] =>
  initiations[whose]
    .filter(({ suffix }) => notAtBaskets !== true || suffix !== basket.suffix)
    .map(({ suffix, of }) =>
      refuses({
        id: `${id}${suffix}`,
        requirement: id,
        title: `${of.title} is refused, or asks for SCA, when ${label}`,
        levelUnder: isJudged,
        of,
        needs,
        twists: [
          { label, request: (context) => variation(context, async (lent) => lent) },
          ...(otherwise === undefined ? [] : [{ label: otherwise.label, request: otherwise.variation }]),
        ],
        fixed: ['psu', 'psuContext'],
        expected,
        cases: 1,
      }),
    );

const atAccounts = (mixture: Mixture): Check => {
  const { id, label, needs, whose, variation } = mixture;
  return check({
    id: `${id}${suffixes.accounts}`,
    requirement: id,
    title: `accounts are refused, or ask for SCA, when ${label}`,
    levelUnder: isJudged,
    needs: [...needs, 'aisp-role'],
    steps: [
      'Ask for the accounts of a PSU who has passed SCA, as control: it must go through.',
      `Ask for them again in a request in which ${label}; and for the balances and transactions of one of them.`,
      ...(mixture.atAccountsOnly === true
        ? []
        : [
            'Ask so without PSU-IP-Address, and for those of a company where the target file names one and they are shown otherwise.',
          ]),
      ...(mixture.mayTellAgreements === true
        ? ['Ask so for the agreements of its PSU, where one is named otherwise.']
        : []),
    ],
    expected: expected.text,
    async run(context) {
      const psu = whose === 'corporate' ? corporatePsu(context) : context.psu;
      const call = { operation: 'listAccounts', psu } as const;
      const control = await context.call(call, {}, 'control');
      mustBeOffered(control, 'GET /v1/accounts');
      if (control.asksForSca)
        throw new NotApplicable(
          'The PSU has granted no accounts, or its session is over: grant some at the bank.',
        );
      mustSucceed(control, 'asking for the accounts of a PSU who has passed SCA');
      await variation(context, async (mixed) => {
        const answer = await context.call(call, mixed, label);
        expectAnswer(context, answer, expected, `when ${label}`);
        const [accountId] = accountIdsIn(control.json);
        if (accountId === undefined) return;
        for (const data of accountData) {
          const read = await context.call({ ...readingOf(data, { accountId }), psu }, mixed, label);
          // What is not there is refused to everybody.
          if (!read.isAbsent) expectAnswer(context, read, expected, `for ${data} when ${label}`);
        }
        for (const further of furtherOnes(context, mixture, mixed)) {
          const asking = { operation: 'listAccounts', psu: further.psu } as const;
          const isShown =
            further.hasControl || (await context.call(asking, {}, 'control, for the company')).isSuccess;
          if (!isShown) continue;
          const shown = await context.call(asking, further.mixed, label);
          if (shown.isSuccess) expectAnswer(context, shown, expected, `when ${label}`);
        }
        if (mixture.mayTellAgreements === true) await mustNotTellAgreements(context, mixed, label);
      });
    },
  });
};

export default suite(
  'Whose PSU-ID, session and agreement',
  section('Authentication', 'PSU identification and SCA'),
  () =>
    mixtures.map((mixture) => [
      ...(mixture.atAccountsOnly === true ? [] : atInitiations(mixture)),
      atAccounts(mixture),
    ]),
);
