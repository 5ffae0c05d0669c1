import { type BodyName, bodies } from './bodies/index.ts';
import { catalogueVersion } from './catalogue.ts';
import { facets } from './facets.ts';
import type { Body } from './field.ts';
import { type HeaderRow, headerRows, headerSamples, specifiedProfiles } from './headers.ts';
import type { JsonSchema } from './json.ts';
import { bodySchema } from './json-schema.ts';
import { limits } from './limits.ts';
import { type HeaderProfile, type Operation, type OperationName, operations } from './operations.ts';
import { createdBy, everyProduct } from './products.ts';
import { profiles } from './profiles.ts';

/**
 * The interface as an OpenAPI 3.1 document, made of the tables that bank and checks read. What the specification does not
 * show (answers of accounts, balances, consents and others) stays an open object: nothing is invented here.
 */
export function openApiDocument(): JsonSchema {
  const used = Object.entries(operations) as readonly [OperationName, Operation][];
  return {
    openapi: '3.1.0',
    info: {
      title: 'XS2A: Norwegian credit transfers, signing baskets and sandbox customers',
      version: catalogueVersion,
      description:
        'Made from the tables of xs2a-conformance. Every request is signed: see the headers Digest and Signature. Operations marked x-origin: framework are named by the specification, which does not show their shape.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{base_url}',
        variables: {
          base_url: { default: 'https://localhost:8443', description: 'Address of the bank, without /v1' },
        },
      },
    ],
    tags: [...new Set(used.map(([, { profile }]) => profile))].map((profile) => ({
      name: profile,
      description: profiles[profile].about,
    })),
    paths: pathsOf(used),
    components: {
      schemas: Object.fromEntries(Object.entries<Body>(bodies).map(([name, body]) => [name, schemaOf(body)])),
      parameters: Object.fromEntries(
        headerRows.filter(isDescribed).map((row) => [row.name, headerParameter(row)]),
      ),
      responses: {
        error: {
          description: 'Refused. A 401 that asks for SCA carries the link scaRedirect.',
          content: json(reference('schemas', 'errorResponse')),
        },
      },
      // Each request is authenticated by its own signature, whose three headers stand among the parameters.
      securitySchemes: {
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'Signature',
          description: 'keyId, algorithm, headers and signature, each as name="value", joined by commas',
        },
      },
    },
    security: [{ signature: [] }],
  };
}

const reference = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: JsonSchema, example?: unknown): JsonSchema => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

/** OpenAPI ignores parameters with these names: it has means of its own for them. */
const ownMeans = ['Accept', 'Signature', 'Host'];
const isDescribed = ({ name }: HeaderRow): boolean => !ownMeans.includes(name);

function schemaOf(body: Body): JsonSchema {
  const { $schema: _, ...schema } = bodySchema(body).schema;
  return { ...schema, examples: [body.example] };
}

function headerParameter({ name, note, type }: HeaderRow): JsonSchema {
  const samples = headerSamples[name];
  return {
    name,
    in: 'header',
    description: note,
    schema: {
      type: 'string',
      ...(type === undefined ? {} : facets[type.facet].schema(type.field)),
    },
    ...(samples === undefined ? {} : { example: samples[0] }),
  };
}

function pathsOf(used: readonly [OperationName, Operation][]): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [name, operation] of used) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = item;
    item[operation.method.toLowerCase()] = operationObject(name, operation);
  }
  return paths;
}

/** Bodies that the specification shows; the answer to any other operation is an object that it does not describe. */
const shapes: {
  readonly [name in OperationName]?: { readonly request?: BodyName; readonly answer?: JsonSchema };
} = {
  ...Object.fromEntries(
    everyProduct.map(({ creation, body }) => [
      creation,
      { request: body, answer: reference('schemas', 'paymentResponse') },
    ]),
  ),
  createSigningBasket: { request: 'basketRequest', answer: reference('schemas', 'basketResponse') },
  readPaymentStatus: { answer: reference('schemas', 'paymentStatusResponse') },
  listSandboxCustomers: { answer: { type: 'array', items: reference('schemas', 'sandboxCustomer') } },
};

const flag = (name: string, description: string): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema: { type: 'boolean' },
});

const queries: { readonly [name in OperationName]?: readonly JsonSchema[] } = {
  ...Object.fromEntries(
    everyProduct.map(({ creation }) => [
      creation,
      [flag('allowLogicalDuplicate', 'whether logical duplicate payments are allowed')],
    ]),
  ),
  listSandboxCustomers: [
    flag('withAccounts', 'include mock accounts; false gives a faster response'),
    flag('withAgreements', 'include agreements; false gives a faster response'),
  ],
  readTransactions: [
    { name: 'bookingStatus', in: 'query', schema: { type: 'string' }, example: 'both' },
    { name: 'dateFrom', in: 'query', schema: { type: 'string', format: 'date' } },
    { name: 'dateTo', in: 'query', schema: { type: 'string', format: 'date' } },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
    { name: 'offset', in: 'query', schema: { type: 'integer' } },
  ],
};

function operationObject(name: OperationName, operation: Operation): JsonSchema {
  const { request, answer } = shapes[name] ?? {};
  const { status, description } = successOf(name, operation);
  return {
    operationId: name,
    summary: operation.title,
    tags: [operation.profile],
    'x-origin': operation.origin,
    parameters: [
      ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => pathParameter(`${parameter}`)),
      ...(queries[name] ?? []),
      ...headersOf(operation.headers),
    ],
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: json(reference('schemas', request), bodies[request].example),
          },
        }),
    responses: {
      [status]: {
        description,
        ...(status === '204' ? {} : { content: json(answer ?? { type: 'object' }) }),
      },
      default: reference('responses', 'error'),
    },
  };
}

/** The specification says created of the operations that it shows; of the others the method tells. */
function successOf(name: OperationName, { method }: Operation): { status: string; description: string } {
  if (createdBy(name) !== undefined || name === 'createSigningBasket' || name === 'createSandboxCustomer')
    return { status: '201', description: 'Created' };
  if (method === 'DELETE') return { status: '204', description: 'Deleted' };
  return { status: '200', description: 'Done' };
}

const pathParameter = (name: string): JsonSchema => ({
  name,
  in: 'path',
  required: true,
  schema: {
    type: 'string',
    ...(name === 'product' ? { enum: everyProduct.map(({ path }) => path) } : {}),
  },
});

/** Required ones are written out: a reference cannot say that. */
const headersOf = (profile: HeaderProfile): readonly JsonSchema[] => [
  { ...dateHeader, required: true },
  ...headerRows.filter(isDescribed).flatMap((row) => {
    const { required, optional } = profile === 'reading' ? whenReading(row) : row;
    if (required.includes(profile)) return [{ ...headerParameter(row), required: true }];
    return optional.includes(profile) ? [reference('parameters', row.name)] : [];
  }),
];

/** Signed like every request; the table of headers has no row for it. */
const dateHeader: JsonSchema = {
  name: 'Date',
  in: 'header',
  description: `time of the request, off by at most ${limits.clockDeviationSeconds} seconds`,
  schema: { type: 'string' },
  example: 'Sun, 06 Nov 1994 08:49:37 GMT',
};

/** Of operations whose headers are not shown: what every other one requires is required, what only some do is allowed. */
function whenReading({ required, optional }: HeaderRow): Pick<HeaderRow, 'required' | 'optional'> {
  if (specifiedProfiles.every((profile) => required.includes(profile)))
    return { required: ['reading'], optional: [] };
  const isOfPsu = required.includes('basket') || optional.includes('basket');
  return { required: [], optional: isOfPsu ? ['reading'] : [] };
}
