import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadAccounts } from './accounts.ts';
import { BoundedFileError, readBounded } from './bounded-file.ts';
import { unreadable } from './key-pairs.ts';
import { isObject, type KeyPath, type LoadContext, valueAt, writeKeyPath } from './key-path.ts';
import { loadKnownDeviations } from './known-deviations.ts';
import { loadPsu } from './load-psu.ts';
import { loadNotOffered } from './not-offered.ts';
import { paceOf } from './pace.ts';
import { loadPayments } from './payments.ts';
import { permissionsOf } from './permissions.ts';
import { loadProxy } from './proxy.ts';
import {
  applySettings,
  isVariable,
  type SettingValues,
  type SettledData,
  settings,
  targetVariable,
} from './settings.ts';
import { loadSigning } from './signing.ts';
import { createTarget, type Target, type TargetWarning } from './target.ts';
import { demandBaseUrl, loadCustomHeaders, type TargetFile } from './target-file.ts';
import { TargetFileError, type TargetProblem, type TargetSource } from './target-problem.ts';
import { loadTls } from './tls.ts';
import { validate } from './validate.ts';

export interface TargetOverrides extends SettingValues {
  /** Never from a variable or the file: whoever wants payments in production says so at every run. */
  readonly allowProductionPayments?: boolean;
}

/**
 * Reads the target file, puts flags and variables over it, and loads all that it names. Whatever is wrong is told
 * at once, in one TargetFileError. Without a file, everything comes from flags and variables. A program or script of
 * the target is announced before it runs.
 */
export async function loadTarget(
  file: string | { readonly text: string } | undefined,
  overrides: TargetOverrides = {},
  environment: NodeJS.ProcessEnv = process.env,
  announce: (sentence: string) => void = () => {},
): Promise<Target> {
  const { allowProductionPayments = false, ...flags } = overrides;
  const path = typeof file === 'object' ? ownDescription : file || environment[targetVariable] || undefined;
  const source = typeof file === 'object' ? described(file.text) : await sourceAt(path);
  const settled = applySettings(source.data, flags, environment);
  const { originOf } = settled;
  const { context, problems, warnings } = listening(source, originOf, environment, announce);
  const { data, whyUnstated } = heldToAddress(context, path === undefined ? undefined : source, settled);

  const given = await validate(data, source.textOf, context.complain);
  const [tls, signing, psu] = await Promise.all([
    loadTls(context, given.tls),
    loadSigning(context, given.signing),
    loadPsu(context, given.psu),
  ]);
  const proxy = loadProxy(context, given.proxy, given.baseUrl);
  const accounts = loadAccounts(context, given.accounts);
  const knownDeviations = loadKnownDeviations(context, given.knownDeviations);
  const notOffered = loadNotOffered(context, given.notOffered);
  const customHeaders = loadCustomHeaders(context, given.customHeaders);
  demandBaseUrl(context, given);
  demandCreditor(context, given, allowProductionPayments, originOf);
  demandOneDebtor(context, given);

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
    ...(whyUnstated === undefined ? {} : { whyUnstated }),
    proxy,
    ...(given.userAgent === undefined ? {} : { userAgent: given.userAgent }),
    tls,
    identity,
    identities,
    ...(testCa === undefined ? {} : { testCa }),
    psu,
    accounts,
    payments: loadPayments(given.payments),
    permissions: permissionsOf(given.limits, given.sandbox),
    ...(given.paths === undefined ? {} : { paths: given.paths }),
    ...(given.interpretations === undefined ? {} : { readings: given.interpretations }),
    knownDeviations,
    ...(given.profiles === undefined ? {} : { profiles: given.profiles }),
    notOffered,
    pace: paceOf(baseUrl, given.pace),
    customHeaders,
    allowProductionPayments,
    warnings,
  });
}

interface PlacedProblem extends TargetProblem {
  /** Where it stands in the file, so that problems can be told in that order. */
  readonly offset: number;
}

