import { readFile } from 'node:fs/promises';
import { applySettings, type SettingValues } from './apply-settings.ts';
import { createTarget } from './create-target.ts';
import { type KeyPath, writeKeyPath } from './key-path.ts';
import { loadAccounts } from './load/accounts.ts';
import type { LoadContext } from './load/context.ts';
import { loadCustomHeaders } from './load/custom-headers.ts';
import { loadKnownDeviations } from './load/known-deviations.ts';
import { loadPayments } from './load/payments.ts';
import { unreadable } from './load/pem.ts';
import { loadPsu } from './load/psu.ts';
import { loadSigning } from './load/signing.ts';
import { loadTls } from './load/tls.ts';
import { paceOf } from './pace.ts';
import { targetVariable } from './settings.ts';
import type { Target } from './target.ts';
import type { TargetFile } from './target-file.ts';
import { TargetFileError, type TargetProblem } from './target-file-error.ts';
import { parseTargetSource, type TargetSource } from './target-source.ts';
import { validate } from './validate.ts';

export interface TargetOverrides extends SettingValues {
  /** Never from a variable or the file: whoever wants payments in production says so at every run. */
  readonly allowProductionPayments?: boolean;
}

/**
 * Reads the target file, puts flags and variables over it, and loads all that it names. Whatever is wrong is told
 * at once, in one TargetFileError. Without a file, everything comes from flags and variables.
 */
export async function loadTarget(
  file: string | { readonly text: string } | undefined,
  overrides: TargetOverrides = {},
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Target> {
  const { allowProductionPayments = false, ...flags } = overrides;
  const path = typeof file === 'object' ? ownDescription : file || environment[targetVariable] || undefined;
  const source =
    typeof file === 'object'
      ? parseTargetSource(ownDescription, file.text)
      : path === undefined
        ? withoutFile
        : await readSource(path);
  const { data, originOf } = applySettings(source.data, flags, environment);

  const problems: (TargetProblem & { readonly offset: number })[] = [];
  const complain = (at: KeyPath, message: string): void => {
    const origin = originOf(at);
    const { place, offset } = origin === undefined ? source.positionOf(at) : { place: origin, offset: -1 };
    problems.push({ place, path: writeKeyPath(at), message, offset });
  };
  const context: LoadContext = {
    complain,
    environment,
    // What was typed into a shell is meant from where it was typed.
    directoryOf: (at) => (originOf(at) === undefined ? source.directory : '.'),
  };

  const given = validate(data, source.textOf, complain);
  const [tls, signing, psu] = await Promise.all([
    loadTls(context, given.tls),
    loadSigning(context, given.signing),
    loadPsu(context, given.psu),
  ]);
  const accounts = loadAccounts(context, given.accounts);
  const knownDeviations = loadKnownDeviations(context, given.knownDeviations);
  const customHeaders = loadCustomHeaders(context, given.customHeaders);
  demandCreditor(context, given, allowProductionPayments);

  const { identity, testCa, identities } = signing;
  const { baseUrl } = given;
  if (problems.length > 0 || baseUrl === undefined || identity === undefined || accounts === undefined) {
    const inOrder = problems.toSorted((a, b) => a.offset - b.offset);
    throw new TargetFileError(
      path,
      inOrder.map(({ offset, ...problem }) => problem),
    );
  }
  return createTarget({
    ...(given.name === undefined ? {} : { name: given.name }),
    baseUrl,
    ...(given.environment === undefined ? {} : { environment: given.environment }),
    tls,
    identity,
    identities,
    ...(testCa === undefined ? {} : { testCa }),
    psu,
    accounts,
    payments: loadPayments(given.payments),
    ...(given.paths === undefined ? {} : { paths: given.paths }),
    ...(given.interpretations === undefined ? {} : { readings: given.interpretations }),
    knownDeviations,
    pace: paceOf(baseUrl, given.pace),
    customHeaders,
    allowProductionPayments,
  });
}

/** A bank in the same process describes itself in the words of a target file. */
const ownDescription = '(embedded bank)';

const withoutFile: TargetSource = {
  data: {},
  directory: '.',
  positionOf: () => ({ place: '(no target file)', offset: 0 }),
  textOf: () => undefined,
};

async function readSource(file: string): Promise<TargetSource> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const message = `${unreadable(file, error)} Give the path of a target file, or write one with the command init.`;
    throw new TargetFileError(file, [{ place: file, path: '', message }]);
  }
  return parseTargetSource(file, text);
}

function demandCreditor({ complain }: LoadContext, given: TargetFile, paymentsAllowed: boolean): void {
  if (given.environment !== 'production' || !paymentsAllowed || given.accounts?.creditor !== undefined)
    return;
  complain(
    ['accounts', 'creditor'],
    'This is missing. In production money really goes there, so the suite makes up no account to pay to.',
  );
}
