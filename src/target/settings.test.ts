import { describe, expect, it } from 'vitest';
import { environmentVariables, settings } from './settings.ts';

describe('settings', () => {
  it('have names that follow from their keys', () => {
    const named = Object.fromEntries(
      settings.map(({ key, variable, flag, kind }) => [key, [variable, flag, kind]]),
    );
    expect(named).toMatchObject({
      baseUrl: ['XS2A_BASE_URL', '--base-url', 'text'],
      'signing.privateKey': ['XS2A_SIGNING_PRIVATE_KEY', '--signing-private-key', 'text'],
      'signing.passphrase': ['XS2A_SIGNING_PASSPHRASE', '--signing-passphrase', 'text'],
      'psu.sessionId': ['XS2A_PSU_SESSION_ID', '--psu-session-id', 'text'],
      'pace.requestsPerSecond': ['XS2A_PACE_REQUESTS_PER_SECOND', '--pace-requests-per-second', 'number'],
      'tls.insecure': ['XS2A_TLS_INSECURE', '--tls-insecure', 'boolean'],
    });
  });

  it('are all described by the schema, and all prefixed', () => {
    expect(settings.filter(({ description }) => description === '')).toEqual([]);
    expect(environmentVariables.filter(({ variable }) => !variable.startsWith('XS2A_'))).toEqual([]);
  });
});
