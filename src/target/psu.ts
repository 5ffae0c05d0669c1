import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isNationalId } from '../spec/check-digits.ts';
import { psuContexts } from '../spec/code-lists.ts';
import { type JsonSchema, section, value } from './json-schema.ts';
import { unreadable } from './key-pairs.ts';
import type { KeyPath, LoadContext } from './key-path.ts';

/** How strong customer authentication is passed. */
export const scaStrategies = ['session', 'form', 'manual', 'module'] as const;
export type ScaStrategy = (typeof scaStrategies)[number];

export type PsuContext = (typeof psuContexts)[number];

export interface TargetPsu {
  readonly sca: ScaStrategy;
  /** CORPORATE where the bank serves companies only: all requests of the run are then made for one. */
  readonly context: PsuContext;
  /** PSU-ID; always there with `session`, otherwise SCA yields it. */
  readonly id?: string;
  /** PSU-Corporate-ID in corporate context; always there with `session`, otherwise SCA yields it. */
  readonly corporateId?: string;
  /** TPP-Session-ID; made up where the file gives none. */
  readonly sessionId: string;
  readonly ipAddress: string;
  readonly nationalId?: string;
  readonly redirectUri: string;
  /** Absolute path of the user's own script; always there with `module`. */
  readonly module?: string;
  readonly form: ScaForm;
  /** Hosts in addition to the bank's own that its SCA pages may lead to, with or without a port. */
  readonly scaHosts: readonly string[];
  /** Who acts for a company next to a private PSU. */
  readonly corporate?: CorporatePsu;
  readonly expired?: ExpiredPsu;
  readonly other?: OtherPsu;
}

/** Another customer, in the context of the PSU: shows whether one is kept from what belongs to the other. */
export interface OtherPsu {
  /** With `sessionId`: SCA was passed in it, and no check passes it anew as this customer. */
  readonly id?: string;
  readonly sessionId?: string;
  readonly nationalId?: string;
  /** PSU-Corporate-ID of an agreement in which the PSU who acts for a company has no part. */
  readonly corporateId?: string;
}

/** A PSU whose SCA is more than an hour old: nobody waits for that during a run. */
export interface ExpiredPsu {
  readonly id: string;
  /** PSU-Corporate-ID in corporate context. */
  readonly corporateId?: string;
  readonly sessionId: string;
  /** So that no check passes SCA as this customer, which would end the session for another reason. */
  readonly nationalId?: string;
}

/** Names of fields of the bank's SCA page, where guessing is not enough. */
export interface ScaForm {
  readonly nationalIdField?: string;
  readonly contextField?: string;
  readonly privateContext?: string;
  readonly corporateContext?: string;
  readonly submit?: string;
  readonly cancel?: string;
  /** Further fields to fill in. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface CorporatePsu {
  readonly id?: string;
  readonly corporateId?: string;
  readonly sessionId: string;
  readonly nationalId?: string;
}

/** The PSU who acts for a company: that of the run, or another one next to it. */
export const companyOf = (psu: TargetPsu): CorporatePsu | undefined =>
  psu.context === 'CORPORATE' ? psu : psu.corporate;

const psuId = value.headerValue('PSU-ID that the bank gave after SCA, a UUID', {
  examples: ['7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11'],
});
const sessionId = value.headerValue('TPP-Session-ID; with sca: session the one in which SCA was passed', {
  examples: ['2a5c1c52-6a0e-4f0f-9f2c-6a9a3d1f6c77'],
});
const nationalIdPattern = '^[0-9]{11}$';

/** What is wrong with a number that somebody has typed. */
export const nationalIdProblem = (typed: string): string | undefined =>
  new RegExp(nationalIdPattern).test(typed) ? undefined : 'A national identity number has eleven digits.';

/** The customerNumber of a company may be its organisation number, "the identifier to use when performing SCA". */
const companysIdPattern = '^[0-9]{9}(?:[0-9]{2})?$';

const nationalId: JsonSchema = {
  description:
    'mocked national identity number of the PSU, for X-PSU-IDENTITY and the SCA page: eleven digits; in quotes. With context: CORPORATE an organisation number (nine digits) will do for the SCA page',
  type: 'string',
  pattern: companysIdPattern,
};

const companysId: JsonSchema = {
  description:
    'what the PSU of the company types on the SCA page: a mocked national identity number (eleven digits) or an organisation number (nine); in quotes',
  type: 'string',
  pattern: companysIdPattern,
};

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
  readonly corporate?: {
    readonly id?: string;
    readonly corporateId?: string;
    readonly sessionId?: string;
    readonly nationalId?: string;
  };
  readonly expired?: Partial<ExpiredPsu>;
  readonly other?: OtherPsu;
}

export type PsuParts = Partial<Omit<TargetPsu, 'corporate'>> & { readonly corporate?: Partial<CorporatePsu> };

