import { createPrivateKey, type KeyObject } from 'node:crypto';
import keys from './embedded-keys.json' with { type: 'json' };
import { createSandboxPki, type SandboxPki } from './sandbox-pki.ts';

/**
 * The PKI of a bank that listens on loopback for the length of one run, of a test or of a benchmark. Its keys are known to
 * everybody and protect nothing; making new ones takes longer than all the rest of a start. `serve` and `certify-tpp`, which
 * others can reach, make their own.
 */
export const embeddedPki = (): Promise<SandboxPki> =>
  createSandboxPki({
    ca: keyOf(keys.ca),
    oddAuthority: keyOf(keys.oddAuthority),
    tpp: keyOf(isShort() ? keys.shortTpp : keys.tpp),
  });

/** In the project's own tests: a signature with 2048 bits, as TPPs have them, takes seven times as long as one with 1024. */
const isShort = (): boolean => process.env['XS2A_SHORT_KEYS'] !== undefined;

/** PKCS #8 in Base64. */
const keyOf = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
