import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../report/journal.ts';
import { aRun } from '../report/synthetic-run.test.data.ts';
import { createTestPki } from '../signing/certificate-authority.ts';
import { privateKeyPem } from '../signing/signature.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { tell } from './run-program.test.data.ts';

const folder = testFolder('all tests');
const at = (...path: readonly string[]): string => join(folder, ...path);
const targetFile = at('target.yaml');
let website: Server;

beforeAll(async () => {
  writeFileSync(at('file'), '');
  mkdirSync(at('sandbox/target.yaml'), { recursive: true });
  writeJournal(at('run'), aRun());
  website = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html');
    answer.end('<!doctype html><html><body>It works!</body></html>');
  });
  await new Promise<void>((resolve) => void website.listen(0, '127.0.0.1', resolve));
  const { port } = website.address() as AddressInfo;
  const { tpp } = await createTestPki({ modulusLength: 1024 });
  writeFileSync(at('tpp.pem'), tpp.certificate.x509.toString());
  writeFileSync(at('tpp.key'), privateKeyPem(tpp.privateKey));
  writeFileSync(
    targetFile,
    `baseUrl: http://127.0.0.1:${port}
environment: sandbox
signing: { certificate: tpp.pem, privateKey: tpp.key }
psu: { sca: session, id: 7c1f3c8e-4f0e-4b57-9a8e-0d3f5a1c2b6d, sessionId: 0b9d6f7c-0d43-4b1e-8f5b-2f1f6a7c9e10 }
accounts: { debtor: { bban: "95360573002", currency: NOK } }
pace: { retries: 0, timeoutMs: 2000 }
`,
  );
}, 60_000);
afterAll(() => void website.close());

describe('a place that cannot be written to', () => {
  it.each([
    ['serve', '--port', '0', '--no-console', '--out', 'file'],
    ['serve', '--port', '0', '--no-console', '--out', 'file/below'],
    ['serve', '--port', '0', '--no-console', '--out', 'sandbox'],
    ['init', '--yes', '--out', 'file/target.yaml'],
    ['init', '--yes', '--out', 'new.yaml', '--pki', 'file/pki'],
    ['run', '--out', 'file'],
    ['run', '--out', 'file/below'],
    ['certify-tpp', '--port', '0', '--out', 'file/below'],
    ['report', 'run', '--format', 'har', '--out', 'file/below.har'],
    ['compare', 'run', 'run', '--html', 'file/below.html'],
  ])('is told at once, with exit code 2 and no stack: %s %s %s %s %s %s', async (...args) => {
    const named = args.map((arg) =>
      /^(?:file|sandbox|run$|new)/.test(arg) && arg !== args[0] ? at(arg) : arg,
    );
    const { exitCode, err } = await tell(...named);
    expect(exitCode, err).toBe(2);
    expect(err).toContain(basename(folder));
    expect(err).toMatch(/another|Name|Give/);
    expect(err).not.toContain('    at ');
  });
});

describe('usage that makes no sense', () => {
  it.each([
    [['run', '--max-failures', '0'], 'whole number'],
    [['run', '--last-failed', 'nowhere'], 'holds no run'],
    [['run', '--last-failed', 'run'], 'Nothing failed'],
    [['run', '--last-failed', 'run', '--only', 'AMT'], 'give one of them'],
    [['run', '--only', ','], 'Give ids'],
    [['run', '--only', 'AMT-02', '--exclude', 'AMT'], 'Nothing is left to judge'],
    [['run', '--exclude', 'AMT-2'], 'Did you mean'],
    [['run', '--reporter', 'fancy'], 'line, dots, verbose, json'],
    [['run', '--wait', '-3'], 'Give seconds'],
    [['run', '--subject', 'bank:1.4@sha256:0A'], 'Give a name and a digest'],
    [['run', '--subject', `junit.xml@sha256:${'0'.repeat(64)}`], 'called as a file of a run'],
    [['attest', 'run', '--out', 'x.tgz', '--subject', `a@sha256:${'0'.repeat(64)}`], 'with --attest-key'],
    [['run', '--timestamp', 'http://me:secret@tsa.example'], 'Give an http or https address'],
    [['verify', 'run', '--timestamp-ca', 'nowhere'], 'does not exist'],
    [['report', 'run', '--format', 'xml'], 'har, csv, sarif, markdown'],
    [['report', '--format', 'har'], 'folder of one run'],
    [['compare', 'run'], "missing required argument 'after'"],
    [['compare', 'run', 'nowhere'], 'there is nothing of that name'],
    [['compare', 'run', 'file'], 'it is not JSON'],
    [['init', '--yes', '--base-url', 'https://bank.example/psd2/v1'], 'ends in /v1'],
    [['init', '--yes', '--psu-national-id', '912345678'], 'eleven digits'],
    [['run', '--target', 'sandbox'], 'is a folder'],
    [['serve', '--host', ''], '--host is empty'],
    [['certify-tpp', '--console-host', ' '], '--console-host is empty'],
    [['serve', '--public-url', 'https://user:secret@bank.test'], 'without a name'],
    [['doctor', '--write'], 'give both'],
    [['run', '--runs', '\u001b[2J\n::error::x\u202e'], 'whole number'],
  ])('is refused in a sentence: %s', async (args, sentence) => {
    const named = args.map((arg, index) =>
      index > 0 && ['run', 'nowhere', 'file', 'sandbox'].includes(arg) ? at(arg) : arg,
    );
    const { exitCode, err } = await tell(...named);
    expect(exitCode, err).toBe(2);
    expect(err).toContain(sentence);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not come out
    expect(err).not.toMatch(/[\u001b\u202e]|^::|secret/m);
  });
});

describe('a website in place of the interface', () => {
  it('is no signed request that went through to doctor', async () => {
    const { exitCode, out } = await tell('doctor', '--target', targetFile);
    expect(exitCode).toBe(3);
    expect(out).toMatch(/failed +Signed request +200 with a web page/);
    expect(out).not.toMatch(/ok +(?:Signed request|Domestic payment)/);
  });

  it('blocks a run, which says what answers there and blames no certificate', async () => {
    const { exitCode, err } = await tell('run', '--target', targetFile, '--out', at('blocked'), '--no-html');
    expect(exitCode).toBe(3);
    expect(err).toContain('What answers there is not the interface');
    expect(err).not.toMatch(/certificate|SCA/);
  });
});

it('a run waits for a target file that is not there, and tells what is missing when the time is over', async () => {
  const { exitCode, out, err } = await tell(
    'run',
    '--wait',
    '1',
    '--target',
    at('later.yaml'),
    '--out',
    at('r'),
  );
  expect(exitCode).toBe(2);
  expect(out).toContain('Waiting up to 1 s for the target file');
  expect(err).toContain('later.yaml');
});
