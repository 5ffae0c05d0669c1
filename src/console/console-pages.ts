import { html } from '../bank/sca/html.ts';
import { filterIn } from './console-api.ts';
import type { ConsoleContext } from './console-context.ts';
import { bankPage } from './pages/bank-page.ts';
import { certificationPage } from './pages/certification-page.ts';
import { type PageName, page } from './pages/layout.ts';
import { listPage } from './pages/list-page.ts';
import { requestPage } from './pages/request-page.ts';
import { replayProblem } from './resend.ts';
import { explanationOf, redactorOf, shownRequest } from './shown-request.ts';

/** The page at an address; undefined where there is none. */
export function pageAt(url: URL, context: ConsoleContext): string | undefined {
  const path = url.pathname.replace(/\/$/, '');
  if (path === '/console') {
    const filter = filterIn(url.searchParams);
    return laidOut('Requests', 'requests', listPage(context.book.rows(filter), filter), context);
  }
  if (path === '/console/bank' && context.byHand !== undefined) {
    return laidOut('The bank by hand', 'bank', bankPage(context.byHand.state), context);
  }
  if (path === '/console/certification' && context.certification !== undefined) {
    const content = certificationPage(context.certification.state, context.identity !== undefined);
    return laidOut('Certification', 'certification', content, context);
  }
  const [, number] = /^\/console\/requests\/(\d{1,9})$/.exec(path) ?? [];
  return number === undefined ? undefined : requestAt(Number(number), url, context);
}

function requestAt(number: number, url: URL, context: ConsoleContext): string | undefined {
  const observed = context.book.request(number);
  if (observed === undefined) {
    return context.book.row(number) === undefined
      ? undefined
      : laidOut(
          `Request ${number}`,
          undefined,
          html`<h1>Request ${number}</h1><p>It is no longer kept: newer ones needed the room.</p>`,
          context,
        );
  }
  const showsTestData = url.searchParams.get('show') === 'test-data';
  const shown = shownRequest(observed, showsTestData);
  const isSigned = observed.operation !== 'page';
  const row = { ...shown.row, ...context.book.row(number), path: shown.row.path };
  const content = requestPage(
    { ...shown, row },
    {
      showsTestData,
      replayProblem: isSigned
        ? (context.replayRefused ?? replayProblem(observed.raw, context.identity))
        : 'it is a page that the PSU has opened.',
      signature: isSigned ? explanationOf(observed) : undefined,
      redactor: redactorOf(observed, showsTestData),
    },
  );
  return laidOut(`Request ${number}`, undefined, content, context);
}

function laidOut(
  title: string,
  current: PageName | undefined,
  content: ReturnType<typeof html>,
  { baseUrl, byHand, certification }: ConsoleContext,
): string {
  const pages: readonly PageName[] = [
    ...(certification === undefined ? [] : (['certification'] as const)),
    'requests',
    ...(byHand === undefined ? [] : (['bank'] as const)),
  ];
  return page({ title, current, baseUrl, pages, content });
}

export const notFound = (context: ConsoleContext): string =>
  laidOut(
    'Not found',
    undefined,
    html`<h1>Not found</h1><p>There is nothing at this address. <a href="/console">All requests</a></p>`,
    context,
  );
