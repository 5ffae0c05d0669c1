import { randomUUID } from 'node:crypto';
import { initiations, products } from '../../spec/products.ts';
import { afterPages, type DesignChange, withSealed, withState } from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import type { ActingPsu } from '../state/customers.ts';
import { approvalOf, type ScaFlow } from '../state/flows.ts';
import { deadLinksIn } from './asking-for-sca.ts';
import {
  at,
  both,
  type Deviation,
  deviation,
  inHeader,
  isOfACompany,
  overlooking,
  rows,
} from './deviation.ts';
import { isNamedByIdentity } from './single-sca.ts';

/** What a bank does to something else than what it was asked for. */

type Act = (state: BankState, flow: ScaFlow, psu: ActingPsu) => void;

/** What else happens when SCA has come to its end. */
const afterSca = (
  outcome: 'passed' | 'cancelled',
  isMeant: (flow: ScaFlow) => boolean,
  act: Act,
): DesignChange =>
  afterPages((answer, flow, state) => {
    const sign = outcome === 'passed' ? 'psu-id=' : 'code=';
    const customerNumber = flow.identified?.customerNumber ?? flow.customerNumber;
    if (isMeant(flow) && customerNumber !== undefined && answer.headers?.Location?.includes(sign) === true)
      act(state, flow, { customerNumber, agreementId: flow.chosenAgreementId ?? flow.agreementId });
    return undefined;
  });

const isApproval = (flow: ScaFlow): boolean => approvalOf(flow) !== undefined;

const afterApprovals = (outcome: 'passed' | 'cancelled', act: Act): DesignChange =>
  afterSca(outcome, isApproval, act);

/** What is left of the accounts that were granted. */
const leavingGranted = (kind: 'payment' | 'basket', left: (ids: readonly string[]) => readonly string[]) =>
  afterApprovals('passed', ({ consents }, flow, psu) => {
    const granted = consents.find(flow.tppId, psu);
    if (granted !== undefined && approvalOf(flow)?.kind === kind)
      consents.grant(flow.tppId, psu, left([...granted.accountIds]));
  });

/** What was granted is kept by TPP, whoever has granted it. */
const grantingToTpps = withState(({ consents }) => {
  const anybody = (psu: ActingPsu): ActingPsu => ({ ...psu, customerNumber: '' });
  return {
    consents: {
      ...consents,
      grant: (tppId, psu, accountIds) => consents.grant(tppId, anybody(psu), accountIds),
      renew: (tppId, psu) => consents.renew(tppId, anybody(psu)),
      find: (tppId, psu) => consents.find(tppId, anybody(psu)),
    },
  };
});

/** One of the accounts that the PSU has granted to other TPPs is forgotten when they grant some to this one. */
const losingOneElsewhere = afterSca(
  'passed',
  (flow) => !isApproval(flow),
  ({ consents, sessions }, { tppId }, psu) => {
    const others = sessions
      .list()
      .filter((other) => other.tppId !== tppId && other.customerNumber === psu.customerNumber);
    for (const { agreementId, ...other } of others) {
      const holder = { customerNumber: other.customerNumber, agreementId };
      const granted = consents.find(other.tppId, holder);
      if (granted !== undefined) consents.grant(other.tppId, holder, [...granted.accountIds].slice(1));
    }
  },
);

/** Links of some requests that open no page. */
const deadFor = (isMeant: (request: BankRequest) => boolean): DesignChange =>
  withSealed((sealed, request) => (request !== undefined && isMeant(request) ? deadLinksIn(sealed) : sealed));

// biome-ignore format: a table
export const sideEffectDeviations: readonly Deviation[] = [
  ...rows(
    ['ACC-01/emptied-by-payments', 'forgets which accounts the PSU has granted when a payment is approved', leavingGranted('payment', () => [])],
    ['ACC-01/one-lost-by-payments', 'forgets one of the accounts that the PSU has granted when a payment is approved',
      leavingGranted('payment', (ids) => ids.slice(1))],
    ['ACC-01/emptied-by-baskets', 'forgets which accounts the PSU has granted when a basket is approved', leavingGranted('basket', () => [])],
    ['ACC-01/replaced-by-another-psu', 'keeps what was granted to a TPP in one place, so that what a PSU grants takes the place of what another has granted',
      grantingToTpps],
    ['ACC-01/one-lost-for-another-tpp', 'forgets one of the accounts that a PSU has granted to a TPP when they grant some to another', losingOneElsewhere],
    ['SES-04/ended-by-cancelled-approval', 'ends the session when the approval of a payment is cancelled',
      afterApprovals('cancelled', ({ sessions }, { tppId }, { customerNumber, agreementId }) => {
        const context = agreementId === undefined ? 'PRIVATE' : 'CORPORATE';
        sessions.pass(tppId, customerNumber, { sessionId: randomUUID(), context, agreementId });
      })],
  ),
  ...initiations.map((operation) =>
    deviation(`COR-03/empty-at-${operation}`, `takes an empty PSU-Corporate-ID for none, whoever it speaks for (${operation})`,
      overlooking(({ requirement }) => requirement.startsWith('COR-'), both(at(operation), inHeader('psu-corporate-id', ''))))),
  ...([['app', 'a request with TPP-Redirect-Preferred false', 'tpp-redirect-preferred'], ['companies', 'a company', 'psu-corporate-id']] as const).map(([way, whose, header]) =>
    deviation(`SCA-02/dead-for-${way}`, `gives ${whose} a link scaRedirect that leads nowhere`,
      deadFor((request) => (request.header(header) ?? 'true') !== 'true'))),
  ...rows(
    ['SCA-02/dead-for-baskets-of-companies', 'gives the basket of a company a link scaRedirect that leads nowhere',
      deadFor(both(at('createSigningBasket'), isOfACompany))],
    ['SCA-02/dead-when-named', 'gives a payment of a PSU who is named by X-PSU-IDENTITY a link scaRedirect that leads nowhere', deadFor(isNamedByIdentity)],
    ['SCA-02/dead-in-the-browser', 'gives a domestic payment of a person with a PSU-ID a link scaRedirect that leads nowhere, unless it is for the app',
      deadFor((request) =>
        request.operation === products.domestic.creation &&
        request.header('psu-id') !== undefined &&
        request.header('psu-corporate-id') === undefined &&
        request.header('tpp-redirect-preferred') !== 'false')],
  ),
];
