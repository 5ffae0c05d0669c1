import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import {
  describeAnswer,
  expectAnswer,
  mustSucceed,
  refused,
  refusedOrAskedForSca,
} from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import { offeredProduct } from '../../src/checks/subject.ts';
import { pageOf } from '../../src/checks/through-sca.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { everyProduct, type Product, products } from '../../src/spec/products.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { type PassedSca, ScaWalkError } from '../../src/tpp/sca/sca-walker.ts';
import type { ScaLink } from '../../src/tpp/sca/start-sca.ts';
import { suffixes } from '../id-suffixes.ts';
import { atEachLink, byIdentity, ofTheCompany } from '../sca/approvals.ts';
import { type Customer, type CustomerKind, withCustomer } from '../sca/spare-customers.ts';
import { type Login, linkOfCreated, logIn, ownCustomer, walk, walking } from '../sca/walks.ts';
import { leavesCancelledOnes, leavesTheOtherOne, mustBeLeftUnapproved } from './left-unapproved.ts';
import { identityMustNotBeSeen } from './payment-by-identity.ts';
import {
  isGone,
  mustBeDeleted,
  mustBeLeftAsItWas,
  mustNotAuthorise,
  paymentOf,
  readDetails,
  readFreshStatus,
  readStatus,
  remove,
  withAnotherCustomer,
  withAnotherPsu,
} from './payments-of.ts';
import {
  approvedHere,
  approvedOnes,
  companyMustNotSee,
  companyOfAnother,
  domesticMustNotBeRead,
  ourselves,
  paymentsOfTheCompany,
  type ReadPayment,
  withDetails,
} from './payments-of-others.ts';

const isJudged = ({ paymentOwnership }: Readings): Level | undefined =>
  paymentOwnership === 'refused' ? 'must' : undefined;

/** Who else there is: the same PSU with another TPP, or another PSU with the same TPP. */
const others = [
  {
    id: 'OWN-01',
    kind: 'SECOND_TPP',
    who: 'another TPP',
    needs: [...walking, 'identity:second', 'create-payments'],
  },
  { id: 'OWN-02', kind: 'OTHER', who: 'another PSU', needs: ['other-psu', 'create-payments'] },
] as const satisfies readonly { readonly kind: CustomerKind; readonly [key: string]: unknown }[];

/** The other one logs in, with an account to pay from. */
const asAnother = (
  context: CheckContext,
  kind: CustomerKind,
  work: Parameters<typeof withAnotherPsu>[1],
): Promise<void> =>
  kind === 'SECOND_TPP'
    ? withCustomer(context, kind, async (customer) =>
        work(await logIn(context, customer), context.facts.debtor),
      )
    : withAnotherPsu(context, work);

/** Where the PSU ends whom the page does not let through; undefined when the page did not let them leave. */
async function tryToApprove(
  context: CheckContext,
  link: ScaLink,
  customer: Customer,
): Promise<PassedSca | undefined> {
  try {
    return await walk(context, link, customer);
  } catch (error) {
    if (!(error instanceof Inconclusive || error instanceof NotApplicable)) throw error;
    const { cause } = error;
    const isWalk = cause instanceof ScaWalkError;
    const isOfThePage = isWalk ? ['stuck', 'not-listed'].includes(cause.kind) : error instanceof Inconclusive;
    if (isOfThePage) return undefined;
    throw error;
  }
}

async function mustNotApprove(
  context: CheckContext,
  link: ScaLink,
  another: Customer,
  what: string,
): Promise<void> {
  // First: a bank that starts no authorisation for the PSU has turned nobody away.
  const back = await tryToApprove(context, await pageOf(context, link), another);
  context.evidence = context.exchanges.slice(-1);
  if (back?.psuId === undefined) return;
  if (back.wasNotAsked === true)
    throw new NotOffered(
      'The pages of the bank do not ask who the PSU is, so that nobody can come as another one.',
    );
  if (back.wasPerhapsNotAsked === true)
    throw new NotApplicable(
      `SCA was passed for ${what} of another PSU, and the script of psu.module was not seen to send psu.nationalId: where the pages ask who the PSU is, let it send the number with the fetch that it is given; where they do not, declare OWN-03 as notOffered.`,
    );
  throw new ExpectationFailed(
    `no redirect after successful SCA when another PSU approves ${what}`,
    `psu-id ${back.psuId}, as if the PSU of ${what} had approved it`,
  );
}

