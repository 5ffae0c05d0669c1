import { randomUUID } from 'node:crypto';
import { interpretationList } from '../spec/interpretations.ts';
import { fundsForARun } from './accounts.ts';
import { placeholder } from './key-path.ts';
import { defaultPaths } from './paths.ts';
import type { ScaStrategy } from './psu.ts';
import type { Environment } from './target-file.ts';

/** What is known of a target before its file is written. Paths are as the file is to have them. */
export interface StarterAnswers {
  readonly baseUrl?: string;
  readonly name?: string;
  /** Left to be filled in where nobody has said it: whether money moves is not guessed. */
  readonly environment?: Environment;
  readonly ca?: string;
  readonly client?: { readonly certificate: string; readonly privateKey: string };
  readonly signing?: { readonly certificate: string; readonly privateKey: string };
  readonly testCa?: { readonly certificate: string; readonly privateKey: string };
  /** The same TPP, certified by an authority with a comma and Norwegian letters in its name. */
  readonly odd?: {
    readonly authority: string;
    readonly certificate: string;
    readonly privateKey: string;
  };
  readonly sca: ScaStrategy;
  readonly psuId?: string;
  readonly sessionId?: string;
  readonly nationalId?: string;
  readonly module?: string;
  readonly debtor?: string;
}

export interface StarterFile {
  readonly text: string;
  /** Keys that still have to be filled in. */
  readonly missing: readonly string[];
}

/** A target file with a comment to every part, and the optional parts as comments. */
export function starterFile(answers: StarterAnswers, schema: string): StarterFile {
  const missing: string[] = [];
  const value = (key: string, given: string | undefined): string => {
    if (given === undefined || given === '') missing.push(key);
    return scalar(given || placeholder);
  };
  const { ca, client, signing, testCa, sca } = answers;
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    '# The bank under test. Paths are relative to this file; no secret needs to stand in it: every setting is also an',
    '# environment variable (XS2A_PSU_ID for psu.id) and a flag (--psu-id).',
    `name: ${scalar(answers.name ?? hostOf(answers.baseUrl))}`,
    '',
    '# Address of the interface, up to but without /v1; it may carry a path prefix.',
    `baseUrl: ${value('baseUrl', answers.baseUrl)}`,
    '',
    '# sandbox, or production: there no payment is created unless the command line allows it.',
    `environment: ${value('environment', answers.environment)}`,
    '',
    '# The proxy by which the bank is reached; without it HTTPS_PROXY and NO_PROXY hold.',
    '# proxy: http://proxy.example:3128',
    '',
    '# Authorities of the bank’s server certificate, where the system does not know them, and the client certificate',
    '# (QWAC) where the bank wants one.',
    ...(ca === undefined && client === undefined
      ? ['# tls:', '#   ca: ca.pem', '#   clientCertificate: qwac.pem', '#   clientKey: qwac.key']
      : [
          'tls:',
          ...optional([`  ca: ${scalar(ca ?? 'ca.pem')}`], ca !== undefined),
          ...optional(
            [
              `  clientCertificate: ${scalar(client?.certificate ?? 'qwac.pem')}`,
              `  clientKey: ${scalar(client?.privateKey ?? 'qwac.key')}`,
            ],
            client !== undefined,
          ),
        ]),
    '',
    '# The TPP that the suite acts as: the certificate that it signs with (QSealC), and its RSA key. With a passphrase,',
    '# name the variable that holds it: passphraseEnv: QSEAL_PASSPHRASE.',
    'signing:',
    `  certificate: ${value('signing.certificate', signing?.certificate)}`,
    `  privateKey: ${value('signing.privateKey', signing?.privateKey)}`,
    '  # An authority that the sandbox trusts lets the suite mint expired, not yet valid and single-role identities.',
    ...optional(
      [
        '  testCa:',
        `    certificate: ${scalar(testCa?.certificate ?? 'ca.pem')}`,
        `    privateKey: ${scalar(testCa?.privateKey ?? 'ca.key')}`,
      ],
      testCa !== undefined,
    ),
    ...oddIssuerLines(answers),
    '',
    '# The customer on whose behalf the suite acts, and how SCA is passed: session (was passed before; give id and',
    '# sessionId), form (the suite fills in the bank’s page), manual (you follow a link), module (your own script).',
    'psu:',
    `  sca: ${sca}`,
    ...psuLines(answers, value),
    '  # Hosts that the SCA pages may lead to, in addition to that of baseUrl:',
    '  # scaHosts: [login.bank.example, bank.example:8443]',
    '  # A bank that serves companies only: psu, other and the accounts are then those of companies.',
    '  # context: CORPORATE',
    '  # A PSU who acts for a company, next to a private one:',
    '  # corporate: { id: …, corporateId: …, sessionId: …, nationalId: "…" }',
    '  # A PSU who passed SCA more than an hour ago, and not since:',
    '  # expired: { id: …, sessionId: … }',
    '  # Another customer, and an agreement in which the corporate PSU has no part:',
    '  # other: { nationalId: "…", corporateId: … }',
    '',
    `# The account to pay from, with funds of well over NOK 100 000 (${fundsForARun} where the bank sets aside what created`,
    '# payments need), and the one to pay to.',
    'accounts:',
    `  debtor: { bban: ${value('accounts.debtor.bban', answers.debtor)}, currency: NOK }`,
    '  # creditor: { bban: "86011117947", currency: NOK }',
    '  # kidCreditor: { bban: …, currency: NOK }    # an account that demands a KID, so that wrong ones are judged',
    '  # corporateDebtor: { bban: …, currency: NOK }',
    '  # otherDebtor: { bban: …, currency: NOK }      # of psu.other: the PSU must not see it',
    '  # card: { identification: …, currency: NOK }',
    '  # manyTransactions: "95360573002"   # with more than 200 transactions, some 92 to 180 days old',
    '',
    '# Payments in states that the suite cannot bring about. Without them, what is about them stays open until it is',
    '# declared under notOffered.',
    '# payments: { bulk: [id], periodic: [id], pending: [id], unfunded: [id], rejected: [id], approved: [id] }',
    '',
    '# What is judged only with your leave: it uses up the calls of a day, or creates customers in the sandbox.',
    '# limits: { spendUnattendedCalls: true }',
    '# sandbox: { allowChanges: true, initialDataSet: true }',
    '',
    '# Where the specification is silent, another reading than the default; see: npx xs2a-conformance explain basketLimit',
    '# interpretations:',
    ...interpretationList
      .filter(({ values }) => Object.keys(values).length > 1)
      .map(({ id, default: byDefault, values }) => {
        const others = Object.keys(values).filter((choice) => choice !== byDefault);
        return `#   ${id}: ${scalar(byDefault)}  # or ${others.join(', ')}`;
      }),
    '',
    '# Where operations stand that are elsewhere than here; the specification does not show where baskets are created.',
    `# paths: { signingBaskets: ${defaultPaths.signingBaskets}, accounts: ${defaultPaths.accounts} }`,
    '',
    '# What the bank is judged by; all that bind the environment when left out. See: xs2a-conformance list --profiles',
    '# profiles: [domestic-payments, sca-redirect, accounts]',
    '# notOffered:',
    '#   - { what: listAgreements, reason: private customers only }',
    '#   - { what: BSK-17, reason: there are no bulk payments }',
    '',
    '# What is known and agreed on keeps a run green and stays visible.',
    '# knownDeviations:',
    '#   - { requirement: AMT-02, reason: ticket 4711, until: 2027-01-31 }',
    '',
    '# pace: { concurrency: 16, requestsPerSecond: 50, timeoutMs: 10000 }',
    '# userAgent: okhttp/4.12.0',
    '# customHeaders: { X-API-Key: from-the-developer-portal }',
  ];
  return { text: `${lines.join('\n')}\n`, missing };
}

