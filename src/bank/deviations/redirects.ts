import { randomUUID } from 'node:crypto';
import { isUuid } from '../../spec/formats.ts';
import { everyProduct, type Product, products } from '../../spec/products.ts';
import { type DesignChange, onPages, withRefusals, withRules } from '../design/design-changes.ts';
import type { BankAnswer, BankRequest, BankState, Rule } from '../design/route.ts';
import { approvalOf, type ScaFlow } from '../state/flows.ts';
import type { Payment } from '../state/payment-store.ts';
import { type Deviation, deviation, refusing } from './deviation.ts';

type Parameters = Map<string, string>;

/** Redirects with other parameters. `matchesId` tells success and failure apart. */
const redirecting = (
  matchesId: (parameters: Parameters) => boolean,
  change: (parameters: Parameters) => void,
): DesignChange =>
  addressing((address) => {
    const [before = '', query = ''] = address.split('?');
    const parameters: Parameters = new Map(new URLSearchParams(query));
    if (!matchesId(parameters)) return address;
    change(parameters);
    return `${before}?${[...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  });

const addressing = (change: (address: string) => string): DesignChange =>
  onPages((route) => async (request, state) => readdressed(await route.handle(request, state), change));

export function readdressed(answer: BankAnswer, change: (address: string) => string): BankAnswer {
  const location = answer.headers?.Location;
  return location === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, Location: change(location) } };
}

const succeeded = (parameters: Parameters): boolean => parameters.has('psu-id');
const failed = (parameters: Parameters): boolean => parameters.has('code');

const success = (change: (parameters: Parameters) => void): DesignChange => redirecting(succeeded, change);
const failure = (change: (parameters: Parameters) => void): DesignChange => redirecting(failed, change);

/** What SCA was for: access, or the approval of a basket or of a payment of a product. */
export type Occasion = 'access' | 'basket' | Product['word'];

export function occasionOf(flow: Pick<ScaFlow, 'purpose'>): Occasion {
  const approval = approvalOf(flow);
  if (approval === undefined) return 'access';
  return everyProduct.find(({ path }) => path === approval.product)?.word ?? 'basket';
}

/** The redirect after a domestic payment was approved, after another approval, or after all other SCA, changed. */
const afterApproval = (change: (location: string) => string) => afterSca(products.domestic.word, change);
const afterAccess = (change: (location: string) => string) => afterSca('access', change);

/** The two kinds of SCA that every bank has, in ids and in titles. */
const approvalAndAccess = [
  ['approval', 'a payment was approved', afterApproval],
  ['access', 'access was granted', afterAccess],
] as const;

const afterSca = (occasion: Occasion, change: (address: string) => string): DesignChange =>
  afterFlows((flow) => occasionOf(flow) === occasion, change);

/** The redirect after some SCA, changed. */
export const afterFlows = (
  isMeant: (flow: ScaFlow) => boolean,
  change: (address: string) => string,
): DesignChange =>
  onPages((route) => async (request, state) => {
    const flow = state.flows.find(request.params.flowId ?? '');
    const answer = await route.handle(request, state);
    return flow !== undefined && isMeant(flow) ? readdressed(answer, change) : answer;
  });

/** Approvals next to those of domestic payments. */
const otherApprovals = ['basket', products.crossBorder.word] as const;

export const withAnother = (name: string) => (location: string) =>
  location.replace(new RegExp(`([?&]${name}=)[^&]*`), `$1${randomUUID()}`);

export const without = (name: string) => (location: string) =>
  location.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1');

/** A session id that is a UUID gets lost, others come back. */
export const withoutUuid = (location: string): string =>
  isUuid(new URL(location).searchParams.get('tpp-session-id') ?? '')
    ? without('tpp-session-id')(location)
    : location;

export const elsewhere = (location: string): string =>
  `https://elsewhere.example/done?${location.split('?')[1] ?? ''}`;

const firstAddresses = new WeakMap<BankState, Map<string, string>>();

/** The address that a TPP has given first, with the parameters of this one. */
function atFirstAddress(location: string, { tppId, redirectUri }: ScaFlow, state: BankState): string {
  const known = firstAddresses.get(state) ?? new Map<string, string>();
  firstAddresses.set(state, known);
  const [given = ''] = (redirectUri ?? '').split('?');
  if (given === '' || !location.startsWith(given)) return location;
  const first = known.get(tppId) ?? given;
  known.set(tppId, first);
  return first + location.slice(given.length);
}

export const asPrivate = (location: string): string =>
  location.replace('context=CORPORATE', 'context=PRIVATE');

const toldOfFailures = [
  ['RDF-02', 'status'],
  ['RDF-03', 'code'],
  ['RDF-04', 'message'],
] as const;

const isOf = ({ requirement }: Rule, id: string): boolean => requirement === id;

/** Where the PSU is sent after SCA, and what the address carries. */
export const redirectDeviations: readonly Deviation[] = [
  ...(
    [
      ['RDR-01', 'psu-id'],
      ['RDR-02', 'tpp-session-id'],
      ['RDR-03', 'context'],
      ['RDR-04', 'psu-corporate-id'],
    ] as const
  ).map(([id, name]) =>
    deviation(
      `${id}/missing`,
      `leaves ${name} out of the redirect`,
      success((parameters) => parameters.delete(name)),
    ),
  ),
  deviation(
    'RDR-01/no-uuid',
    'sends a psu-id that is no UUID',
    success((parameters) => parameters.set('psu-id', 'kari')),
  ),
  deviation(
    'RDR-01/camel-case',
    'calls psu-id psuId in the redirect',
    success((parameters) => rename(parameters, 'psu-id', 'psuId')),
  ),
  deviation(
    'RDR-02/another',
    'sends another tpp-session-id than it was given',
    success((parameters) => parameters.set('tpp-session-id', randomUUID())),
  ),
  deviation(
    'RDR-03/lower-case',
    'sends the context in lower case',
    success((parameters) => parameters.set('context', (parameters.get('context') ?? '').toLowerCase())),
  ),
  deviation(
    'RDR-04/no-uuid',
    'sends a psu-corporate-id that is no UUID',
    success((parameters) => {
      if (parameters.has('psu-corporate-id')) parameters.set('psu-corporate-id', '4711');
    }),
  ),
  deviation(
    'RDR-05/always-private',
    'tells PRIVATE whatever the PSU chose',
    success((parameters) => parameters.set('context', 'PRIVATE')),
  ),
  deviation(
    'RDR-05/always-corporate',
    'tells CORPORATE whatever the PSU chose',
    success((parameters) => parameters.set('context', 'CORPORATE')),
  ),
  ...([['RDF-01', 'system'], ...toldOfFailures] as const).map(([id, name]) =>
    deviation(
      `${id}/missing`,
      `leaves ${name} out of the redirect after a failure`,
      failure((parameters) => parameters.delete(name)),
    ),
  ),
  deviation(
    'RDF-02/words',
    'tells the status in words',
    failure((parameters) => parameters.set('status', 'Unauthorized')),
  ),
  deviation(
    'RDF-04/not-encoded',
    'does not encode the message',
    addressing((address) => address.replace(/message=[^&]*/, 'message=The PSU <cancelled> it')),
  ),
  deviation(
    'RDF-05/psu-id',
    'sends a psu-id after a failure',
    failure((parameters) => parameters.set('psu-id', randomUUID())),
  ),
  {
    ...deviation(
      'SCA-03/query-lost',
      'forgets the query of TPP-Redirect-URI',
      addressing((address) => address.replace('state=4711&', '')),
    ),
    isAdvisedAgainst: true,
  },
  deviation(
    'RDR-01/behind-the-fragment',
    'adds its parameters to the end of TPP-Redirect-URI, behind a fragment',
    addressing((address) => address.replace(/(\?.*)(#[^?]*)$/, '$2$1')),
  ),
  deviation(
    'RDR-01/only-with-fragment',
    'leaves psu-id out of the redirect of a person to an address without a fragment',
    afterAccess((location) =>
      /#|context=CORPORATE/.test(location) ? location : without('psu-id')(location),
    ),
  ),
  deviation('SCA-03/elsewhere', 'sends the PSU to an address of its own', addressing(elsewhere)),
  deviation(
    'SCA-03/registered',
    'sends the PSU to the address that the TPP has given first, whatever it gives later',
    onPages((route) => async (request, state) => {
      const flow = state.flows.find(request.params.flowId ?? '');
      const answer = await route.handle(request, state);
      return flow === undefined
        ? answer
        : readdressed(answer, (location) => atFirstAddress(location, flow, state));
    }),
  ),
  ...(
    [
      ['RDR-01', 'psu-id'],
      ['RDR-02', 'tpp-session-id'],
      ['RDR-03', 'context'],
    ] as const
  ).flatMap(([id, name]) =>
    approvalAndAccess.map(([occasion, when, changed]) =>
      deviation(
        `${id}/missing-after-${occasion}`,
        `leaves ${name} out of the redirect when ${when}`,
        changed(without(name)),
      ),
    ),
  ),
  ...toldOfFailures.map(([id, name]) =>
    deviation(
      `${id}/missing-after-access`,
      `leaves ${name} out of the redirect when access was not granted`,
      afterAccess(without(name)),
    ),
  ),
  deviation(
    'SCA-04/another-after-access',
    'sends another psu-id whenever access was granted',
    afterAccess(withAnother('psu-id')),
  ),
  ...otherApprovals.flatMap((occasion) => [
    deviation(
      `RDR-01/missing-after-${occasion}`,
      `leaves psu-id out of the redirect after an approval (${occasion})`,
      afterSca(occasion, without('psu-id')),
    ),
    deviation(
      `RDR-02/another-after-${occasion}`,
      `sends another tpp-session-id after an approval (${occasion})`,
      afterSca(occasion, withAnother('tpp-session-id')),
    ),
    deviation(
      `RDR-03/missing-after-${occasion}`,
      `leaves context out of the redirect after an approval (${occasion})`,
      afterSca(occasion, without('context')),
    ),
    deviation(
      `SCA-04/another-after-${occasion}`,
      `sends another psu-id after an approval (${occasion})`,
      afterSca(occasion, withAnother('psu-id')),
    ),
    deviation(
      `SCA-03/elsewhere-after-${occasion}`,
      `sends the PSU to an address of its own after an approval (${occasion})`,
      afterSca(occasion, elsewhere),
    ),
    ...toldOfFailures.map(([id, name]) =>
      deviation(
        `${id}/missing-after-${occasion}`,
        `leaves ${name} out of the redirect after an approval that was cancelled (${occasion})`,
        afterSca(occasion, without(name)),
      ),
    ),
  ]),
  deviation(
    'RDR-04/missing-after-approval',
    'leaves psu-corporate-id out of the redirect when a payment was approved',
    afterApproval(without('psu-corporate-id')),
  ),
  deviation(
    'RDR-04/another-after-approval',
    'names another company in the redirect when a payment was approved',
    afterApproval(withAnother('psu-corporate-id')),
  ),
  deviation(
    'RDR-05/private-after-approval',
    'tells PRIVATE when a payment of a company was approved',
    afterApproval(asPrivate),
  ),
  deviation(
    'RDR-02/other-than-uuids-after-access',
    'leaves a tpp-session-id that is a UUID out of the redirect when access was granted',
    afterAccess(withoutUuid),
  ),
  deviation(
    'RDR-04/missing-after-access',
    'leaves psu-corporate-id out of the redirect when access was granted',
    afterAccess(without('psu-corporate-id')),
  ),
  deviation(
    'RDR-05/private-after-access',
    'tells PRIVATE when a company gave access',
    afterAccess(asPrivate),
  ),
  deviation(
    'RDR-02/uuids-only',
    'sends another tpp-session-id where that of the request is no UUID',
    success((parameters) => {
      if (!isUuid(parameters.get('tpp-session-id') ?? '')) parameters.set('tpp-session-id', randomUUID());
    }),
  ),
  deviation(
    'RDR-02/lower-case',
    'sends tpp-session-id in lower case',
    success((parameters) =>
      parameters.set('tpp-session-id', (parameters.get('tpp-session-id') ?? '').toLowerCase()),
    ),
  ),
  deviation(
    'RDR-02/not-encoded',
    'does not encode tpp-session-id',
    addressing((address) =>
      address.replace(/(?<=[?&]tpp-session-id=)[^&]*/, (written) => decodeURIComponent(written)),
    ),
  ),
  deviation(
    'RDR-02/encoded-twice',
    'encodes tpp-session-id twice',
    addressing((address) => address.replace(/(?<=[?&]tpp-session-id=)[^&]*/, encodeURIComponent)),
  ),
  deviation(
    'RDR-02/refused',
    'takes no TPP-Session-ID that is no UUID',
    refusing(
      'RDR-02',
      ['listAccounts', 'startUserFlow'],
      (request) => request.header('psu-id') === undefined && !isUuid(request.header('tpp-session-id') ?? ''),
    ),
    // Before anything else is looked at.
    withRules((_, rules) => rules.toSorted((a, b) => Number(isOf(b, 'RDR-02')) - Number(isOf(a, 'RDR-02')))),
  ),
  deviation(
    'SCA-03/elsewhere-after-approval',
    'sends the PSU who has approved a payment to an address of its own',
    afterApproval(elsewhere),
  ),
  deviation(
    'SCA-03/elsewhere-after-access',
    'sends the PSU who has granted access to an address of its own',
    afterAccess(elsewhere),
  ),
];

function rename(parameters: Parameters, from: string, to: string): void {
  parameters.set(to, parameters.get(from) ?? '');
  parameters.delete(from);
}

const paymentOf = ({ params }: BankRequest, { payments }: BankState): Payment | undefined =>
  payments.get(params.paymentId ?? '');

const isInBasket = (request: BankRequest, { baskets }: BankState): boolean =>
  [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(request.params.paymentId ?? ''));

/** Faults that show only after some steps. */
export const lifecycleDeviations: readonly Deviation[] = [
  deviation(
    'STA-10/another-psu',
    'gives the PSU another PSU-ID when a payment is approved',
    afterApproval(withAnother('psu-id')),
  ),
  deviation(
    'STA-10/another-session',
    'names another session in the redirect after an approval',
    afterApproval(withAnother('tpp-session-id')),
  ),
  deviation(
    'STA-10/lost-in-a-basket',
    'cannot tell the status of a payment that was approved in a basket',
    refusing(
      'STA-10',
      ['readPaymentStatus'],
      (request, state) => paymentOf(request, state)?.approvedAt !== undefined && isInBasket(request, state),
    ),
  ),
  deviation(
    'STA-10/deleted-twice',
    'breaks down when a payment that is gone is deleted or read',
    refusing(
      'STA-10',
      ['readPaymentStatus', 'deletePayment'],
      (request, state) => paymentOf(request, state)?.transactionStatus === 'CANC',
      { status: 500, code: 'SYSTEM_ERROR' },
    ),
    withRefusals((rule) => rule.requirement === 'ERR-04', { status: 500 }),
  ),
];
