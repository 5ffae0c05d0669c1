import { randomUUID } from 'node:crypto';
import { isUuid } from '../../spec/formats.ts';
import { everyProduct, products } from '../../spec/products.ts';
import { afterPages, type DesignChange, withStore } from '../design/design-changes.ts';
import type { BankState } from '../design/route.ts';
import type { ScaFlow, ScaStart } from '../state/flows.ts';
import { advised, each, table } from './deviation.ts';
import {
  addressing,
  afterApproval,
  afterFailure,
  afterSca,
  afterSuccess,
  asPrivate,
  elsewhere,
  inPlaceOfRedirects,
  occasionOf,
  readdressed,
  replacing,
  where,
  withAnother,
  without,
  withoutUuid,
} from './redirect-changes.ts';

/** What SCA starts with is kept otherwise than it was given. */
const starting = (from: (start: ScaStart) => ScaStart): DesignChange =>
  withStore('flows', (flows) => ({ start: (start) => flows.start(from(start)) }));

/** What the bank keeps of an SCA is kept once for each TPP, so that the next one to begin takes it from those under way. */
const keptOnce = (what: 'sessionId' | 'redirectUri'): DesignChange =>
  withStore('flows', (flows) => {
    const begun: ScaFlow[] = [];
    return {
      start: (start) => {
        for (const flow of begun)
          if (flow.tppId === start.tppId) Object.assign(flow, { [what]: start[what] });
        const flow = flows.start(start);
        begun.push(flow);
        return flow;
      },
    };
  });

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

/** What is approved is approved at the address that the TPP has given first. */
const atTheFirstOne =
  (occasion: string): DesignChange =>
  (design) => {
    const firstOnes = new Map<string, string | undefined>();
    return starting((start) => {
      const first = firstOnes.get(start.tppId) ?? start.redirectUri;
      firstOnes.set(start.tppId, first);
      return occasionOf(start) === occasion ? { ...start, redirectUri: first } : start;
    })(design);
  };

const ofSuccess = [
  ['RDR-01', 'psu-id'],
  ['RDR-02', 'tpp-session-id'],
  ['RDR-03', 'context'],
  ['RDR-04', 'psu-corporate-id'],
] as const;
const ofFailure = [
  ['RDF-02', 'status'],
  ['RDF-03', 'code'],
  ['RDF-04', 'message'],
] as const;
const domestic = products.domestic.word;
const approvals = [...everyProduct.map(({ word }) => word), 'basket'] as const;

const isOfSuccess = (location: string): boolean => location.includes('psu-id=');
const sessionId = /(?<=[?&]tpp-session-id=)[^&]*/;
const ownQuery = replacing(/state=\w*&/, '');
const parameters = /\?(?=psu-id=|system=)/;

