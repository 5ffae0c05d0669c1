import { accountsSchema } from './accounts.ts';
import { interpretationsSchema } from './interpretations.ts';
import { type JsonSchema, section } from './json-schema.ts';
import { knownDeviationsSchema } from './known-deviations.ts';
import { paceSchema } from './pace.ts';
import { pathsSchema } from './paths.ts';
import { paymentsSchema } from './payments.ts';
import { psuSchema } from './psu.ts';
import { signingSchema } from './signing.ts';
import { tlsSchema } from './tls.ts';
import { value } from './values.ts';

/** The target file. Published as `schemas/target.schema.json`; a test holds the two equal. */
export const targetSchema: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'urn:xs2a-conformance:schema:target:1',
  title: 'Target file of xs2a-conformance',
  ...section(
    'The bank under test: where it is, whom the suite acts as, and what it may use there',
    {
      $schema: { description: 'where editors find this schema', type: 'string' },
      name: value.text('name of the target in reports; the host of baseUrl without it', {
        examples: ['My bank, sandbox'],
      }),
      baseUrl: {
        description:
          'address of the interface, https:// or http://, up to but without /v1; may carry a path prefix, but no user name, query or fragment',
        type: 'string',
        format: 'uri',
        pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$',
        examples: ['https://sandbox.example/psd2'],
      },
      environment: {
        description:
          'sandbox, with fake users and simulated transactions; or production, where no payment is created unless the command line allows it',
        type: 'string',
        enum: ['sandbox', 'production'],
        default: 'sandbox',
      },
      tls: tlsSchema,
      signing: signingSchema,
      psu: psuSchema,
      accounts: accountsSchema,
      payments: paymentsSchema,
      paths: pathsSchema,
      interpretations: interpretationsSchema,
      knownDeviations: knownDeviationsSchema,
      pace: paceSchema,
      customHeaders: {
        description:
          'headers to send with every request in addition to those of the specification, such as the API key of a sandbox',
        type: 'object',
        propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
        additionalProperties: {
          description: 'value of the header: visible ASCII characters and spaces between them',
          type: 'string',
          pattern: '^[!-~]([ -~]*[!-~])?$',
        },
        examples: [{ 'X-API-Key': 'the key' }],
      },
    },
    { required: ['baseUrl', 'signing', 'psu', 'accounts'] },
  ),
};
