import { setTimeout as sleep } from 'node:timers/promises';
import { headerRows } from '../../spec/headers.ts';
import { type DesignChange, withAnswering, withRules } from '../design/design-changes.ts';
import type { RefusalAnswer } from '../design/refusal-kinds.ts';
import type { BankRequest } from '../design/route.ts';
import { type Dialect, deciding, declaring, independent } from './dialect.ts';

/** What stands before a bank looks at every request first, and knows nothing of the interface but its outside. */
const turningAway = (
  status: number,
  code: RefusalAnswer['code'],
  isOdd: (request: BankRequest) => boolean,
): DesignChange =>
  withRules((operation, rules) =>
    operation === 'page'
      ? rules
      : [
          {
            requirement: 'ERR-06',
            ownChoice: true,
            name: 'nothing that the firewall finds odd',
            refuses: (request) => (isOdd(request) ? { status, code, text: 'Turned away.' } : undefined),
          },
          ...rules,
        ],
  );

/** Whoever asks is told apart, and gets the same. */
const byClient: DesignChange = (design) => {
  const seen = new Set<string>();
  return withAnswering(({ finish }) => ({
    finish: async (answer, request) => {
      const client = request?.header('user-agent') ?? 'nobody';
      if (seen.size < seen.add(client).size) await sleep(3);
      const finished = await finish(answer, request);
      return {
        ...finished,
        headers: { ...finished.headers, 'X-Client': `${client.length}`, Vary: 'User-Agent' },
      };
    },
  }))(design);
};

/** Headers of HTTP that clients send with any request, next to those of the specification. */
const ofHttp = ['date', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'user-agent'];
const knownHeaders = new Set([...headerRows.map(({ name }) => name.toLowerCase()), ...ofHttp]);

const knownParameters = new Set([
  'allowLogicalDuplicate',
  'withAccounts',
  'withAgreements',
  'bookingStatus',
  'dateFrom',
  'dateTo',
  'limit',
  'offset',
]);

const kibibyte = 1024;
const sizeOf = ({ headers }: BankRequest): number =>
  [...headers].reduce((sum, [name, values]) => sum + name.length + values.join('').length + 4, 0);

export const firewallDialects: readonly Dialect[] = [
  independent(
    'firewall/user-agent',
    'stands behind a firewall that turns away who does not say who asks',
    turningAway(403, 'FORBIDDEN', (request) => !request.header('user-agent')),
  ),
  independent(
    'firewall/known-clients',
    'stands behind a firewall that takes its time with clients it has not seen, and tells each by which name it knows it',
    byClient,
  ),
  independent(
    'firewall/known-headers',
    'stands behind a firewall that knows the headers of the specification and of HTTP only',
    turningAway(400, 'FORMAT_ERROR', ({ headers }) =>
      [...headers.keys()].some((name) => !knownHeaders.has(name)),
    ),
  ),
  deciding(
    'firewall/known-headers',
    declaring(
      { customHeaders: { 'X-Client-Id': 'tpp-1' } },
      independent(
        'firewall/client-id',
        'stands behind a gateway that knows clients by a header of its own',
        turningAway(403, 'FORBIDDEN', (request) => request.header('x-client-id') !== 'tpp-1'),
      ),
    ),
  ),
  independent(
    'firewall/known-parameters',
    'stands behind a firewall that knows the parameters of the specification only',
    turningAway(400, 'FORMAT_ERROR', ({ query }) =>
      [...query.keys()].some((name) => !knownParameters.has(name)),
    ),
  ),
  independent(
    'firewall/repeated-headers',
    'stands behind a firewall that turns away a header which comes twice',
    turningAway(400, 'FORMAT_ERROR', ({ headers }) => [...headers.values()].some(({ length }) => length > 1)),
  ),
  independent(
    'firewall/large-headers',
    'stands behind a firewall that takes eight kibibytes of headers',
    turningAway(431, 'FORMAT_ERROR', (request) => sizeOf(request) > 8 * kibibyte),
  ),
];
