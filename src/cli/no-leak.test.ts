import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecorder } from '../certification/recorder.ts';
import { injectTransport } from '../proof/inject-transport.ts';
import { unpackedReport } from '../report/unpacked-report.test.data.ts';
import { type EmbeddedBank, startEmbeddedBank } from '../runner/embedded-bank.ts';
import { embeddedPki } from '../runner/embedded-pki.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import type { Behaviour, Reply, Surroundings } from '../tpp/misbehaving-server/behaviour.ts';
import { type MisbehavingServer, startMisbehavingServer } from '../tpp/misbehaving-server/server.ts';
import { exportFormats } from './report-lines.ts';
import { type Told, tell } from './run-program.test.data.ts';

/** Secrets go in by every way that there is, the bank repeats them all, and no byte of them may come out. */

const apiKey = 'key of the/portal+4711';
const shortKey = 'zq7#k9w';
const nationalIds = ['01819010001', '05829210160', '01819010192'];

const folder = testFolder('all tests');
let server: MisbehavingServer;
let bank: EmbeddedBank;
/** Everything secret that went over the wire, as the bank saw it. */
const seen = new Set<string>();
/** The ids of PSUs who were sent back after SCA. */
const returned = new Set<string>();

beforeAll(async () => {
  const pki = await embeddedPki();
  const certificate = await pki.ca.issueServer(['localhost']);
  server = await startMisbehavingServer({
    certificate,
    otherCertificates: { 'of-another-authority': certificate, 'of-another-name': certificate },
    elsewhere: 'https://elsewhere.example',
  });
  bank = await startEmbeddedBank({ pki, publicUrl: `https://localhost:${server.port}` });
  server.bank = injectTransport(bank.bank);
  const common = {
    ...bank.description,
    customHeaders: { 'X-API-Key': apiKey, 'X-Short': shortKey },
    pace: { concurrency: 4, requestsPerSecond: 0, timeoutMs: 60_000, retries: 1 },
  };
  const { id: _, corporate: __, ...person } = common.psu;
  await writeFile(join(folder, 'session.json'), JSON.stringify(common));
  await writeFile(
    join(folder, 'form.json'),
    JSON.stringify({ ...common, psu: { ...person, sca: 'form', form: { fields: { otp: '86420753' } } } }),
  );
  const { environment: ___, ...unstated } = common;
  await writeFile(join(folder, 'unstated.json'), JSON.stringify(unstated));
}, 120_000);
beforeEach(() => bank.renewSessions());
afterAll(async () => {
  await server.close();
  await bank.close();
});

/** What the bank says of a request: all that it was sent, in every notation, and what commands terminals and builds. */
function repeated({ asked }: Surroundings): string {
  const values = asked.filter((_, index) => index % 2 === 1);
  const spaced = nationalIds.map((id) => `${id.slice(0, 6)} ${id.slice(6)}`);
  return [
    '\u001b[2J\u001b]0;owned\u0007\u202e',
    '\n::error file=a::owned\n##vso[task.complete] ##[error]',
    ...[...nationalIds, ...spaced, ...values],
    ...[...nationalIds, ...values].map(encodeURIComponent),
    `otp=86420753 ${bank.pki.tpp.certificate.x509.toString()}`,
    `https://bank.example/next?ticket=one-time-ticket-9&psu-id=${bank.description.psu.id}`,
  ].join(' ');
}

function remember({ asked }: Surroundings, { headers }: Reply): void {
  const keep = (value: string | undefined): void => {
    if (value !== undefined && value.length > 8) seen.add(value);
  };
  for (let index = 0; index + 1 < asked.length; index += 2) {
    const [name = '', value = ''] = [asked[index], asked[index + 1]];
    if (/^(?:psu-id|psu-corporate-id|tpp-session-id|cookie)$/i.test(name)) keep(value);
    if (/^tpp-signature-certificate$/i.test(name)) keep(value.slice(0, 200));
    if (/^signature$/i.test(name)) keep(/signature="([^"]{60,})"/.exec(value)?.[1]);
  }
  for (const [name, value] of headers) {
    if (/^set-cookie$/i.test(name)) keep(/=([^;]+)/.exec(value)?.[1]);
    if (/^location$/i.test(name) && URL.canParse(value)) {
      const psuId = new URL(value).searchParams.get('psu-id') ?? undefined;
      if (psuId !== undefined) returned.add(psuId);
      keep(psuId);
    }
  }
}

const echo: Behaviour = {
  id: 'echo',
  when: 'always',
  outcome: 'judged',
  answer(reply, surroundings) {
    remember(surroundings, reply);
    const text = repeated(surroundings);
    const headers = [...reply.headers, ['X-Echo', encodeURIComponent(text)] as const];
    const body = reply.body.toString('utf8');
    if (reply.status >= 400 && !body.includes('scaRedirect')) {
      const message = { category: 'ERROR', code: 'FORMAT_ERROR', path: text, text };
      return { ...reply, headers, body: Buffer.from(JSON.stringify({ tppMessages: [message] })) };
    }
    if (!body.startsWith('{')) return { ...reply, headers };
    const members = JSON.stringify({ psuMessage: text, echo: text }).slice(1, -1);
    return { ...reply, headers, body: Buffer.from(`{${members}${body === '{}' ? '' : ','}${body.slice(1)}`) };
  },
};

