import { beginningOf } from '../limits.ts';
import { leadsNowhere, saysDone } from './dead-end.ts';
import { type FilledForm, leftOpen } from './filled-form.ts';
import type { HtmlPage } from './html-page.ts';
import type { Page } from './page-browser.ts';
import { placeOf } from './page-http.ts';
import { ScaWalkError } from './sca-walker.ts';

/** What is told of pages on which nobody gets any further. */

const strangers =
  'Where that is no page of the bank, something on the way answers in its place (a captive portal, a proxy, a page for maintenance): see to that first.';

const remedy = `Name its fields under psu.form of the target file, or walk it with a script of your own (psu.sca: module). ${strangers}`;

/** What nobody could guess is named, so that the target file can say it. */
export function adviceFor({ forms }: HtmlPage, sent: FilledForm | undefined): string {
  const [name] = sent === undefined ? [] : leftOpen(forms, sent);
  return name === undefined
    ? remedy
    : `Nothing was filled into ${JSON.stringify(beginningOf(name, 50))}: what the bank always takes there can stand under psu.form.fields of the target file. ${remedy}`;
}

export const approvedElsewhere = `Where somebody has to approve elsewhere, in an app perhaps, let the sandbox do so by itself within seconds, or walk the pages with a script of your own (psu.sca: module). ${strangers}`;

export const refused = `Open the link of such a request in a browser, to see what a PSU sees there. ${strangers}`;

/** There is nothing to name where nothing can be filled in. */
export const deadEnd = (place: Page, isOver: boolean): ScaWalkError =>
  isHtml(place)
    ? stuck(
        place,
        'has no form to fill in, and no way on',
        `${strangers} Where it needs a browser, walk it with a script of your own (psu.sca: module).`,
        isOver && leadsNowhere(place.page) && saysDone(place.page) ? 'left-behind' : 'stuck',
      )
    : stuck(place, `is no web page (${place.contentType.slice(0, 100)})`, strangers);

/** What to choose there has to be said by somebody who knows. */
export const untold = (place: Page): ScaWalkError =>
  stuck(
    place,
    'asks for whom the PSU acts, in words that do not tell which of them mean a company',
    'Name the field as psu.form.contextField in the target file, and its values as privateContext and corporateContext.',
    'untold',
  );

export const isHtml = ({ contentType }: Page): boolean => /html/i.test(contentType) || contentType === '';

/** Whoever cancels fills in nothing that could be wrong, and is not sent back. */
export const keptBy = (place: Page): ScaWalkError =>
  stuck(place, 'has no way on, after SCA was cancelled', strangers, 'left-behind');

/** A page of the bank that fails on what any browser would have sent. */
export const brokenDown = (error: unknown): unknown =>
  error instanceof ScaWalkError && (error.status ?? 0) >= 500
    ? new ScaWalkError('left-behind', error.message, undefined, error.status)
    : error;

export function stuck(
  { url, page, status }: Page,
  what: string,
  advice = remedy,
  kind: 'stuck' | 'left-behind' | 'not-listed' | 'untold' = 'stuck',
): ScaWalkError {
  const title = page.title === '' ? '' : ` "${page.title}"`;
  const said = beginningOf(page.text, 200);
  return new ScaWalkError(
    kind,
    `The SCA page${title} (${placeOf(url)}) ${what}. ${advice}${said === '' ? '' : ` The page says: ${said}`}`,
    undefined,
    status >= 400 ? status : undefined,
  );
}
