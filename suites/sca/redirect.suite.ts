import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { messageCodes } from '../../src/spec/code-lists.ts';
import type { Psu } from '../../src/tpp/call.ts';
import type { ScaReturn } from '../../src/tpp/sca/sca-return.ts';
import { mostBeginnings, ScaWalkError } from '../../src/tpp/sca/sca-walker.ts';
import { suffixes } from '../id-suffixes.ts';
import {
  anotherPage,
  type Beginning,
  beginAgainAt,
  beginAt,
  beginForAnother,
  withAFragment,
  withAQuery,
} from './redirect-addresses.ts';
import {
  inContext,
  mustKeepTo,
  type RedirectDemand,
  toTheFragment,
  toTheTpp,
  withCode,
  withContext,
  withCorporateId,
  withMessage,
  withoutCorporateId,
  withoutPsuId,
  withPsuId,
  withSessionId,
  withStatus,
  withSystem,
} from './redirect-demands.ts';
import { type SeenRedirect, seenOnce } from './seen-redirects.ts';
import { type Customer, withCustomer } from './spare-customers.ts';
import {
  abortSca,
  askForSca,
  cancelSca,
  linkOfPayment,
  newSession,
  ownCustomer,
  passSca,
  tryToAbortSca,
  walk,
  walking,
} from './walks.ts';

/** How a check of one demand is told, where not all follows from the demand. */
interface RedirectCheck {
  readonly title: string;
  readonly demand: RedirectDemand;
  readonly id?: string;
}

/** What is broken besides where the PSU does not come back. */
const besides = (demand: RedirectDemand): { readonly others?: readonly string[] } =>
  demand === toTheTpp ? { others: ['SCA-02'] } : {};

/** Those of which one is broken where there is no redirect at all: after SCA, and after SCA was cancelled. */
const asksForTheEnd: ReadonlySet<RedirectDemand> = new Set([toTheTpp, withStatus]);

/** The last step of a check of the redirect. */
const lookingAt = (demand: RedirectDemand): string =>
  asksForTheEnd.has(demand)
    ? 'Look at the address that the bank redirects to. Where SCA ends at a page that breaks down, or that says it is done and leads nowhere, do all this again: there is no redirect if it ends there each time.'
    : 'Look at the address that the bank redirects to.';

/**
 * Whoever asks whether the PSU is redirected judges a page at which SCA ends instead: one that breaks down, and one that
 * says it is done and leads nowhere. It has to end there each time, since something before the bank may have shown it.
 */
async function cameBack(
  context: CheckContext,
  demand: RedirectDemand,
  walkThere: () => Promise<SeenRedirect>,
): Promise<SeenRedirect> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await walkThere();
    } catch (error) {
      const end = asksForTheEnd.has(demand) ? endAtBank(error, demand) : undefined;
      if (end === undefined) throw error;
      if (attempt < mostBeginnings) continue;
      context.evidence = context.exchanges.slice(-2);
      throw new ExpectationFailed(demand.expected, end.actual).breaking(end.broken);
    }
  }
}

/** Where SCA has ended, if the bank is the reason for certain. */
function endAtBank(
  error: unknown,
  demand: RedirectDemand,
): { readonly broken: string; readonly actual: string } | undefined {
  const cause = error instanceof Inconclusive ? error.cause : undefined;
  if (!(cause instanceof ScaWalkError) || cause.kind !== 'left-behind') return undefined;
  const breaksDown = cause.status !== undefined && demand === toTheTpp;
  return { broken: breaksDown ? 'SCA-02' : demand.requirement, actual: cause.message };
}

/** A check of the redirect after SCA was passed. */
const afterSuccess = ({
  title,
  demand,
  id = demand.requirement,
  as = 'OTHER',
}: RedirectCheck & { readonly as?: 'OTHER' | 'PRIVATE' | 'CORPORATE' }): Check =>
  check({
    id,
    requirement: demand.requirement,
    ...besides(demand),
    title,
    needs: walking,
    steps: [
      'Ask for accounts without PSU-ID in a new session, and once more in another, as for somebody else.',
      `Pass SCA at the first link scaRedirect as a ${as === 'OTHER' ? '' : `${as.toLowerCase()} `}customer whom no other check acts for.`,
      lookingAt(demand),
    ],
    expected: demand.expected,
    async run(context) {
      const { back, psu } = await cameBack(context, demand, () =>
        seenOnce(context, `access/${as}`, () =>
          withCustomer(context, as, async (customer) => {
            const session = newSession(context);
            return { back: await passSca(context, customer, session, beginForAnother), psu: session };
          }),
        ),
      );
      mustKeepTo(context, [demand], back, psu);
    },
  });

