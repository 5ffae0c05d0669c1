import { html } from '../bank/sca/html.ts';
import type { RunRecord } from '../checks/verdict.ts';
import { readJournal } from '../report/journal.ts';
import { judgeRun, type Outcome, plural } from '../report/outcome.ts';
import { reportPage } from '../report/report-page.ts';
import { requirements } from '../spec/catalogue.ts';
import type { CertificationEnd } from './certification-view.ts';
import { liveReportAnswer, pageAnswer, reportAnswer, textAnswer } from './console-answer.ts';
import type { Site } from './console-server.ts';
import { reportFolder } from './guard.ts';
import { page } from './pages/layout.ts';

/** A page of a thousand checks takes a while to make, and nobody reads faster. */
const freshForMs = 2_000;

/**
 * The report of a run while it goes on: made of what its journal holds so far, redacted as it is there. When the run is over,
 * the page is the one that is left on the disk.
 */
export class RunView {
  readonly #folder: string;
  #made = { at: Number.NEGATIVE_INFINITY, text: '' };
  #hasBegun = false;
  #end: CertificationEnd | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether there is something new to see. */
  get isStale(): boolean {
    return performance.now() - this.#made.at > freshForMs;
  }

  /** What stood in the folder before is another run. */
  begin(): void {
    this.#hasBegun = true;
  }

  ended(end: CertificationEnd): void {
    this.#end = end;
  }

  get site(): Site {
    return {
      start: '/console/run',
      answer: ({ method }, { pathname }) => {
        if (method !== 'GET') return textAnswer(405, 'Pages are read with GET.');
        if (pathname.startsWith(`${reportFolder}/`)) return reportAnswer(pathname, this.#end);
        if (pathname !== '/console/run') return textAnswer(404, 'There is nothing at this address.');
        return this.#end === undefined ? this.#report() : this.#left(this.#end.reports);
      },
    };
  }

  #left([first = 'requirements.html']: readonly string[]) {
    const headers = { Location: `${reportFolder}/${first}` };
    return { ...textAnswer(303, 'The run is over.'), headers };
  }

  #report() {
    if (!this.#hasBegun) {
      const content = html`<div id="waiting" data-live-part><h1>The run is about to begin</h1></div>`;
      return pageAnswer(200, page({ title: 'Run', current: 'run', baseUrl: '', pages: ['run'], content }));
    }
    if (this.isStale) {
      const run = readJournal(this.#folder);
      this.#made = { at: performance.now(), text: reportPage(run, goingOn(run), { isLive: true }) };
    }
    return liveReportAnswer(this.#made.text);
  }
}

/** What is not judged yet is no gap. */
function goingOn(run: RunRecord): Outcome {
  const outcome = judgeRun(run, requirements);
  const problems = [
    `${run.results.length} of ${plural(run.header.planned.length, 'check')} are judged so far.`,
  ];
  const verdict = outcome.causes.length > 0 ? 'non-conformant' : 'partial';
  return { ...outcome, verdict, interrupted: false, gaps: [], problems, profiles: [] };
}
