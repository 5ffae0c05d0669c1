import { psuContexts } from '../spec/code-lists.ts';
import { type JsonSchema, section, value } from './json-schema.ts';
import { placeholder } from './key-path.ts';
import {
  type CorporatePsu,
  type ExpiredPsu,
  type OtherPsu,
  type PsuContext,
  type ScaForm,
  type ScaStrategy,
  scaStrategies,
} from './psu.ts';

const psuId = value.headerValue('PSU-ID that the bank gave after SCA, a UUID', {
  examples: ['7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11'],
});
const sessionId = value.headerValue('TPP-Session-ID; with sca: session the one in which SCA was passed', {
  examples: ['2a5c1c52-6a0e-4f0f-9f2c-6a9a3d1f6c77'],
});
/** Whatever can be typed, but what `init` has left open. */
const identifier = { pattern: `^(?!${placeholder}$)[!-~](?:[ -~]*[!-~])?$` };

// A customerNumber is "the identifier to use when performing SCA", of no form that the specification would name.
const nationalId: JsonSchema = value.text(
  'mocked national identity number of the PSU, for X-PSU-IDENTITY and the SCA page: eleven digits; in quotes. For the SCA page alone whatever the sandbox lists as customerNumber will do',
  identifier,
);

const companysId: JsonSchema = value.text(
  'what the PSU of the company types on the SCA page: a mocked national identity number (eleven digits), an organisation number (nine), or another customerNumber of the sandbox; in quotes',
  identifier,
);

const form = section('Names on the SCA page of the bank, where sensible guesses are not enough', {
  nationalIdField: value.text('name of the field for the national identity number', { examples: ['ssn'] }),
  contextField: value.text('name of the field for the choice between private and corporate', {
    examples: ['context'],
  }),
  privateContext: value.text('value of contextField for a private PSU', { default: 'PRIVATE' }),
  corporateContext: value.text('value of contextField for a corporate PSU', { default: 'CORPORATE' }),
  submit: value.text('name of the button to press, where there are several', { examples: ['approve'] }),
  cancel: value.text('name of the button that cancels', { examples: ['cancel'] }),
  fields: {
    description: 'further fields to fill in, each name with its value',
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ otp: '123456' }],
  },
});

const corporateId = value.headerValue(
  'PSU-Corporate-ID, from the redirect after SCA or from GET /v1/agreements',
);

const corporate = section('A PSU who acts for a company; without it where psu itself does', {
  id: psuId,
  corporateId,
  sessionId,
  nationalId: companysId,
});

const expired = section(
  'A PSU who passed SCA more than an hour ago and not since, other than those above: shows whether sessions end',
  {
    id: psuId,
    corporateId: value.headerValue('PSU-Corporate-ID of that PSU, with context: CORPORATE'),
    sessionId: value.headerValue('TPP-Session-ID in which that SCA was passed', {
      examples: ['5d0f6f0b-7c1c-4c8e-9f0e-3b8a1f2a9d44'],
    }),
    nationalId,
  },
  { required: ['id', 'sessionId'] },
);

const other = section(
  'Another customer than psu, private or corporate as psu is, from whom payments of psu are kept; a sandbox that lists its customers has others',
  {
    id: psuId,
    sessionId: value.headerValue(
      'TPP-Session-ID in which this customer passed SCA; leave both out where nationalId is given and psu.sca is form or module',
      {
        examples: ['0b9a4f6e-2d57-4d0c-8b1e-6a4f0c7d9e21'],
      },
    ),
    nationalId,
    corporateId: value.headerValue(
      'PSU-Corporate-ID of an agreement in which psu.corporate has no part, or psu with context: CORPORATE: shows whether it is refused',
    ),
  },
  {
    allOf: [
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      { if: { required: ['id'] }, then: { required: ['sessionId'] } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      { if: { required: ['sessionId'] }, then: { required: ['id'] } },
    ],
  },
);

// The default strategy holds for a file that names none, too.
const needs = (strategy: ScaStrategy, key: string): JsonSchema => ({
  if: { properties: { sca: { const: strategy } }, ...(strategy === 'session' ? {} : { required: ['sca'] }) },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required: [key] },
});

export const psuSchema = section(
  'The customer of the bank on whose behalf the suite acts',
  {
    sca: {
      description:
        'how strong customer authentication is passed: session (was passed before; give id and sessionId), form (the suite fills in the bank’s HTML page), manual (you follow a printed link), module (your own script)',
      type: 'string',
      enum: scaStrategies,
      default: 'session',
    },
    context: {
      description:
        'the context in which psu acts. PRIVATE, unless the bank serves companies only: then CORPORATE, and psu, psu.other and accounts are those of companies',
      type: 'string',
      enum: psuContexts,
      default: 'PRIVATE',
    },
    id: psuId,
    corporateId: value.headerValue(
      'PSU-Corporate-ID, with context: CORPORATE and sca: session; SCA yields it otherwise',
    ),
    sessionId,
    ipAddress: {
      description: 'PSU-IP-Address, an IPv4 or IPv6 address (left out: drawn with the seed)',
      type: 'string',
      anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }],
    },
    nationalId,
    redirectUri: {
      description:
        'TPP-Redirect-URI, where the bank sends the PSU after SCA; with sca: manual an address of this machine (left out: drawn with the seed; needed where TPPs register it)',
      type: 'string',
      format: 'uri',
      pattern: '^https?://',
      examples: ['https://tpp.example/redirect', 'http://localhost:8970/redirect'],
    },
    module: value.text('your own script that passes SCA, relative to the target file', {
      examples: ['pass-sca.mjs'],
    }),
    form,
    scaHosts: {
      description:
        'hosts and ports in addition to those of baseUrl which SCA pages may lead to, by https; nothing is sent to any other',
      type: 'array',
      items: {
        description: 'a host, with its port unless that is 443',
        type: 'string',
        pattern: '^(\\[[0-9A-Fa-f:]+\\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?$',
        examples: ['login.bank.example', 'bank.example:8443'],
      },
      examples: [['login.bank.example', 'bank.example:8443']],
    },
    corporate,
    expired,
    other,
  },
  {
    examples: [
      {
        sca: 'session',
        id: '7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11',
        sessionId: '2a5c1c52-6a0e-4f0f-9f2c-6a9a3d1f6c77',
      },
    ],
    allOf: [
      needs('session', 'id'),
      needs('session', 'sessionId'),
      needs('form', 'nationalId'),
      needs('module', 'module'),
      {
        if: {
          properties: { sca: { const: 'session' }, context: { const: 'CORPORATE' } },
          required: ['context'],
        },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { required: ['corporateId'] },
      },
    ],
  },
);

/** The section as a file gives it, before defaults. */
export interface PsuSection {
  readonly sca?: ScaStrategy;
  readonly context?: PsuContext;
  readonly id?: string;
  readonly corporateId?: string;
  readonly sessionId?: string;
  readonly ipAddress?: string;
  readonly nationalId?: string;
  readonly redirectUri?: string;
  readonly module?: string;
  readonly form?: ScaForm;
  readonly scaHosts?: readonly string[];
  readonly corporate?: Partial<CorporatePsu>;
  readonly expired?: Partial<ExpiredPsu>;
  readonly other?: OtherPsu;
}
