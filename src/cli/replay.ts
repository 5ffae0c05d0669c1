import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { RunContext } from '../checks/context.ts';
import { judge, placeChecks } from '../checks/engine.ts';
import type { CheckResult, RunHeader, RunRecord } from '../checks/verdict.ts';
import {
  changedFields,
  requestText,
  responseText,
  shortened,
  tellingExchange,
} from '../report/exchange-text.ts';
import { oneLine, terminalJson } from '../report/harmless-text.ts';
import { isOfEmbeddedBank, readJournal } from '../report/journal.ts';
import { painter } from '../report/paint.ts';
import { isNumberOfRuns } from '../runner/arguments.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { type OpenTarget, openTarget } from '../runner/open-target.ts';
import { prepareRun } from '../runner/prepare-run.ts';
import { matchesId } from '../runner/select-checks.ts';
import { requirementById } from '../spec/catalogue.ts';
import { type TargetOverrides, tlsFilesOf } from '../target/load-target.ts';
import { proxyCredentials, proxyTo } from '../target/proxy.ts';
import { targetVariable } from '../target/settings.ts';
import type { Target } from '../target/target.ts';
import { type CurlConnection, curlCommand } from '../tpp/curl-command.ts';
import type { Redactor } from '../tpp/redaction.ts';
import type { RequestDraft } from '../tpp/signing-plan.ts';
import { shownProxy } from '../tpp/tunnel.ts';
import { addTargetOptions, overridesIn, settingsHelp, type TargetFlags } from './target-options.ts';
import { CommandError, exitCodes, type Finish, redactorFor, tellError, terminalOf } from './terminal.ts';

/** A check that was judged once more with the cases of an earlier run. */
interface Replay {
  readonly result: CheckResult;
  /** Makes the request that shows the verdict again, freshly dated and signed; absent when nothing was sent. */
  readonly again?: () => Promise<RequestDraft>;
  /** Why no check can be run. */
  readonly blocker?: string;
}

/** Judges one check as the run did, without a test framework. Undefined when this version has no such check. */
async function replayCheck(
  target: Target,
  redactor: Redactor,
  { seed, runs }: Pick<RunHeader, 'seed' | 'runs'>,
  id: string,
): Promise<Replay | undefined> {
  const placed = placeChecks(await loadSuites()).find(({ check }) => check.id === id);
  if (placed === undefined) return undefined;
  const { runContext, blocker } = await prepareRun(target, {
    seed,
    runs,
    repeatsPayments: true,
    command: 'xs2a-conformance run',
    redactor,
  });
  const requests = new Map<string, () => Promise<RequestDraft>>();
  try {
    const listening: RunContext = {
      ...runContext,
      onExchange: (exchange, _, again) => void requests.set(exchange.id, again),
    };
    const result = await judge(placed, listening);
    const telling = tellingExchange(result);
    const again = telling === undefined ? undefined : requests.get(telling.id);
    return {
      result,
      ...(again === undefined ? {} : { again }),
      ...(blocker === undefined ? {} : { blocker }),
    };
  } finally {
    await runContext.close();
  }
}

interface ReplayFlags extends TargetFlags {
  readonly otherAddress?: boolean;
  readonly curl?: boolean;
  readonly json?: boolean;
}

export const replayCommand = (finish: Finish): Command =>
  addTargetOptions(new Command('replay'))
    .argument('<run>', 'folder of the run, such as reports/latest')
    .argument('[id]', 'the check; may be left out when only one has failed')
    .option('--curl', 'print a curl command of the request instead; it works for the next minute')
    .option('--json', 'print the result as JSON')
    .option(
      '--other-address',
      'ask the bank of the target file although the run asked one at another address',
    )
    .addHelpText(
      'after',
      `
The check is run again with the cases of the run, against the bank that --target
names: the run folder may come from anybody, so it decides neither whom to ask
nor what to sign with. A run of the embedded bank needs no target.
A curl command holds what the target file holds: certificates, customers and
keys of the sandbox. The files that it names are in a temporary folder, so that
the run folder stays as it was attested.
${settingsHelp}

Examples:
  $ xs2a-conformance replay reports/latest DIG-03
  $ xs2a-conformance replay reports/bank DIG-03 --target bank.yaml
  $ xs2a-conformance replay reports/bank DIG-03 --target bank.yaml --curl | sh
  $ xs2a-conformance replay reports/bank DIG-03 --target staging.yaml \\
      --other-address

Exit codes: 0 it passes now, 1 it still fails, 2 wrong usage, 3 it cannot be
told.`,
    )
    .action(async (dir: string, id: string | undefined, flags: ReplayFlags) =>
      finish(await replay(dir, id, flags)),
    );

