import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, NotOffered } from '../../src/checks/outcomes.ts';
import { messageCodes, psuContexts } from '../../src/spec/code-lists.ts';
import { isUuid } from '../../src/spec/formats.ts';
import type { Psu } from '../../src/tpp/call.ts';
import { encodedParameter, isReturnTo, type ScaReturn } from '../../src/tpp/sca/sca-return.ts';
import { suffixes } from '../id-suffixes.ts';
import { seenOnce } from './seen-redirects.ts';
import { withCustomer } from './spare-customers.ts';
import {
  abortSca,
  askForSca,
  isRefusedSca,
  linkOfPayment,
  newSession,
  ownCustomer,
  passSca,
  walk,
  walking,
} from './walks.ts';

/** What is wrong with a redirect; undefined when nothing is. */
type Objection = string | undefined;

const present = (value: string | undefined): string => (value === undefined ? 'nothing' : `"${value}"`);

interface RedirectCheck {
  readonly id: string;
  readonly title: string;
  readonly expected: string;
}

/** A check of the redirect after SCA was passed. */
const afterSuccess = ({
  id,
  title,
  expected,
  requirement = id,
  as = 'OTHER',
  objection,
}: RedirectCheck & {
  readonly requirement?: string;
  readonly as?: 'OTHER' | 'PRIVATE' | 'CORPORATE';
  readonly objection: (back: ScaReturn, psu: Psu) => Objection;
}): Check =>
  check({
    id,
    requirement,
    title,
    needs: walking,
    steps: [
      'Ask for accounts without PSU-ID in a new session.',
      `Pass SCA at the link scaRedirect as a ${as === 'OTHER' ? '' : `${as.toLowerCase()} `}customer whom no other check acts for.`,
      'Look at the address that the bank redirects to.',
    ],
    expected,
    async run(context) {
      const { back, psu } = await seenOnce(context, `access/${as}`, () =>
        withCustomer(context, as, async (customer) => {
          const session = newSession(context);
          return { back: await passSca(context, customer, session), psu: session };
        }),
      );
      judge(context, expected, objection(back, psu));
    },
  });

/** The same after a payment was approved, in the session of the run: that ends no session. */
const afterApproval = ({
  id,
  title,
  expected,
  objection,
}: RedirectCheck & { readonly objection: (back: ScaReturn, psu: Psu) => Objection }): Check =>
  check({
    id: `${id}${suffixes.payment}`,
    requirement: id,
    title,
    needs: [...walking, 'create-payments'],
    steps: [
      'Create a domestic payment.',
      'Pass SCA at its link scaRedirect, or at that of a basket of it where it has none.',
      'Look at the address that the bank redirects to.',
    ],
    expected,
    async run(context) {
      const { back, psu } = await seenOnce(context, 'payment', async () => ({
        back: await walk(context, await linkOfPayment(context), ownCustomer(context)),
        psu: context.psu,
      }));
      judge(context, expected, objection(back, psu));
    },
  });

/** A check of the redirect after SCA was cancelled. Nobody was identified by then, so no customer is needed. */
const afterFailure = ({
  id,
  title,
  expected,
  objection,
}: RedirectCheck & { readonly objection: (back: ScaReturn, context: CheckContext) => Objection }): Check =>
  check({
    id,
    requirement: id,
    title,
    needs: ['sca-unattended'],
    steps: [
      'Ask for accounts without PSU-ID in a new session.',
      'Cancel SCA at the link scaRedirect.',
      'Look at the address that the bank redirects to.',
    ],
    expected,
    async run(context) {
      const { back } = await seenOnce(context, 'cancelled', async () => {
        const psu = newSession(context);
        return { back: await abortSca(context, await askForSca(context, {}, psu)), psu };
      });
      judge(context, expected, objection(back, context));
    },
  });

function judge(context: CheckContext, expected: string, objection: Objection): void {
  context.evidence = context.exchanges.slice(-1);
  if (objection !== undefined) throw new ExpectationFailed(expected, objection);
}

