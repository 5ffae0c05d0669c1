import { isObject } from '../../spec/json.ts';
import {
  type DesignChange,
  withAnswers,
  withAnswerText,
  withEveryAnswerText,
  withRefusalAnswers,
} from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { alsoDeciding, type Dialect, deciding, dialect } from './dialect.ts';

type Links = Readonly<Record<string, unknown>>;

const withLinks = (body: unknown, change: (links: Links) => unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    name === '_links' && isObject(value) ? change(value) : value,
  );

/** Links of what is listed, and one to the listing itself, which asks for something that is no page. */
const listing = (change: (links: Links) => unknown): DesignChange =>
  withAnswers(['listAccounts', 'readTransactions'], (answer, request) =>
    isObject(answer.body) && answer.status < 300
      ? { ...answer, body: withLinks(withLinkToItself(answer.body, request), change) }
      : answer,
  );

function withLinkToItself(body: Links, { operation, target }: BankRequest): Links {
  if (operation !== 'readTransactions') return body;
  const own = { self: { href: `${target}${target.includes('?') ? '&' : '?'}language=nb` } };
  return { ...body, _links: isObject(body._links) ? { ...body._links, ...own } : own };
}

/** Those of errors, whose bodies are not shown. */
const refusing = (
  change: (links: Links) => { readonly body?: Links; readonly headers?: Readonly<Record<string, string>> },
): DesignChange =>
  withRefusalAnswers((answer) => {
    const { _links: links, ...body } = isObject(answer.body) ? answer.body : {};
    if (!isObject(links)) return answer;
    const { headers, body: changed } = change(links);
    return { ...answer, headers: { ...answer.headers, ...headers }, body: { ...body, ...changed } };
  });

const inList = (links: Links): readonly unknown[] =>
  Object.entries(links).map(([rel, link]) => ({ rel, ...Object(link) }));

/** As HAL may have them. */
const inLists = (links: Links): Links =>
  Object.fromEntries(Object.entries(links).map(([name, link]) => [name, [link]]));

const addresses = (links: Links): Links =>
  Object.fromEntries(Object.entries(links).map(([name, link]) => [name, isObject(link) ? link.href : link]));

const namingPages = (links: Links): Links =>
  Object.fromEntries(
    Object.entries(links).map(([name, link]) => [
      ['first', 'next', 'previous', 'last'].includes(name) ? `${name}Page` : name,
      link,
    ]),
  );

const inHeader = (links: Links): string =>
  Object.entries(addresses(links))
    .map(([name, address]) => `<${address}>; rel="${name}"`)
    .join(', ');

/** As the paths of the documentation begin, whatever the address of the interface has before them. */
const fromVersionOn = withEveryAnswerText((text) =>
  text.replaceAll(/"href":"(?:https?:\/\/[^/"]+)?\/api\/v1\/(?!sca\/)/g, '"href":"/v1/'),
);

/** How links are written where the specification shows no body: the framework has them as its own do. */
export const linkFormDialects: readonly Dialect[] = [
  ...[
    dialect('page-links/listed', 'lists links, each with its name in it', listing(inList)),
    dialect('page-links/several', 'lists the links of a name, as HAL does', listing(inLists)),
    dialect('page-links/addresses', 'links by the addresses alone', listing(addresses)),
    dialect('page-links/named', 'calls its pages nextPage and previousPage', listing(namingPages)),
    dialect(
      'page-links/end-of-path',
      'links to its pages by the end of their paths',
      withAnswerText(['readTransactions'], (text) =>
        text.replaceAll(/"[^"]*\/transactions\/?(?=\?)/g, '"transactions'),
      ),
    ),
  ].map((each) => deciding('page-links', each)),
  {
    ...alsoDeciding(
      'prefix/psd2',
      dialect(
        'links/without-prefix',
        'links to /v1/… although its address has a prefix, but for SCA',
        fromVersionOn,
      ),
    ),
    prefix: '/api',
  },
  dialect(
    'sca-links/listed',
    'lists the links of errors, each with its name in it',
    refusing((links) => ({ body: { _links: inList(links) } })),
  ),
  dialect(
    'sca-links/several',
    'lists the links of a name where it refuses, as HAL does',
    refusing((links) => ({ body: { _links: inLists(links) } })),
  ),
  dialect(
    'sca-links/in-header',
    'asks for SCA by a link in a header',
    refusing((links) => ({ headers: { Link: inHeader(links) } })),
  ),
];
