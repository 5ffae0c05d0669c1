import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Bank } from '../bank/bank.ts';
import { placeChecks } from '../checks/engine.ts';
import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { readJournal, runRequests } from '../report/journal.ts';
import { judgeRun, type Outcome } from '../report/outcome.ts';
import { holdFolder } from '../report/run-folder.ts';
import { inSpecificationOrder, writeReports } from '../report/write-reports.ts';
import { switchesIn } from '../runner/bank-switches.ts';
import { journalCertification, startCertification } from '../runner/certification.ts';
import { startEmbeddedBank } from '../runner/embedded-bank.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { announceProgram, type OpenTarget, openTarget } from '../runner/open-target.ts';
import { killScores } from '../runner/package.ts';
import { judgeTarget } from '../runner/run.ts';
import { createSandboxPki, type SandboxPki } from '../runner/sandbox-pki.ts';
import { selectChecks } from '../runner/select-checks.ts';
import { privateKeyPem } from '../signing/signature.ts';
import { requirements } from '../spec/catalogue.ts';
import { loadTarget as loadTargetFile } from '../target/load-target.ts';
import type { Target } from '../target/target.ts';
import type {
  BankAccess,
  ConformanceOptions,
  JudgedCheck,
  Judgement,
  LoadedTarget,
  ReferenceBank,
  ReferenceBankOptions,
  SandboxCustomer,
  TargetSettings,
  TppJudgementOptions,
} from './types.ts';

export type * from './types.ts';

/** Reads a target file and everything that it names. What is wrong is told at once, in one error. */
export function loadTarget(file: string, settings: TargetSettings = {}): Promise<LoadedTarget> {
  return loadTargetFile(file, settings, process.env, announceProgram);
}

/**
 * Judges a bank, as the command `run` does: by its target file, as text in a file or loaded already; without any, the
 * embedded reference bank. A bank that cannot be judged at all is told by `blocker`.
 */
export async function runConformance(
  target?: string | LoadedTarget,
  options: ConformanceOptions = {},
): Promise<Judgement> {
  const { only, exclude, seed, runs = 10, maxTimeMs = 3_600_000, onCheck, signal } = options;
  const selection = selectChecks(placeChecks(await loadSuites('bank')), {
    ...(only === undefined ? {} : { only }),
    ...(exclude === undefined ? {} : { exclude }),
  });
  return inFolder(options.out, async (out) => {
    const { blocker, isJournalled } = await judgeTarget({
      opening: open(target, options),
      out,
      seed: seed ?? randomInt(1, 2 ** 31 - 1),
      repeatsPayments: seed !== undefined,
      runs,
      maxTimeMs,
      command: 'npx xs2a-conformance run',
      ...selection,
      listener: { judged: (result) => onCheck?.(judgedCheck(result)), remark: () => {} },
      ...(signal === undefined ? {} : { signal }),
    });
    if (!isJournalled) throw new Error(blocker);
    return judgementIn(out, options.out, blocker);
  });
}

async function open(
  target: string | LoadedTarget | undefined,
  options: ConformanceOptions,
): Promise<OpenTarget> {
  const { settings = {}, allowProductionPayments = false } = options;
  if (typeof target !== 'object') return openTarget(target, { ...settings, allowProductionPayments });
  return { target: target as Target, embedded: false, close: async () => {} };
}

/** Starts the reference bank in this process: what a TPP's own tests talk to. */
export async function startReferenceBank(options: ReferenceBankOptions = {}): Promise<ReferenceBank> {
  const {
    port = 0,
    host = 'localhost',
    deviations = [],
    dialects = [],
    latencyMs,
    production,
    trust,
  } = options;
  const { design, prefix, signsResponses } = switchesIn({
    deviation: deviations,
    dialect: dialects,
    ...(latencyMs === undefined ? {} : { latency: latencyMs }),
  });
  const { bank, baseUrl, pki, description, targetText, close } = await startEmbeddedBank({
    design,
    signsResponses,
    environment: production === true ? 'production' : 'sandbox',
    ...(prefix === undefined ? {} : { prefix }),
    ...(trust === undefined ? {} : { trust }),
    listen: { port, host },
  });
  const { id, corporateId, sessionId, nationalId } = description.psu;
  return {
    ...accessTo(bank, baseUrl, pki),
    psu: { id, ...(corporateId === undefined ? {} : { corporateId }), sessionId, nationalId },
    target: await loadTargetFile({ text: targetText }),
    targetFile: targetText,
    close,
  };
}

