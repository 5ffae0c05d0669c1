import { Command } from 'commander';
import { deviations } from '../bank/deviations/index.ts';
import { requirementsOf } from '../checks/check.ts';
import { type CataloguedCheck, type Coverage, loadCoverage } from '../runner/coverage.ts';
import { unknownIdMessage } from '../runner/select-checks.ts';
import { requirementById, requirements } from '../spec/catalogue.ts';
import { type Interpretation, interpretationList } from '../spec/interpretations.ts';
import type { Requirement } from '../spec/requirement.ts';
import { missingText } from '../target/capabilities.ts';
import { CommandError, exitCodes, type Finish } from './exit-codes.ts';
import { type Explanation, renderExplanation } from './explanation.ts';
import { terminalOf } from './terminal.ts';

export const explainCommand = (finish: Finish): Command =>
  new Command('explain')
    .argument('<id>', 'a requirement, check or interpretation')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ xs2a-conformance explain DIG-03                 a requirement, and the checks that judge it
  $ xs2a-conformance explain DIG-03-cross-border    a check
  $ xs2a-conformance explain TPP-08                 what is demanded of a TPP
  $ xs2a-conformance explain amountFractionDigits   an interpretation, and the values that a target file may choose`,
    )
    .action(async (id: string, flags: { readonly json?: boolean }) => {
      const terminal = terminalOf(process.stdout);
      const explanation = explain(id, await loadCoverage());
      const text =
        flags.json === true
          ? JSON.stringify(explanation, null, 2)
          : renderExplanation(explanation, { colour: terminal.colour, width: Math.min(terminal.width, 110) });
      terminal.write(`${text}\n`);
      finish(exitCodes.conformant);
    });

/** All that is known about an id, as data; the same for people and programs. */
export function explain(id: string, coverage: Coverage): Explanation {
  const is = (known: string): boolean => known.toLowerCase() === id.toLowerCase();
  const requirement = requirements.find((candidate) => is(candidate.id));
  if (requirement !== undefined) {
    const checks = coverage.checksOf(requirement.id);
    return { kind: 'requirement', id: requirement.id, ...explained([requirement], checks) };
  }
  const found = coverage.checks.find(({ check }) => is(check.id));
  if (found !== undefined) {
    const cited = requirementsOf(found.check).flatMap((cites) => requirementById.get(cites) ?? []);
    return { kind: 'check', id: found.check.id, ...explained(cited, [found]) };
  }
  const interpretation = interpretationList.find((candidate) => is(candidate.id));
  if (interpretation !== undefined) {
    const resting = requirements.filter((candidate) => candidate.interpretation === interpretation.id);
    return {
      kind: 'interpretation',
      id: interpretation.id,
      ...explained(resting, []),
      readings: [interpretation],
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
      .filter(({ requirement }) => ids.has(requirement))
      .map(({ id, title }) => ({ id, title })),
  };
}

function readingsOf(cited: readonly Requirement[]): readonly Interpretation[] {
  const named = new Set(cited.flatMap(({ interpretation }) => interpretation ?? []));
  return interpretationList.filter(({ id }) => named.has(id));
}
