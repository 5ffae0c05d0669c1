import { requirementById } from '../spec/catalogue.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { Side } from '../spec/profiles.ts';
import {
  type DeviationResult,
  type DialectResult,
  killScoresOf,
  mostBesides,
  type Proof,
} from './verdict-of-proof.ts';

const count = (number: number, of: number, what: string): string => `${number} of ${of} ${what}`;

const sides: readonly { readonly side: Side; readonly name: string; readonly plural: string }[] = [
  { side: 'bank', name: 'bank', plural: 'Banks' },
  { side: 'tpp', name: 'TPP', plural: 'TPPs' },
];

const nameOf = (wanted: Side): string => sides.find(({ side }) => side === wanted)?.name ?? wanted;

/** The numbers that the checks of each side are judged by, on a few lines. */
export function summaryLines(proof: Proof, seconds: number, isWhole = true): readonly string[] {
  return [
    ...sides.flatMap(({ side, plural }) => sideLines(proof, side, plural)),
    ...(isWhole ? completenessLines(proof) : []),
    ...proof.dialects.flatMap(({ ids, skipped }) =>
      skipped === undefined ? [] : [`Left out      ${ids.join(' + ')}: ${skipped}`],
    ),
    `Time          ${seconds.toFixed(0)} s`,
  ];
}

function sideLines(proof: Proof, wanted: Side, plural: string): readonly string[] {
  const ofSide = <Result extends { readonly side: Side }>(results: readonly Result[]): readonly Result[] =>
    results.filter(({ side }) => side === wanted);
  const deviations = ofSide(proof.deviations);
  const dialects = ofSide(proof.dialects).filter(({ skipped }) => skipped === undefined);
  const conditional = ofSide(proof.conditional);
  const combinations = ofSide(proof.combinations);
  const learned = ofSide(proof.learned);
  if (deviations.length + conditional.length + dialects.length + combinations.length === 0) return [];
  const leftAlone = (results: readonly DialectResult[], what: string): string =>
    count(results.filter(({ alarms }) => alarms.length === 0).length, results.length, what);
  const total = deviations.length;
  const misblamed = ofSide(proof.misblamed).length;
  return [
    `${plural.padEnd(14)}${count(deviations.filter(({ killed }) => killed).length, total, 'deviations killed')}, ${count(deviations.filter(({ blamed }) => blamed).length - misblamed, total, 'blamed')}`,
    `              ${count(ofSide(proof.besides).length, total + conditional.length, 'blamed for what they do not break as well')}`,
    ...(wanted === 'bank'
      ? [
          `              ${count(proof.causes.one.right, proof.causes.one.of, 'are one cause in the report')}, ${count(proof.causes.two.right, proof.causes.two.of, 'unlike pairs are two')}`,
        ]
      : []),
    ...(conditional.length === 0
      ? []
      : [
          `              ${count(conditional.filter(({ killed }) => killed).length, conditional.length, 'conditional deviations killed')}`,
        ]),
    `              ${leftAlone(dialects, 'dialects')}${pooled(dialects, ofSide(proof.pools))}${combinations.length === 0 ? '' : ` and ${leftAlone(combinations, 'random combinations')}`} left alone`,
    ...(learned.length === 0
      ? []
      : [`              ${leftAlone(learned, 'dialects conformant by the readings learned of them')}`]),
    ...allowedLines(deviations),
  ];
}

/** How many of the dialects met the checks together with others. */
function pooled(dialects: readonly DialectResult[], pools: readonly DialectResult[]): string {
  const together = dialects.filter(({ pool }) => pool !== undefined).length;
  return together === 0
    ? ''
    : ` (${together} of them in ${pools.length} pool${pools.length === 1 ? '' : 's'})`;
}

/** What learning may make right, by name. */
const allowedLines = (deviations: readonly DeviationResult[]): readonly string[] => {
  const allowed = deviations.filter(({ allowedUnder }) => allowedUnder !== undefined).map(({ id }) => id);
  return allowed.length === 0
    ? []
    : [`              ${allowed.length} deviations are what another reading allows: ${shortened(allowed)}`];
};

/** The matrix in short: a line for each section of the specification. The page has a line for each requirement. */
export function sectionLines({ deviations }: Proof): readonly string[] {
  const sectionOf = ({ requirement, side }: DeviationResult): string =>
    `${requirementById.get(requirement)?.section.join(' / ') ?? requirement}${side === 'tpp' ? ', TPP' : ''}`;
  const rows = [...groupedBy(deviations, sectionOf)].map(([section, ways]) => [
    section,
    String(new Set(ways.map(({ requirement }) => requirement)).size),
    String(ways.length),
    String(ways.filter(({ killed }) => killed).length),
    String(ways.filter(({ blamed }) => blamed).length),
  ]);
  return table([['Section', 'requirements', 'deviations', 'killed', 'blamed'], ...rows]);
}

/** Texts to the left, numbers to the right. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

/** What only the whole proof can tell. */
function completenessLines(proof: Proof): readonly string[] {
  const { unproved, needless } = proof;
  return [
    `Requirements  ${killScoresOf(proof).size} broken in some way, ${unproved.length} that a check covers in none`,
    `Checks        ${needless.length} that could be left out without a deviation going unnoticed`,
  ];
}

