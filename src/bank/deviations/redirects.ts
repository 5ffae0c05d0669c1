import { randomUUID } from 'node:crypto';
import { isUuid } from '../../spec/formats.ts';
import { products } from '../../spec/products.ts';
import { afterPages, withState } from '../design/design-changes.ts';
import type { BankState } from '../design/route.ts';
import type { ScaFlow } from '../state/flows.ts';
import { advisedAgainst, type Deviation, deviation, rows } from './deviation.ts';
import {
  addressing,
  afterAccess,
  afterApproval,
  afterFailure,
  afterSca,
  afterSuccess,
  asPrivate,
  elsewhere,
  inPlaceOfRedirects,
  occasionOf,
  type RedirectParameters,
  readdressed,
  withAnother,
  without,
  withoutUuid,
} from './redirect-changes.ts';

/** The two kinds of SCA that every bank has, in ids and in titles. */
const approvalAndAccess = [
  ['approval', 'a payment was approved', afterApproval],
  ['access', 'access was granted', afterAccess],
] as const;

/** Approvals next to those of domestic payments. */
const otherApprovals = ['basket', products.crossBorder.word] as const;

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

const toldOfFailures = [
  ['RDF-02', 'status'],
  ['RDF-03', 'code'],
  ['RDF-04', 'message'],
] as const;

const isOfSuccess = (location: string): boolean => location.includes('psu-id=');
const isOfApproval = (location: string, flow: ScaFlow): boolean =>
  isOfSuccess(location) && occasionOf(flow) !== 'access';

