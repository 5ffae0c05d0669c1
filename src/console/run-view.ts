import { html } from '../bank/sca/html.ts';
import type { CheckResult, Verdict } from '../checks/verdict.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import type { CertificationEnd, SeenFailure } from './certification-view.ts';
import { pageAnswer, reportAnswer, textAnswer } from './console-answer.ts';
import type { Site } from './console-server.ts';
import { reportFolder } from './guard.ts';
import { endSection, failureSection } from './pages/certification-page.ts';
import { page } from './pages/layout.ts';

const mostFailures = 200;
/** What a bank answers may be of any length; the report has it in full. */
const mostLetters = 400;

type Judged = { readonly [Name in 'expected' | 'actual' | 'reason']: CheckResult[Name] | undefined } & Pick<
  CheckResult,
  'id' | 'title' | 'verdict'
>;

/** What a page shows of a run while it goes on. */
export class RunView {
  readonly #checks: number;
  readonly #counts = new Map<Verdict, number>();
  readonly #failures: SeenFailure[] = [];
  #baseUrl = '';
  #end: CertificationEnd | undefined;

  constructor(checks: number) {
    this.#checks = checks;
  }

  opened(baseUrl: string): void {
    this.#baseUrl = baseUrl;
  }

  /** Redacted before: the page is as public as a report. */
  judged({ id, title, verdict, expected, actual, reason }: Judged): void {
    this.#counts.set(verdict, (this.#counts.get(verdict) ?? 0) + 1);
    if (!['fail', 'error', 'inconclusive'].includes(verdict) || this.#failures.length >= mostFailures) return;
    const told = { expected, actual: actual ?? reason };
    const lines = Object.entries(told).map(([name, text]) => [name, text && oneShortLine(text, mostLetters)]);
    this.#failures.push({ id, title, verdict, requirements: [], ...Object.fromEntries(lines) });
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
        return pathname === '/console/run'
          ? pageAnswer(200, this.#page())
          : textAnswer(404, 'There is nothing at this address.');
      },
    };
  }

  #page(): string {
    const counts = [...this.#counts];
    const done = counts.reduce((sum, [, count]) => sum + count, 0);
    const content = html`<h1>Run</h1>
<div id="run-head" data-live-part><section class="card">
${this.#end !== undefined && endSection(this.#end)}
<p><strong>${done} of ${this.#checks} checks judged</strong>${counts.length > 0 && html`: ${counts.map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`}.</p>
<progress value="${done}" max="${this.#checks}" aria-label="Checks"></progress>
</section></div>
<div id="run-failures" class="failures" data-live-part>${failureSection({ failures: this.#failures, ...(this.#end && { end: this.#end }) })}</div>`;
    return page({ title: 'Run', current: 'run', baseUrl: this.#baseUrl, pages: ['run'], content });
  }
}
