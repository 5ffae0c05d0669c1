import type { JsonSchema } from './schema/json-schema.ts';
import { schemaAt } from './schema/schema-at.ts';

/**
 * The keys of the target file that a flag or an environment variable may set as well. `baseUrl` is the variable
 * XS2A_BASE_URL and the flag --base-url, `signing.privateKey` is XS2A_SIGNING_PRIVATE_KEY, and so on. Every name
 * has the prefix: tools that share the process set plain ones (such as BASE_URL) to values of their own.
 */
const settingKeys = [
  'name',
  'baseUrl',
  'environment',
  'tls.ca',
  'tls.clientCertificate',
  'tls.clientKey',
  'tls.passphrase',
  'tls.insecure',
  'signing.certificate',
  'signing.privateKey',
  'signing.passphrase',
  'signing.testCa.certificate',
  'signing.testCa.privateKey',
  'signing.testCa.passphrase',
  'psu.sca',
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

/** For help and documentation. */
export const environmentVariables: readonly { readonly variable: string; readonly description: string }[] = [
  { variable: targetVariable, description: 'the target file, where the command line names none' },
  ...settings.map(({ variable, key, description }) => ({ variable, description: `${key}: ${description}` })),
];

function words(key: string): readonly string[] {
  return key.replace(/[A-Z]/g, (letter) => `.${letter}`).split('.');
}

function kindOf(schema: JsonSchema | undefined): Setting['kind'] {
  if (schema?.type === 'boolean') return 'boolean';
  return schema?.type === 'integer' || schema?.type === 'number' ? 'number' : 'text';
}
