import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { settings } from '../target/settings.ts';
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