/** Passes SCA and tells where the PSU was sent to, if that was not TPP-Redirect-URI. */
const returnsTo = (
  id: string,
  title: string,
  addressOf: (redirectUri: string) => string,
  isUsual = true,
): Check =>
  check({
    id,
    requirement: 'SCA-03',
    title,
    needs: walking,
    ...(isUsual ? {} : { levelUnder: () => 'advisory' as const }),
    steps: [
      'Ask for accounts without PSU-ID in a new session.',
      'Pass SCA at the link scaRedirect.',
      'Compare the address that the bank redirects to with TPP-Redirect-URI.',
    ],
    expected: 'a redirect to the address in TPP-Redirect-URI',
    run: (context) =>
      withCustomer(context, 'OTHER', async (customer) => {
        const session = newSession(context);
        const psu = { ...session, redirectUri: addressOf(session.redirectUri) };
        const link = isUsual ? undefined : await askForSca(context, customer, psu).catch(notTaken);
        const { address } =
          link === undefined
            ? await passSca(context, customer, psu)
            : await walk(context, link, customer, psu.redirectUri);
        const wrong = isReturnTo(psu.redirectUri, address) ? undefined : address.split('?')[0];
        judge(context, `a redirect to ${psu.redirectUri}`, wrong && `a redirect to ${wrong}`);
      }),
  });

/** Another page of the same TPP. */
function besides(redirectUri: string): string {
  const address = new URL(redirectUri);
  address.pathname = `${address.pathname.replace(/\/$/, '')}/another`;
  return address.href;
}

/** Some banks take the addresses only that a TPP has registered, which the specification does not forbid. */
function notTaken(error: unknown): never {
  if (!isRefusedSca(error)) throw error;
  throw new NotOffered(`The bank takes no other TPP-Redirect-URI. ${error.message}`);
}

/** What every redirect after success carries, whatever SCA was for. */
const carried = [
  {
    id: 'RDR-01',
    what: 'psu-id, a UUID',
    expected: 'psu-id with a UUID',
    objection: ({ psuId }: ScaReturn) => (isUuid(psuId ?? '') ? undefined : present(psuId)),
  },
  {
    id: 'RDR-02',
    what: 'the TPP-Session-ID of the request that started it',
    expected: 'tpp-session-id with the TPP-Session-ID of the request',
    objection: ({ sessionId }: ScaReturn, psu: Psu) =>
      sessionId === psu.sessionId ? undefined : present(sessionId),
  },
  {
    id: 'RDR-03',
    what: 'context',
    expected: 'context with PRIVATE or CORPORATE',
    objection: ({ context }: ScaReturn) =>
      (psuContexts as readonly (string | undefined)[]).includes(context) ? undefined : present(context),
  },
];

