import type { JsonSchema } from './json-schema.ts';
import { isObject, type KeyPath } from './key-path.ts';
import { schemaAt } from './target-file.ts';

/**
 * The keys of the target file that a flag or an environment variable may set as well. `baseUrl` is the variable
 * XS2A_BASE_URL and the flag --base-url, `signing.privateKey` is XS2A_SIGNING_PRIVATE_KEY, and so on. Every name
 * has the prefix: tools that share the process set plain ones (such as BASE_URL) to values of their own.
 * `psu.corporateId` is not among them: its name would be that of `psu.corporate.id`.
 */
const settingKeys = [
  'name',
  'baseUrl',
  'environment',
  'userAgent',
  'proxy',
  'tls.ca',
  'tls.clientCertificate',
  'tls.clientKey',
  'tls.passphrase',
  'tls.insecure',
  'signing.certificate',
  'signing.privateKey',
  'signing.pkcs12',
  'signing.passphrase',
  'signing.testCa.certificate',
  'signing.testCa.privateKey',
  'signing.testCa.passphrase',
  'psu.sca',
  'psu.context',
  'psu.id',
  'psu.sessionId',
  'psu.ipAddress',
  'psu.nationalId',
  'psu.redirectUri',
  'psu.module',
  'psu.corporate.id',
  'psu.corporate.corporateId',
  'psu.corporate.sessionId',
  'psu.corporate.nationalId',
  'accounts.debtor.bban',
  'accounts.debtor.iban',
  'accounts.debtor.currency',
  'accounts.card.identification',
  'accounts.creditor.bban',
  'pace.concurrency',
  'pace.requestsPerSecond',
  'pace.timeoutMs',
  'pace.retries',
  'pace.outageSeconds',
] as const;
export type SettingKey = (typeof settingKeys)[number];

export interface Setting {
  readonly key: SettingKey;
  readonly variable: string;
  readonly flag: string;
  readonly kind: 'text' | 'number' | 'boolean';
  readonly description: string;
}

export const settings: readonly Setting[] = settingKeys.map((key) => {
  const schema = schemaAt(key.split('.'));
  return {
    key,
    variable: `XS2A_${words(key).join('_').toUpperCase()}`,
    flag: `--${words(key).join('-').toLowerCase()}`,
    kind: kindOf(schema),
    description: schema?.description ?? '',
  };
});

/** The variable that names the target file itself. */
export const targetVariable = 'XS2A_TARGET';

function words(key: string): readonly string[] {
  return key.replace(/[A-Z]/g, (letter) => `.${letter}`).split('.');
}

function kindOf(schema: JsonSchema | undefined): Setting['kind'] {
  if (schema?.type === 'boolean') return 'boolean';
  return schema?.type === 'integer' || schema?.type === 'number' ? 'number' : 'text';
}

export type SettingValues = Readonly<Partial<Record<SettingKey, string | number | boolean>>>;

/** The data with flags and variables put in, and for each value that came so, from where. */
export interface SettledData {
  readonly data: unknown;
  /** The flag or variable that the value came from; absent for what the file says. */
  readonly originOf: (path: KeyPath) => string | undefined;
}

/** Flags come before variables, variables before the file. An empty variable counts as absent. */
export function applySettings(
  data: unknown,
  flags: SettingValues,
  environment: NodeJS.ProcessEnv,
): SettledData {
  const origins = new Map<string, string>();
  let settled = data;
  for (const setting of settings) {
    const variable = environment[setting.variable];
    const flag = flags[setting.key];
    const given = flag ?? (variable === '' ? undefined : variable);
    if (given === undefined) continue;
    settled = withValue(settled, setting.key.split('.'), typed(given, setting.kind));
    origins.set(setting.key, flag === undefined ? setting.variable : setting.flag);
  }
  return { data: settled, originOf: (path) => origins.get(path.join('.')) };
}

/** Whether a value that came from there may be left over from something else: nobody has typed it for this run. */
export const isVariable = (origin: string): boolean => origin.startsWith('XS2A_');

// Text that is no number or truth value stays as it is: the schema then says what was expected.
function typed(given: string | number | boolean, kind: Setting['kind']): string | number | boolean {
  if (typeof given !== 'string') return kind === 'text' ? String(given) : given;
  if (kind === 'number' && given.trim() !== '' && Number.isFinite(Number(given))) return Number(given);
  if (kind === 'boolean' && /^(true|1|yes)$/i.test(given)) return true;
  if (kind === 'boolean' && /^(false|0|no)$/i.test(given)) return false;
  return given;
}

function withValue(data: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const object = isObject(data) ? data : {};
  return { ...object, [key]: withValue(object[key], rest, value) };
}