/** Where the PSU is sent after SCA, and what the address carries. */
// biome-ignore format: a table
export const redirectDeviations: readonly Deviation[] = [
  ...([['RDR-01', 'psu-id'], ['RDR-02', 'tpp-session-id'], ['RDR-03', 'context'], ['RDR-04', 'psu-corporate-id']] as const).map(([id, name]) =>
    deviation(`${id}/missing`, `leaves ${name} out of the redirect`, afterSuccess((parameters) => parameters.delete(name)))),
  ...rows(
    ['RDR-01/no-uuid', 'sends a psu-id that is no UUID', afterSuccess((parameters) => parameters.set('psu-id', 'kari'))],
    ['RDR-01/camel-case', 'calls psu-id psuId in the redirect', afterSuccess((parameters) => rename(parameters, 'psu-id', 'psuId'))],
    ['RDR-02/another', 'sends another tpp-session-id than it was given', afterSuccess((parameters) => parameters.set('tpp-session-id', randomUUID()))],
    ['RDR-03/lower-case', 'sends the context in lower case',
      afterSuccess((parameters) => parameters.set('context', (parameters.get('context') ?? '').toLowerCase()))],
    ['RDR-04/no-uuid', 'sends a psu-corporate-id that is no UUID',
      afterSuccess((parameters) => { if (parameters.has('psu-corporate-id')) parameters.set('psu-corporate-id', '4711'); })],
    ['RDR-04/of-people', 'sends a psu-corporate-id when the PSU chose PRIVATE',
      afterSuccess((parameters) => { if (parameters.get('context') === 'PRIVATE') parameters.set('psu-corporate-id', randomUUID()); })],
    ['RDR-05/always-private', 'tells PRIVATE whatever the PSU chose', afterSuccess((parameters) => parameters.set('context', 'PRIVATE'))],
    ['RDR-05/always-corporate', 'tells CORPORATE whatever the PSU chose', afterSuccess((parameters) => parameters.set('context', 'CORPORATE'))],
  ),
  ...([['RDF-01', 'system'], ...toldOfFailures] as const).map(([id, name]) =>
    deviation(`${id}/missing`, `leaves ${name} out of the redirect after a failure`, afterFailure((parameters) => parameters.delete(name)))),
  ...rows(
    ['RDF-02/words', 'tells the status in words', afterFailure((parameters) => parameters.set('status', 'Unauthorized'))],
    ['RDF-04/not-encoded', 'does not encode the message', addressing((address) => address.replace(/message=[^&]*/, 'message=The PSU <cancelled> it'))],
    ['RDF-04/latin-1', 'encodes the message in ISO-8859-1', addressing((address) => address.replace(/message=[^&]*/, 'message=Brukeren%20avbr%F8t'))],
    ['RDF-05/psu-id', 'sends a psu-id after a failure', afterFailure((parameters) => parameters.set('psu-id', randomUUID()))],
    ['SCA-03/query-lost', 'forgets the query of TPP-Redirect-URI', addressing((address) => address.replace(/state=\w*&/, ''))],
  ),
  ...advisedAgainst(deviation(
      'SCA-03/fragment-lost',
      'forgets the fragment of TPP-Redirect-URI',
      addressing((address) => address.replace(/#.*$/, '')),
    )),
  ...([
    ['query-cut', 'keeps the first parameter of the query of TPP-Redirect-URI alone', ''],
    ['query-decoded', 'decodes the query of TPP-Redirect-URI', '&page=a&b'],
  ] as const).map(([way, what, instead]) =>
    deviation(`SCA-03/${way}`, what, addressing((address) => address.replace('&page=a%26b', instead)))),
  ...([
    ['of-people', 'after SCA in private context', /[?&]context=PRIVATE/],
    ['after-failure', 'after SCA that was cancelled', /[?&]code=/],
    ['of-companies', 'after SCA in corporate context', /[?&]context=CORPORATE/],
  ] as const).map(([when, what, isMeant]) =>
    deviation(`SCA-03/query-lost-${when}`, `forgets the query of TPP-Redirect-URI ${what}`,
      addressing((address) => (isMeant.test(address) ? address.replace(/state=\w*&/, '') : address)))),
  ...rows(
    ['RDR-01/behind-the-fragment', 'adds its parameters to the end of TPP-Redirect-URI, behind a fragment',
      addressing((address) => address.replace(/(\?.*)(#[^?]*)$/, '$2$1'))],
    ['RDR-01/second-question-mark', 'begins its parameters with a question mark, although TPP-Redirect-URI has a query',
      addressing((address) => address.replace(/(\?[^#]*)&psu-id=/, '$1?psu-id='))],
    ['RDR-01/only-with-fragment', 'leaves psu-id out of the redirect of a person to an address without a fragment',
      afterAccess((location) => /#|context=CORPORATE/.test(location) ? location : without('psu-id')(location))],
    ['RDR-01/only-with-more', 'leaves psu-id out of the redirect of a person to an address that has neither query nor fragment',
      afterAccess((location) => /#|state=|context=CORPORATE/.test(location) ? location : without('psu-id')(location))],
    ['SCA-03/lower-case', 'writes TPP-Redirect-URI in lower case',
      withState(({ flows }) => ({ flows: { ...flows, start: (start) => flows.start({ ...start, redirectUri: start.redirectUri?.toLowerCase() }) } }))],
    ['SCA-03/elsewhere', 'sends the PSU to an address of its own', addressing(elsewhere)],
  ),
  ...([
    ['SCA-03', 'SCA-02', '', 'SCA was passed', isOfSuccess],
    ['SCA-03', 'SCA-02', '-after-approval', 'a payment was approved', isOfApproval],
    ['RDF-02', 'RDF-02', '', 'SCA was cancelled', (location: string) => !isOfSuccess(location)],
  ] as const).flatMap(([ofRedirect, ofPage, when, told, isMeant]) =>
    [
      deviation(`${ofRedirect}/stays${when}`, `leaves the PSU on a page of its own when ${told}`, inPlaceOfRedirects(200, isMeant)),
      deviation(`${ofPage}/breaks-down${when}`, `breaks down where it would send the PSU back when ${told}`, inPlaceOfRedirects(500, isMeant)),
    ]),
  deviation('SCA-03/registered', 'sends the PSU to the address that the TPP has given first, whatever it gives later',
    afterPages((answer, flow, state) => readdressed(answer, (location) => atFirstAddress(location, flow, state)))),
  ...([['RDR-01', 'psu-id'], ['RDR-02', 'tpp-session-id'], ['RDR-03', 'context']] as const).flatMap(([id, name]) =>
    approvalAndAccess.map(([occasion, when, changed]) =>
      deviation(`${id}/missing-after-${occasion}`, `leaves ${name} out of the redirect when ${when}`, changed(without(name))))),
  ...toldOfFailures.map(([id, name]) =>
    deviation(`${id}/missing-after-access`, `leaves ${name} out of the redirect when access was not granted`, afterAccess(without(name)))),
  deviation('SCA-04/another-after-access', 'sends another psu-id whenever access was granted', afterAccess(withAnother('psu-id'))),
  ...otherApprovals.flatMap((occasion) =>
    [
      ...rows(
        [`RDR-01/missing-after-${occasion}`, `leaves psu-id out of the redirect after an approval (${occasion})`, afterSca(occasion, without('psu-id'))],
        [`RDR-02/another-after-${occasion}`, `sends another tpp-session-id after an approval (${occasion})`, afterSca(occasion, withAnother('tpp-session-id'))],
        [`RDR-03/missing-after-${occasion}`, `leaves context out of the redirect after an approval (${occasion})`, afterSca(occasion, without('context'))],
        [`SCA-04/another-after-${occasion}`, `sends another psu-id after an approval (${occasion})`, afterSca(occasion, withAnother('psu-id'))],
        [`SCA-03/elsewhere-after-${occasion}`, `sends the PSU to an address of its own after an approval (${occasion})`, afterSca(occasion, elsewhere)],
      ),
      ...toldOfFailures.map(([id, name]) =>
        deviation(`${id}/missing-after-${occasion}`, `leaves ${name} out of the redirect after an approval that was cancelled (${occasion})`,
          afterSca(occasion, without(name)))),
    ]),
  ...rows(
    ['RDR-04/missing-after-approval', 'leaves psu-corporate-id out of the redirect when a payment was approved', afterApproval(without('psu-corporate-id'))],
    ['RDR-04/another-after-approval', 'names another company in the redirect when a payment was approved', afterApproval(withAnother('psu-corporate-id'))],
    ['RDR-05/private-after-approval', 'tells PRIVATE when a payment of a company was approved', afterApproval(asPrivate)],
    ['RDR-02/other-than-uuids-after-access', 'leaves a tpp-session-id that is a UUID out of the redirect when access was granted', afterAccess(withoutUuid)],
    ['RDR-04/missing-after-access', 'leaves psu-corporate-id out of the redirect when access was granted', afterAccess(without('psu-corporate-id'))],
    ['RDR-05/private-after-access', 'tells PRIVATE when a company gave access', afterAccess(asPrivate)],
    ['RDR-02/uuids-only', 'sends another tpp-session-id where that of the request is no UUID',
      afterSuccess((parameters) => { if (!isUuid(parameters.get('tpp-session-id') ?? '')) parameters.set('tpp-session-id', randomUUID()); })],
    ['RDR-02/lower-case', 'sends tpp-session-id in lower case',
      afterSuccess((parameters) => parameters.set('tpp-session-id', (parameters.get('tpp-session-id') ?? '').toLowerCase()))],
    ['RDR-02/cut-off', 'keeps no more of a tpp-session-id than a UUID has',
      afterSuccess((parameters) => parameters.set('tpp-session-id', (parameters.get('tpp-session-id') ?? '').slice(0, 36)))],
    ['RDR-02/not-encoded', 'does not encode tpp-session-id',
      addressing((address) => address.replace(/(?<=[?&]tpp-session-id=)[^&]*/, (written) => decodeURIComponent(written)))],
    ['RDR-02/encoded-twice', 'encodes tpp-session-id twice', addressing((address) => address.replace(/(?<=[?&]tpp-session-id=)[^&]*/, encodeURIComponent))],
    ['SCA-03/elsewhere-after-approval', 'sends the PSU who has approved a payment to an address of its own', afterApproval(elsewhere)],
    ['SCA-03/elsewhere-after-access', 'sends the PSU who has granted access to an address of its own', afterAccess(elsewhere)],
  ),
];

function rename(parameters: RedirectParameters, from: string, to: string): void {
  parameters.set(to, parameters.get(from) ?? '');
  parameters.delete(from);
}
