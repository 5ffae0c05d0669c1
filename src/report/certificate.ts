import { defaultRuns, type RunHeader, type RunRecord } from '../checks/verdict.ts';
import { type Attested, attestedText } from './attested.ts';
import { englishWords } from './english-words.ts';
import { htmlText, xmlText } from './harmless-text.ts';
import { runRequests } from './journal.ts';
import { requirementsText } from './matrix-charts.ts';
import type { Outcome } from './outcome.ts';
import { isoTime, pageHead } from './page-head.ts';
import { deviationText, readingsOf } from './requirement-results.ts';

/**
 * Why a run can be no certification: the whole has to be judged with enough cases, to be conformant, and it has to be
 * known who answered. A failure that whoever wrote the target file puts up with keeps a run green, and is no conformance
 * to anybody else.
 */
export function whyNotCertifiable(
  { side = 'bank', insecure, runs }: Pick<RunHeader, 'side' | 'insecure' | 'runs'>,
  verdict: string,
  part: string | undefined,
  excused: readonly string[],
): string | undefined {
  if (part !== undefined) return `only a part was judged (${part}), and its verdict is ${verdict}`;
  if (verdict !== 'conformant') return `the verdict is ${verdict}`;
  if (insecure === true) return 'the certificate of the bank was not verified';
  if (excused.length > 0)
    return `what the target file calls a known deviation is broken (${excused.join(', ')})`;
  return side === 'bank' && runs < defaultRuns
    ? `each property got ${runs} ${runs === 1 ? 'case' : 'cases'}, and a certification takes ${defaultRuns} or more (--runs)`
    : undefined;
}

/** The same of a run that has just been judged. */
export const whyNoCertificate = ({ header }: RunRecord, outcome: Outcome): string | undefined =>
  whyNotCertifiable(header, outcome.verdict, outcome.part, [...outcome.excused]);

/** `certificate.html`: one page to print and hand over. Whether it is genuine, `verify` tells, not the paper. */
export function certificatePage(run: RunRecord, outcome: Outcome, attested: Attested | undefined): string {
  const { header } = run;
  const subject = sideName(header);
  const rows: readonly (readonly [string, string])[] = [
    ['Subject', `${header.target.name} (${subject})`],
    ['Address', `${header.target.baseUrl}, ${header.target.environment}`],
    ...Object.entries(attested?.deployed ?? {}).map(
      ([name, digest]) => ['Deployed', `${name}@sha256:${digest}`] as const,
    ),
    ['Judged on', isoTime(header.startedAt)],
    ['Tool', `${header.tool.name} ${header.tool.version}, catalogue ${header.catalogue}`],
    [
      'Extent',
      `The whole: ${run.results.length} checks, ${runRequests(run)} requests${header.side === 'tpp' ? '' : `, seed ${header.seed}, ${header.runs} ${header.runs === 1 ? 'case' : 'cases'} of each property`}. ${requirementsText(outcome, header.side, englishWords)}`,
    ],
    ...Object.entries(header.fingerprints ?? {}).map(
      ([use, fingerprint]) => [`Certificate (${use})`, `SHA-256 ${fingerprint}`] as const,
    ),
  ];
  return `${pageHead({ title: `Certificate of conformance — ${header.target.name}`, style })}
<body>
<main>
<p class="eyebrow">${htmlText(header.tool.name)}</p>
<h1>Certificate of conformance of a ${subject}</h1>
<p class="subject">${htmlText(header.target.name)}</p>
<p class="verdict">conformant</p>
<table aria-label="Profiles"><thead><tr><th scope="col">Profile</th><th scope="col">Title</th><th scope="col">Version</th><th scope="col">Verdict</th><th scope="col">Judged</th></tr></thead><tbody>${outcome.profiles
    .map(
      ({ id, title, version, verdict, judged, binding }) =>
        `<tr><th scope="row">${htmlText(id)}</th><td>${htmlText(title)}</td><td>${htmlText(version)}</td><td>${verdict}</td><td>${judged} of ${binding} requirements</td></tr>`,
    )
    .join('')}</tbody></table>
<dl>${rows.map(([name, value]) => `<div><dt>${htmlText(name)}</dt><dd>${name.startsWith('Certificate') ? foldable(value) : htmlText(value)}</dd></div>`).join('')}</dl>
${listed(
  'Known deviations, accepted',
  outcome.knownDeviations.map((deviation) => `${deviation.requirement}: ${deviationText(deviation)}`),
  'None.',
)}
${listed(
  'Not binding, or not offered',
  outcome.notBinding.map(({ what, why }) => `${what}: ${why}`),
  'Nothing was left out.',
)}
<h2>Readings of the specification</h2>
<p class="note">Taken where it is silent or contradicts itself; requirements.html says what each means.</p>
<p class="readings">${readingsOf(header)
    .map(({ id }) => `<span>${htmlText(id)} = ${htmlText(header.interpretations[id] ?? '')}</span>`)
    .join(' ')}</p>
<h2>Attestation</h2>
<p class="hash">${htmlText(attestedText(attested))}</p>
<p class="note">This page proves nothing by itself. Ask for the run, and check it with: npx ${htmlText(header.tool.name)} verify RUN --public-key KEY.
It must tell the same statement. What conformance means, and what no check can observe, is in requirements.html.</p>
</main>
</body>
</html>
`;
}

