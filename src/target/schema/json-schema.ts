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
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
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
