import { isObject } from '../../spec/json.ts';
import { everyProduct, initiations } from '../../spec/products.ts';
import {
  type DesignChange,
  onRefusal,
  serves,
  telling,
  withAnswering,
  withRules,
  withSealed,
} from '../design/design-changes.ts';
import { type BankOperation, type RawResponse, type Refusal, rule } from '../design/route.ts';
import { atCreations, each, table } from './deviation.ts';

/** What a request that needs SCA is answered with instead. */
const askingWith = (change: (refusal: Refusal) => Refusal): DesignChange =>
  withAnswering(({ refusal: answerTo }) => ({
    refusal: (refusal) => answerTo(refusal.status === 401 ? change(refusal) : refusal),
  }));

const withoutLinks = ({ links: _, ...refusal }: Refusal): Refusal => refusal;
const namedOtherwise = ({ links: { scaRedirect, ...links } = {}, ...refusal }: Refusal): Refusal => ({
  ...refusal,
  ...(scaRedirect === undefined ? {} : { links: { ...links, redirect: scaRedirect } }),
});

const redirected = ({ links = {}, ...refusal }: Refusal): Refusal => ({
  ...refusal,
  status: 302,
  headers: { ...refusal.headers, Location: links.scaRedirect?.href ?? '/' },
});

const withStatus =
  (status: number) =>
  (refusal: Refusal): Refusal => ({ ...refusal, status });

/** What some operations answer in a session without SCA, where they do not ask for it. */
const notAsking = (changes: Pick<Refusal, 'status' | 'code'>, ...operations: readonly BankOperation[]) =>
  onRefusal(
    (rule, operation) => operations.includes(operation) && serves(rule, 'SES-02'),
    ({ text }) => ({ ...changes, text }),
  );

const withoutSca = { status: 401, code: 'SCA_NOT_FOUND' } as const;

export const deadLinksIn = (sealed: RawResponse): RawResponse => ({
  ...sealed,
  body: Buffer.from(sealed.body.toString('utf8').replace(/\/v1\/sca\/[^"]*/, '/v1/sca/nowhere')),
});

/** Links of one operation alone that open no page. */
const dead = (at: BankOperation, isMeant: (status: number) => boolean = () => true): DesignChange =>
  withSealed((sealed, request) =>
    request?.operation === at && isMeant(sealed.status) ? deadLinksIn(sealed) : sealed,
  );

/** Asks for SCA however often it was passed, so that nothing is ever created. */
const forEver = (id: string, creation: BankOperation): DesignChange =>
  withRules((operation, rules) =>
    operation === creation
      ? [
          ...rules,
          rule(id, 'there is always another SCA to pass', 'sca', (request, state) => ({
            text: 'Send the PSU to the link scaRedirect.',
            links: { scaRedirect: state.psus.startSca(request, state, { kind: 'access' }) },
          })),
        ]
      : rules,
  );

const everyCreation = [
  ...everyProduct.map(({ word, creation, requirements }) => [word, creation, requirements.created] as const),
  ['basket', 'createSigningBasket', 'BSK-10'] as const,
];

/** Ways to answer a request that needs SCA, other than by 401 with a link to a page. */
// biome-ignore format: a table
export const askingDeviations = table(
  // Accounts are among what needs SCA; and what is answered 200 needs none.
  each([['SCA-01', 'ERR-03'], ['ERR-03', 'SCA-01']], (id, other) => table(
    [`${id}/without-link`, 'asks for SCA without a link', askingWith(withoutLinks), { also: [other] }],
    [`${id}/named-otherwise`, 'gives the link to SCA another name', askingWith(namedOtherwise), { also: [other] }],
    [`${id}/403-for-401`, 'answers 403 to a request that needs SCA', askingWith(withStatus(403)), { also: [other] }],
    [`${id}/302-for-401`, 'redirects a request that needs SCA to the SCA page', askingWith(redirected), { also: [other] }],
    [`${id}/200-without-link`, 'answers 200 to a request that needs SCA, without a link', askingWith((refusal) => withoutLinks(withStatus(200)(refusal))), { also: [other, 'SES-02'] }],
    each([400, 500], (status) => [`${id}/${status}-for-401`, `answers ${status} to a request that needs SCA`, askingWith(withStatus(status)), { also: [other] }]))),
  ['ERR-03/initiations-without-link', 'asks for SCA without a link where a payment or basket is created in a session without it', notAsking(withoutSca, ...initiations), { alsoAt: atCreations }],
  ['ERR-03/initiations-forbidden', 'answers 403 where a payment or basket is created in a session without SCA', notAsking({ status: 403, code: 'FORBIDDEN' }, ...initiations), { alsoAt: atCreations }],
  ['ERR-03/agreements-without-link', 'asks for SCA without a link where agreements are listed in a session without it', notAsking(withoutSca, 'listAgreements')],
  each([['status', 'readPaymentStatus'], ['details', 'readPayment'], ['deletion', 'deletePayment']], (what, at) =>
    [`ERR-03/${what}-without-link`, `asks for SCA without a link in a session without it (${what} of a payment)`, notAsking(withoutSca, at)]),
  each([
    ['accounts', 'listAccounts'], ['balances', 'readBalances'], ['transactions', 'readTransactions'], ['agreements', 'listAgreements'],
    ['user', 'startUserFlow'], ['consents', 'createConsent'], ['status', 'readPaymentStatus'], ['deletion', 'deletePayment'],
  ], (what, at) => [`SCA-02/dead-at-${what}`, `gives a link scaRedirect that leads nowhere (${what})`, dead(at)]),
  // Links that are there and lead nowhere at all: whoever looks for an address takes them for none.
  each(everyCreation, (what, at, _) => [`SCA-02/no-address-at-${what}`, `gives a link scaRedirect whose href is empty (${what})`,
    telling(at, 'scaRedirect', (link) => (isObject(link) ? { ...link, href: '' } : link))]),
  // Links that open no page where nothing is created before SCA, while those for an approval do.
  each(initiations, (initiation) => [`SCA-02/dead-before-${initiation}`, `gives a link scaRedirect that leads nowhere where it asks for SCA before anything is created (${initiation})`,
    dead(initiation, (status) => status === 401)]),
  each(everyCreation, (_, creation, id) => [`${id}/sca-for-ever`, 'asks for SCA again each time that it was passed, and never creates anything', forEver(id, creation)]),
);
