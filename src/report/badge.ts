import type { RunRecord } from '../checks/verdict.ts';
import { xmlText } from './harmless-text.ts';
import type { Outcome } from './outcome.ts';

/** Of a letter of 11 px in the usual fonts of a system, on average; the text is fitted to it. */
const letterWidth = 6.3;

const widthOf = (text: string): number => Math.round(text.length * letterWidth) + 14;

/** `badge.svg`: a small picture for a README or a web page, with nothing in it that is loaded or run. */
export function badge({ header }: RunRecord, { profiles, verdict }: Outcome): string {
  const left = header.tool.name;
  const right = `${verdict} ${header.startedAt.slice(0, 10)}`;
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
