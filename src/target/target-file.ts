import { headerRows } from '../spec/headers.ts';
import { interpretationList, type Readings } from '../spec/interpretations.ts';
import type { ProfileId } from '../spec/profiles.ts';
import { type AccountsSection, accountsSchema } from './accounts.ts';
import { type JsonSchema, section, value } from './json-schema.ts';
import type { KeyPath, LoadContext } from './key-path.ts';
import { type DeviationEntry, knownDeviationsSchema } from './known-deviations.ts';
import { type NotOfferedEntry, notOfferedSchema, profilesSchema } from './not-offered.ts';
import { type PaceSection, paceSchema } from './pace.ts';
import { defaultPaths, operationPaths, pathsSchema, type TargetPaths } from './paths.ts';
import { type PaymentsSection, paymentsSchema } from './payments.ts';
import { type LimitsSection, limitsSchema, type SandboxSection, sandboxSchema } from './permissions.ts';
import { proxySchema } from './proxy.ts';
import { type PsuSection, psuSchema } from './psu-schema.ts';
import { type SigningSection, signingSchema } from './signing.ts';
import { type TlsSection, tlsSchema } from './tls.ts';

/** What a target file may say; a target of which it is unknown is `unstated`. */
const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

/**
 * The target file as written. Everything may be absent: when a part is wrong, it is reported and left out, so that
 * the other parts can still be looked at and all problems are told at once.
 */
export interface TargetFile {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly environment?: Environment;
  readonly proxy?: string;
  readonly userAgent?: string;
  readonly tls?: TlsSection;
  readonly signing?: SigningSection;
  readonly psu?: PsuSection;
  readonly accounts?: AccountsSection;
  readonly payments?: PaymentsSection;
  readonly limits?: LimitsSection;
  readonly sandbox?: SandboxSection;
  readonly paths?: Partial<TargetPaths>;
  readonly interpretations?: Partial<Readings>;
  readonly knownDeviations?: readonly DeviationEntry[];
  readonly profiles?: readonly ProfileId[];
  readonly notOffered?: readonly NotOfferedEntry[];
  readonly pace?: PaceSection;
  readonly customHeaders?: Readonly<Record<string, string>>;
}

/** One key per interpretation, with its values, so that an editor offers them with their meaning. */
const interpretationsSchema = section(
  'The reading to take where the specification is silent or disagrees with itself; the report states which were used',
  Object.fromEntries(
    interpretationList.map(({ id, question, values, default: byDefault }) => [
      id,
      {
        description: [
          question,
          ...Object.entries(values).map(([choice, meaning]) => `${choice}: ${meaning}.`),
        ].join('\n'),
        type: 'string',
        enum: Object.keys(values),
        default: byDefault,
      },
    ]),
  ),
  { examples: [{ amountFractionDigits: 'exact' }] },
);

const baseUrlPattern = '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$';

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
        pattern: baseUrlPattern,
        examples: ['https://sandbox.example/psd2'],
      },
      environment: {
        description:
          'without it no payment is created: production, where the command line has to allow payments; or sandbox, with fake users and simulated transactions',
        type: 'string',
        enum: environments,
        examples: ['sandbox'],
      },
      proxy: proxySchema,
      userAgent: value.text(
        'User-Agent of requests to the interface (left out: that of a usual HTTP client, drawn with the seed)',
        { pattern: '^[!-~]([ -~]*[!-~])?$', examples: ['okhttp/4.12.0'] },
      ),
      tls: tlsSchema,
      signing: signingSchema,
      psu: psuSchema,
      accounts: accountsSchema,
      payments: paymentsSchema,
      limits: limitsSchema,
      sandbox: sandboxSchema,
      paths: pathsSchema,
      interpretations: interpretationsSchema,
      knownDeviations: knownDeviationsSchema,
      profiles: profilesSchema,
      notOffered: notOfferedSchema,
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

/** The schema of one value of the target file. */
export function schemaAt(path: KeyPath): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((schema, step) => {
    if (typeof step === 'number') return schema?.items;
    const known = schema?.properties?.[step];
    if (known !== undefined) return known;
    return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  }, targetSchema);
}

/** The outermost sections of the target file that have the key, for a key that stands in the wrong one. */
export function sectionsWith(key: string): readonly string[] {
  const search = (schema: JsonSchema, path: readonly string[]): readonly string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, child]) => [
      ...(name === key && path.length > 0 ? [path.join('.')] : []),
      ...search(child, [...path, name]),
    ]);
  const found = search(targetSchema, []);
  const depths = found.map((path) => path.split('.').length);
  return found.filter((_, index) => depths[index] === Math.min(...depths));
}

/** Headers that make up the message itself: setting them would break every request. */
const ofTheMessage = ['Date', 'Content-Type', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Expect'];
const ownHeaders = [...ofTheMessage, ...headerRows.map(({ name }) => name)];

/** The type of a body is JSON; whether a charset goes with it is not said, and a bank may want one. */
const isJsonWithParameters = (name: string, value: string): boolean =>
  name.toLowerCase() === 'content-type' && /^application\/json *(?:;|$)/i.test(value);

export function loadCustomHeaders(
  { complain }: LoadContext,
  given: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(given)) {
    if (!ownHeaders.some((own) => own.toLowerCase() === name.toLowerCase())) continue;
    if (isJsonWithParameters(name, value)) continue;
    complain(
      ['customHeaders', name],
      'The suite sets this header itself, rightly or wrongly on purpose. Remove it here.',
    );
  }
  return given;
}

export function demandBaseUrl({ complain }: LoadContext, { baseUrl, paths }: TargetFile): void {
  // The pattern of the schema lets some through that lead nowhere, such as one with a port beyond 65535.
  const problem = baseUrl === undefined || URL.canParse(baseUrl) ? versionProblem(baseUrl, paths) : noAddress;
  if (problem !== undefined) complain(['baseUrl'], problem);
}

const noAddress = 'This is no address that can be called: look at its host and port.';

/** What is wrong with an address that somebody has typed. */
export function baseUrlProblem(typed: string): string | undefined {
  return new RegExp(baseUrlPattern).test(typed) && URL.canParse(typed)
    ? versionProblem(typed)
    : 'Give it as https://bank.example/psd2.';
}

/** The operations have it in their paths: with one more nothing is found. */
function versionProblem(baseUrl: string | undefined, paths: Partial<TargetPaths> = {}): string | undefined {
  const version = /\/(v1)\/*$/i.exec(baseUrl ?? '')?.[1];
  const effective = Object.values(operationPaths({ ...defaultPaths, ...paths }));
  if (version === undefined || !effective.some((path) => path.startsWith(`/${version}/`))) return undefined;
  return `This ends in /${version}, with which the paths of the operations begin already. Leave it out here.`;
}