async function replay(dir: string, id: string | undefined, flags: ReplayFlags): Promise<number> {
  const run = readJournal(dir);
  const earlier = chosenResult(run, id, dir);
  const cases = casesOf(run);
  demandTarget(run, flags);
  const overrides = overridesIn(flags);
  const opened = await openTarget(flags.target, overrides);
  try {
    if (flags.curl === true && opened.embedded) throw new CommandError(gone);
    guardAddress(run, opened, flags);
    const redactor = redactorFor(opened.target, flags);
    const replayed = await replayCheck(opened.target, redactor, cases, earlier.id);
    if (replayed === undefined) {
      throw new CommandError(`This version has no check ${earlier.id}. Use the one that made the run.`);
    }
    if (replayed.blocker !== undefined) throw new CommandError(replayed.blocker, exitCodes.incomplete);
    const text =
      flags.curl === true ? await curl(replayed, opened, overrides) : shown(earlier, replayed, flags);
    const terminal = terminalOf(process.stdout);
    if (flags.curl === true) terminal.writeOwn(`${text}\n`);
    else terminal.write(`${text}\n`);
    return flags.curl === true ? exitCodes.conformant : exitCodeOf(replayed.result);
  } finally {
    await opened.close();
  }
}

const gone =
  'The run judged the embedded reference bank, which ends with its run: there is nothing for curl to talk to. Start one with serve, and judge that.';

/** Whom to ask and what to sign with comes from the user alone: what a journal names may be a trap. */
function demandTarget({ header }: RunRecord, { target, baseUrl }: ReplayFlags): void {
  const isNamed = target ?? baseUrl ?? (process.env[targetVariable] || process.env.XS2A_BASE_URL);
  if (isOfEmbeddedBank(header) || isNamed) return;
  throw new CommandError(
    `The run judged ${header.target.name} at ${header.target.baseUrl}. Name its target file with --target: a run folder does not decide whom to ask.`,
  );
}

function guardAddress(
  { header }: RunRecord,
  { target, embedded }: OpenTarget,
  { baseUrl, otherAddress }: ReplayFlags,
): void {
  const then = header.target.baseUrl;
  if (embedded ? isOfEmbeddedBank(header) : then === target.baseUrl) return;
  const told = `The run asked ${then}, the target is ${target.baseUrl}.`;
  if (baseUrl === undefined && otherAddress !== true) {
    throw new CommandError(
      `${told} Give --other-address to ask the target, or --base-url with the address that you mean.`,
    );
  }
  tellError(told);
}

/** More cases than a run takes would keep this machine busy, and the bank. */
function casesOf({ header: { seed, runs } }: RunRecord): Pick<RunHeader, 'seed' | 'runs'> {
  if (!Number.isSafeInteger(seed) || !isNumberOfRuns(runs)) {
    throw new CommandError(
      'The journal does not say which cases were tried: its seed or runs are no numbers.',
    );
  }
  return { seed, runs };
}

/** The one that the id names; without an id the only one that failed. */
function chosenResult({ results }: RunRecord, id: string | undefined, dir: string): CheckResult {
  const failed = results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict));
  const meant =
    id === undefined
      ? failed
      : (results.find((result) => result.id.toLowerCase() === id.toLowerCase()) ??
        results.filter((result) => matchesId(id, [result.id, ...result.requirements])));
  const candidates = [meant].flat();
  const [first, ...others] = candidates.length > 1 && id !== undefined ? failedOf(candidates) : candidates;
  if (first !== undefined && others.length === 0) return first;
  const listed = (first === undefined ? failed : [first, ...others]).map(
    (result) => `  ${result.id}  ${result.title}`,
  );
  const reason =
    first !== undefined
      ? 'Several checks are meant. Name one:'
      : id === undefined
        ? 'Nothing failed in this run. Name the check that you want to see again.'
        : `${dir} has no check "${id}". ${listed.length === 0 ? 'Nothing failed in it.' : 'These did not pass:'}`;
  throw new CommandError([reason, ...listed].join('\n'));
}

/** Of several checks of one requirement those that failed are meant, if any did. */
function failedOf(results: readonly CheckResult[]): readonly CheckResult[] {
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  return failed.length === 0 ? results : failed;
}

