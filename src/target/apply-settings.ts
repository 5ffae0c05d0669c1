import { isObject, type KeyPath } from './key-path.ts';
import { type Setting, type SettingKey, settings } from './settings.ts';

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