const isJudgedAt =
  (context: CheckContext) =>
  ({ profile }: Product): boolean =>
    context.unjudged([profile]) === undefined;

/** What else is asked of a payment under the path of another product. */
const misuses = [
  [readDetails, 'details'],
  [remove, 'deletion'],
] as const;

/** One of our own. A domestic one may be unreadable before it is approved (known issue). */
async function freshOne(context: CheckContext, product: Product): Promise<ReadPayment> {
  const payment = await paymentOf(context, ourselves(context), product);
  if (product !== products.crossBorder) return { payment };
  return { payment, before: await readStatus(context, payment.owner, payment, 'what it is before') };
}

/** Another one deletes a payment: that is refused, and the payment is left as it was. */
async function mustNotDelete(
  context: CheckContext,
  { other, who, whose = '' }: { readonly other: Login; readonly who: string; readonly whose?: string },
  { payment, before }: ReadPayment,
): Promise<void> {
  const { owner, product } = payment;
  const read = (): Promise<Answer> => readStatus(context, owner, payment, 'what became of it');
  const answer = await remove(context, other, payment, `as ${who}`);
  expectAnswer(
    context,
    answer,
    refusedOrAskedForSca(),
    `for deleting a ${product.word} payment${whose} as ${who}`,
  );
  const when = `when ${who} deletes it`;
  if (before !== undefined) return mustBeLeftAsItWas(context, { read, before, when });
  const again = await remove(context, owner, payment, 'as its owner');
  // A payment of its kind could be deleted: what is refused now has been, unless by a request that died on the way.
  if (again.afterTrouble || !refused().met(again, context.readings)) return;
  if (!(await isGone(read))) return;
  context.evidence = context.exchanges.slice(-2);
  throw new ExpectationFailed(
    `a payment that is left as it was ${when}`,
    `one whose deletion by its owner is answered ${describeAnswer(again)}`,
  );
}

/** Whether the bank has given that id to a payment of that product. */
const isIdOf = ({ run }: CheckContext, { creation }: Product, id: string): boolean =>
  run.observations.kept.some(
    ({ exchange, answer }) => exchange.operation === creation && answer.text('paymentId') === id,
  );

const numberedApart =
  'The bank numbers the payments of each product by themselves, so that the same id is that of another payment there.';