/** What the sections are loaded with: it keeps all that they complain and warn of. */
function listening(
  source: TargetSource,
  originOf: SettledData['originOf'],
  environment: NodeJS.ProcessEnv,
  announce: (sentence: string) => void,
) {
  const problems: PlacedProblem[] = [];
  const warnings: TargetWarning[] = [];
  const context: LoadContext = {
    complain(at, message) {
      const origin = originOf(at);
      const { place, offset } = origin === undefined ? source.positionOf(at) : { place: origin, offset: -1 };
      problems.push({ place, path: writeKeyPath(at), message, offset });
    },
    warn: (at, message) => void warnings.push({ path: writeKeyPath(at), message }),
    announce: (at, message) => announce(`${originOf(at) ?? source.positionOf(at).place}: ${message}`),
    environment,
    variableOf: (at) => settings.find(({ key }) => key === writeKeyPath(at))?.variable,
    // What was typed into a shell is meant from where it was typed.
    directoryOf: (at) => (originOf(at) === undefined ? source.directory : '.'),
  };
  return { context, problems, warnings };
}

const sourceAt = async (path: string | undefined): Promise<TargetSource> =>
  path === undefined ? withoutFile('(no target file)') : readSource(path);

/** A bank in the same process describes itself in the words of a target file. */
const ownDescription = '(embedded bank)';

const described = (text: string): TargetSource => ({
  ...withoutFile(ownDescription),
  data: JSON.parse(text) as unknown,
});

/** What stands in no file has no lines to name. */
const withoutFile = (place: string): TargetSource => ({
  data: {},
  directory: '.',
  positionOf: () => ({ place, offset: 0 }),
  textOf: () => undefined,
});

/** Target files with keys in them have a few thousand characters; what is larger, or has no end, is none. */
const mostBytes = 4 * 1024 * 1024;

async function readSource(file: string): Promise<TargetSource> {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    const message = `${unreadable(file, error)} Give the path of a target file, or write one with the command init.`;
    throw new TargetFileError(file, [{ place: file, path: '', message }]);
  }
  return parsed(file, text);
}

function readText(file: string): string {
  const bytes = readBounded(file, mostBytes);
  // Other letters would turn up as signs that nobody has written, in the middle of names; those of UTF-16 have zeros.
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new BoundedFileError('it is not in UTF-8, or has zeros in it; save it as UTF-8');
  return bytes.toString('utf8');
}

/** Loaded only for a file: a bank in the same process need not wait for it. */
async function parsed(file: string, text: string): Promise<TargetSource> {
  const { parseTargetSource } = await import('./target-source.ts');
  return parseTargetSource(file, text);
}

/** What a file declares of the bank at its address, or allows to be done there. */
const declaredOfAddress: readonly KeyPath[] = [
  ['environment'],
  ['sandbox'],
  ['limits'],
  ['psu', 'scaHosts'],
  ['tls', 'insecure'],
];

/**
 * Decides whether money may move. What a file declares of an address holds for the origin that stands next to it. A
 * variable may be left over from another target: it makes nothing but production of a sandbox. A flag was typed for this
 * run, and says what the target is where there is no file; over a file it can only be stricter.
 */