function shown(earlier: CheckResult, { result }: Replay, { json }: ReplayFlags): string {
  if (json === true) return terminalJson(result);
  return renderReplay(earlier, result, { colour: terminalOf(process.stdout).colour });
}

async function curl(
  { result, again }: Replay,
  { target, file }: OpenTarget,
  overrides: TargetOverrides,
): Promise<string> {
  if (again === undefined) {
    throw new CommandError(
      `${result.id} sent no request: ${result.reason ?? result.verdict}.`,
      exitCodes.incomplete,
    );
  }
  const { allowProductionPayments: _, ...flags } = overrides;
  const leave = leavingInOneFolder();
  const files = await tlsFilesOf(file, flags);
  const proxy = proxyTo(target.proxy, target.baseUrl);
  const connection: CurlConnection = {
    origin: new URL(target.baseUrl).origin,
    ...(proxy === undefined ? {} : { proxy: shownProxy(proxy) }),
    insecure: target.tls.insecure,
    ...(target.tls.ca === undefined || files.ca !== undefined
      ? {}
      : { ca: leave('replay-ca.pem', target.tls.ca) }),
    ...files,
  };
  if (target.tls.client !== undefined && connection.clientKey === undefined) {
    tellError('The client certificate stands in the target file itself: add --cert and --key.');
  }
  if (proxy !== undefined && proxyCredentials(new URL(proxy)) !== undefined) {
    tellError('The proxy wants a name and a password: add --proxy-user.');
  }
  return curlCommand(await again(), connection, (body) => leave(`replay-${result.id}.body`, body));
}

/**
 * Leaves files that the printed command names, and that whoever runs it may run again. Not in the run folder: all that is
 * in there is attested, and it may come from a stranger. A command that names none leaves no folder.
 */
function leavingInOneFolder(): (name: string, content: string | Buffer) => string {
  let dir: string | undefined;
  return (name, content) => {
    dir ??= mkdtempSync(join(tmpdir(), 'xs2a-replay-'));
    const path = join(dir, name);
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return path;
  };
}

function exitCodeOf({ verdict }: CheckResult): number {
  if (verdict === 'pass' || verdict === 'warning') return exitCodes.conformant;
  if (verdict === 'fail') return exitCodes.nonConformant;
  return verdict === 'error' ? exitCodes.ownFault : exitCodes.incomplete;
}

const longestBody = 4_000;

/** What was expected and what came, then and now, with the exchanges of now. */
function renderReplay(
  earlier: CheckResult,
  now: CheckResult,
  { colour }: { readonly colour: boolean },
): string {
  const paint = painter(colour);
  const style = now.verdict === 'pass' ? 'green' : 'red';
  const statements = now.requirements.flatMap((id) => {
    const requirement = requirementById.get(id);
    return requirement === undefined ? [] : [`  ${id} (${requirement.level}): ${requirement.statement}`];
  });
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Then', `${earlier.verdict}${earlier.reason === undefined ? '' : `: ${earlier.reason}`}`],
    ['Now', now.verdict],
    ['Reason', now.expected === undefined ? now.reason : undefined],
    ['Expected', now.expected],
    ['Actual', now.actual],
    ...changedFields(now).flatMap(({ name, sides }) => [
      ['Changed', name] as const,
      ['- control', sides?.control] as const,
      ['+ sent', sides?.failing] as const,
    ]),
    ['Case', now.counterexample?.value],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${paint('gray', name.padEnd(9))} ${oneLine(value)}`],
  );
  const exchanges = now.exchanges.map((exchange) =>
    [
      paint(
        'bold',
        `── ${exchange.purpose === '' ? exchange.operation : exchange.purpose} (${exchange.durationMs} ms)`,
      ),
      visible(requestText(exchange)),
      '',
      visible(responseText(exchange)),
    ].join('\n'),
  );
  return [
    [
      `${paint(style, now.verdict.toUpperCase())}  ${paint('bold', now.id)}  ${now.title}`,
      ...statements,
    ].join('\n'),
    lines.join('\n'),
    ...exchanges,
  ].join('\n\n');
}

/** Line by line, so that the shape stays and a bank's control characters do not reach the terminal. */
const visible = (text: string): string =>
  shortened(text, longestBody)
    .split('\n')
    .map((line) => `  ${oneLine(line)}`.trimEnd())
    .join('\n');
