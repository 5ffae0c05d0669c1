import { type ScaStrategy, scaStrategies } from '../target.ts';
import { type JsonSchema, section } from './json-schema.ts';
import { value } from './values.ts';

const psuId = value.headerValue('PSU-ID that the bank gave after SCA, a UUID', {
  examples: ['7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11'],
});
const sessionId = value.headerValue('TPP-Session-ID; with sca: session the one in which SCA was passed', {
  examples: ['2a5c1c52-6a0e-4f0f-9f2c-6a9a3d1f6c77'],
});
const nationalId = value.headerValue(
  'mocked national identity number of the PSU, for X-PSU-IDENTITY and the SCA page; in quotes',
  { examples: ['01819010001'] },
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

const corporate = section('A PSU who acts for a company', {
  id: psuId,
  corporateId: value.headerValue('PSU-Corporate-ID, from the redirect after SCA or from GET /v1/agreements'),
  sessionId,
  nationalId,
});

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
    id: psuId,
    sessionId,
    ipAddress: {
      description: 'PSU-IP-Address, an IPv4 or IPv6 address',
      type: 'string',
      anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }],
      default: '192.0.2.10',
    },
    nationalId,
    redirectUri: {
      description:
        'TPP-Redirect-URI, where the bank sends the PSU after SCA; with sca: manual an address of this machine',
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
        'hosts in addition to that of baseUrl which SCA pages may lead to, by https; nothing is sent to any other',
      type: 'array',
      items: {
        description: 'a host, with or without a port',
        type: 'string',
        pattern: '^(\\[[0-9A-Fa-f:]+\\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?$',
        examples: ['login.bank.example'],
      },
      examples: [['login.bank.example']],
    },
    corporate,
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
    ],
  },
);
