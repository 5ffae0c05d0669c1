import type { RunRecord } from '../checks/verdict.ts';
import { allureAnchor } from './allure-result.ts';
import { type Attested, attestedText } from './attested.ts';
import { htmlText } from './harmless-text.ts';
import { runDuration, runRequests } from './journal.ts';
import { type Outcome, type OverallVerdict, plural } from './outcome.ts';
import { touchedProfiles } from './profile-results.ts';

export interface PageHead {
  readonly title: string;
  readonly style: string;
  readonly language?: string;
  /** The hash of the one script that may run; none may without it. */
  readonly scriptHash?: string;
}

/** The top of every page of our own. Nothing is loaded from outside, and nothing is sent anywhere. */
export function pageHead({ title, style, language = 'en', scriptHash }: PageHead): string {
  const script = scriptHash === undefined ? '' : ` script-src '${scriptHash}';`;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';${script} style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>`;
}

/** The top of `report.html`: who was judged, and how each profile stands, before anything else is read. */
export function verdictBanner(
  run: RunRecord,
  outcome: Outcome,
  { attested, certified = false }: { readonly attested?: Attested; readonly certified?: boolean },
): string {
  const { header } = run;
  const profiles = touchedProfiles(outcome.profiles).map(
    ({ id, title, verdict, judged, binding }) =>
      `<li class="${verdict}" title="${htmlText(title)}">${profileState(id, verdict, verdict)}${judged === binding ? '' : `<small>${judged} of ${binding} judged</small>`}</li>`,
  );
  const problems = outcome.problems.map((problem) => `<li>${htmlText(problem)}</li>`).join('');
  return `<header class="banner">
<p class="banner-kind">${htmlText(header.tool.name)} ${htmlText(header.tool.version)} · ${header.side === 'tpp' ? 'certification of a TPP' : 'conformance of a bank'}</p>
<h1>${htmlText(header.target.name)} <span class="banner-verdict ${outcome.verdict}">${outcome.verdict}${outcome.interrupted ? ' (interrupted)' : ''}</span></h1>
<ul class="banner-profiles">${profiles.join('')}</ul>
${problems === '' ? '' : `<ul class="banner-problems">${problems}</ul>`}
${brokenChecks(run, outcome)}
<p class="banner-facts">${factsOf(run, outcome).map(htmlText).join(' · ')}</p>
<p class="banner-facts">${htmlText(attestedText(attested))}</p>
<p class="banner-links"><a href="requirements.html">Requirement matrix</a> ${certified ? '<a href="certificate.html">Certificate</a> ' : ''}<a href="summary.json">summary.json</a> <a href="junit.xml">junit.xml</a></p>
</header>`;
}

/** More of them would push everything else from the first screen. */
const mostBroken = 12;

/** The checks that stand between the run and `conformant`, each a way to its evidence. */
function brokenChecks({ header, results }: RunRecord, { excused }: Outcome): string {
  const broken = results.filter(({ id, verdict }) => verdict === 'fail' && !excused.has(id));
  if (broken.length === 0) return '';
  const links = broken
    .slice(0, mostBroken)
    .map(
      (check) =>
        `<a href="${allureAnchor(header, check)}" title="${htmlText(check.title)}">${htmlText(check.id)}</a>`,
    );
  const more = broken.length > mostBroken ? ` and ${broken.length - mostBroken} more, below` : '';
  return `<p class="banner-broken"><b>${broken.length} ${broken.length === 1 ? 'check fails' : 'checks fail'}:</b> ${links.join(' ')}${more}</p>`;
}

/** A profile and its verdict. That of a conformant one is a tick: its word on each of nine would fill a phone. */
export const profileState = (id: string, verdict: OverallVerdict, word: string): string =>
  verdict === 'conformant'
    ? `<span aria-hidden="true">✓ </span><b>${htmlText(id)}</b><span class="unseen"> ${word}</span>`
    : `<b>${htmlText(id)}</b> ${word}`;

function factsOf(run: RunRecord, { part, counts }: Outcome): readonly string[] {
  const { header } = run;
  return [
    `${isoTime(header.startedAt)}, ${(runDuration(run) / 1000).toFixed(1)} s, ${runRequests(run)} ${runRequests(run) === 1 ? 'request' : 'requests'}`,
    `catalogue ${header.catalogue}`,
    ...seedFacts(run),
    ...(part === undefined ? [] : [`only a part was judged: ${part}`]),
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([verdict, count]) => `${count} ${verdict.replace('-', ' ')}`)
      .join(', '),
  ].filter((fact) => fact !== '');
}

