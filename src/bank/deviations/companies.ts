import { randomUUID } from 'node:crypto';
import { everyProduct, initiations, products } from '../../spec/products.ts';
import { type DesignChange, granting, knowingSessions, withAnswers } from '../design/design-changes.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import type { ScaFlow } from '../state/flows.ts';
import {
  advisedAgainst,
  asIfPresent,
  at,
  both,
  type Deviation,
  demandedBy,
  deviation,
  inQuery,
  isOfACompany,
  overlooking,
  refuses,
  rows,
  ruleOf,
  serving,
} from './deviation.ts';
import {
  afterFlows,
  asPrivate,
  elsewhere,
  occasionOf,
  withAnother,
  without,
  withoutUuid,
} from './redirect-changes.ts';
import { numberedOtherwise } from './sca.ts';

/** Rules that hold for people, and were forgotten where a company acts; and some that hold for companies alone. */

const isCorporate = isOfACompany;

/** After SCA for access, or after a domestic payment or a basket was approved. */
const occasions = [
  ['access', 'granted access'],
  [products.domestic.word, 'approved a payment'],
  ['basket', 'approved a basket'],
] as const;

const redirects: readonly Deviation[] = occasions.flatMap(([occasion, done]) => {
  const changed = (change: (location: string) => string): DesignChange =>
    afterFlows((flow) => flow.identified?.context === 'CORPORATE' && occasionOf(flow) === occasion, change);
  return [
    ...(
      [
        ['RDR-01', 'psu-id'],
        ['RDR-02', 'tpp-session-id'],
        ['RDR-03', 'context'],
      ] as const
    ).map(([id, name]) =>
      deviation(
        `${id}/missing-for-companies-after-${occasion}`,
        `leaves ${name} out of the redirect after a company has ${done}`,
        changed(without(name)),
      ),
    ),
    deviation(
      `SCA-03/elsewhere-for-companies-after-${occasion}`,
      `sends whoever has ${done} for a company to an address of its own`,
      changed(elsewhere),
    ),
    deviation(
      `RDR-02/another-for-companies-after-${occasion}`,
      `sends another tpp-session-id after a company has ${done}`,
      changed(withAnother('tpp-session-id')),
    ),
    ...(occasion === 'access'
      ? [
          deviation(
            'SCA-06/another-psu-id-for-companies',
            'sends another psu-id after a company has granted access, and does not know it again',
            changed(withAnother('psu-id')),
          ),
          deviation(
            'SCA-06/another-agreement',
            'sends another psu-corporate-id after a company has granted access, and does not know it again',
            changed(withAnother('psu-corporate-id')),
          ),
        ]
      : [
          deviation(
            `SCA-04/another-for-companies-after-${occasion}`,
            `sends another psu-id after a company has ${done}`,
            changed(withAnother('psu-id')),
          ),
        ]),
    ...(occasion === 'basket'
      ? [
          deviation(
            'RDR-04/missing-after-basket',
            `leaves psu-corporate-id out of the redirect after a company has ${done}`,
            changed(without('psu-corporate-id')),
          ),
          deviation(
            'RDR-05/private-after-basket',
            `calls the context of a company PRIVATE after it has ${done}`,
            changed(asPrivate),
          ),
        ]
      : []),
  ];
});

const failures: readonly Deviation[] = (
  [
    [products.domestic.word, '', 'payment'],
    ['basket', '-after-basket', 'basket'],
  ] as const
).flatMap(([occasion, ending, what]) =>
  (
    [
      ['RDF-02', 'status'],
      ['RDF-03', 'code'],
      ['RDF-04', 'message'],
    ] as const
  ).map(([id, name]) =>
    deviation(
      `${id}/missing-for-companies${ending}`,
      `leaves ${name} out of the redirect after a company did not approve its ${what}`,
      afterFlows((flow) => flow.agreementId !== undefined && occasionOf(flow) === occasion, without(name)),
    ),
  ),
);

/** The other way round: what is right for companies only. */
const redirectsOfPeople: readonly Deviation[] = (
  [
    ['RDR-01/missing', 'leaves psu-id out of the redirect', without('psu-id')],
    ['RDR-02/no-uuid', 'leaves a tpp-session-id that is a UUID out of the redirect', withoutUuid],
    ['RDR-03/missing', 'leaves context out of the redirect', without('context')],
    ['SCA-03/elsewhere', 'redirects to an address of its own', elsewhere],
  ] as const
).map(([id, title, change]) =>
  deviation(
    `${id}-for-people-after-access`,
    `${title} after a person has granted access`,
    afterFlows((flow) => flow.identified?.context !== 'CORPORATE' && occasionOf(flow) === 'access', change),
  ),
);

/** A page at the top of a site, such as https://tpp.example/redirect. */
const isAtTheTop = ({ redirectUri = '' }: ScaFlow): boolean =>
  URL.canParse(redirectUri) && /^\/[^/]*$/.test(new URL(redirectUri).pathname);