/** The same after a payment was approved, in the session of the run: that ends no session. */
const afterApproval = ({ title, demand, id = demand.requirement }: RedirectCheck): Check =>
  check({
    id: `${id}${suffixes.payment}`,
    requirement: demand.requirement,
    ...besides(demand),
    title,
    needs: [...walking, 'create-payments'],
    steps: [
      'Create a domestic payment.',
      'Pass SCA at its link scaRedirect, or at that of a basket of it where it has none.',
      lookingAt(demand),
    ],
    expected: demand.expected,
    async run(context) {
      const { back, psu } = await cameBack(context, demand, () =>
        seenOnce(context, 'payment', async () => ({
          back: await walk(context, await linkOfPayment(context), ownCustomer(context)),
          psu: context.psu,
        })),
      );
      mustKeepTo(context, [demand], back, psu);
    },
  });

/** Cancelled before anybody is named, or else by a customer whom no other check acts for. */
async function cancelled(
  context: CheckContext,
  abort: typeof cancelSca,
  psu: Psu = newSession(context),
  ask: typeof askForSca = askForSca,
): Promise<SeenRedirect> {
  const back = await abort(context, await ask(context, {}, psu));
  if (back !== undefined) return { back, psu };
  return withCustomer(context, 'OTHER', async (customer) => {
    const link = await ask(context, customer, psu);
    return { back: await abortSca(context, link, customer), psu };
  });
}

/** A check of the redirect after SCA was cancelled. */
const afterFailure = ({
  title,
  demand,
  id = demand.requirement,
  look = () => {},
}: RedirectCheck & { readonly look?: (back: ScaReturn, context: CheckContext) => void }): Check =>
  check({
    id,
    requirement: demand.requirement,
    title,
    needs: ['sca-unattended'],
    steps: [
      'Ask for accounts without PSU-ID in a new session.',
      'Cancel SCA at the link scaRedirect.',
      lookingAt(demand),
    ],
    expected: demand.expected,
    async run(context) {
      const abort = asksForTheEnd.has(demand) ? cancelSca : tryToAbortSca;
      const { back, psu } = await cameBack(context, demand, () =>
        seenOnce(context, 'cancelled', () => cancelled(context, abort)),
      );
      look(back, context);
      mustKeepTo(context, [demand], back, psu);
    },
  });

/** A check of the redirect to a TPP-Redirect-URI that no other request has. */
const atAddress = ({
  id,
  title,
  demand,
  steps,
  addressOf,
  begin = beginAt,
  as = 'OTHER',
}: Required<RedirectCheck> & {
  /** What is done before SCA is passed. */
  readonly steps: readonly string[];
  readonly addressOf: (redirectUri: string) => string;
  readonly begin?: (context: CheckContext, customer: Customer, psu: Psu) => Promise<Beginning>;
  readonly as?: 'OTHER' | 'CORPORATE';
}): Check =>
  check({
    id,
    requirement: demand.requirement,
    title,
    needs: walking,
    steps: [
      ...steps,
      `Pass SCA at the link scaRedirect${as === 'CORPORATE' ? ' as a corporate customer' : ''}.`,
      'Look at the address that the bank redirects to.',
    ],
    expected: demand.expected,
    async run(context) {
      const session = newSession(context);
      const address = addressOf(session.redirectUri);
      const { back, psu } = await seenOnce(context, `address/${begin.name} ${as} ${address}`, () =>
        withCustomer(context, as, async (customer) => {
          const { link, psu } = await begin(context, customer, { ...session, redirectUri: address });
          return { back: await walk(context, link, customer, psu.redirectUri), psu };
        }),
      );
      mustKeepTo(context, [demand], back, psu);
    },
  });

/** SCA that was to end at an address with a query. */
function cancelledWithAQuery(context: CheckContext): Promise<SeenRedirect> {
  const session = newSession(context);
  const psu = { ...session, redirectUri: withAQuery.addressOf(session.redirectUri) };
  return cancelled(context, tryToAbortSca, psu, async (...asked) => (await beginAt(...asked)).link);
}

/** What every redirect after success carries, whatever SCA was for. */
const carried = [
  { what: 'psu-id, a UUID', demand: withPsuId },
  { what: 'the TPP-Session-ID of the request that started it', demand: withSessionId },
  { what: 'context', demand: withContext },
];

