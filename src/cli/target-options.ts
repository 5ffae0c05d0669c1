import { type Command, Option } from 'commander';
import { shellWord } from '../spec/shell-word.ts';
import type { TargetOverrides } from '../target/load-target.ts';
import { type Setting, settings } from '../target/settings.ts';

/** What the flags of {@link addTargetOptions} leave. Further flags bear the names of settings. */
export interface TargetFlags {
  readonly target?: string;
  readonly baseUrl?: string;
  readonly allowProductionPayments?: boolean;
  readonly showTestData?: boolean;
}

/** The flags by which any command names the bank. Those that a target file mostly holds are not shown in the help. */
export function addTargetOptions(command: Command): Command {
  command.option('-t, --target <file>', 'target file that describes the bank (YAML or JSON)');
  for (const setting of settings) command.addOption(optionOf(setting));
  command.option(
    '--show-test-data',
    'show the mocked people and sessions of a sandbox in output and reports; keys stay hidden',
  );
  return command.addOption(
    new Option(
      '--allow-production-payments',
      'create payments although the target is a production environment',
    ),
  );
}

export const settingsHelp = `
Every setting of the target file is a flag and a variable as well: --psu-id and
XS2A_PSU_ID stand for psu.id.`;

/** The values that stand above the target file. */
export function overridesIn(flags: TargetFlags): TargetOverrides {
  const given = settings
    .map((setting) => [setting.key, valueIn(flags, setting)] as const)
    .filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given),
    ...(flags.allowProductionPayments === true ? { allowProductionPayments: true } : {}),
  };
}

/** Settings whose values open a door or tell who somebody is. */
const isSecret = ({ key }: Setting): boolean =>
  /passphrase|privateKey|clientKey|^proxy$|^psu\.(?!sca$|ipAddress$|redirectUri$|module$)/.test(key);

/** The flags as they were given, for `reproduce` lines. For a secret stands the variable that says the same. */
export function shownTargetFlags(flags: TargetFlags): readonly string[] {
  const shown = settings.flatMap((setting) => {
    const value = valueIn(flags, setting);
    if (value === undefined) return [];
    if (isSecret(setting)) return [`${setting.flag} "$${setting.variable}"`];
    return [value === true ? setting.flag : `${setting.flag} ${shellWord(String(value))}`];
  });
  return [
    ...(flags.target === undefined ? [] : [`--target ${shellWord(flags.target)}`]),
    ...shown,
    ...(flags.allowProductionPayments === true ? ['--allow-production-payments'] : []),
  ];
}

function optionOf({ flag, key, kind, description }: Setting): Option {
  if (key === 'baseUrl') {
    return new Option(`${flag} <url>`, 'address of the bank, instead of the one in the target file');
  }
  return new Option(kind === 'boolean' ? flag : `${flag} <value>`, description).hideHelp();
}

/** Commander names the value of `--psu-id` `psuId`. */
function valueIn(flags: TargetFlags, { flag }: Setting): string | boolean | undefined {
  const name = flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return (flags as Readonly<Record<string, string | boolean | undefined>>)[name];
}