/** A bank that takes nothing, and says why at length. */
const refusal: Behaviour = {
  id: 'refusal',
  when: 'always',
  outcome: 'blocked',
  answer(reply, surroundings) {
    remember(surroundings, reply);
    const message = { category: 'ERROR', code: 'CERTIFICATE_INVALID', text: repeated(surroundings) };
    const headers = [['Content-Type', 'application/json'] as const];
    return { status: 401, headers, body: Buffer.from(JSON.stringify({ tppMessages: [message] })) };
  },
};

const filesIn = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** A file as it is, and what is packed in it: the page of Allure and the attestation hold their data so. */
function contentsOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.dsse.json')) return Buffer.from(JSON.parse(text).payload, 'base64').toString('utf8');
  if (!file.endsWith('allure.html')) return text;
  const { app: _, ...unpacked } = unpackedReport(text);
  return [text, JSON.stringify(unpacked)].join('\n');
}

const secrets = (): readonly string[] => [
  ...nationalIds,
  ...nationalIds.map((id) => `${id.slice(0, 6)} ${id.slice(6)}`),
  ...nationalIds.map((id) => `${id.slice(0, 6)}%20${id.slice(6)}`),
  ...[apiKey, encodeURIComponent(apiKey), shortKey, encodeURIComponent(shortKey)],
  ...['one-time-ticket-9', '86420753', '-----BEGIN', 'PRIVATE KEY'],
  ...[...seen].flatMap((value) => [value, encodeURIComponent(value)]),
];

function expectNothingOut(dirs: readonly string[], ...told: readonly Told[]): void {
  const places: readonly (readonly [string, string])[] = [
    ...told.flatMap(({ out, err }) => [['standard output', out] as const, ['standard error', err] as const]),
    ...dirs.flatMap(filesIn).map((file) => [file.slice(folder.length + 1), contentsOf(file)] as const),
  ];
  const leaks = places.flatMap(([place, text]) =>
    secrets()
      .filter((secret) => text.includes(secret))
      .map((secret) => `${secret.slice(0, 60)} in ${place}`),
  );
  expect(leaks).toEqual([]);
  for (const { out, err } of told) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    expect(out + err).not.toMatch(/^\s*::error|##vso\[|##\[/m);
  }
}

const target = (name: string): readonly string[] => ['--target', join(folder, `${name}.json`)];
const only = ['--only', 'DIG-03,ACC-01,AMT-02,SBX-40,ERR-02', '--runs', '2', '--seed', '7'];