/**
 * Judges a TPP: starts the bank of the command `certify-tpp`, lets `useBank` drive the client through its journeys, and
 * judges what the client sent.
 */
export async function judgeTpp(
  useBank: (bank: BankAccess) => Promise<void>,
  { profiles, port = 0, trust = [], out: folder }: TppJudgementOptions = {},
): Promise<Judgement> {
  const [suites, pki] = await Promise.all([loadSuites('tpp'), createSandboxPki()]);
  return inFolder(folder, async (out) => {
    const nothing = (): void => {};
    const certification = await startCertification({
      out,
      suites,
      ca: pki.ca,
      trustedAuthorities: [pki.ca.certificatePem, pki.oddAuthority, ...trust],
      listen: { port, host: 'localhost' },
      prefix: '',
      hostnames: ['localhost'],
      until: [],
      ...(profiles === undefined ? {} : { profiles }),
      listener: { exchange: nothing, failedConnection: nothing, news: nothing, bound: nothing },
    });
    try {
      await useBank(accessTo(certification.bank, certification.baseUrl, pki));
    } finally {
      certification.end('finish');
      await certification.close();
    }
    await journalCertification(out, certification.session, suites, 'npx xs2a-conformance certify-tpp');
    return judgementIn(out, folder);
  });
}

const accessTo = ({ state }: Bank, baseUrl: string, { ca, tpp }: SandboxPki): BankAccess => ({
  baseUrl,
  ca: ca.certificatePem,
  tpp: { certificate: tpp.certificate.x509.toString(), privateKey: privateKeyPem(tpp.privateKey) },
  customers: state.customers.list().map(
    ({ customerNumber, customerType, customerName }): SandboxCustomer => ({
      nationalId: customerNumber,
      type: customerType,
      name: customerName,
      accounts: state.customers.accountsOf(customerNumber).map(({ bban, currency }) => ({ bban, currency })),
    }),
  ),
});

/** In the folder that was asked for, which nobody else may write to meanwhile, or in one that is gone afterwards. */
async function inFolder<Result>(
  asked: string | undefined,
  work: (out: string) => Promise<Result>,
): Promise<Result> {
  if (asked !== undefined) {
    const out = resolve(asked);
    const release = holdFolder(out);
    return work(out).finally(release);
  }
  // What a TPP sent is recorded unredacted beside the folder of the run, so that goes into one of its own.
  const around = await mkdtemp(join(tmpdir(), 'xs2a-run-'));
  return work(join(around, 'run')).finally(() => rm(around, { recursive: true, force: true }));
}

async function judgementIn(dir: string, asked: string | undefined, blocker?: string): Promise<Judgement> {
  if (asked !== undefined) {
    const { run, outcome } = await writeReports(dir, { requirements, killScores: killScores(), html: true });
    return judgementOf(run, outcome, blocker, dir);
  }
  const run = inSpecificationOrder(readJournal(dir), requirements);
  return judgementOf(run, judgeRun(run, requirements), blocker);
}

const judgementOf = (
  run: RunRecord,
  { verdict, profiles, problems }: Outcome,
  blocker?: string,
  out?: string,
): Judgement => ({
  verdict,
  profiles: profiles.map(({ id, version, verdict: ofProfile, broken, gaps }) => ({
    id,
    version,
    verdict: ofProfile,
    broken,
    gaps,
  })),
  checks: run.results.map(judgedCheck),
  problems,
  ...(blocker === undefined ? {} : { blocker }),
  seed: run.header.seed,
  requests: runRequests(run),
  ...(out === undefined ? {} : { out }),
});

const judgedCheck = ({
  id,
  title,
  requirements: ids,
  verdict,
  reason,
  expected,
  actual,
}: CheckResult): JudgedCheck => ({
  id,
  title,
  requirements: ids,
  verdict,
  ...(reason === undefined ? {} : { reason }),
  ...(expected === undefined ? {} : { expected }),
  ...(actual === undefined ? {} : { actual }),
});