export default suite('Payments of others', section('Authentication', 'PSU identification and SCA'), () => [
  others.map(({ id, kind, who, needs }) =>
    check({
      id,
      requirement: id,
      title: `${who} cannot read the status of a payment, nor its details`,
      levelUnder: isJudged,
      needs,
      steps: [
        'Create a cross-border payment and read its status, as control: it must go through. Take an approved domestic one of the target file as well, and one of the company, where their status can be read.',
        `Log in as ${who}, create a cross-border payment and read its status, as control: it must go through.`,
        `Read the status of each as ${who}, and the details of those that were created here.`,
        'Where the bank has a link startAuthorisation, follow that of the first as its owner, as control, and as the other one; read what was started as both.',
        'Where they are shown the one of the target file, which a sandbox may hand out to everybody, create and approve one, and judge that.',
        ...(kind === 'OTHER'
          ? [
              'Read both for a company, where another PSU acts for one.',
              'Create a payment with X-PSU-IDENTITY in place of PSU-ID, approve it at its link, and read both as the other one.',
            ]
          : []),
      ],
      expected: refusedOrAskedForSca().text,
      async run(context) {
        // First, since many wait for the other one.
        const own = await paymentOf(context, ourselves(context), products.crossBorder);
        mustSucceed(
          await readFreshStatus(context, own, 'control'),
          'reading the status of a payment of one’s own',
        );
        const named = await approvedOnes(context);
        await asAnother(context, kind, async (other, debtor) => {
          const theirs = await paymentOf(context, other, products.crossBorder, debtor);
          mustSucceed(
            await readFreshStatus(context, theirs, `control as ${who}`),
            `reading the status of a payment of one’s own, as ${who},`,
          );
          const ofCompany = await paymentsOfTheCompany(context, other);
          for (const payment of [own, ...named, ...ofCompany.map((one) => one.payment)]) {
            const read = (it: typeof payment) => readStatus(context, other, it, `as ${who}`);
            let answer = await read(payment);
            if (answer.isSuccess && named.includes(payment)) {
              const ours = await approvedHere(context);
              if (ours === undefined) continue;
              answer = await read(ours);
            }
            expectAnswer(
              context,
              answer,
              refusedOrAskedForSca(),
              `for the status of a ${payment.product.word} payment, asked by ${who}`,
            );
          }
          if (kind === 'OTHER') {
            await companyMustNotSee(context, own);
            await identityMustNotBeSeen(context, other);
          }
          await mustNotAuthorise(context, own, other, who);
          // What is shown to another needs no control, and whatever else it is answered shows nothing.
          for (const payment of [await withDetails(context, own), ...ofCompany.map((one) => one.payment)]) {
            const details = await readDetails(context, other, payment, `details as ${who}`);
            if (details.isSuccess)
              expectAnswer(
                context,
                details,
                refusedOrAskedForSca(),
                `for the details of a payment, asked by ${who}`,
              );
          }
        });
      },
    }),
  ),
  others.map(({ id, kind, who, needs }) =>
    check({
      id: `${id}-deletion`,
      requirement: id,
      title: `${who} cannot delete a payment`,
      levelUnder: isJudged,
      needs,
      steps: [
        `Log in as ${who}, create a payment and delete it, as control: it must go through.`,
        'Create a payment of each product that the bank offers as the PSU and TPP of the target file, and a cross-border one of the company, where its status can be read.',
        `Delete each of them as ${who}${kind === 'OTHER' ? ', and a cross-border one as whoever acts for the company, where that is another PSU' : ''}.`,
        'Read the status of the cross-border ones before and after, and delete the domestic one as its owner: each was left as it was.',
      ],
      expected: refusedOrAskedForSca().text,
      run: (context) =>
        asAnother(context, kind, async (other, debtor) => {
          const theirs = await paymentOf(context, other, offeredProduct(context), debtor);
          const control = await remove(context, other, theirs, 'control');
          mustBeDeleted(context, control, `deleting a payment of one’s own as ${who}`);
          for (const product of everyProduct.filter(isJudgedAt(context)))
            await mustNotDelete(context, { other, who }, await freshOne(context, product));
          for (const one of await paymentsOfTheCompany(context, other))
            await mustNotDelete(context, { other, who, whose: ' of a company' }, one);
          const company = kind === 'OTHER' ? companyOfAnother(context) : undefined;
          if (company === undefined || context.unjudged([products.crossBorder.profile])) return;
          const ours = await freshOne(context, products.crossBorder);
          await mustNotDelete(context, { other: company, who: 'another PSU for a company' }, ours);
        }),
    }),
  ),
  check({
    id: 'OWN-03',
    requirement: 'OWN-03',
    title: 'another PSU cannot approve a payment',
    levelUnder: isJudged,
    needs: [...walking, 'other-approver', 'create-payments'],
    steps: [
      'Create a payment and approve it by SCA, as control: it must go through.',
      'Create another one, and pass SCA at its link as another customer.',
      'Read the status of both, where it can be read: the other one is not approved.',
    ],
    expected: 'no redirect after successful SCA, and no approval',
    run: (context) =>
      withAnotherCustomer(context, async (customer) => {
        const create = () => paymentOf(context, ourselves(context), offeredProduct(context));
        const approved = await create();
        const control = await walk(
          context,
          await linkOfCreated(context, approved.created),
          ownCustomer(context),
        );
        if (control.psuId === undefined)
          throw new Inconclusive(
            'The control was refused: the PSU could not approve a payment of their own.',
          );
        const own = await create();
        await mustNotApprove(context, await linkOfCreated(context, own.created), customer, 'a payment');
        await mustBeLeftUnapproved(context, own, approved);
      }),
  }),
  check({
    id: `OWN-03${suffixes.approvals}`,
    requirement: 'OWN-03',
    title:
      'another PSU cannot approve a basket, a cross-border payment, nor that of a company or of a PSU named by X-PSU-IDENTITY',
    levelUnder: isJudged,
    needs: [...walking, 'other-approver', 'create-payments'],
    steps: [
      'Create a cross-border payment, a basket, a payment with X-PSU-IDENTITY in place of PSU-ID, and one of the company that the target file names.',
      'Pass SCA at the link of each as another customer.',
    ],
    expected: 'no redirect after successful SCA',
    run: (context) =>
      withAnotherCustomer(context, (customer) =>
        atEachLink(context, (link, what) => mustNotApprove(context, link, customer, what), [
          byIdentity,
          ...ofTheCompany(context, customer.nationalId),
        ]),
      ),
  }),
  check({
    id: `OWN-03${suffixes.cancelled}`,
    requirement: 'OWN-03',
    title: 'a payment whose approval the PSU has cancelled is not approved',
    levelUnder: isJudged,
    needs: [...walking, 'create-payments'],
    steps: [
      'Create two cross-border payments and approve the second by SCA, as control: they have different statuses.',
      'Create another one, cancel the SCA at its link, and read its status. A link startAuthorisation is followed twice before, and once more after.',
      'Do the same at the link of a basket with the first one, where the bank has baskets.',
    ],
    expected: 'another status than that of an approved payment',
    run: leavesCancelledOnes,
  }),
  check({
    id: 'SES-05',
    requirement: 'SES-05',
    title: 'the approval of one payment approves no other',
    needs: [...walking, 'create-payments'],
    steps: [
      'Create two cross-border payments, and pass SCA at the link of the second.',
      'Read the status of both. Where both tell that of an approved one, and not what the first told when it was created, create another one: it does not tell that by itself.',
    ],
    expected: 'another status than that of an approved payment',
    run: leavesTheOtherOne,
  }),
  check({
    id: 'PST-12',
    requirement: 'PST-12',
    others: ['PST-13'],
    title: 'a payment is neither read nor deleted under another product than its own',
    needs: ['create-payments'],
    steps: [
      'Create a cross-border payment and read its status, as control: it must go through.',
      'Read the status of the same id as that of a domestic payment, read its details so, and delete it so. Read the status and the details of an approved domestic payment of the target file as those of a cross-border one.',
      'Read the status of the payment again: it was left as it was.',
    ],
    expected: refused().text,
    async run(context) {
      const own = await paymentOf(context, ourselves(context), products.crossBorder);
      const before = await readFreshStatus(context, own, 'control');
      mustSucceed(before, 'reading the status of a payment');
      if (isIdOf(context, products.domestic, own.id)) throw new NotApplicable(numberedApart);
      const misplaced = { ...own, product: products.domestic };
      const answer = await readStatus(context, own.owner, misplaced, 'under the other product');
      expectAnswer(context, answer, refused(), 'for the status of a payment under another product');
      await domesticMustNotBeRead(context);
      await context.showing('PST-13', async () => {
        // What goes through needs no control; a bank may have neither of the two.
        for (const [act, what] of misuses) {
          const done = await act(context, own.owner, misplaced, `${what} under the other product`);
          if (done.isSuccess || done.isBrokenDown)
            expectAnswer(context, done, refused(), `for the ${what} of a payment under another product`);
        }
        await mustBeLeftAsItWas(context, {
          read: () => readStatus(context, own.owner, own, 'what became of it'),
          before,
          when: 'when it is deleted under another product',
        });
      });
    },
  }),
]);