function heldToAddress(
  { complain, warn }: LoadContext,
  source: TargetSource | undefined,
  { data, originOf }: SettledData,
): { readonly data: unknown; readonly whyUnstated?: string } {
  const [origin, addressOrigin] = [originOf(['environment']), originOf(['baseUrl'])];
  const given = valueAt(data, ['environment']);
  const [there, asked] = [source?.data, data].map((values) => webOrigin(valueAt(values, ['baseUrl'])));
  const isElsewhere =
    source !== undefined && addressOrigin !== undefined && (there === undefined || there !== asked);
  const written = isElsewhere ? undefined : (valueAt(source?.data, ['environment']) ?? undefined);
  const elsewhere = isElsewhere
    ? `${addressOrigin} gives an address ${there === undefined ? 'to a target file that has none' : `that is not the one of the target file (${there})`}. What a file declares of its address (environment, sandbox, limits, psu.scaHosts, tls.insecure) holds there alone`
    : undefined;
  const remedy = 'write a target file for this address';

  if (source !== undefined && origin !== undefined && given === 'sandbox' && written !== 'sandbox')
    complain(
      ['environment'],
      elsewhere !== undefined
        ? `This cannot make a sandbox of it: ${elsewhere}. Leave ${origin} out, or ${remedy}.`
        : written === undefined
          ? `A target file says itself that it is of a sandbox: write environment: sandbox into it, and leave ${origin} out.`
          : `This cannot turn what the target file says (${source.positionOf(['environment']).place}) into a sandbox. Leave ${origin} out, or change the file.`,
    );
  const isLeftOver = origin !== undefined && isVariable(origin) && written === undefined;
  const held = declaredOfAddress
    .filter(
      (path) => (path[0] === 'environment' && isLeftOver) || (isElsewhere && originOf(path) === undefined),
    )
    .reduce(withoutValue, data);
  if (elsewhere !== undefined && valueAt(held, ['environment']) !== undefined)
    warn(['baseUrl'], `${elsewhere}.`);
  const told =
    elsewhere !== undefined
      ? `${elsewhere}, so no payment is created: ${remedy}.`
      : `Nobody has said what the target is, so no payment is created: give --environment sandbox, or --environment production.${isLeftOver ? ` ${origin} does not say it: it may be left over from another target.` : ''}`;
  return { data: held, ...(isElsewhere || source === undefined ? { whyUnstated: told } : {}) };
}

const webOrigin = (address: unknown): string | undefined =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : undefined;

function withoutValue(data: unknown, [key, ...rest]: KeyPath): unknown {
  if (!isObject(data) || key === undefined || !Object.hasOwn(data, key)) return data;
  const { [key]: value, ...others } = data;
  return rest.length === 0 ? others : { ...others, [key]: withoutValue(value, rest) };
}

function demandCreditor(
  { complain }: LoadContext,
  given: TargetFile,
  paymentsAllowed: boolean,
  originOf: SettledData['originOf'],
): void {
  const { creditor, creditors } = given.accounts ?? {};
  const isNamed = creditor !== undefined || creditors?.domestic !== undefined;
  if (given.environment !== 'production' || !paymentsAllowed) return;
  if (!isNamed)
    complain(
      ['accounts', 'creditor'],
      'This is missing. In production money really goes there, so the suite makes up no account to pay to.',
    );
  const path = ['accounts', 'creditor', 'bban'];
  if (isVariable(originOf(path) ?? ''))
    complain(
      path,
      'In production money really goes there, and a variable may be left over from another target. Name the account in the target file, or as --accounts-creditor-bban.',
    );
}

function demandOneDebtor({ complain }: LoadContext, { psu, accounts }: TargetFile): void {
  if (psu?.context !== 'CORPORATE' || accounts?.corporateDebtor === undefined) return;
  complain(
    ['accounts', 'corporateDebtor'],
    'With psu.context CORPORATE the company pays from accounts.debtor: leave this out.',
  );
}

/** Where the PEM files of the connection lie. One that the target file holds as text has no place of its own. */
export interface TlsFiles {
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** For commands that other programs are to run; a loaded target has only the contents. */
export async function tlsFilesOf(
  file: string | undefined,
  flags: SettingValues,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<TlsFiles> {
  // A pipe was read when the target was loaded, and holds nothing any more.
  const source =
    file !== undefined && statSync(file).isFile() ? await parsed(file, readText(file)) : undefined;
  const { data, originOf } = applySettings(source?.data ?? {}, flags, environment);
  const placeOf = (path: KeyPath): string | undefined => {
    const value = valueAt(data, path);
    if (typeof value !== 'string' || value.includes('-----BEGIN')) return undefined;
    return resolve(originOf(path) === undefined ? (source?.directory ?? '.') : '.', value);
  };
  const [ca, clientCertificate, clientKey] = [
    placeOf(['tls', 'ca']),
    placeOf(['tls', 'clientCertificate']),
    placeOf(['tls', 'clientKey']),
  ];
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}