/** What was drawn, where anything was: a certification judges what a TPP sent, and draws nothing. */
const seedFacts = ({ header }: RunRecord): readonly string[] =>
  header.side === 'tpp' ? [] : [`seed ${header.seed}, ${plural(header.runs, 'case')} per property`];

/** `2026-03-01 10:00:00 UTC` */
export const isoTime = (time: string): string => time.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/**
 * Light and dark after the reader's system. Allure's own heading is left out, with its ring: a share of checks that
 * passed says nothing about conformance, and looks green next to a broken requirement. So are its panels and filters for
 * what no run of ours has: attachments and errors of the whole, retries, resolutions, and changes since the last run.
 * The checks come before the settings of the run.
 */
export const bannerStyle = `
body { margin: 0; }
div:has(> div > [data-testid="report-header"]) { display: none !important; }
[data-testid="nav-tab-globalAttachments"], [data-testid="nav-tab-globalErrors"], [data-testid="retry-filter"], [data-testid="flaky-filter"],
[data-testid="resolution-filter"], [data-testid="transition-filter"], [data-testid="test-result-tab-retries"],
[data-testid="test-result-tab-environments"] { display: none !important; }
div:has(> section [data-testid="search-input"]) { display: flex; flex-direction: column; }
div:has(> section [data-testid="search-input"]) > div:has([data-testid="metadata-list"]) { display: contents; }
div:has(> section [data-testid="search-input"]) > div > div:has([data-testid="metadata-list"]) { order: 1; margin-top: 24px; }
@media (max-width: 600px) { [data-testid="metadata-list"] { grid-template-columns: minmax(0, 1fr) !important; } }
.banner { --ink: #1c2330; --soft: #515b6d; --line: #d9dee7; --ground: #fff; --link: #1d4f91;
  --good: #17693f; --good-bg: #dcf3e6; --bad: #a32020; --bad-bg: #fbe0e0; --open: #7d5200; --open-bg: #fdf0d1; --part: #6b3fa0; --part-bg: #eee4fa;
  padding: 10px 24px 9px; background: var(--ground); color: var(--ink); border-bottom: 1px solid var(--line); font: 14px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif; }
@media (prefers-color-scheme: dark) { .banner { --ink: #e6e9ef; --soft: #a3adbd; --line: #333c4a; --ground: #1b212b; --link: #8ab4ff;
  --good: #7fdcab; --good-bg: #123524; --bad: #ff9d9d; --bad-bg: #471a1a; --open: #f5c469; --open-bg: #3d2c07; --part: #cdb0f5; --part-bg: #321f4d; } }
.banner > * { max-width: 1180px; margin: 0 auto; }
.banner b, .banner-verdict { font-weight: 700; }
.banner h1 { margin: 2px auto 8px; font-size: 24px; font-weight: 600; line-height: 1.25; overflow-wrap: anywhere; }
.banner-kind, .banner-facts { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.banner-verdict { display: inline-block; margin-left: 6px; padding: 1px 14px; border-radius: 16px; font-size: 17px; vertical-align: 3px; }
.banner-profiles { display: flex; flex-wrap: wrap; gap: 6px; padding: 0; list-style: none; }
.banner-profiles li { padding: 3px 10px; border-radius: 8px; font-size: 13px; }
.banner .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.banner-profiles small { margin-left: 6px; opacity: .8; }
.banner .conformant { background: var(--good-bg); color: var(--good); } .banner .non-conformant { background: var(--bad-bg); color: var(--bad); }
.banner .incomplete { background: var(--open-bg); color: var(--open); } .banner .partial { background: var(--part-bg); color: var(--part); }
.banner-problems { max-height: 108px; margin: 8px auto !important; padding: 8px 14px 8px 30px; overflow: auto; background: var(--open-bg); color: var(--open); border-radius: 8px; }
.banner-facts { margin-top: 4px !important; }
.banner-broken { margin-top: 8px !important; color: var(--bad); } .banner .banner-broken a { margin-right: 8px; color: var(--bad); white-space: nowrap; }
.banner-links { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 4px !important; }
.banner a { color: var(--link); }
/* The verdict stays in view where there is room for it; elsewhere it scrolls away. */
@media (min-width: 800px) and (min-height: 760px) { body { display: flex; flex-direction: column; height: 100vh; overflow: hidden; } .banner { flex: none; } #app { flex: 1; min-height: 0; } #app > div { height: 100% !important; } }
.banner-problems li { list-style: disc; }
@media print { body { display: block; height: auto; overflow: visible; } }
@media (max-width: 600px) { .banner { padding: 12px 14px; } .banner h1 { font-size: 20px; } .banner-verdict { margin-left: 0; } .banner-profiles small { display: none; } }
`;
