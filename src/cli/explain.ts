import { Command } from 'commander';
import { journeys } from '../certification/journeys.ts';
import { requirementsOf } from '../checks/check.ts';
import { type Paint, painter } from '../report/paint.ts';
import { wrap } from '../report/wrapped-text.ts';
import { type CataloguedCheck, type Coverage, loadCoverage } from '../runner/coverage.ts';
import { caughtAlone } from '../runner/package.ts';
import { unknownIdMessage } from '../runner/select-checks.ts';
import { requirementById, requirements } from '../spec/catalogue.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { sentFor } from '../spec/headers.ts';
import { type Interpretation, interpretationList } from '../spec/interpretations.ts';
import { type Profile, profileIds, profileOf } from '../spec/profiles.ts';
import type { Remedy } from '../spec/remedies.ts';
import type { Level, Requirement } from '../spec/requirement.ts';
import { missingText } from '../target/capabilities.ts';
import { CommandError, exitCodes, type Finish, terminalOf } from './terminal.ts';

export const explainCommand = (finish: Finish): Command =>
  new Command('explain')
    .argument('<id>', 'a requirement, check, reading or profile')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ xs2a-conformance explain DIG-03                a requirement and its checks
  $ xs2a-conformance explain DIG-03-cross-border   a check
  $ xs2a-conformance explain TPP-08                what is demanded of a TPP
  $ xs2a-conformance explain amountFractionDigits  a reading and its values
  $ xs2a-conformance explain accounts              a profile, its requirements`,
    )
    .action(async (id: string, flags: { readonly json?: boolean }) => {
      const terminal = terminalOf(process.stdout);
      const explanation = explain(id, await loadCoverage());
      const text =
        flags.json === true
          ? JSON.stringify(explanation, null, 2)
          : renderExplanation(explanation, { colour: terminal.colour, width: Math.min(terminal.width, 110) });
      terminal.writeOwn(`${text}\n`);
      finish(exitCodes.conformant);
    });

/** All that is known about an id, as data; the same for people and programs. */
export function explain(id: string, coverage: Coverage): Explanation {
  const is = (known: string): boolean => known.toLowerCase() === id.toLowerCase();
  const requirement = requirements.find((candidate) => is(candidate.id));
  if (requirement !== undefined) {
    const checks = coverage.checksOf(requirement.id);
    return { kind: 'requirement', id: requirement.id, ...explained([requirement], checks, coverage) };
  }
  const found = coverage.checks.find(({ check }) => is(check.id));
  if (found !== undefined) {
    const cited = requirementsOf(found.check).flatMap((cites) => requirementById.get(cites) ?? []);
    const alone = new Set(caughtAlone(found.check.id));
    return {
      kind: 'check',
      id: found.check.id,
      ...explained(cited, [found], coverage),
      alone: coverage.deviations.flatMap(({ id, title }) => (alone.has(id) ? [{ id, title }] : [])),
    };
  }
  const interpretation = interpretationList.find((candidate) => is(candidate.id));
  if (interpretation !== undefined) {
    const resting = requirements.filter((candidate) => candidate.interpretation === interpretation.id);
    return {
      kind: 'interpretation',
      id: interpretation.id,
      ...explained(resting, [], coverage),
      readings: [interpretation],
      remedies: [],
      deviations: [],
    };
  }
  const profile = profileIds.find(is);
  if (profile !== undefined) {
    const held = requirements.filter(({ profiles }) => profiles.includes(profile));
    return {
      kind: 'profile',
      id: profile,
      profile: profileOf(profile),
      requirements: held,
      readings: [],
      checks: [],
      remedies: [],
      deviations: [],
    };
  }
  throw new CommandError(
    unknownIdMessage(
      id,
      coverage.checks.map(({ check }) => check.id),
    ),
  );
}

function explained(
  cited: readonly Requirement[],
  checks: readonly CataloguedCheck[],
  { deviations }: Coverage,
): Omit<Explanation, 'kind' | 'id'> {
  const ids = new Set(cited.map(({ id }) => id));
  return {
    requirements: cited,
    readings: readingsOf(cited),
    checks: checks.map(({ check, suite, level }) => ({
      id: check.id,
      title: check.title,
      suite: suite.id,
      ...(level === undefined ? {} : { level }),
      steps: check.steps,
      expected: check.expected,
      needs: check.needs.map(missingText),
      judges: check.side,
    })),
    remedies: cited.filter(({ side }) => side === 'bank').flatMap(({ remedies = [] }) => remedies),
    deviations: deviations
      .filter(({ requirement }) => requirement !== undefined && ids.has(requirement))
      .map(({ id, title }) => ({ id, title })),
  };
}

function readingsOf(cited: readonly Requirement[]): readonly Interpretation[] {
  const named = new Set(cited.flatMap(({ interpretation }) => interpretation ?? []));
  return interpretationList.filter(({ id }) => named.has(id));
}

/** What `explain` says about an id. */
interface Explanation {
  readonly kind: 'requirement' | 'check' | 'interpretation' | 'profile';
  readonly id: string;
  readonly profile?: Profile;
  /** The requirement itself, those that the check cites, that rest on the interpretation, or that the profile holds. */
  readonly requirements: readonly Requirement[];
  readonly readings: readonly Interpretation[];
  readonly checks: readonly ExplainedCheck[];
  readonly remedies: readonly Remedy[];
  /** Ways in which the reference bank can break it on purpose. */
  readonly deviations: readonly ShownDeviation[];
  /** Of a check, some that no other check catches. */
  readonly alone?: readonly ShownDeviation[];
}

interface ShownDeviation {
  readonly id: string;
  readonly title: string;
}

interface ExplainedCheck {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly level?: Level;
  readonly steps: readonly string[];
  readonly expected: string;
  /** What to add to a target file that lacks it. */
  readonly needs: readonly string[];
  readonly judges: Requirement['side'];
}

interface ExplanationOptions {
  readonly colour: boolean;
  readonly width: number;
}

/** As prose for a terminal. */
export function renderExplanation(explanation: Explanation, { colour, width }: ExplanationOptions): string {
  const paint = painter(colour);
  if (explanation.profile !== undefined) return profileText(explanation, explanation.profile, width, paint);
  const parts =
    explanation.kind === 'interpretation'
      ? [
          ...explanation.readings.map((reading) => readingText(reading, width, paint)),
          resting(explanation, width, paint),
        ]
      : [
          ...explanation.requirements.map((requirement) => requirementText(requirement, width, paint)),
          ...explanation.readings.map((reading) => readingText(reading, width, paint)),
          checksText(explanation, width, paint),
          remediesText(explanation, width, paint),
          deviationsText(explanation, width, paint),
          runText(explanation, paint),
        ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function profileText(
  { id, requirements: held }: Explanation,
  profile: Profile,
  width: number,
  paint: Paint,
): string {
  const environment = profile.onlyIn === undefined ? '' : ` It binds a ${profile.onlyIn} only.`;
  const sides = profile.sides.map((side) => (side === 'bank' ? 'a bank' : 'a TPP')).join(' or ');
  const groups = [...groupedBy(held, ({ section }) => section.join(' / '))].map(([section, members]) =>
    [
      paint('bold', section),
      ...members.map(({ id: own, level, side, unobservable, statement }) => {
        const facts = [
          level,
          ...(side === 'tpp' ? ['TPP'] : []),
          ...(unobservable === undefined ? [] : ['not judged']),
        ];
        return `  ${own.padEnd(7)} ${wrap(`${statement} (${facts.join(', ')})`, width, '          ')}`;
      }),
    ].join('\n'),
  );
  return [
    [
      `${paint('bold', id)}  ${profile.title}, version ${profile.version}, for ${sides}`,
      `  ${wrap(`${profile.about}${environment}`, width, '  ')}`,
      ...(id === 'core'
        ? []
        : [`  ${wrap('It includes core: npx xs2a-conformance explain core', width, '  ')}`]),
    ].join('\n'),
    ...groups,
    [
      `${held.length} requirements. A target file declares it under profiles.`,
      ...journeyLines(id, width),
    ].join('\n'),
  ].join('\n\n');
}

/** What a TPP has to show, which declares a profile on the command line. */
function journeyLines(id: string, width: number): readonly string[] {
  const shown = journeys.filter(({ mandatoryIn }) => mandatoryIn.some((profile) => profile === id));
  if (id === 'core' || shown.length === 0) return [];
  const names = shown.map((journey) => journey.id).join(', ');
  return [
    wrap(`A TPP is certified for it by certify-tpp --profile ${id}, with the journeys ${names}.`, width),
  ];
}

function requirementText(requirement: Requirement, width: number, paint: Paint): string {
  const { id, statement, section, level, side, unobservable, profiles } = requirement;
  const sent = sentFor(id);
  return [
    `${paint('bold', id)}  ${level}, ${side === 'bank' ? 'binds the bank' : 'binds the TPP'}`,
    `  ${wrap(statement, width, '  ')}`,
    ...(sent === undefined ? [] : [`  ${wrap(`Send ${sent}`, width, '  ')}`]),
    `  ${paint('gray', `Section: ${section.join(' / ')}`)}`,
    `  ${paint('gray', `Profiles: ${profiles.join(', ')}`)}`,
    ...(unobservable === undefined ? [] : [`  ${wrap(`No check judges it: ${unobservable}.`, width, '  ')}`]),
  ].join('\n');
}

function readingText(reading: Interpretation, width: number, paint: Paint): string {
  const { id, question, values, default: byDefault } = reading;
  return [
    `${paint('bold', 'Reading')}  ${id}`,
    `  ${wrap(question, width, '  ')}`,
    ...Object.entries(values).map(([value, meaning]) => {
      const mark = value === byDefault ? ' (default)' : '';
      return `  ${paint('cyan', value)}${mark}: ${wrap(meaning, width, '    ')}`;
    }),
    ...(Object.keys(values).length > 1
      ? [`  ${paint('gray', `Another one is chosen in the target file under interpretations.${id}.`)}`]
      : []),
  ].join('\n');
}

const resting = ({ requirements }: Explanation, width: number, paint: Paint): string =>
  requirements.length === 0
    ? 'No single requirement rests on it: it holds for all checks.'
    : [
        paint('bold', 'Requirements that rest on it'),
        ...requirements.map(
          ({ id, statement }) => `  ${id.padEnd(7)} ${wrap(statement, width, '          ')}`,
        ),
      ].join('\n');

function checksText({ checks }: Explanation, width: number, paint: Paint): string {
  return checks
    .map(({ id, title, suite, level, steps, expected, needs }) =>
      [
        `${paint('bold', `Check ${id}`)}  ${paint('gray', `${suite}${level === undefined ? ', not judged by default' : `, ${level}`}`)}`,
        `  ${wrap(title, width, '  ')}`,
        ...steps.map((step, index) => `  ${index + 1}. ${wrap(step, width, '     ')}`),
        ...(expected === ''
          ? []
          : [`  ${paint('green', 'Expected')}  ${wrap(expected, width, '            ')}`]),
        ...needs.map((need) => `  ${paint('gray', 'Needs')}     ${wrap(need, width, '            ')}`),
      ].join('\n'),
    )
    .join('\n\n');
}

const remediesText = ({ remedies }: Explanation, width: number, paint: Paint): string =>
  remedies.length === 0
    ? ''
    : [
        paint('bold', 'Typical causes, and what remedies them'),
        ...remedies.flatMap(({ cause, remedy }) => [
          `  - ${wrap(cause, width, '    ')}`,
          `    ${paint('green', wrap(remedy, width, '    '))}`,
        ]),
      ].join('\n');

/** Some requirements can be broken in dozens of ways; a few show what it is about. */
const mostDeviations = 10;

function deviationsText({ deviations, alone = [] }: Explanation, width: number, paint: Paint): string {
  if (deviations.length === 0) return '';
  const line = ({ id, title }: ShownDeviation): string =>
    `  ${id}${paint('gray', wrap(`${id}: ${title}`, width, '    ').slice(id.length))}`;
  const broken = [...new Set(deviations.map(({ id }) => id.split('/')[0]))].join(' ');
  const others = deviations.filter(({ id }) => !alone.some((told) => told.id === id));
  const shown = others.slice(0, mostDeviations);
  return [
    ...(alone.length === 0 ? [] : [paint('bold', 'What this check alone catches'), ...alone.map(line), '']),
    paint('bold', 'See it broken: serve --deviation with one of these'),
    ...shown.map(line),
    ...(others.length > shown.length
      ? [`  and ${others.length - shown.length} more: npx xs2a-conformance list --deviations ${broken}`]
      : []),
  ].join('\n');
}

const runText = ({ id, checks }: Explanation, paint: Paint): string =>
  checks.length === 0
    ? ''
    : checks.every(({ judges }) => judges === 'tpp')
      ? `${paint('gray', 'Run it:')} npx xs2a-conformance certify-tpp`
      : `${paint('gray', 'Run it:')} npx xs2a-conformance run --target target.yaml --only ${id}`;
