/** The part of JSON Schema draft-07 that the target file's schema is written in. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
}

export type JsonType = 'string' | 'object' | 'array' | 'number' | 'integer' | 'boolean';

/** An object that takes the given keys and no others. */
export function section(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  rest: Omit<JsonSchema, 'type' | 'description' | 'properties'> = {},
): JsonSchema {
  return { description, type: 'object', additionalProperties: false, properties, ...rest };
}

// The kinds of values that several parts of the target file share.

const text = (description: string, rest: JsonSchema = {}): JsonSchema => ({
  description,
  type: 'string',
  minLength: 1,
  ...rest,
});

/** Something that goes into a header as it is: visible ASCII without spaces. */
const headerValue = (description: string, rest: JsonSchema = {}): JsonSchema =>
  text(description, { pattern: '^[!-~]+$', ...rest });

const currency = (example = 'NOK'): JsonSchema => ({
  description: 'currency of the account, a code of three capital letters',
  type: 'string',
  pattern: '^[A-Z]{3}$',
  examples: [example],
});

const bban = (description: string, example: string): JsonSchema => ({
  description: `${description}, at most 30 letters and digits without spaces; in quotes`,
  type: 'string',
  pattern: '^[A-Za-z0-9]{1,30}$',
  examples: [example],
});

const iban = (description: string, example: string): JsonSchema => ({
  description: `${description}, without spaces, at most 34 characters`,
  type: 'string',
  pattern: '^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$',
  examples: [example],
});

const bic = (description: string): JsonSchema => ({
  description: `${description}, a BIC of 8 or 11 characters`,
  type: 'string',
  pattern: '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$',
  examples: ['DNBANOKKXXX'],
});

const file = (description: string, example: string): JsonSchema =>
  text(`${description}: a PEM file, relative to the target file, or the PEM text itself`, {
    examples: [example],
  });

const passphrase = text(
  'passphrase of the private key, where that is encrypted; passphraseEnv keeps it out of the file',
);

const passphraseEnv = text('name of the environment variable that holds the passphrase', {
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  examples: ['QSEAL_PASSPHRASE'],
});

export const value = { text, headerValue, currency, bban, iban, bic, file, passphrase, passphraseEnv };
