import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { oneShortLine, terminalJson } from './harmless-text.ts';
import { runDuration } from './journal.ts';
import type { Outcome } from './outcome.ts';

/**
 * What keeps a run from being conformant, and its warnings, as SARIF 2.1.0 for code hosts. `location` is the file that
 * they are shown at, which code hosts demand: the target file of the bank.
 */
export function sarifOf(run: RunRecord, outcome: Outcome, location: string): string {
  const { header, results } = run;
  const shown = results.filter(({ verdict }) => verdict in kinds);
  const rules = outcome.requirements.filter(({ requirement }) =>
    shown.some(({ requirements: [own] }) => own === requirement.id),
  );
  const started = Date.parse(header.startedAt);
  const end = Number.isNaN(started) ? undefined : new Date(started + runDuration(run)).toISOString();
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: header.tool.name,
            version: header.tool.version,
            rules: rules.map(({ requirement: { id, statement, level, section, profiles } }) => ({
              id,
              shortDescription: { text: statement },
              defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
              properties: { level, section: section.join(' / '), tags: [...profiles] },
            })),
          },
        },
        automationDetails: { id: `${header.target.name}/` },
        invocations: [
          {
            executionSuccessful: outcome.counts.error === 0 && !outcome.interrupted,
            exitCode: outcome.exitCode,
            startTimeUtc: header.startedAt,
            ...(end === undefined ? {} : { endTimeUtc: end }),
            toolExecutionNotifications: results
              .filter(({ verdict }) => verdict === 'error')
              .map(({ id, reason = '' }) => ({
                level: 'error',
                message: { text: oneShortLine(`${id}: ${reason}`, 2_000) },
              })),
          },
        ],
        results: shown.map((result) =>
          resultOf(
            result,
            rules.findIndex(({ requirement }) => requirement.id === result.requirements[0]),
            outcome,
            location,
          ),
        ),
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
  return `${terminalJson(sarif)}\n`;
}

/** What SARIF calls our verdicts. Where the kind is not `fail`, its level has to be `none`. */
const kinds: Readonly<Record<string, { readonly kind: string; readonly level: string }>> = {
  fail: { kind: 'fail', level: 'error' },
  warning: { kind: 'fail', level: 'warning' },
  inconclusive: { kind: 'open', level: 'none' },
};

function resultOf(result: CheckResult, ruleIndex: number, outcome: Outcome, location: string): object {
  const { id, title, requirements, reason, expected, actual, reproduce, verdict } = result;
  const [own = id] = requirements;
  const told =
    expected === undefined ? (reason ?? verdict) : `Expected ${expected}, actual: ${actual ?? 'nothing'}.`;
  const known = outcome.knownDeviations.find(({ requirement }) => requirement === own);
  return {
    ruleId: own,
    ...(ruleIndex < 0 ? {} : { ruleIndex }),
    ...kinds[verdict],
    message: {
      text: `${oneShortLine(title, 400)}. ${oneShortLine(told, 1_000)}\n${oneShortLine(reproduce, 1_000)}`,
    },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: encodeURI(location) }, region: { startLine: 1 } },
        logicalLocations: [{ name: id, fullyQualifiedName: `${result.suite.id}/${id}`, kind: 'member' }],
      },
    ],
    // The same failure of the next run is the same alert.
    partialFingerprints: { 'checkId/v1': id },
    ...(outcome.excused.has(id)
      ? {
          suppressions: [
            { kind: 'external', justification: oneShortLine(known?.reason ?? 'known deviation', 400) },
          ],
        }
      : {}),
  };
}