/** A comment as long as nobody has said that the bank trusts that authority: it would be failed for not doing so. */
const oddIssuerLines = ({ odd }: StarterAnswers): readonly string[] => [
  '  # The same TPP, certified by an authority with a comma and Norwegian letters in its name. Once the sandbox trusts',
  `  # ${odd?.authority ?? 'that authority'} as well:`,
  '  # identities:',
  `  #   oddIssuer: { certificate: ${scalar(odd?.certificate ?? 'odd.pem')}, privateKey: ${scalar(odd?.privateKey ?? 'odd.key')} }`,
];

/** As it is, or as a comment that stands where it would. */
function optional([first = '', ...rest]: readonly string[], isGiven: boolean): readonly string[] {
  const lines = [first, ...rest];
  if (isGiven) return lines;
  const indent = first.length - first.trimStart().length;
  return lines.map((line) => `${line.slice(0, indent)}# ${line.slice(indent)}`);
}

function psuLines(
  answers: StarterAnswers,
  value: (key: string, given: string | undefined) => string,
): readonly string[] {
  const { sca, psuId, sessionId, nationalId } = answers;
  const isSession = sca === 'session';
  const ids = isSession
    ? [
        `  id: ${value('psu.id', psuId)}  # PSU-ID`,
        `  sessionId: ${value('psu.sessionId', sessionId)}  # TPP-Session-ID in which SCA was passed`,
      ]
    : [
        ...(psuId === undefined ? [] : [`  id: ${scalar(psuId)}`]),
        '  # TPP-Session-ID. All runs and shards share it: SCA in another session would end theirs.',
        `  sessionId: ${scalar(sessionId ?? randomUUID())}`,
      ];
  const national =
    sca === 'form'
      ? [`  nationalId: ${value('psu.nationalId', nationalId)}`]
      : optional([`  nationalId: ${scalar(nationalId ?? '01819010001')}`], nationalId !== undefined);
  const script = sca === 'module' ? [`  module: ${value('psu.module', answers.module)}`] : [];
  return [...ids, ...national, ...script];
}

/** YAML takes JSON strings; plain words stay plain, digits get quotes so that no zero is lost. */
function scalar(text: string): string {
  return /^[A-Za-z][\w./@:-]*$/.test(text) &&
    !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) &&
    !text.endsWith(':')
    ? text
    : JSON.stringify(text);
}

const hostOf = (baseUrl: string | undefined): string =>
  baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : 'My bank, sandbox';