export default suite('Redirects after SCA', section('Authentication', 'Redirect after successful SCA'), [
  returnsTo('SCA-03', 'after SCA the PSU is redirected to TPP-Redirect-URI', (redirectUri) => redirectUri),
  check({
    id: 'SCA-03-another',
    requirement: 'SCA-03',
    title:
      'after SCA the PSU is redirected to the TPP-Redirect-URI of that request, and not to one that came before',
    needs: walking,
    steps: [
      'Ask for accounts without PSU-ID in a new session.',
      'Ask again in that session, with another TPP-Redirect-URI than all other requests. A bank that refuses this is not judged.',
      'Pass SCA at the link scaRedirect.',
      'Compare the address that the bank redirects to with that TPP-Redirect-URI.',
    ],
    expected: 'a redirect to the address in TPP-Redirect-URI',
    run: (context) =>
      withCustomer(context, 'OTHER', async (customer) => {
        const session = newSession(context);
        const before = await askForSca(context, customer, session);
        const asked = { ...session, redirectUri: besides(session.redirectUri) };
        const again = await askForSca(context, customer, asked).catch(notTaken);
        // One link for both is that of the request before: there another session tells.
        const psu = again === before ? { ...asked, sessionId: newSession(context).sessionId } : asked;
        const link = again === before ? await askForSca(context, customer, psu) : again;
        const { address } = await walk(context, link, customer, psu.redirectUri);
        const wrong = isReturnTo(psu.redirectUri, address) ? undefined : address.split('?')[0];
        judge(context, `a redirect to ${psu.redirectUri}`, wrong && `a redirect to ${wrong}`);
      }),
  }),
  returnsTo(
    'SCA-03-query',
    'after SCA the PSU is redirected to a TPP-Redirect-URI that has a query of its own',
    (redirectUri) => `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}state=4711`,
    false,
  ),
  ...carried.map(({ what, ...rest }) =>
    afterSuccess({ ...rest, title: `the redirect after SCA carries ${what}` }),
  ),
  check({
    id: 'RDR-01-fragment',
    requirement: 'RDR-01',
    title: 'the redirect after SCA carries psu-id in the query where TPP-Redirect-URI has a fragment',
    needs: walking,
    steps: [
      'Ask for accounts without PSU-ID in a new session, with a TPP-Redirect-URI that has a fragment. A bank that refuses this is not judged.',
      'Pass SCA at the link scaRedirect.',
      'Look at the query of the address that the bank redirects to.',
    ],
    expected: 'psu-id with a UUID in the query, before any fragment',
    run: (context) =>
      withCustomer(context, 'OTHER', async (customer) => {
        const session = newSession(context);
        const psu = { ...session, redirectUri: `${session.redirectUri.split('#')[0]}#after-sca` };
        const link = await askForSca(context, customer, psu).catch(notTaken);
        const { psuId } = await walk(context, link, customer, psu.redirectUri);
        judge(context, 'psu-id with a UUID in the query', isUuid(psuId ?? '') ? undefined : present(psuId));
      }),
  }),
  afterApproval({
    id: 'SCA-03',
    title: 'after a payment was approved the PSU is redirected to TPP-Redirect-URI',
    expected: 'a redirect to the address in TPP-Redirect-URI',
    objection: ({ address }, { redirectUri }) =>
      isReturnTo(redirectUri, address) ? undefined : `a redirect to ${address.split('?')[0]}`,
  }),
  ...carried.map(({ what, ...rest }) =>
    afterApproval({ ...rest, title: `the redirect after a payment was approved carries ${what}` }),
  ),
  afterSuccess({
    id: 'RDR-04',
    title: 'the redirect after SCA in corporate context carries psu-corporate-id, a UUID',
    as: 'CORPORATE',
    expected: 'psu-corporate-id with a UUID',
    objection: ({ psuCorporateId }) => (isUuid(psuCorporateId ?? '') ? undefined : present(psuCorporateId)),
  }),
  afterSuccess({
    id: 'RDR-05',
    title: 'the context of the redirect is PRIVATE when the PSU chose that',
    as: 'PRIVATE',
    expected: 'context PRIVATE',
    objection: ({ context }) => (context === 'PRIVATE' ? undefined : present(context)),
  }),
  afterSuccess({
    id: 'RDR-05-corporate',
    requirement: 'RDR-05',
    title: 'the context of the redirect is CORPORATE when the PSU chose that',
    as: 'CORPORATE',
    expected: 'context CORPORATE',
    objection: ({ context }) => (context === 'CORPORATE' ? undefined : present(context)),
  }),
  afterFailure({
    id: 'RDF-01',
    title: 'the redirect after a cancelled SCA carries system',
    expected: 'system with the system that produced the error',
    objection: ({ system }) => (system ? undefined : present(system)),
  }),
  afterFailure({
    id: 'RDF-02',
    title: 'the redirect after a cancelled SCA carries status, an HTTP status code',
    expected: 'status with a number from 100 to 599',
    objection: ({ status }) => (/^[1-5]\d\d$/.test(status ?? '') ? undefined : present(status)),
  }),
  afterFailure({
    id: 'RDF-03',
    title: 'the redirect after a cancelled SCA carries code, an error code',
    expected: 'code with an error code',
    objection({ code }, context) {
      if (code && !(messageCodes as readonly string[]).includes(code)) {
        context.note(`The code ${code} is none of those listed under Errors.`);
      }
      return code ? undefined : present(code);
    },
  }),
  afterFailure({
    id: 'RDF-04',
    title: 'the redirect after a cancelled SCA carries message, URL-encoded',
    expected: 'message with a URL-encoded text',
    objection({ address }) {
      const written = encodedParameter(address, 'message');
      // RFC 3986, 3.4: what may stand in a query; a plus sign is a space in forms.
      const isEncoded = /^(?:[\w\-.~!$'()*+,;:@/?]|%[0-9a-f]{2})+$/i.test(written ?? '');
      return isEncoded ? undefined : present(written);
    },
  }),
  afterFailure({
    id: 'RDF-05',
    title: 'the redirect after a cancelled SCA carries no psu-id',
    expected: 'no psu-id',
    objection: ({ psuId }) => (psuId === undefined ? undefined : present(psuId)),
  }),
]);
