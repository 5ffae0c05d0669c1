import type { RunContext } from '../checks/context.ts';
import { operations } from '../spec/operations.ts';
import type { Target } from '../target/target.ts';
import type { Call } from '../tpp/call.ts';
import type { Budget } from '../tpp/pace.ts';
import type { Redactor } from '../tpp/redaction.ts';
import { judgedAsDeclared, whyNotPrivate } from './companies-only.ts';
import { learnSmallTransfers, learnTheLetters } from './learn-accepted-payments.ts';
import { learnTheCompanyAccount, withCompanyAccount } from './learn-company-account.ts';
import { learnPayments, learnSessions } from './learn-ripening.ts';
import { type Preflight, preflight } from './preflight.ts';
import { createRunContext, psuOf } from './run-context.ts';
import { type PassedSca, passScaBeforeRun } from './sca-before-run.ts';

export interface RunSettings {
  readonly seed: number;
  /** Cases of a property. */
  readonly runs: number;
  /** Each fault is tried in one of its contexts only. */
  readonly oneContextEach?: boolean;
  /** Which part of a run it is that several share. */
  readonly shard?: NonNullable<RunContext['shard']>;
  /** A seed given by hand repeats earlier payments. */
  readonly repeatsPayments: boolean;
  /** How `reproduce` lines start. */
  readonly command: string;
  /** No request is started after so many milliseconds. */
  readonly maxTimeMs?: number;
  /** No request is sent beyond it. */
  readonly budget?: Budget;
  /** Hides what the target file says is secret, unless given. */
  readonly redactor?: Redactor;
  /** Is told of a bank that falls silent, and of its return. */
  readonly onOutage?: (text: string) => void;
}

/** What is known before the first check. */
export interface PreparedRun {
  /** All that the checks share. It knows the clock of the bank, and the customers who have passed SCA. */
  readonly runContext: RunContext;
  /** Why no check can be run. */
  readonly blocker?: string;
  /** What is odd and yet no reason to stop. */
  readonly remarks: readonly string[];
  /** Why the run cannot be whole, whatever its checks say; a sentence each. */
  readonly incomplete: readonly string[];
}

export function prepareRun(target: Target, settings: RunSettings): Promise<PreparedRun> {
  return prepared(createRunContext({ target, ...settings }));
}

/** Passes SCA where the target file leaves that to the run, and sees whether correct requests go through. */
export async function prepared(before: RunContext): Promise<PreparedRun> {
  const { target, seed } = before;
  const sca = await passScaBeforeRun(target, before.client, before.walker);
  // Sentences quote what came from outside, which may repeat what it was sent.
  const shown = (text: string): string => before.redactor.text(text);
  knowPassed(before.redactor, sca.passed);
  if (sca.blocker !== undefined) return blockedBy(before, shown(sca.blocker));
  const passed = withPsu(before, { ...target.psu, ...sca.passed });
  const ofSessions = sca.passed === undefined ? [] : await learnSessions(passed.client, sca.passed);
  const known = {
    ...passed,
    ...(sca.problem === undefined ? {} : { withoutPsu: sca.problem }),
    ...(sca.corporateProblem === undefined ? {} : { withoutCorporatePsu: sca.corporateProblem }),
  };
  const {
    control,
    digest,
    remarks,
    customers = [],
    paid = [],
    ...found
  } = await preflight(known, seed, { hasPassedSca: sca.passed !== undefined });
  const getsNowhere = sca.problem !== undefined || found.refusesPayments === true;
  const blocker = (getsNowhere ? whyNotPrivate(target, customers) : undefined) ?? found.blocker;
  if (blocker !== undefined) return blockedBy(known, shown(blocker));
  const knowing = withPaid(known, paid);
  const digesting = digest === undefined ? knowing : { ...knowing, client: knowing.client.with({ digest }) };
  const company = await learnTheCompanyAccount(digesting);
  const runContext = { ...digesting, target: withCompanyAccount(digesting.target, company) };
  const ofPayments = sca.problem === undefined ? await learnPayments(runContext) : [];
  const learned = await learnedOf(runContext);
  const problems = sca.problem === undefined ? [] : [sca.problem];
  const companies = judgedAsDeclared(target, customers);
  const told = [
    ...companies.remarks,
    ...problems,
    ...sca.remarks,
    ...ofSessions,
    ...remarks,
    ...company.remarks,
    ...ofPayments,
    ...learned.remarks,
  ];
  return {
    runContext: control === undefined ? learned.runContext : withControl(learned.runContext, control),
    remarks: [...new Set(told.map(shown))],
    incomplete: companies.incomplete,
  };
}

const blockedBy = (runContext: RunContext, blocker: string): PreparedRun => ({
  runContext,
  blocker,
  remarks: [],
  incomplete: [],
});

/** What SCA has yielded is as secret as what the target file says. */
function knowPassed(redactor: Redactor, passed: PassedSca | undefined): void {
  if (passed === undefined) return;
  redactor.know('psu-id', passed.id);
  if (passed.corporateId !== undefined) redactor.know('psu-corporate-id', passed.corporateId);
  if (passed.corporate === undefined) return;
  redactor.know('psu-id', passed.corporate.id);
  redactor.know('psu-corporate-id', passed.corporate.corporateId);
}

/** The run with what the bank cannot process: it stays within that. */
async function learnedOf(runContext: RunContext): Promise<Pick<PreparedRun, 'runContext' | 'remarks'>> {
  if (runContext.withoutPsu !== undefined) return { runContext, remarks: [] };
  const { target, seed } = runContext;
  const { letters, remarks } = await learnTheLetters(runContext, seed);
  const { smallTransfers, remarks: ofTransfers } = await learnSmallTransfers(runContext, seed);
  const readings = { ...target.readings, letters, smallTransfers };
  return {
    runContext: { ...runContext, target: { ...target, readings } },
    remarks: [...remarks, ...ofTransfers],
  };
}

/** An account that has been paid is one that the bank knows, as if the target file had named it. */
function withPaid(runContext: RunContext, paid: NonNullable<Preflight['paid']>): RunContext {
  const { target } = runContext;
  const { accounts } = target;
  const namedCreditors = [...accounts.namedCreditors, ...paid.flatMap(({ creditor }) => creditor ?? [])];
  return {
    ...runContext,
    target: { ...target, accounts: { ...accounts, namedCreditors } },
    taken: new Set(paid.map(({ operation }) => operation)),
  };
}

/** What has gone through tells from then on whether the bank is there. */
const withControl = (runContext: RunContext, control: Call): RunContext => ({
  ...runContext,
  control,
  client: isReading(control) ? runContext.client.with({ probe: control }) : runContext.client,
});

const isReading = ({ operation }: Call): boolean => operations[operation].method === 'GET';

/** The same TPP on the same connections, with the customers as they are after SCA. */
function withPsu(runContext: RunContext, psu: Target['psu']): RunContext {
  const target = { ...runContext.target, psu };
  return { ...runContext, target, client: runContext.client.with({ psu: psuOf(target) }) };
}
