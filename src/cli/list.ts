import { Command, Option } from 'commander';
import { requirementsOf } from '../checks/check.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import { painter } from '../report/paint.ts';
import { type CataloguedCheck, type Coverage, loadCoverage } from '../runner/coverage.ts';
import { matchesId, unknownIdMessage } from '../runner/select-checks.ts';
import { requirements } from '../spec/catalogue.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { profileIds, profileOf } from '../spec/profiles.ts';
import type { Requirement } from '../spec/requirement.ts';
import { CommandError, exitCodes, type Finish, type Terminal, terminalOf } from './terminal.ts';

interface ListFlags {
  readonly requirements?: boolean;
  readonly uncovered?: boolean;
  readonly profiles?: boolean;
  readonly deviations?: boolean;
  readonly dialects?: boolean;
  readonly openapi?: boolean;
  readonly json?: boolean;
}

export const listCommand = (finish: Finish): Command =>
  new Command('list')
    .argument('[ids...]', 'only these checks, requirements or suites, or all that begin so: AMT, signing/')
    .option('-r, --requirements', 'list requirements instead of checks')
    .addOption(
      new Option('--uncovered', 'list requirements that no check judges, without a reason').conflicts(
        'requirements',
      ),
    )
    .option('--profiles', 'list the profiles that a bank or a TPP can be judged by')
    .option(
      '--deviations',
      'list the ways in which the reference bank can break a requirement (serve --deviation)',
    )
    .option('--dialects', 'list the ways in which it can be unusual and still compliant (serve --dialect)')
    .option('--openapi', 'print the interface as an OpenAPI 3.1 document, in YAML or with --json in JSON')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ xs2a-conformance list
  $ xs2a-conformance list signing/ AMT
  $ xs2a-conformance list --requirements --json
  $ xs2a-conformance list --profiles
  $ xs2a-conformance list --openapi > openapi.yaml
  $ xs2a-conformance list --uncovered