/** Where the PSU is sent after SCA, and what the address carries. */
// biome-ignore format: a table
export const redirectDeviations = table(
  each(ofSuccess, (id, name) => [`${id}/missing`, `leaves ${name} out of the redirect`, afterSuccess(name)]),
  ['RDR-01/no-uuid', 'sends a psu-id that is no UUID', afterSuccess('psu-id', 'kari')],
  ['RDR-01/camel-case', 'calls psu-id psuId in the redirect', [afterSuccess('psuId', (_, all) => all.get('psu-id')), afterSuccess('psu-id')]],
  ['RDR-02/another', 'sends another tpp-session-id than it was given', afterSuccess('tpp-session-id', () => randomUUID())],
  ['RDR-03/lower-case', 'sends the context in lower case', afterSuccess('context', (old = '') => old.toLowerCase())],
  ['RDR-04/no-uuid', 'sends a psu-corporate-id that is no UUID', afterSuccess('psu-corporate-id', (old) => (old === undefined ? old : '4711'))],
  ['RDR-04/of-people', 'sends a psu-corporate-id when the PSU chose PRIVATE', afterSuccess('psu-corporate-id', (old, all) => (all.get('context') === 'PRIVATE' ? randomUUID() : old))],
  each(['PRIVATE', 'CORPORATE'], (context) => [`RDR-05/always-${context === 'PRIVATE' ? 'private' : 'corporate'}`, `tells ${context} whatever the PSU chose`, afterSuccess('context', context)]),
  each([['RDF-01', 'system'], ...ofFailure], (id, name) => [`${id}/missing`, `leaves ${name} out of the redirect after a failure`, afterFailure(name)]),
  ['RDF-02/words', 'tells the status in words', afterFailure('status', 'Unauthorized')],
  ['RDF-04/not-encoded', 'does not encode the message', addressing(replacing(/message=[^&]*/, 'message=The PSU <cancelled> it'))],
  ['RDF-04/latin-1', 'encodes the message in ISO-8859-1', addressing(replacing(/message=[^&]*/, 'message=Brukeren%20avbr%F8t'))],
  ['RDF-05/psu-id', 'sends a psu-id after a failure', afterFailure('psu-id', () => randomUUID())],
  ['SCA-03/query-lost', 'forgets the query of TPP-Redirect-URI', addressing(ownQuery)],
  ['SCA-03/fragment-lost', 'forgets the fragment of TPP-Redirect-URI', addressing(replacing(/#.*$/, '')), advised],
  ['SCA-03/query-cut', 'keeps the first parameter of the query of TPP-Redirect-URI alone', addressing(replacing('&page=a%26b', ''))],
  ['SCA-03/query-decoded', 'decodes the query of TPP-Redirect-URI', addressing(replacing('&page=a%26b', '&page=a&b'))],
  each([
    ['of-people', 'after SCA in private context', /[?&]context=PRIVATE/],
    ['after-failure', 'after SCA that was cancelled', /[?&]code=/],
    ['of-companies', 'after SCA in corporate context', /[?&]context=CORPORATE/],
  ], (when, what, form) => [`SCA-03/query-lost-${when}`, `forgets the query of TPP-Redirect-URI ${what}`, addressing(where(form, ownQuery))]),
  ['RDR-01/behind-the-fragment', 'adds its parameters to the end of TPP-Redirect-URI, behind a fragment', addressing(replacing(/(\?.*)(#[^?]*)$/, '$2$1'))],
  ['RDR-01/second-question-mark', 'begins its parameters with a question mark, although TPP-Redirect-URI has a query',
    addressing(replacing(/(\?[^#]*)&psu-id=/, '$1?psu-id='))],
  ['RDR-01/only-with-fragment', 'leaves psu-id out of the redirect of a person to an address without a fragment',
    afterSca('access', where(/^(?!.*(?:#|context=CORPORATE))/, without('psu-id')))],
  ['RDR-01/only-with-more', 'leaves psu-id out of the redirect of a person to an address that has neither query nor fragment',
    afterSca('access', where(/^(?!.*(?:#|state=|context=CORPORATE))/, without('psu-id')))],
  ['SCA-03/lower-case', 'writes TPP-Redirect-URI in lower case', starting((start) => ({ ...start, redirectUri: start.redirectUri?.toLowerCase() }))],
  ['SCA-03/elsewhere', 'sends the PSU to an address of its own', addressing(elsewhere)],
  each([
    ['SCA-03', 'SCA-02', '', 'SCA was passed', isOfSuccess],
    ['SCA-03', 'SCA-02', '-after-approval', 'a payment was approved', (location: string, flow: ScaFlow) => isOfSuccess(location) && occasionOf(flow) !== 'access'],
    ['RDF-02', 'RDF-02', '', 'SCA was cancelled', (location: string) => !isOfSuccess(location)],
  ], (ofRedirect, ofPage, when, told, isMeant) => table(
    [`${ofRedirect}/stays${when}`, `leaves the PSU on a page of its own when ${told}`, inPlaceOfRedirects(200, isMeant)],
    [`${ofPage}/breaks-down${when}`, `breaks down where it would send the PSU back when ${told}`, inPlaceOfRedirects(500, isMeant)],
  )),
  ['SCA-03/registered', 'sends the PSU to the address that the TPP has given first, whatever it gives later',
    afterPages((answer, flow, state) => readdressed(answer, (location) => atFirstAddress(location, flow, state)))],
  each([['approval', 'a payment was approved', domestic], ['access', 'access was granted', 'access']], (when, told, occasion) =>
    each(ofSuccess, (id, name) => [`${id}/missing-after-${when}`, `leaves ${name} out of the redirect when ${told}`, afterSca(occasion, without(name))])),
  each(ofFailure, (id, name) => [`${id}/missing-after-access`, `leaves ${name} out of the redirect when access was not granted`, afterSca('access', without(name))]),
  ['SCA-04/another-after-access', 'sends another psu-id whenever access was granted', afterSca('access', withAnother('psu-id'))],
  each(['basket', products.crossBorder.word], (occasion) => table(
    [`RDR-01/missing-after-${occasion}`, `leaves psu-id out of the redirect after an approval (${occasion})`, afterSca(occasion, without('psu-id'))],
    [`RDR-02/another-after-${occasion}`, `sends another tpp-session-id after an approval (${occasion})`, afterSca(occasion, withAnother('tpp-session-id'))],
    [`RDR-03/missing-after-${occasion}`, `leaves context out of the redirect after an approval (${occasion})`, afterSca(occasion, without('context'))],
    [`SCA-04/another-after-${occasion}`, `sends another psu-id after an approval (${occasion})`, afterSca(occasion, withAnother('psu-id'))],
    [`SCA-03/elsewhere-after-${occasion}`, `sends the PSU to an address of its own after an approval (${occasion})`, afterSca(occasion, elsewhere)],
    each(ofFailure, (id, name) => [`${id}/missing-after-${occasion}`, `leaves ${name} out of the redirect after an approval that was cancelled (${occasion})`, afterSca(occasion, without(name))]),
  )),
  ['RDR-04/another-after-approval', 'names another company in the redirect when a payment was approved', afterApproval(withAnother('psu-corporate-id'))],
  ['RDR-05/private-after-approval', 'tells PRIVATE when a payment of a company was approved', afterApproval(asPrivate)],
  ['RDR-02/other-than-uuids-after-access', 'leaves a tpp-session-id that is a UUID out of the redirect when access was granted', afterSca('access', withoutUuid)],
  ['RDR-05/private-after-access', 'tells PRIVATE when a company gave access', afterSca('access', asPrivate)],
  ['RDR-02/uuids-only', 'sends another tpp-session-id where that of the request is no UUID', afterSuccess('tpp-session-id', (old = '') => (isUuid(old) ? old : randomUUID()))],
  ['RDR-02/lower-case', 'sends tpp-session-id in lower case', afterSuccess('tpp-session-id', (old = '') => old.toLowerCase())],
  ['RDR-02/cut-off', 'keeps no more of a tpp-session-id than a UUID has', afterSuccess('tpp-session-id', (old = '') => old.slice(0, 36))],
  ['RDR-02/not-encoded', 'does not encode tpp-session-id', addressing((address) => address.replace(sessionId, decodeURIComponent))],
  ['RDR-02/encoded-twice', 'encodes tpp-session-id twice', addressing((address) => address.replace(sessionId, encodeURIComponent))],
  ['SCA-03/elsewhere-after-approval', 'sends the PSU who has approved a payment to an address of its own', afterApproval(elsewhere)],
  ['SCA-03/elsewhere-after-access', 'sends the PSU who has granted access to an address of its own', afterSca('access', elsewhere)],
  // TPP-Redirect-URI put together wrongly, so that it is another address.
  ['SCA-03/glued-with-ampersand', 'redirects to TPP-Redirect-URI and joins its parameters with an ampersand as if it had a query', addressing(replacing(parameters, '&'))],
  ['SCA-03/glued-with-nothing', 'redirects to TPP-Redirect-URI and puts its parameters right behind it', addressing(replacing(parameters, ''))],
  ['SCA-03/without-scheme', 'redirects to TPP-Redirect-URI without its scheme, so that it is a page of the bank that does not exist',
    addressing(replacing(/^https?:\/\//, ''))],
  ['SCA-03/without-port', 'redirects to TPP-Redirect-URI without its port', addressing(replacing(/(?<=^https?:\/\/[^/?#:]*):\d+/, ''))],
  each(approvals, (occasion) => [`SCA-03/first-one-after-${occasion}`, `sends the PSU to the address that the TPP has given first after an approval (${occasion})`, atTheFirstOne(occasion)]),
  // Two customers of a TPP pass SCA at the same time, and the bank takes one for the other.
  ['RDR-02/of-the-latest', 'sends the tpp-session-id of the SCA that the TPP has begun last', keptOnce('sessionId')],
  ['SCA-03/of-the-latest', 'sends the PSU to the address of the SCA that the TPP has begun last', keptOnce('redirectUri')],
);
