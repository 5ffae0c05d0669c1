import { allOf, type DesignChange, withAnswering } from '../design/design-changes.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';
import type { ScaFlow } from '../state/flows.ts';
import { type Deviation, deviation, of, overlooking } from './deviation.ts';
import { afterFlows, elsewhere, without } from './redirect-changes.ts';

/** What a bank can get wrong about SCA by the way in which it has begun. */

type IsMeant = (flow: ScaFlow) => boolean;

/** Changes redirects after SCA that an operation has begun. */
const begunBy = (operation: BankOperation, change: (isMeant: IsMeant) => DesignChange): DesignChange => {
  const begun = new Set<string>();
  const remember = withAnswering(({ finish }) => ({
    finish: async (answer, request) => {
      if (request?.operation === operation) {
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

const namesNobody = (request: BankRequest): boolean =>
  request.operation === 'listAccounts' && request.header('psu-id') === undefined;

const isOfSignatures = (requirement: string): boolean => /^(?:SIG-02|SG[HS]-|CRT-07)/.test(requirement);

export const beginningDeviations: readonly Deviation[] = [
  ...changes.flatMap(({ id, what, change }) => [
    deviation(
      `${id}-of-the-known`,
      `${what} after SCA of a PSU whom the request has named`,
      afterFlows(ofTheKnown, whenPassed(change)),
    ),
    ...(
      [
        ['user', 'startUserFlow', 'GET /v1/user'],
        ['consents', 'createConsent', 'POST /v1/consents'],
      ] as const
    ).map(([name, operation, path]) =>
      deviation(
        `${id}-after-${name}`,
        `${what} after SCA that ${path} has begun`,
        begunBy(operation, (isMeant) => afterFlows(isMeant, whenPassed(change))),
      ),
    ),
  ]),
  deviation(
    'SIG-01/asks-first',
    'asks for SCA where a request for accounts names nobody, whether it is signed or not',
    overlooking(of('SIG-01'), namesNobody),
  ),
  deviation(
    'SIG-02/asks-first',
    'asks for SCA where a request for accounts names nobody, whatever its signature is',
    overlooking(({ requirement }) => isOfSignatures(requirement), namesNobody),
  ),
];