Exit codes: 0 listed, 1 --uncovered finds a must-level one, 2 wrong usage.`,
    )
    .action(async (ids: readonly string[], flags: ListFlags) => finish(await list(ids, flags)));

async function list(ids: readonly string[], flags: ListFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  if (flags.openapi === true) {
    const [{ openApiDocument }, { stringify }] = await Promise.all([
      import('../spec/openapi.ts'),
      import('yaml'),
    ]);
    const document = openApiDocument();
    terminal.writeOwn(
      flags.json === true
        ? `${JSON.stringify(document, null, 2)}\n`
        : stringify(document, { aliasDuplicateObjects: false, lineWidth: 110 }),
    );
    return exitCodes.conformant;
  }
  if (flags.profiles === true) return listProfiles(flags, terminal);
  const coverage = await loadCoverage();
  if (flags.deviations === true) return listSwitches(coverage.deviations, ids, flags, terminal);
  if (flags.dialects === true) return listSwitches(coverage.dialects, ids, flags, terminal);
  if (flags.uncovered === true) return listUncovered(coverage, flags, terminal);
  const text =
    flags.requirements === true
      ? requirementList(chosenRequirements(ids, coverage), coverage, flags, terminal)
      : checkList(chosenChecks(ids, coverage), flags, terminal);
  terminal.writeOwn(`${text}\n`);
  return exitCodes.conformant;
}

function listProfiles({ json }: ListFlags, terminal: Terminal): number {
  const listed = profileIds.map((id) => {
    const own = requirements.filter(({ profiles }) => profiles.includes(id));
    const ofSide = (side: Requirement['side']): number => own.filter((each) => each.side === side).length;
    return { id, ...profileOf(id), requirements: { bank: ofSide('bank'), tpp: ofSide('tpp') } };
  });
  const width = Math.max(...profileIds.map(({ length }) => length));
  const lines = listed.map(({ id, version, about, requirements: { bank, tpp }, onlyIn }) => {
    const counts = [`${bank} on a bank`, ...(tpp === 0 ? [] : [`${tpp} on a TPP`])].join(', ');
    return `${id.padEnd(width)}  ${version}  ${about}${onlyIn === undefined ? '' : ` Binds a ${onlyIn} only.`} Requirements: ${counts}.`;
  });
  terminal.write(
    json === true
      ? `${JSON.stringify(listed, null, 2)}\n`
      : `${[...lines, '', 'A target file declares them under profiles; without that, all that bind its environment are judged.'].join('\n')}\n`,
  );
  return exitCodes.conformant;
}

function listSwitches(
  known: Coverage['deviations'],
  ids: readonly string[],
  { json }: ListFlags,
  terminal: Terminal,
): number {
  const listed = chosen(
    ids,
    known,
    known.map(({ id }) => id),
    ({ id }, wanted) => matchesId(wanted, [id.split('/')[0] ?? '', id], id),
  );
  const width = Math.max(...listed.map(({ id }) => id.length));
  const text =
    json === true
      ? JSON.stringify(
          listed.map(({ id, title }) => ({ id, title })),
          null,
          2,
        )
      : listed.map(({ id, title }) => `${id.padEnd(width)}  ${cut(title, width + 2, terminal)}`).join('\n');
  terminal.writeOwn(`${text}\n`);
  return exitCodes.conformant;
}

function listUncovered(coverage: Coverage, flags: ListFlags, terminal: Terminal): number {
  const { uncovered } = coverage;
  const text =
    uncovered.length === 0 && flags.json !== true
      ? 'Every requirement has a check, or a reason why none can observe it.'
      : requirementList(uncovered, coverage, flags, terminal);
  terminal.writeOwn(`${text}\n`);
  return uncovered.some(({ level }) => level === 'must') ? exitCodes.nonConformant : exitCodes.conformant;
}

function chosenChecks(ids: readonly string[], { checks }: Coverage): readonly CataloguedCheck[] {
  const known = checks.flatMap(({ check, suite }) => [check.id, suite.id]);
  return chosen(ids, checks, known, ({ check, suite }, id) =>
    matchesId(id, [check.id, ...requirementsOf(check)], suite.id),
  );
}

function chosenRequirements(ids: readonly string[], { checksOf }: Coverage): readonly Requirement[] {
  return chosen(ids, requirements, [], (requirement, id) =>
    [requirement.id, ...checksOf(requirement.id).map(({ check }) => check.id)].some((known) =>
      matchesId(id, [known]),
    ),
  );
}

function chosen<Item>(
  ids: readonly string[],
  items: readonly Item[],
  known: readonly string[],
  matches: (item: Item, id: string) => boolean,
): readonly Item[] {
  if (ids.length === 0) return items;
  const wanted = ids.map((id) => {
    const matching = items.filter((item) => matches(item, id));
    if (matching.length === 0) throw new CommandError(unknownIdMessage(id, known));
    return new Set(matching);
  });
  return items.filter((item) => wanted.some((matching) => matching.has(item)));
}

function checkList(checks: readonly CataloguedCheck[], { json }: ListFlags, terminal: Terminal): string {
  if (json === true) return JSON.stringify(checks.map(checkJson), null, 2);
  const paint = painter(terminal.colour);
  const width = Math.max(...checks.map(({ check }) => check.id.length));
  const groups = [...groupedBy(checks, ({ suite }) => suite)].map(([suite, members]) =>
    [
      `${paint('bold', suite.title)}  ${paint('gray', `${suite.id} · ${suite.section.join(' / ')}`)}`,
      ...members.map(
        ({ check, level }) =>
          `  ${check.id.padEnd(width)}  ${(level ?? '–').padEnd(8)}  ${cut(check.title, width + 14, terminal)}`,
      ),
    ].join('\n'),
  );
  return [...groups, countOf(checks)].join('\n\n');
}

function countOf(checks: readonly CataloguedCheck[]): string {
  const ofTpps = checks.filter(({ check }) => check.side === 'tpp').length;
  const parts = [
    ...(checks.length > ofTpps ? [`${checks.length - ofTpps} checks on a bank (run)`] : []),
    ...(ofTpps > 0 ? [`${ofTpps} on a TPP (certify-tpp)`] : []),
  ];
  return parts.join(', ');
}

function requirementList(
  listed: readonly Requirement[],
  { checksOf }: Coverage,
  { json }: ListFlags,
  terminal: Terminal,
): string {
  if (json === true) {
    const values = listed.map((requirement) => ({
      ...requirement,
      checks: checksOf(requirement.id).map(({ check }) => check.id),
    }));
    return JSON.stringify(values, null, 2);
  }
  const paint = painter(terminal.colour);
  const width = Math.max(...listed.map(({ id }) => id.length));
  const judged = ({ id, unobservable }: Requirement): string => {
    const count = checksOf(id).length;
    if (count > 0) return String(count);
    return unobservable === undefined ? paint('red', '0') : '·';
  };
  const groups = [...groupedBy(listed, ({ section }) => section.join(' / '))].map(([section, members]) =>
    [
      paint('bold', section),
      ...members.map((requirement) => {
        const { id, level, side, statement } = requirement;
        return `  ${id.padEnd(width)}  ${level.padEnd(8)}  ${side.padEnd(4)}  ${judged(requirement).padStart(2)}  ${cut(statement, width + 24, terminal)}`;
      }),
    ].join('\n'),
  );
  return [
    ...groups,
    `${listed.length} requirements. The number is that of the checks; a dot stands where none can observe it.`,
  ].join('\n\n');
}

const checkJson = ({ check, suite, level }: CataloguedCheck): object => ({
  id: check.id,
  title: check.title,
  suite: suite.id,
  section: suite.section,
  requirements: requirementsOf(check),
  level,
  judges: check.side,
  needs: check.needs,
  steps: check.steps,
  expected: check.expected,
});

/** One line each on a terminal; whole sentences where a program or a file reads. */
const cut = (text: string, used: number, { isTty, width }: Terminal): string =>
  isTty ? oneShortLine(text, Math.max(20, width - used - 1)) : text;
