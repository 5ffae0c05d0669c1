import type { ScaFlow } from '../state/flows.ts';
import { changedRequest } from './changed-request.ts';
import {
  afterPages,
  allOf,
  type DesignChange,
  onPages,
  perBank,
  withAnswers,
  withRoutes,
} from './design-changes.ts';
import type { BankAnswer, BankRequest, BankState, Route } from './route.ts';

export type PageText = NonNullable<BankAnswer['text']>;

export type Handle = Route['handle'];

export const page = (content: string, status = 200): BankAnswer => ({
  status,
  text: {
    type: 'text/html; charset=utf-8',
    content: `<!doctype html><html lang="nb"><title>Bank</title>${content}`,
  },
});

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const flowIdOf = ({ params }: BankRequest): string => params.flowId ?? '';
export const formOf = ({ bytes }: BankRequest): URLSearchParams =>
  new URLSearchParams(bytes.toString('utf8'));
export const pathOf = ({ target }: BankRequest): string => target.split('?')[0] ?? '';

const unreadable: BankAnswer = {
  status: 400,
  text: { type: 'text/html; charset=utf-8', content: '<!doctype html><title>Bank</title><h1>Uleselig</h1>' },
};

/** How forms are read; `undefined` is one that cannot be read. */
export const asForms = (
  read: (request: BankRequest, state: BankState) => URLSearchParams | string | undefined,
): DesignChange =>
  onPages((route) => (request, state) => {
    const form = read(request, state);
    return form === undefined
      ? unreadable
      : route.handle(changedRequest(request, { bytes: Buffer.from(String(form)) }), state);
  });

/** Forms whose values are told otherwise. */
export const translating = (
  translate: (form: URLSearchParams, request: BankRequest, state: BankState) => void,
): DesignChange =>
  asForms((request, state) => {
    const form = formOf(request);
    translate(form, request, state);
    return form;
  });

/** How pages are written: the first comes by GET, and the others behind a form. */
export const writing = (
  write: (text: PageText, request: BankRequest, state: BankState) => PageText,
): DesignChange =>
  withAnswers(['page'], (answer, request, state) => {
    const { text } = answer;
    return text?.type.startsWith('text/html') ? { ...answer, text: write(text, request, state) } : answer;
  });

/** What pages say. */
export const rewritten = (
  rewrite: (html: string, request: BankRequest, state: BankState) => string,
): DesignChange => writing((text, ...asked) => ({ ...text, content: rewrite(text.content, ...asked) }));

export const replacing = (place: RegExp, content: string): DesignChange =>
  rewritten((html) => html.replace(place, content));
export const onOpening = (handle: (open: Handle) => Handle): DesignChange =>
  withRoutes((route) =>
    route.operation === 'page' && route.method === 'GET' ? { ...route, handle: handle(route.handle) } : route,
  );

/** What becomes of the PSU at the end, in place of a redirect to the TPP. */
export const endingWith = (
  end: (address: string, answer: BankAnswer, request: BankRequest) => BankAnswer,
): DesignChange =>
  onPages((route) => async (request, state) => {
    const answer = await route.handle(request, state);
    const location = answer.headers?.Location;
    return location === undefined || location.startsWith('/') ? answer : end(location, answer, request);
  });

/** The same address with one parameter more: a link of the page behind it may have brought others. */
export const addressWith = ({ target }: BankRequest, parameter: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}${parameter}`;

/** Before its pages comes something else, which leads on by a parameter. */
export const openedBy = (parameter: string, before: (request: BankRequest) => BankAnswer) =>
  onOpening(
    (open) => (request, state) => (request.query.has(parameter) ? open(request, state) : before(request)),
  );

export const openedTwiceBy = (parameter: string, before: (count: number) => string) =>
  perBank(() => {
    const counts = new Map<string, number>();
    return onOpening((open) => (request, state) => {
      const count = (counts.get(flowIdOf(request)) ?? 0) + (request.query.has(parameter) ? 1 : 0);
      counts.set(flowIdOf(request), count);
      return count > 1 ? open(request, state) : page(before(count));
    });
  });

export const opened = (first: (open: Handle) => Handle, later: (open: Handle) => Handle) =>
  perBank(() => {
    const seen = new Set<string>();
    return onOpening(
      (open) => (request, state) =>
        (seen.size < seen.add(flowIdOf(request)).size ? first : later)(open)(request, state),
    );
  });

export const returning = (content: (address: string) => string) =>
  endingWith((address) => page(content(address)));

/** How the way back to the TPP is written. A fragment of the TPP's own stays behind the query. */
export const relocating = (change: (address: string, flow: ScaFlow) => string, status?: number) =>
  afterPages((answer, flow) => {
    if (answer.headers?.Location === undefined) return answer;
    const [address = '', ...fragment] = answer.headers.Location.split('#');
    const Location = [change(address, flow), ...fragment].join('#');
    return { ...answer, ...(status && { status }), headers: { ...answer.headers, Location } };
  });

export const redirecting = (change: (query: string) => string, status = 303) =>
  relocating((address) => {
    const [before = '', ...query] = address.split('?');
    return `${before}?${change(query.join('?'))}`;
  }, status);

/** The box of an account on the page that asks for them, and what is sent when it is ticked. */
export const accountBox =
  /<label class="choice"><input type="checkbox" name="accounts" value="([^"]*)"( checked)?>\s*<span>([\s\S]*?)<\/span><\/label>/g;

/** Accounts are chosen otherwise than by boxes; a field for each says what becomes of it. */
export const choosing = (
  denial: string,
  field: (
    name: string,
    text: string,
    granted: (word: string) => string,
    denied: (word: string) => string,
  ) => string,
) =>
  allOf(
    translating((form) => {
      for (const [name, value] of [...form])
        if (name.startsWith('tilgang-') && value !== denial)
          form.append('accounts', name.slice('tilgang-'.length));
    }),
    rewritten((html) =>
      html.replaceAll(accountBox, (_, id, checked, text) =>
        field(
          `tilgang-${id}`,
          text,
          (word) => (checked ? word : ''),
          (word) => (checked ? '' : word),
        ),
      ),
    ),
  );

type Words = readonly [value: string, text: string];
export const usualQuestion = 'On whose behalf do you act?';
export const usualWords = {
  PRIVATE: 'For myself, as a private person',
  CORPORATE: 'For a company or organisation',
} as const;

/** For whom somebody acts is asked in other words, and told by other values. */
export const asked = (question: string, myself: Words, company: Words) => {
  const contexts = [
    ['PRIVATE', ...myself],
    ['CORPORATE', ...company],
  ] as const;
  // A form that leads back to the TPP has a field of that name as well.
  const radio = (value: string): string => `type="radio" name="context" value="${value}"`;
  return allOf(
    translating((form) => {
      const context = contexts.find(([, value]) => value === form.get('context'))?.[0];
      if (context !== undefined) form.set('context', context);
    }),
    rewritten((html) =>
      contexts.reduce(
        (text, [context, value, said]) =>
          text.replace(radio(context), radio(value)).replace(usualWords[context], said),
        html.replace(usualQuestion, question),
      ),
    ),
  );
};
