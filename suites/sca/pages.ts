import type { CheckContext } from '../../src/checks/context.ts';
import { Inconclusive } from '../../src/checks/outcomes.ts';
import { PageBrowser } from '../../src/tpp/sca/page-browser.ts';
import { ScaWalkError } from '../../src/tpp/sca/sca-walker.ts';

/** What is found instead of a page; undefined when it is one. */
export async function whatIsAt(context: CheckContext, link: string): Promise<string | undefined> {
  const browser = new PageBrowser(context.run.pages, context.psu.redirectUri, (exchange) =>
    context.exchanges.push(exchange),
  );
  try {
    const place = await browser.open(link);
    if (place.at === 'tpp') return `a redirect straight back to the TPP`;
    const isPage = place.status >= 200 && place.status < 300 && /html/i.test(place.contentType);
    return isPage ? undefined : `status ${place.status}, ${place.contentType || 'no Content-Type'}`;
  } catch (error) {
    if (!(error instanceof ScaWalkError)) throw error;
    if (error.kind === 'unreachable' || error.kind === 'off-limits') throw new Inconclusive(error.message);
    return error.message;
  }
}