export async function loadPsu(context: LoadContext, given: PsuSection = {}): Promise<PsuParts> {
  const { module: script, scaHosts, expired: ended, ...rest } = given;
  const named = { ...rest, ...expiredOf(ended) };
  // An item that was wrong has left a hole.
  const psu =
    scaHosts === undefined ? named : { ...named, scaHosts: scaHosts.filter((host) => host !== undefined) };
  for (const [path, number] of [
    [['psu', 'nationalId'], psu.nationalId],
    [['psu', 'corporate', 'nationalId'], psu.corporate?.nationalId],
    [['psu', 'expired', 'nationalId'], psu.expired?.nationalId],
    [['psu', 'other', 'nationalId'], psu.other?.nationalId],
  ] as const) {
    const isOrganisation = number?.length === 9;
    if (number !== undefined && !isOrganisation && !isNationalId(number)) {
      context.warn(path, 'The check digits of this number are wrong: a bank may refuse it for that.');
    }
  }
  demandOneContext(context, psu);
  refuseToBeTheOther(context, psu);
  if (psu.redirectUri !== undefined && !URL.canParse(psu.redirectUri)) {
    context.complain(['psu', 'redirectUri'], 'This is no address: look at its host and port.');
  }
  if (script === undefined) return psu;
  const path: KeyPath = ['psu', 'module'];
  const file = resolve(context.directoryOf(path), script);
  try {
    if (!(await stat(file)).isFile()) context.complain(path, `${script} is not a file. Looked for ${file}.`);
  } catch (error) {
    context.complain(path, `${unreadable(script, error)} Looked for ${file}.`);
  }
  return { ...psu, module: file };
}

/** What is said of a company goes with a PSU who acts for one, and psu.corporate with one who does not. */
function demandOneContext({ complain }: LoadContext, psu: PsuSection): void {
  if (psu.context === 'CORPORATE') {
    if (psu.corporate !== undefined)
      complain(
        ['psu', 'corporate'],
        'With psu.context CORPORATE psu itself acts for a company: leave this out. Where the bank has private customers, give one of them as psu, and leave psu.context out.',
      );
    for (const [name, named] of [
      ['other', psu.other],
      ['expired', psu.expired],
    ] as const) {
      if (named?.id !== undefined && named.corporateId === undefined)
        complain(
          ['psu', name, 'corporateId'],
          `This is missing. With psu.context CORPORATE psu.${name} acts for a company, too.`,
        );
    }
    return;
  }
  for (const [path, given] of [
    [['psu', 'corporateId'], psu.corporateId],
    [['psu', 'expired', 'corporateId'], psu.expired?.corporateId],
  ] as const) {
    if (given !== undefined)
      complain(
        path,
        'This is of a PSU who acts for a company: set psu.context to CORPORATE, or leave it out.',
      );
  }
  for (const [path, given] of [
    [['psu', 'nationalId'], psu.nationalId],
    [['psu', 'expired', 'nationalId'], psu.expired?.nationalId],
    [['psu', 'other', 'nationalId'], psu.other?.nationalId],
  ] as const) {
    const problem = given === undefined ? undefined : nationalIdProblem(given);
    if (problem !== undefined) complain(path, problem);
  }
}

/** Nobody is kept from what is their own, so that a bank would be blamed for letting them. */
function refuseToBeTheOther({ complain }: LoadContext, { other, ...psu }: PsuSection): void {
  const isSame = (one: string | undefined, another: string | undefined): boolean =>
    one !== undefined && one.toLowerCase() === another?.toLowerCase();
  for (const [name, named] of [
    ['psu', psu],
    ['psu.corporate', psu.corporate],
    ['psu.expired', psu.expired],
  ] as const) {
    for (const key of ['nationalId', 'id', 'sessionId'] as const) {
      if (isSame(other?.[key], named?.[key]))
        complain(['psu', 'other', key], `This is that of ${name}. Give another customer.`);
    }
  }
  for (const [name, corporateId] of [
    ['psu', psu.corporateId],
    ['psu.corporate', psu.corporate?.corporateId],
  ] as const) {
    if (isSame(other?.corporateId, corporateId))
      complain(['psu', 'other', 'corporateId'], `This is that of ${name}. Give an agreement of others.`);
  }
}

/** What lacks a part was complained about. */
function expiredOf({ id, sessionId, ...rest }: Partial<ExpiredPsu> = {}): Pick<PsuParts, 'expired'> {
  return id === undefined || sessionId === undefined ? {} : { expired: { ...rest, id, sessionId } };
}

/** RFC 5737: an address that belongs to nobody. */
const documentationAddress = '192.0.2.10';

// `manual` listens for the PSU's return on this machine; the other ways only read the address.
const localRedirectUri = 'http://localhost:8970/redirect';
const unreachableRedirectUri = 'https://tpp.example/redirect';

/** Applies the defaults. */
export function psuOf({ corporate, ...psu }: PsuParts): TargetPsu {
  const sca = psu.sca ?? 'session';
  const sessionId = psu.sessionId ?? randomUUID();
  return {
    ipAddress: documentationAddress,
    redirectUri: sca === 'manual' ? localRedirectUri : unreachableRedirectUri,
    form: {},
    scaHosts: [],
    context: 'PRIVATE',
    ...psu,
    sca,
    sessionId,
    // A session is that of one PSU: whoever passes SCA in it takes it over.
    ...(corporate === undefined
      ? {}
      : { corporate: { sessionId: corporate.id === undefined ? randomUUID() : sessionId, ...corporate } }),
  };
}
