import { isUuid } from '../../spec/formats.ts';
import { textAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import { allOf, type DesignChange, withAnswering, withPayments } from '../design/design-changes.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';
import type { ScaFlow } from '../state/flows.ts';
import { at, both, type Deviation, deviation, inHeader, overlooking, overlooks } from './deviation.ts';
import { afterFlows, elsewhere, without } from './redirect-changes.ts';
import { knowingNamed } from './single-sca.ts';

/** What a bank can get wrong about SCA by the way in which it has begun. */

type IsMeant = (flow: ScaFlow) => boolean;

/** Changes redirects after SCA that some requests have begun. */
const begunBy = (
  isOne: (request: BankRequest) => boolean,
  change: (isMeant: IsMeant) => DesignChange,
): DesignChange => {
  const begun = new Set<string>();
  const remember = withAnswering(({ finish }) => ({
    finish: async (answer, request) => {
      if (request !== undefined && isOne(request)) {
        const link = /\/sca\/([\w-]+)"/.exec(JSON.stringify(answer.body ?? ''))?.[1];
        if (link !== undefined) begun.add(link);
      }
      return finish(answer, request);
    },
  }));
  return allOf(
    remember,
    change(({ id }) => begun.has(id)),
  );
};

/** The request has named the PSU, and nothing is to be approved. */
const ofTheKnown: IsMeant = ({ customerNumber, purpose }) =>
  customerNumber !== undefined && typeof purpose === 'string';

const whenPassed =
  (change: (address: string) => string) =>
  (address: string): string =>
    address.includes('psu-id=') ? change(address) : address;

/** Only where a person acts for themselves. */
const whenAPersonPassed = (change: (address: string) => string): ((address: string) => string) => {
  const changed = whenPassed(change);
  return (address) => (address.includes('context=PRIVATE') ? changed(address) : address);
};

const isOf = (operation: BankOperation) => at(operation);

const namesThePsu = inHeader('psu-id');

const namesNobody = (request: BankRequest): boolean => isOf('listAccounts')(request) && !namesThePsu(request);

/** A session called by a UUID, and an address without query or fragment to come back to. */
const hasPlainWay = (request: BankRequest): boolean =>
  isUuid(request.header('tpp-session-id') ?? '') && !/[?#]/.test(request.header('tpp-redirect-uri') ?? '');

/** What begins SCA. */
const beginnings = [
  ['user', isOf('startUserFlow'), 'GET /v1/user'],
  ['consents', isOf('createConsent'), 'POST /v1/consents'],
  ['listing', both(namesNobody, hasPlainWay), 'GET /v1/accounts without PSU-ID, in ordinary words,'],
  [
    'payments',
    (request: BankRequest) => isOf(products.domestic.creation)(request) && namesThePsu(request),
    'a domestic payment with PSU-ID',
  ],
] as const;

const changes = [
  { id: 'RDR-01/missing', what: 'leaves psu-id out of the redirect', change: without('psu-id') },
  {
    id: 'RDR-02/missing',
    what: 'leaves tpp-session-id out of the redirect',
    change: without('tpp-session-id'),
  },
  { id: 'RDR-03/missing', what: 'leaves context out of the redirect', change: without('context') },
  { id: 'SCA-03/elsewhere', what: 'sends the PSU to an address of its own', change: elsewhere },
] as const;

const isOfSignatures = (requirement: string): boolean => /^(?:SIG-02|SG[HS]-|CRT-07)/.test(requirement);

// biome-ignore format: a table
export const beginningDeviations: readonly Deviation[] = [
  ...changes.flatMap(({ id, what, change }) =>
    [
      deviation(`${id}-of-the-known`, `${what} after SCA of a PSU whom the request has named`, afterFlows(ofTheKnown, whenPassed(change))),
      ...beginnings.map(([name, isOne, path]) =>
        deviation(`${id}-after-${name}`, `${what} after SCA of a person that ${path} has begun`,
          begunBy(isOne, (isMeant) => afterFlows(isMeant, whenAPersonPassed(change))))),
    ]),
  overlooks('SIG-01/unchecked-at-accounts-of-the-named', 'shows accounts to whoever names their PSU, signed or not',
    (request) => isOf('listAccounts')(request) && namesThePsu(request)),
  deviation('PST-01/not-after-approval-of-the-known', 'loses sight of an approved domestic payment, unless its PSU was named by X-PSU-IDENTITY',
    knowingNamed((body) => textAt(body, 'paymentId'), (isTold) =>
      withPayments({
        isReadable: ({ paymentId, product, approvedAt, standsStill }) =>
          product !== products.domestic.path ||
          approvedAt === undefined ||
          standsStill === true ||
          isTold(paymentId),
      }))),
  overlooks('SIG-01/asks-first', 'asks for SCA where a request for accounts names nobody, whether it is signed or not', namesNobody),
  deviation('SIG-02/asks-first', 'asks for SCA where a request for accounts names nobody, whatever its signature is',
    overlooking(({ requirement }) => isOfSignatures(requirement), namesNobody)),
];
