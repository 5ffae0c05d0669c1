import { isObject } from '../../spec/json.ts';
import { links } from './approval-changes.ts';
import { allOf, inSuccesses, withRefusalAnswers, withRefusalKind } from './design-changes.ts';
import type { RefusalKind } from './refusal-kinds.ts';
import type { BankAnswer, Refusal } from './route.ts';

type Body = Readonly<Record<string, unknown>>;

const mapped = (links: Body, change: (link: unknown, name: string) => unknown): Body =>
  Object.fromEntries(Object.entries(links).map(([name, link]) => [name, change(link, name)]));

/** The link for SCA has to be followed, so that nothing about it may be odd. */
export const eachLinkButSca = (change: (href: string) => Body) =>
  links((sent) =>
    mapped(sent, (link, name) =>
      name === 'scaRedirect' || !isObject(link) ? link : { ...link, ...change(String(link.href)) },
    ),
  );

const rewritingLinks = (body: unknown, change: (links: Body) => unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    name === '_links' && isObject(value) ? change(value) : value,
  );

/** Links of what is listed, and one to the listing itself, which asks for something that is no page. */
export const withListedLinks = (change: (links: Body) => unknown) =>
  inSuccesses(['listAccounts', 'readTransactions'], (body, { operation, target }) => {
    const own = { self: { href: `${target}${target.includes('?') ? '&' : '?'}language=nb` } };
    const before = isObject(body._links) ? body._links : {};
    return rewritingLinks(
      operation === 'readTransactions' ? { ...body, _links: { ...before, ...own } } : body,
      change,
    );
  });

export const withErrorLinks = (change: (links: Body) => Pick<BankAnswer, 'body' | 'headers'>) =>
  withRefusalAnswers((answer) => {
    const { _links: sent, ...body } = isObject(answer.body) ? answer.body : {};
    if (!isObject(sent)) return answer;
    const { headers, body: changed } = change(sent);
    return { ...answer, headers: { ...answer.headers, ...headers }, body: { ...body, ...Object(changed) } };
  });

export const inList = (sent: Body): readonly unknown[] =>
  Object.entries(sent).map(([rel, link]) => ({ rel, ...Object(link) }));
export const inLists = (sent: Body): Body => mapped(sent, (link) => [link]);
export const addresses = (sent: Body): Body => mapped(sent, (link) => (isObject(link) ? link.href : link));
export const namingPages = (sent: Body): Body =>
  Object.fromEntries(
    Object.entries(sent).map(([name, link]) => [
      /^(?:first|next|previous|last)$/.test(name) ? `${name}Page` : name,
      link,
    ]),
  );
export const inHeader = (sent: Body): string =>
  Object.entries(addresses(sent))
    .map(([name, address]) => `<${address}>; rel="${name}"`)
    .join(', ');

export const answeringFaults = (kinds: readonly RefusalKind[], statusAt: (place: number) => number) =>
  allOf(...kinds.map((kind, place) => withRefusalKind(kind, { status: statusAt(place) })));

/**
 * Another error body. The link to SCA and the code of a mixed basket are demanded, so those refusals keep theirs, unless
 * the body tells the code in its own way.
 */
export const erring = (tell: (refusal: Refusal) => Pick<BankAnswer, 'body' | 'text'>, tellsCode = false) =>
  withRefusalAnswers((answer, refusal) => {
    const { status, code, links, headers } = refusal;
    const isDemanded = links !== undefined || (code === 'REFERENCE_MIX_INVALID' && !tellsCode);
    return isDemanded ? answer : { status, ...(headers && { headers }), ...tell(refusal) };
  });

export const erringWith = (bodyOf: (refusal: Refusal) => unknown, tellsCode = false) =>
  erring((refusal) => ({ body: bodyOf(refusal) }), tellsCode);

export const erringByProblem = (membersOf: (refusal: Refusal) => object) =>
  erring(
    (refusal) => ({
      text: { type: 'application/problem+json', content: JSON.stringify(membersOf(refusal)) },
    }),
    true,
  );

export const inHtml = ({ status }: Refusal) => ({
  text: { type: 'text/html', content: `<html><h1>${status}</h1></html>` },
});

export const addingToErrors = (members: (refusal: Refusal) => object) =>
  withRefusalAnswers((answer, refusal) => ({
    ...answer,
    body: { ...Object(answer.body), ...members(refusal) },
  }));
