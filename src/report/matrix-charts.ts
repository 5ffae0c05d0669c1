import type { Side } from '../spec/profiles.ts';
import { htmlText } from './harmless-text.ts';
import type { MatrixWords } from './matrix-words.ts';
import type { Outcome, OverallVerdict } from './outcome.ts';
import { type RequirementResult, type Tally, tallyOf, verdictOrder } from './requirement-results.ts';
import type { HistoryPoint } from './run-history.ts';

const parts = (tally: Tally): string =>
  verdictOrder
    .map((verdict) => {
      const count = tally[verdict] ?? 0;
      return count === 0 ? '' : `<span class="${verdict}" style="flex: ${count}"></span>`;
    })
    .join('');

/** `212 pass, 3 fail` */
const tallyText = (tally: Tally, words: MatrixWords): string =>
  verdictOrder
    .flatMap((verdict) => {
      const count = tally[verdict] ?? 0;
      return count === 0 ? [] : [`${count} ${words.verdicts[verdict]}`];
    })
    .join(', ');

/** How many requirements bind whom, how many have which verdict, and how many of them nobody can see from outside. */
export function requirementsText({ requirements }: Outcome, side: Side = 'bank', words: MatrixWords): string {
  const tally = tallyOf(requirements);
  const hidden = requirements.filter(
    ({ requirement, verdict }) => verdict === 'not-tested' && requirement.unobservable !== undefined,
  ).length;
  return `${words.bind(requirements.length, side)} ${tallyText(tally, words)}.${hidden === 0 ? '' : ` ${words.hidden(hidden, tally['not-tested'] ?? 0)}`}`;
}

/** A bar for those who see it; its text stands next to it for those who do not. */
export const tallyBar = (tally: Tally): string => `<div class="bar" aria-hidden="true">${parts(tally)}</div>`;

/** One bar for each section of the specification, and a way there. */
export function sectionBars(
  sections: readonly (readonly [string, readonly RequirementResult[]])[],
  words: MatrixWords,
): string {
  const items = sections.map(([title, results], index) => {
    const tally = tallyOf(results);
    const broken = tally.fail ?? 0;
    const fail = broken === 0 ? '' : `, <strong>${broken} ${words.verdicts.fail}</strong>`;
    return `<li><a href="#section-${index}">${htmlText(title)}</a><span class="tally">${words.of(tally.pass ?? 0, results.length)} ${words.verdicts.pass}${fail}</span>${tallyBar(tally)}</li>`;
  });
  return `<ul class="sections">${items.join('')}</ul>`;
}

const shownRuns = 15;

interface TrendPoint {
  readonly timestamp: number;
  readonly verdict: OverallVerdict;
  readonly requirements: Tally;
}

/** A column for each of the last runs, this one at the end. */
export function trendChart(
  earlier: readonly HistoryPoint[],
  current: TrendPoint,
  words: MatrixWords,
): string {
  if (earlier.length === 0) return `<p class="note">${words.firstRun}</p>`;
  const columns = [...earlier.slice(1 - shownRuns), current].map(({ timestamp, verdict, requirements }) => {
    const date = new Date(timestamp).toISOString().slice(0, 16).replace('T', ' ');
    return `<li title="${htmlText(tallyText(requirements, words))}"><span class="column" aria-hidden="true">${parts(requirements)}</span><span class="mark ${verdict}">${words.overall[verdict]}</span>${date}</li>`;
  });
  return `<p class="note">${words.trendIntro}</p><ol class="trend">${columns.join('')}</ol>`;
}
