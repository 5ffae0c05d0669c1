import { goLink } from './filled-form.ts';
import type { HtmlPage } from './html-page.ts';
import type { PageBrowser, Place } from './page-browser.ts';

/** So many frames of one page are looked into. */
const mostFrames = 5;

/** The frames of a page, those of its own site before those of another. */
export function framesOf({ frames }: HtmlPage): readonly string[] {
  const isElsewhere = (frame: string): boolean => /^(?:[a-z]+:|\/\/)/i.test(frame);
  return frames
    .filter((frame) => frame !== '')
    .toSorted((one, other) => Number(isElsewhere(one)) - Number(isElsewhere(other)))
    .slice(0, mostFrames);
}

/** Goes into the first frame with a way on: one may hold the name of the bank only, and the next one its form. */
export async function openFrame(
  browser: PageBrowser,
  from: Extract<Place, { at: 'page' }>,
  [first = '', ...others]: readonly string[],
): Promise<Place> {
  const place = await browser.click(from, first);
  const isEnd = place.at === 'page' && (place.status >= 400 || isBanner(place.page));
  return isEnd && others.length > 0 ? openFrame(browser, from, others) : place;
}

const isBanner = ({ forms, frames, links, refresh }: HtmlPage): boolean =>
  forms.every(({ isBeside }) => isBeside) &&
  frames.length === 0 &&
  refresh === undefined &&
  goLink(links, { context: 'PRIVATE' }) === undefined;
