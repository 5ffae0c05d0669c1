import { oneShortLine } from './harmless-text.ts';
import type { Outcome } from './outcome.ts';

/** The requirement matrix for spreadsheets (RFC 4180): one row for each requirement. */
export function matrixCsv({ requirements, excused }: Outcome): string {
  const rows = requirements.map(({ requirement, verdict, checks }) => {
    const showing = checks.find((check) => check.verdict === verdict && check.verdict !== 'pass');
    const failing = checks.filter((check) => check.verdict === 'fail');
    return [
      requirement.id,
      requirement.section.join(' / '),
      requirement.level,
      requirement.profiles.join(' '),
      requirement.statement,
      verdict,
      failing.length > 0 && failing.every(({ id }) => excused.has(id)) ? 'yes' : 'no',
      checks.map(({ id }) => id).join(' '),
      showing?.expected ?? '',
      showing?.actual ?? '',
      showing?.reason ?? requirement.unobservable ?? '',
    ];
  });
  return [headings, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

const headings = [
  'requirement',
  'section',
  'level',
  'profiles',
  'statement',
  'verdict',
  'known deviation',
  'checks',
  'expected',
  'actual',
  'reason',
];

/** Longer ones are in the journal; a spreadsheet has no use for them. */
const longest = 4_000;

/**
 * In quotes throughout. What begins like a formula is kept from being one: a bank's answer must not run anything in the
 * spreadsheet of whoever opens it. Some read the wide signs of East Asian keyboards as well, and skip white space.
 */
const cell = (text: string): string =>
  `"${oneShortLine(text, longest)
    .replace(/^(?=[\s\p{C}]*[=+\-@＝＋－＠])/u, "'")
    .replaceAll('"', '""')}"`;
