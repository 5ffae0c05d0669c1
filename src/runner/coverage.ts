import { type CheckDescription, type LoadedSuite, requirementsOf } from '../checks/check.ts';
import type { WholeOfVersion } from '../report/whole-run.ts';
import { catalogueVersion, requirements } from '../spec/catalogue.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { interpretationList } from '../spec/interpretations.ts';
import type { Level, Requirement } from '../spec/requirement.ts';
import { type BankSwitch, type Descriptions, loadDescriptions } from './descriptions.ts';
import { tool } from './package.ts';

/** A check with its suite, and its level under the default readings. */
export interface CataloguedCheck {
  readonly check: CheckDescription;
  readonly suite: LoadedSuite<CheckDescription>;
  /** Undefined where the default readings leave it unjudged. */
  readonly level: Level | undefined;
}

/** The requirements and the checks that judge them. */
export interface Coverage {
  readonly checks: readonly CataloguedCheck[];
  checksOf(requirement: string): readonly CataloguedCheck[];
  /** Demands on a bank or a TPP that no check judges, and no reason says why. */
  readonly uncovered: readonly Requirement[];
  readonly deviations: readonly BankSwitch[];
  readonly dialects: readonly BankSwitch[];
}

export async function loadCoverage(): Promise<Coverage> {
  const { suites, levels, deviations, dialects } = await loadDescriptions();
  const checks = suites.flatMap((suite) =>
    suite.checks.map((check) => ({ check, suite, level: levels[check.id] })),
  );
  const citations = checks.flatMap((catalogued) =>
    requirementsOf(catalogued.check).map((requirement) => ({ requirement, catalogued })),
  );
  const byRequirement = groupedBy(citations, ({ requirement }) => requirement);
  const checksOf = (requirement: string): readonly CataloguedCheck[] =>
    (byRequirement.get(requirement) ?? []).map(({ catalogued }) => catalogued);
  return {
    checks,
    checksOf,
    uncovered: requirements.filter(
      ({ id, unobservable }) => unobservable === undefined && checksOf(id).length === 0,
    ),
    deviations,
    dialects,
  };
}

/** What this version judges banks and TPPs by. */
export async function loadWhole(): Promise<WholeOfVersion> {
  const [{ suites, levels }, { journeySuite }] = await Promise.all([
    loadDescriptions(),
    import('../certification/judge-session.ts'),
  ]);
  const isOfTpps = ({ id }: { readonly id: string }): boolean => id.startsWith('tpp/');
  const ofBanks = suites.filter((suite) => !isOfTpps(suite));
  const ofTpps = [journeySuite, ...suites.filter(isOfTpps)];
  const checksIn = (some: Descriptions['suites']): readonly CheckDescription[] =>
    some.flatMap(({ checks }) => checks);
  const idsIn = (some: Descriptions['suites']): readonly string[] => checksIn(some).map(({ id }) => id);
  return {
    version: tool.version,
    catalogue: catalogueVersion,
    checks: { bank: idsIn(ofBanks), tpp: idsIn(ofTpps) },
    readings: interpretationList.map(({ id }) => id),
    judges: new Map(checksIn([...ofBanks, ...ofTpps]).map((check) => [check.id, requirementsOf(check)])),
    levels,
  };
}

/** The suites of both sides, those of a bank first. */
export const loadAllSuites = async (): Promise<Descriptions['suites']> => (await loadDescriptions()).suites;
