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

/**
 * In quotes throughout. What begins like a formula is kept from being one: a bank's answer must not run anything in the
 * spreadsheet of whoever opens it.
 */
const cell = (text: string): string =>
  `"${text
    .replace(/^(?=[=+\-@\t\r])/, "'")
    .replaceAll('"', '""')
    .replaceAll('\u0000', '')}"`;
