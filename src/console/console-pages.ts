import { type Html, html } from '../bank/sca/html.ts';
import { filterIn } from './console-api.ts';
import type { ConsoleContext } from './console-context.ts';
import type { RequestRow } from './observed-request.ts';
import { bankPage } from './pages/bank-page.ts';
import { certificationPage } from './pages/certification-page.ts';
import { type PageName, page, statusBadge } from './pages/layout.ts';
import { requestPage } from './pages/request-page.ts';
import type { RowFilter } from './request-book.ts';
import { explanationOf, redactorOf, replayProblem, shownRequest } from './shown-request.ts';

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

/** So many are in the page itself, for whoever has no script; the script shows all. */
const shownRows = 100;

/** The live list. The script takes over where it runs; what is here works without it. */
function listPage(rows: readonly RequestRow[], filter: RowFilter): Html {
  const latest = rows.slice(-shownRows).toReversed();
  return html`<h1>Requests</h1>
<form class="filters" id="filters" method="get" action="/console">
<label>Status <select name="status">${statusOptions(filter.status ?? '')}</select></label>
<label>Path contains <input type="search" name="path" value="${filter.path ?? ''}" autocomplete="off" spellcheck="false"></label>
<label>Requirement <input type="search" name="requirement" value="${filter.requirement ?? ''}" placeholder="DIG-03" autocomplete="off" spellcheck="false" size="10"></label>
<noscript><button type="submit" class="second">Filter</button></noscript>
<button type="button" class="second" id="forget">Clear the list</button>
<span class="soft small" id="count" role="status">${rows.length} ${rows.length === 1 ? 'request' : 'requests'}</span>
</form>
<div class="list" id="list" role="table" aria-label="Requests, the latest first" tabindex="0">
<div class="row head" role="row"><span class="number" role="columnheader">No.</span><span role="columnheader">Time</span><span role="columnheader">Status</span><span role="columnheader">Method</span><span class="path" role="columnheader">Path</span><span class="why" role="columnheader">Refused because</span><span class="psu" role="columnheader">PSU</span><span class="journey" role="columnheader">Journey</span></div>
<div class="rows plain" id="rows" role="rowgroup">${latest.map(rowOf)}</div>
<p class="empty soft" id="empty"${latest.length > 0 && html` hidden`}>Nothing yet. Requests to the bank appear here as they come.</p>
</div>`;
}

/** What stands behind an id tells more than its last digits do. */
const briefPath = (path: string): string =>
  path.replace(/([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '$1…');

const rowOf = (row: RequestRow): Html =>
  html`<a class="row" role="row" href="/console/requests/${row.number}"><span class="number soft" role="cell">${row.number}</span><span role="cell"><time datetime="${row.at}">${row.at.slice(11, 19)}<span class="ms">${row.at.slice(19, 23)}</span></time></span><span role="cell">${statusBadge(row.status)}</span><span role="cell">${row.method}</span><span class="path" role="cell" title="${row.path}">${briefPath(row.path)}</span><span class="why" role="cell">${row.requirement === undefined ? '' : `${row.requirement} ${row.problem ?? ''}`}</span><span class="psu" role="cell">${row.psu ?? ''}</span><span class="journey" role="cell">${row.journey ?? ''}</span></a>`;

const statusOptions = (chosen: string): readonly Html[] =>
  [
    ['', 'all'],
    ['2', '2xx accepted'],
    ['3', '3xx redirected'],
    ['4', '4xx refused'],
    ['5', '5xx failed'],
  ].map(
    ([value = '', text = '']) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  );