describe('nothing secret comes out', { timeout: 300_000 }, () => {
  it('of a run, its reports, what is made of them again, and a replay', async () => {
    await server.behave([echo]);
    const out = join(folder, 'runs', 'session');
    const run = await tell('run', ...target('session'), ...only, '--out', out);
    expect(run.err).not.toContain('itself broke');
    const results = [
      run,
      await tell('report', out, '--allure', '--allure-results', '--json'),
      await tell('replay', out, 'DIG-03', ...target('session')),
      await tell('replay', out, 'DIG-03', ...target('session'), '--json'),
      await tell('verify', out),
      await tell('compare', out, out, '--html', join(folder, 'runs', 'compared.html')),
      await tell('compare', out, out, '--json'),
    ];
    for (const format of exportFormats) {
      // RFC 4180 ends lines with a carriage return, which no terminal should get.
      const place = format === 'csv' ? ['--out', join(folder, 'runs', 'matrix.csv')] : [];
      results.push(await tell('report', out, '--format', format, ...place));
    }
    const names = filesIn(out).map((file) => file.slice(out.length + 1));
    expect(names).toEqual(
      expect.arrayContaining([
        ...['journal.ndjson', 'summary.json', 'junit.xml', 'requirements.html', 'report.html'],
        'allure.html',
        'allure-results/categories.json',
      ]),
    );
    expect(seen.size).toBeGreaterThan(10);
    expectNothingOut([join(folder, 'runs')], ...results);
    // What is searched holds the exchanges, and not only their packing.
    expect(contentsOf(join(out, 'allure.html'))).toContain('[psu-id#1, redacted]');
    expect(contentsOf(join(out, 'attestation.dsse.json'))).toContain('"requirements":{');
    const journal = readFileSync(join(out, 'journal.ndjson'), 'utf8');
    expect(journal).toContain('[national-id#1, redacted]');
    expect(journal).toContain('[psu-id#1, redacted]');
    expect(journal).toContain('[custom-header#1 of 22 characters, redacted]');
  });

  it('of a run that passes SCA on the pages of the bank, with secrets in its flags', async () => {
    await server.behave([echo]);
    const out = join(folder, 'forms', 'form');
    const redirect = ['--psu-redirect-uri', 'https://tpp.example/of/01819010192'];
    const flags = ['--psu-national-id', '01819010192', ...redirect, '--json', '--no-html'];
    // Whoever echoes everything has no payments to approve.
    const chosen = ['--only', 'SCA-01,ACC-01', '--exclude', 'RDR-01'];
    const run = await tell('run', ...target('form'), ...chosen, ...flags, '--out', out);
    expect(run.err).not.toContain('itself broke');
    expectNothingOut([join(folder, 'forms')], run);
    expect(returned.size).toBeGreaterThan(0);
    expect(JSON.parse(run.out).counts.inconclusive).toBe(0);
    expect(readFileSync(join(out, 'journal.ndjson'), 'utf8')).toContain('$XS2A_PSU_NATIONAL_ID');
  });

  it('of a run that is blocked, and of what is told before the first check', async () => {
    await server.behave([refusal]);
    const out = join(folder, 'blocked', 'run');
    const run = await tell('run', ...target('unstated'), ...only, '--out', out, '--no-html');
    expect(run.out).toContain('environment: The target file does not say');
    const json = await tell('run', ...target('unstated'), ...only, '--out', out, '--no-html', '--json');
    expectNothingOut([join(folder, 'blocked')], run, json);
    expect(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))).toMatchObject({
      verdict: expect.stringMatching(/incomplete|non-conformant/),
    });
  });

  it.each(['session', 'unstated'])('of doctor (%s)', async (name) => {
    await server.behave([name === 'session' ? echo : refusal]);
    const doctor = await tell('doctor', ...target(name));
    const json = await tell('doctor', ...target(name), '--json');
    expectNothingOut([], doctor, json);
    if (name === 'unstated') expect(doctor.out).toContain('environment: The target file does not say');
  });

  it('of a certification, whatever the TPP sends', async () => {
    const out = join(folder, 'certified', 'tpp');
    const recorder = openRecorder(out, {
      tool: { name: 'test', version: '1' },
      startedAt: '2026-03-03T10:00:00.000Z',
      baseUrl: 'https://bank.example/psd2',
      trustedAuthorities: [bank.pki.ca.certificatePem],
    });
    const said = `\u001b[2J ${nationalIds.join(' ')} 018190 10192`;
    recorder.exchange({
      number: 1,
      at: '2026-03-03T10:00:00.000Z',
      durationMs: 1,
      operation: 'listAccounts',
      request: {
        method: 'GET',
        target: `/psd2/v1/accounts?psu-id=01819010001&x=${encodeURIComponent(said)}`,
        headers: [
          ['PSU-ID', '01819010001'],
          ['X-PSU-IDENTITY', '05829210160'],
          ['TPP-Session-ID', '01819010192'],
          ['Authorization', apiKey],
          ['X-Request-ID', 'one'],
          ['Signature', `keyId="x",signature="${'Zx9+'.repeat(80)}"`],
          ['TPP-Signature-Certificate', bank.pki.tpp.certificate.base64],
        ],
      },
      response: {
        status: 400,
        headers: [['X-Echo', encodeURIComponent(said)]],
        body: Buffer.from(
          JSON.stringify({ tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: said }] }),
        ).toString('base64'),
      },
    });
    recorder.end({ at: '2026-03-03T10:00:01.000Z', reason: 'finish' });
    recorder.close();
    seen.add('Zx9+Zx9+Zx9+');
    seen.add(bank.pki.tpp.certificate.base64.slice(0, 200));
    const judged = await tell('certify-tpp', '--judge', out, '--no-html');
    const json = await tell('certify-tpp', '--judge', out, '--no-html', '--json');
    expectNothingOut([out], judged, json);
    expect(readFileSync(join(out, 'journal.ndjson'), 'utf8')).toContain('[national-id#1, redacted]');
  });
});

describe('test data of a sandbox', { timeout: 300_000 }, () => {
  it('is shown where that was asked for, and keys are not', async () => {
    await server.behave([echo]);
    const out = join(folder, 'shown', 'run');
    const flags = ['--only', 'DIG-03', '--no-html', '--show-test-data', '--out', out];
    await tell('run', ...target('session'), ...flags);
    const journal = readFileSync(join(out, 'journal.ndjson'), 'utf8');
    expect(journal).toContain('01819010001');
    expect(journal).toContain(bank.description.psu.id);
    for (const key of [apiKey, shortKey, bank.pki.tpp.certificate.base64, '-----BEGIN']) {
      expect(journal).not.toContain(key);
    }
  });

  it('is not shown elsewhere', async () => {
    const told = await tell('run', ...target('unstated'), '--show-test-data', '--out', join(folder, 'no'));
    expect(told).toMatchObject({ exitCode: 2, err: expect.stringContaining('sandbox alone') });
  });
});