const sideName = ({ side }: RunHeader): string => (side === 'tpp' ? 'TPP' : 'bank');

/** A fingerprint, broken between its bytes where a line ends. */
const foldable = (fingerprint: string): string => htmlText(fingerprint).replaceAll(':', ':<wbr>');

function listed(heading: string, items: readonly string[], none: string): string {
  const content =
    items.length === 0
      ? `<p>${none}</p>`
      : `<ul>${items.map((item) => `<li>${htmlText(item)}</li>`).join('')}</ul>`;
  return `<h2>${heading}</h2>${content}`;
}

const style = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #515b6d; --line: #cfd6e1; --ground: #eef1f5; --paper: #fff; --good: #17693f; --good-bg: #dcf3e6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a3adbd; --line: #39434f; --ground: #12161d; --paper: #1b212b; --good: #7fdcab; --good-bg: #123524; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 13.5px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 820px; margin: 24px auto; padding: 34px 44px; background: var(--paper); border: 1px solid var(--line); border-top: 8px solid #2f9e66; border-radius: 6px; overflow-wrap: anywhere; }
.eyebrow { margin: 0; color: var(--soft); font-size: 12px; letter-spacing: .06em; text-transform: uppercase; }
h1 { margin: 2px 0 10px; font-size: 27px; } h2 { margin: 16px 0 4px; font-size: 14px; }
.subject { display: inline-block; margin: 0 12px 12px 0; font-size: 21px; font-weight: 600; }
.verdict { display: inline-block; margin: 0 0 12px; padding: 2px 16px; border-radius: 16px; background: var(--good-bg); color: var(--good); font-size: 16px; font-weight: 700; }
table { width: 100%; border-collapse: collapse; } th, td { padding: 3px 10px 3px 0; text-align: left; border-bottom: 1px solid var(--line); } thead th { color: var(--soft); font-size: 12px; }
dl { margin: 14px 0 0; } dl div { display: flex; gap: 12px; padding: 2px 0; } dt { flex: 0 0 170px; color: var(--soft); } dd { margin: 0; }
ul, p { margin: 0; } ul { padding-left: 18px; }
.readings { color: var(--soft); font-size: 11.5px; } .readings span { display: inline-block; margin-right: 10px; }
.hash { font-size: 12.5px; } .note { margin: 4px 0; color: var(--soft); font-size: 12px; }
@media (max-width: 640px) { main { margin: 0; padding: 20px 16px; border-radius: 0; } dl div { display: block; } thead { display: none; } tr, tbody th { display: block; } td { display: inline; } td, tbody th { padding: 0; border: 0; } td + td::before { content: " · "; } tr { padding: 5px 0; border-bottom: 1px solid var(--line); } }
@media print { @page { size: A4; margin: 12mm; } :root { --ink: #000; --soft: #444; --line: #bbb; --ground: #fff; --paper: #fff; --good: #17693f; --good-bg: #dcf3e6; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } body { font-size: 11px; line-height: 1.35; } main { max-width: none; margin: 0; padding: 14px 4px 0; border: 0; border-top: 6px solid #2f9e66; }
  h1 { font-size: 22px; } h2 { margin-top: 9px; font-size: 12px; } .readings, .note, .hash { font-size: 9.5px; } }
`;

/** Of a letter of 11 px in the usual fonts of a system, on average; the text is fitted to it. */
const letterWidth = 6.3;

const widthOf = (text: string): number => Math.round(text.length * letterWidth) + 14;

/** `badge.svg`: a small picture for a README or a web page, with nothing in it that is loaded or run. */
export function badge({ header }: RunRecord, { profiles, verdict }: Outcome): string {
  const left = header.tool.name;
  const right = `${sideName(header)} ${verdict} ${header.startedAt.slice(0, 10)}`;
  const [leftWidth, rightWidth] = [widthOf(left), widthOf(right)];
  const width = leftWidth + rightWidth;
  const told = `${header.target.name}: ${verdict} to ${profiles.map(({ id, version }) => `${id} ${version}`).join(', ')}, catalogue ${header.catalogue}`;
  const text = (content: string, x: number, length: number): string =>
    `<text x="${x}" y="14" textLength="${length - 14}" lengthAdjust="spacingAndGlyphs">${xmlText(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${xmlText(`${left}: ${right}`)}">
<title>${xmlText(told)}</title>
<rect width="${width}" height="20" rx="4" fill="#3b4453"/>
<path d="M${leftWidth} 0h${rightWidth - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H${leftWidth}z" fill="#1a7f4b"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(left, 7, leftWidth)}${text(right, leftWidth + 7, rightWidth)}</g>
</svg>
`;
}
