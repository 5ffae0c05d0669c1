import { createPrivateKey, type KeyObject } from 'node:crypto';
import keys from './embedded-keys.json' with { type: 'json' };
import { createSandboxPki, type SandboxPki } from './sandbox-pki.ts';

/**
 * The PKI of a bank that listens on loopback for the length of one run, of a test or of a benchmark. Its keys are known to
 * everybody and protect nothing; making new ones takes longer than all the rest of a start. `serve` and `certify-tpp`, which
 * others can reach, make their own. That of the TPP has 1024 bits: signing with 2048 costs seven times as much, which was a
 * third of a whole run. TLS takes no authority with less than 2048.
 */
export const embeddedPki = (): Promise<SandboxPki> =>
  createSandboxPki({
    ca: keyOf(keys.ca),
    oddAuthority: keyOf(keys.oddAuthority),
    tpp: keyOf(keys.tpp),
  });

/** PKCS #8 in Base64. */
const keyOf = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