/** Every problem by name: what has to be fixed before the proof holds. */
export function problemLines({
  survivors,
  missed,
  unblamed,
  misblamed,
  misread,
  falseAlarms,
  unproved,
  needless,
  ...proof
}: Proof): readonly string[] {
  const isBlamedTooOften =
    proof.besides.length > mostBesides(proof.deviations.length + proof.conditional.length);
  return [
    ...survivors.flatMap(({ id, side, title, said }) => [
      `SURVIVED  ${id}: a ${nameOf(side)} that ${title} is not noticed`,
      ...said.map((line) => `            ${line}`),
    ]),
    ...missed.flatMap(({ id, side, title, said }) => [
      `MISSED    ${id}: a ${nameOf(side)} that ${title} is not noticed`,
      ...said.map((line) => `            ${line}`),
    ]),
    ...unblamed.flatMap(({ id, side, title, others, said }) => [
      `UNBLAMED  ${id}: a ${nameOf(side)} that ${title} is noticed only by ${others.slice(0, 5).join(', ')}`,
      ...said.map((line) => `            ${line}`),
    ]),
    ...misblamed.flatMap(({ id, side, title, others, said }) => [
      `MISBLAMED ${id}: a ${nameOf(side)} that ${title} is blamed for something else by ${others.slice(0, 5).join(', ')}`,
      ...said.map((line) => `            ${line}`),
    ]),
    ...(isBlamedTooOften ? besidesLines(proof) : []),
    ...misread.map(({ id, side, title, excused }) =>
      excused === true
        ? `MISREAD   ${id}: a ${nameOf(side)} that ${title} is conformant once its readings are learned`
        : `MISREAD   ${id}: a ${nameOf(side)} that ${title} is allowed by a reading, which is not learned of it`,
    ),
    ...falseAlarms.flatMap(({ ids, alarms, learned }) => [
      `ALARM     ${ids.join(' + ')}${learned === undefined ? '' : ', with the readings learned of it'}`,
      ...alarms.map((line) => `            ${line}`),
    ]),
    ...unproved.map((id) => `UNPROVED  ${id}: a check covers it, and no deviation breaks it`),
    ...needless.map((id) => `NEEDLESS  ${id}: whatever this check notices, another of its requirement does`),
  ];
}

/** Requirements that are in order at a bank that breaks another one, and were called broken. */
const besidesLines = ({ besides }: Pick<Proof, 'besides'>): readonly string[] =>
  besides.map(
    ({ id, side, besides: blamed }) =>
      `BESIDES   ${id}: a ${nameOf(side)} blamed for ${blamed.join(', ')} as well`,
  );

/** The matrix of requirements and the ways in which they were broken, as a page of Markdown. */
export function proofPage(proof: Proof, seconds: number): string {
  const scores = killScoresOf(proof);
  const rows = [...scores].map(([requirement, { killed, total }]) => {
    const ways = proof.deviations
      .filter((deviation) => deviation.requirement === requirement)
      .map(
        ({ id, blamed, killed: noticed }) =>
          `${id.split('/')[1]}${blamed ? '' : noticed ? ' (unblamed)' : ' (survived)'}`,
      );
    return `| ${requirement} | ${killed} of ${total} | ${ways.join(', ')} |`;
  });
  const noise = proof.deviations.filter(({ side, all }) => side === 'bank' && all);
  return [
    '# Proof',
    '',
    ...summaryLines(proof, seconds).map((line) => `    ${line}`),
    '',
    ...section('What has to be fixed', problemLines(proof)),
    '## Requirements and the ways in which they were broken',
    '',
    '| requirement | killed | ways |',
    '|---|---|---|',
    ...rows,
    '',
    '## Noise',
    '',
    `All checks were run against ${noise.length} of the deviations of a bank. Others than those of the broken requirement that failed:`,
    '',
    '| deviation | blamed | others |',
    '|---|---|---|',
    ...noise.map(({ id, blamedBy, others }) => `| ${id} | ${shortened(blamedBy)} | ${shortened(others)} |`),
    '',
    ...section('Blamed for what they do not break as well', besidesLines(proof)),
    ...section('Not as many causes as faults', [...proof.causes.one.others, ...proof.causes.two.others]),
    '## Dialects',
    '',
    '| dialect | passed | of these in a pool | warnings | inconclusive | false alarms |',
    '|---|---|---|---|---|---|',
    ...[...proof.dialects, ...proof.learned, ...proof.combinations, ...proof.pools].map(dialectRow),
    '',
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines.map((line) => `    ${line}`), ''];

const shortened = (ids: readonly string[]): string =>
  ids.length <= 8 ? ids.join(', ') : `${ids.slice(0, 8).join(', ')} and ${ids.length - 8} more`;

const dialectRow = ({
  ids,
  learned,
  pool,
  isPool,
  passed,
  warnings,
  inconclusive,
  alarms,
}: DialectResult): string =>
  `| ${ids.join(' + ')}${learned === undefined ? '' : ', learned'} | ${passed} | ${isPool === true ? passed : (pool?.passed ?? '')} | ${warnings.length} | ${inconclusive.length} | ${alarms.length} |`;
