import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedBank, startEmbeddedBank } from '../runner/embedded-bank.ts';
import { settings } from '../target/settings.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { tell } from './run-program.test.data.ts';
import { addTargetOptions, overridesIn, shownTargetFlags, type TargetFlags } from './target-options.ts';

const parsed = (...args: readonly string[]): TargetFlags =>
  addTargetOptions(new Command())
    .parse([...args], { from: 'user' })
    .opts();

describe('the flags that name a bank', () => {
  it('take every setting of a target file', () => {
    const args = settings.flatMap(({ flag, kind }) => (kind === 'boolean' ? [flag] : [flag, 'x']));
    expect(Object.keys(overridesIn(parsed(...args)))).toEqual(settings.map(({ key }) => key));
  });

  it('are repeated in reproduce lines, quoted for a shell', () => {
    expect(shownTargetFlags(parsed('--target', 'my bank.yaml', '--base-url', 'https://b.example/x'))).toEqual(
      ["--target 'my bank.yaml'", '--base-url https://b.example/x'],
    );
  });

  it.each(['--psu-id', '--psu-session-id', '--psu-corporate-corporate-id', '--signing-private-key'])(
    'are told by their variable where they are secret (%s)',
    (flag) => {
      const [shown] = shownTargetFlags(parsed(flag, 'the-secret'));
      expect(shown).toMatch(/^--[a-z-]+ "\$XS2A_[A-Z_]+"$/);
    },
  );

  it('are not repeated where they are secret', () => {
    const secrets = [
      '--signing-passphrase',
      'hush',
      '--psu-national-id',
      '01819010001',
      '--tls-passphrase',
      'x',
    ];
    expect(shownTargetFlags(parsed(...secrets))).toEqual([
      '--tls-passphrase "$XS2A_TLS_PASSPHRASE"',
      '--signing-passphrase "$XS2A_SIGNING_PASSPHRASE"',
      '--psu-national-id "$XS2A_PSU_NATIONAL_ID"',
    ]);
  });

  it('allow payments in production only when it is said', () => {
    expect(overridesIn(parsed())).toEqual({});
    expect(overridesIn(parsed('--allow-production-payments'))).toEqual({ allowProductionPayments: true });
  });
});

describe('a production bank that a sandbox file is turned on', () => {
  const folder = testFolder('all tests');
  let bank: EmbeddedBank;
  let created = 0;
  beforeAll(async () => {
    bank = await startEmbeddedBank({
      environment: 'production',
      onAnswer: ({ raw, response }) => {
        const isCreation =
          raw.method === 'POST' && /"(?:payment|basket|customer)Id"/.test(String(response.body));
        if (isCreation && response.status === 201) created += 1;
      },
    });
    const sandbox = { ...bank.description, environment: 'sandbox', sandbox: { allowChanges: true } };
    await writeFile(join(folder, 'own.json'), JSON.stringify(sandbox));
    await writeFile(
      join(folder, 'sandbox.json'),
      JSON.stringify({ ...sandbox, baseUrl: 'https://localhost:1' }),
    );
    // Named at its own address it is believed, and payments are made.
    await tell(...run, at('own.json'), '--only', 'NDC-01', '--out', at('own'));
    expect(created).toBeGreaterThan(0);
    created = 0;
  }, 60_000);
  afterEach(() => {
    vi.unstubAllEnvs();
    created = 0;
  });
  afterAll(async () => {
    await bank.close();
  });
  const at = (name: string): string => join(folder, name);
  const run = ['run', '--no-html', '--runs', '1', '--target'];

  it.each(['flag', 'variable'])('creates nothing for a %s', { timeout: 120_000 }, async (by) => {
    const flag = by === 'flag' ? ['--base-url', bank.baseUrl] : [];
    if (by === 'variable') vi.stubEnv('XS2A_BASE_URL', bank.baseUrl);
    const { out, exitCode } = await tell(...run, at('sandbox.json'), ...flag, '--out', at(by));
    expect(created).toBe(0);
    expect(exitCode).toBe(3);
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /environment: (--base-url|XS2A_BASE_URL) gives an address .* so no payment is created: write a target file/,
    );
    const learned = await tell('doctor', '--learn', '--target', at('sandbox.json'), ...flag);
    const replayed = await tell(
      'replay',
      at('own'),
      'NDC-01',
      '--target',
      at('sandbox.json'),
      ...flag,
      '--other-address',
    );
    expect([learned.exitCode, replayed.exitCode, created]).toEqual([3, 3, 0]);
  });

  it('is told to whoever names it which program its file runs, before it runs', async () => {
    const { certificate } = bank.description.signing;
    const signing = { certificate, command: ['node', '-e', 'process.exit(1)'] };
    await writeFile(at('program.json'), JSON.stringify({ ...bank.description, signing }));
    const { exitCode, err } = await tell('doctor', '--target', at('program.json'));
    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /program\.json:1:\d+: this program signs, and is run now: node -e …\n.*cannot be used/s,
    );
  });

  it('is no target of journeys either', async () => {
    vi.stubEnv('XS2A_BASE_URL', bank.baseUrl);
    const { exitCode, err } = await tell('reference-tpp', at('sandbox.json'));
    expect([exitCode, err, created]).toEqual([2, expect.stringContaining('no payment is created'), 0]);
  });
});