// biome-ignore format: a table
export const companyDeviations: readonly Deviation[] = [
  ...redirects,
  ...redirectsOfPeople,
  ...([products.crossBorder.word, 'basket'] as const).flatMap((occasion) =>
    [
      deviation(`RDR-05/corporate-for-people-after-${occasion}`, `tells CORPORATE after a person has approved what is theirs (${occasion})`,
        afterFlows((flow) => occasionOf(flow) === occasion, (address) => address.replace('context=PRIVATE', 'context=CORPORATE'))),
      deviation(`RDR-04/of-people-after-${occasion}`, `sends a psu-corporate-id after a person has approved what is theirs (${occasion})`,
        afterFlows((flow) => occasionOf(flow) === occasion, (address) => address.replace('context=PRIVATE', `context=PRIVATE&psu-corporate-id=${randomUUID()}`))),
    ]),
  deviation('SCA-03/elsewhere-for-people-from-the-top', 'redirects to an address of its own after a person has granted access, where TPP-Redirect-URI is at the top of a site',
    afterFlows((flow) => flow.identified?.context !== 'CORPORATE' && occasionOf(flow) === 'access' && isAtTheTop(flow), elsewhere)),
  ...failures,
  ...rows(
    ['SES-02/open-to-companies', 'shows the accounts of a company in any session', overlooking(serving('SES-02'), both(at('listAccounts'), isCorporate))],
    ['SBX-47/other-number-of-companies', 'lists customer numbers of companies with which no SCA can be passed',
      numberedOtherwise(({ customerType }) => customerType === 'CORPORATE')],
    ['SBX-47/other-number-of-people', 'lists customer numbers of people with which no SCA can be passed',
      numberedOtherwise(({ customerType }) => customerType === 'PRIVATE')],
  ),
  ...everyProduct.map(({ creation, requirements }) =>
    deviation(`${requirements.duplicateAllowed}/refused-to-companies`, 'refuses duplicates of companies even when they are allowed',
      (design) => ({ ...design, refusesDuplicates: (request) => (request.operation === creation && isCorporate(request)) || design.refusesDuplicates(request) }))),
  ...everyProduct.map(({ creation, requirements }) =>
    refuses(`${requirements.duplicateAllowed}/parameter-refused-to-companies`, 'takes no allowLogicalDuplicate from companies',
      [creation], both(isCorporate, inQuery('allowLogicalDuplicate')))),
  deviation('BSK-10/200-to-companies', 'answers 200 to a basket of a company',
    withAnswers(['createSigningBasket'], (answer, request) => answer.status === 201 && isCorporate(request) ? { ...answer, status: 200 } : answer)),
  ...([
    ['SIG-02', 'does not verify signatures of baskets of companies'],
    ['CLK-03', 'takes any Date of the past with baskets of companies'],
    ['SGH-01', 'takes any serial number with baskets of companies'],
    ['HDB-21', 'does not demand PSU-IP-Address with baskets of companies'],
    ['HDB-07', 'does not demand X-Request-ID with baskets of companies'],
    ['BSK-15', 'takes empty baskets of companies'],
    ['BSK-16', 'takes unknown payments in baskets of companies'],
  ] as const).map(([requirement, title]) =>
    deviation(`${requirement}/overlooked-in-baskets-of-companies`, title, overlooking(demandedBy(requirement), both(at('createSigningBasket'), isCorporate)))),
  ...([
    ['SIG-02', 'does not verify signatures of companies that ask for accounts'],
    ['CLK-04', 'takes any Date of the future from companies that ask for accounts'],
    ['CRT-02', 'takes expired certificates where accounts of companies are asked for'],
  ] as const).map(([requirement, title]) =>
    deviation(`${requirement}/overlooked-at-accounts-of-companies`, title, overlooking(demandedBy(requirement), both(at('listAccounts'), isCorporate)))),
  ...(['readBalances', 'readTransactions'] as const).map((operation) =>
    deviation(`SES-02/${operation === 'readBalances' ? 'balances' : 'transactions'}-open-to-companies`, 'shows what an account of a company holds in any session',
      overlooking(serving('SES-02'), both(at(operation), isCorporate)))),
  deviation('ERR-02/not-of-companies', 'takes wrong KIDs from companies', overlooking(serving('ERR-02'), isCorporate)),
  ...([['ACC-10', 'readBalances'], ['ACC-11', 'readTransactions']] as const).map(([requirement, operation]) =>
    deviation(`${requirement}/unlimited-for-companies`, `lets ${operation === 'readBalances' ? 'balances' : 'transactions'} of companies be read without the PSU at any time`,
      overlooking(ruleOf(requirement), both(at(operation), isCorporate)))),
  ...rows(
    ['ACC-12/shows-all-of-companies', 'shows old transactions of companies without the PSU', asIfPresent((request) => isCorporate(request))],
    ['ACC-12/shows-all-that-is-booked', 'shows old transactions without the PSU where bookingStatus is all', asIfPresent(inQuery('bookingStatus', 'all'))],
    ['SES-03/old-one-stays-for-companies', 'lets an old session of a company go on after SCA in a new one',
      knowingSessions((wasPassed) => overlooking(serving('SES-03'), (request) => isCorporate(request) && wasPassed(request)))],
    ['SCA-09/kept-for-companies', 'goes on showing an account that a company has deselected',
      granting((ticked, before, { agreementId }) => [...((agreementId === undefined ? undefined : before) ?? []), ...ticked])],
    ['SCA-09/nothing-is-no-change', 'leaves the consent as it was when no box at all is ticked',
      granting((ticked, before) => (before === undefined || ticked.length > 0 ? ticked : undefined))],
    ['SCA-09/whole-agreement', 'lists every account of an agreement, granted or not',
      withAnswers(['listAccounts'], (answer, request, state) => {
        const psu = identifyPsu(request, state);
        if (psu?.agreement === undefined) return answer;
        const all = state.customers.reachableAccounts(psu);
        return {
          ...answer,
          body: {
            accounts: all.map(({ id, bban, iban, currency }) => ({ resourceId: id, bban, iban, currency })),
          },
        };
      })],
  ),
  refuses('TRN-17/ipv4-only-for-companies', 'takes no IPv6 address of a PSU who acts for a company',
    initiations, (request) => isCorporate(request) && (request.header('psu-ip-address') ?? '').includes(':')),
  ...advisedAgainst(deviation(
      'COR-07/not-demanded',
      'does not demand PSU-Corporate-ID when a payment of a company is read or deleted',
      overlooking(
        ruleOf('COR-07'),
        () => true,
      ),
    )),
];