export default suite(
  'Redirects after SCA',
  section('Authentication', 'Redirect after successful SCA'),
  () => [
    afterSuccess({ title: 'after SCA the PSU is redirected to TPP-Redirect-URI', demand: toTheTpp }),
    atAddress({
      id: 'SCA-03-another',
      title:
        'after SCA the PSU is redirected to the TPP-Redirect-URI of that request, and not to one that came before or after',
      demand: toTheTpp,
      steps: [
        'Ask for accounts without PSU-ID in a new session.',
        'Ask again in that session, with another TPP-Redirect-URI than all other requests. A bank that refuses this is not judged.',
        'Ask once more in another session with the usual one, as for somebody else.',
      ],
      addressOf: anotherPage,
      begin: beginAgainAt,
    }),
    atAddress({
      id: 'SCA-03-query',
      title: 'after SCA the PSU is redirected to a TPP-Redirect-URI that has a query of its own',
      demand: toTheTpp,
      ...withAQuery,
    }),
    atAddress({
      id: 'SCA-03-query-corporate',
      title:
        'after SCA in corporate context the PSU is redirected to a TPP-Redirect-URI that has a query of its own',
      demand: toTheTpp,
      ...withAQuery,
      as: 'CORPORATE',
    }),
    check({
      id: 'SCA-03-query-cancelled',
      requirement: toTheTpp.requirement,
      title:
        'after SCA was cancelled the PSU is redirected to a TPP-Redirect-URI that has a query of its own',
      needs: ['sca-unattended'],
      steps: [
        ...withAQuery.steps,
        'Cancel SCA at the link scaRedirect.',
        'Look at the address that the bank redirects to.',
      ],
      expected: toTheTpp.expected,
      async run(context) {
        const { back, psu } = await cancelledWithAQuery(context);
        mustKeepTo(context, [toTheTpp], back, psu);
      },
    }),
    ...carried.map(({ what, demand }) =>
      afterSuccess({ demand, title: `the redirect after SCA carries ${what}` }),
    ),
    atAddress({
      id: 'RDR-01-query',
      title: 'the redirect after SCA carries psu-id where TPP-Redirect-URI has a query of its own',
      demand: withPsuId,
      ...withAQuery,
    }),
    {
      ...atAddress({
        id: 'SCA-03-fragment',
        title: 'after SCA the PSU is redirected to a TPP-Redirect-URI that has a fragment',
        demand: toTheFragment,
        ...withAFragment,
      }),
      // Many libraries take addresses of redirects without a fragment (RFC 6749, 3.1.2), and nothing is said of it here.
      levelUnder: () => 'advisory',
    },
    atAddress({
      id: 'RDR-01-fragment',
      title: 'the redirect after SCA carries psu-id in the query where TPP-Redirect-URI has a fragment',
      demand: { ...withPsuId, expected: 'psu-id with a UUID in the query, before any fragment' },
      ...withAFragment,
    }),
    afterApproval({
      title: 'after a payment was approved the PSU is redirected to TPP-Redirect-URI',
      demand: toTheTpp,
    }),
    ...carried.map(({ what, demand }) =>
      afterApproval({ demand, title: `the redirect after a payment was approved carries ${what}` }),
    ),
    afterSuccess({
      title: 'the redirect after SCA in corporate context carries psu-corporate-id, a UUID',
      as: 'CORPORATE',
      demand: withCorporateId,
    }),
    afterSuccess({
      title: 'the context of the redirect is PRIVATE when the PSU chose that',
      as: 'PRIVATE',
      demand: inContext('PRIVATE'),
    }),
    afterSuccess({
      id: `RDR-04${suffixes.private}`,
      title: 'the redirect carries no psu-corporate-id when the PSU chose PRIVATE',
      as: 'PRIVATE',
      demand: withoutCorporateId,
    }),
    afterSuccess({
      id: 'RDR-05-corporate',
      title: 'the context of the redirect is CORPORATE when the PSU chose that',
      as: 'CORPORATE',
      demand: inContext('CORPORATE'),
    }),
    afterFailure({ title: 'the redirect after a cancelled SCA carries system', demand: withSystem }),
    afterFailure({
      title: 'the redirect after a cancelled SCA carries status, an HTTP status code',
      demand: withStatus,
    }),
    afterFailure({
      title: 'the redirect after a cancelled SCA carries code, an error code',
      demand: withCode,
      look({ code }, context) {
        if (code && !messageCodes.some((listed) => listed === code))
          context.note(`The code ${code} is none of those listed under Errors.`);
      },
    }),
    afterFailure({
      title: 'the redirect after a cancelled SCA carries message, URL-encoded',
      demand: withMessage,
    }),
    afterFailure({ title: 'the redirect after a cancelled SCA carries no psu-id', demand: withoutPsuId }),
  ],
);
