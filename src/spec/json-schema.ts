import { type BodyName, bodies } from './bodies/index.ts';
import type { Body, Field } from './field.ts';

/** A JSON schema as plain data (draft-07 vocabulary, as ajv reads it by default). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Formats that ajv-formats does not know; whoever compiles a schema registers them. */
export const amountPattern = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

function ofField(field: Field): JsonSchema {
  switch (field.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'object':
      return ofFields(field.fields ?? []);
    case 'array':
      return { type: 'array', ...(field.items === undefined ? {} : { items: ofField(field.items) }) };
    case 'map':
      return {
        type: 'object',
        ...(field.items === undefined ? {} : { additionalProperties: ofField(field.items) }),
      };
    case 'string':
      return {
        type: 'string',
        ...(field.ids.nonEmpty === undefined ? {} : { minLength: 1 }),
        ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
        ...(field.values === undefined ? {} : { enum: field.values }),
        ...(field.format === 'amount' ? { pattern: amountPattern.source } : {}),
        ...(field.format === 'date' ? { format: 'date' } : {}),
        ...(field.format === 'uuid' ? { format: 'uuid' } : {}),
      };
  }
}

function ofFields(fields: readonly Field[]): JsonSchema {
  return {
    type: 'object',
    required: fields.filter((field) => field.ids.required !== undefined).map((field) => field.name),
    properties: Object.fromEntries(fields.map((field) => [field.name, ofField(field)])),
  };
}

const exactlyOneOf = (first: string, second: string): JsonSchema => ({
  type: 'object',
  oneOf: [{ required: [first] }, { required: [second] }],
});

const atLeastOneOf = (first: string, second: string): JsonSchema => ({
  type: 'object',
  anyOf: [{ required: [first] }, { required: [second] }],
});

/** What a schema has to say beyond single fields. */
const crossFieldRules: Partial<Record<BodyName, JsonSchema>> = {
  domesticPayment: {
    type: 'object',
    properties: { debtorAccount: exactlyOneOf('bban', 'other') },
    not: { required: ['remittanceInformationUnstructured', 'remittanceInformationStructuredArray'] },
  },
  crossBorderPayment: {
    type: 'object',
    properties: {
      creditorAccount: atLeastOneOf('bban', 'iban'),
      debtorAccount: atLeastOneOf('bban', 'iban'),
    },
    if: {
      properties: { creditorAccount: { type: 'object', required: ['bban'] } },
      required: ['creditorAccount'],
    },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
    then: { required: ['creditorAgent'] },
  },
};

function ofBody(name: BodyName, body: Body): JsonSchema {
  const rules = crossFieldRules[name];
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: body.name,
    ...(rules === undefined ? ofFields(body.fields) : { allOf: [ofFields(body.fields), rules] }),
  };
}

/** JSON schemas of every request and response body, derived from the field tables. */
export const schemas: Readonly<Record<BodyName, JsonSchema>> = Object.fromEntries(
  Object.entries(bodies).map(([name, body]) => [name, ofBody(name as BodyName, body)]),
) as Record<BodyName, JsonSchema>;
