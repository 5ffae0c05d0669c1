import { randomUUID } from 'node:crypto';
import { type DesignChange, onPages, withState } from '../design/design-changes.ts';
import { failFlow } from '../sca/walk-flow.ts';
import { type Dialect, dialect, independent } from './dialect.ts';

/** How the way back to the TPP is written, where the specification names parameters and nothing else. */
const redirecting = (change: (query: string) => string, status = 303): DesignChange =>
  onPages((route) => async (request, state) => {
    const answer = await route.handle(request, state);
    const location = answer.headers?.Location;
    if (location === undefined) return answer;
    // A fragment of the TPP's own stays behind the query.
    const [wanted = '', ...fragment] = location.split('#');
    const [address = '', ...query] = wanted.split('?');
    const written = [`${address}?${change(query.join('?'))}`, ...fragment].join('#');
    return { ...answer, status, headers: { ...answer.headers, Location: written } };
  });

/** A sandbox may hand out ids that people can tell apart: UUIDs without a letter. */
const idsOfDigits: DesignChange = withState(({ psuIds, customers }) => {
  const known = new Map<string, string>();
  const idFor = (tppId: string, customerNumber: string): string => {
    const id = psuIds
      .idFor(tppId, customerNumber)
      .replaceAll(/[a-f]/g, (letter) => '894567'.charAt('abcdef'.indexOf(letter)));
    known.set(`${tppId}\n${id}`, customerNumber);
    return id;
  };
  return {
    psuIds: {
      idFor,
      customerNumberOf: (tppId, psuId) => {
        for (const { customerNumber } of customers.list()) {
          if (known.has(`${tppId}\n${psuId}`)) break;
          idFor(tppId, customerNumber);
        }
        return customers.byNumber(known.get(`${tppId}\n${psuId}`) ?? '')?.customerNumber;
      },
    },
  };
});

const isFailure = (query: string): boolean => /(?:^|&)code=[^&]/.test(query);

const everyParameter = [
  'psu-id',
  'psu-corporate-id',
  'tpp-session-id',
  'context',
  'system',
  'status',
  'code',
  'message',
];

const namingAll = (query: string): string =>
  everyParameter.reduce(
    (written, name) => (new URLSearchParams(written).has(name) ? written : `${written}&${name}=`),
    query,
  );

/** SCA that failed is told with the session that it was for, and fails at once for whom the bank does not know. */
const namingTheSession: DesignChange = onPages((route) => async (request, state) => {
  const flow = state.flows.find(request.params.flowId ?? '');
  const number = new URLSearchParams(request.bytes.toString('utf8')).get('nationalId') ?? '';
  const isNobody = number !== '' && state.customers.byNumber(number) === undefined;
  const answer =
    flow !== undefined && isNobody
      ? failFlow(flow, { status: 401, code: 'PSU_CREDENTIALS_INVALID', message: 'Ukjent kunde' })
      : await route.handle(request, state);
  const location = answer.headers?.Location;
  if (flow === undefined || location === undefined || !isFailure(location.split('?')[1] ?? '')) return answer;
  const [address = '', ...fragment] = location.split('#');
  const Location = [`${address}&tpp-session-id=${encodeURIComponent(flow.sessionId)}`, ...fragment].join('#');
  return { ...answer, headers: { ...answer.headers, Location } };
});

export const redirects: readonly Dialect[] = [
  independent(
    'redirects/more-parameters',
    'adds parameters of its own to the redirect',
    redirecting((query) => `${query}&lang=nb&uuid=${randomUUID()}&expires-in=3600&bank=reference`),
  ),
  independent(
    'redirects/every-parameter',
    'names all parameters in every redirect, and leaves those empty that do not apply',
    redirecting(namingAll),
  ),
  independent(
    'redirects/failed-session',
    'names the session of the request in the redirect after failed SCA as well',
    namingTheSession,
  ),
  independent(
    'redirects/302',
    'redirects with 302',
    redirecting((query) => query, 302),
  ),
  dialect(
    'redirect-order/reversed',
    'writes the parameters of the redirect in another order',
    redirecting((query) => query.split('&').toReversed().join('&')),
  ),
  independent(
    'redirects/plus',
    'writes spaces as plus signs in the redirect, as forms do',
    redirecting((query) => query.replaceAll('%20', '+')),
  ),
  independent(
    'redirects/all-encoded',
    'encodes every character of names and values in the redirect, whether it has to be or not',
    redirecting((query) =>
      query.replaceAll(/%[\da-f]{2}|[^&=+]/gi, (each) =>
        each.length === 3 ? each : `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
      ),
    ),
  ),
  independent(
    'redirects/message-encoded-twice',
    'takes the URL-encoded message of a failed SCA for a value, and encodes it with the others',
    redirecting((query) =>
      query.replace(
        /(?<=(?:^|&)message=)[^&]*/,
        encodeURIComponent(encodeURIComponent('Brukeren avbrøt innloggingen')),
      ),
    ),
  ),
  independent(
    'redirects/own-code',
    'tells the TPP of a failed SCA in words and codes of its own',
    redirecting((query) =>
      isFailure(query)
        ? query
            .replace(/(^|&)code=[^&]*/, '$1code=USER_CANCELLED')
            .replace(/(^|&)status=[^&]*/, '$1status=403')
            .replace(
              /(^|&)message=[^&]*/,
              `$1message=${encodeURIComponent('Brukeren avbrøt påloggingen – prøv igjen')}`,
            )
        : query,
    ),
  ),
  independent('psu-ids/digits', 'hands out PSU-IDs that have no letters', idsOfDigits),
  independent(
    'psu-ids/upper-case',
    'writes PSU-IDs in upper case, and knows them in either',
    redirecting((query) =>
      query.replace(
        /(^|&)psu-id=([^&]*)/,
        (_, before: string, id: string) => `${before}psu-id=${id.toUpperCase()}`,
      ),
    ),
  ),
];

/** A form that holds the parameters of the redirect and has a button back, on a page with a search. */
export function formBack(address: string): string {
  const url = new URL(address);
  const fields = [...url.searchParams].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`,
  );
  url.search = '';
  return `<main><h1>Ferdig</h1><form method="get" action="${url.href}">${fields.join('')}<button>Tilbake</button></form></main><footer><form action="https://www.bank.example/sok"><input name="q"><button>Søk</button></form></footer>`;
}
