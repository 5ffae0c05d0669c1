import { embeddedPki } from '../runner/embedded-pki.ts';
import type { TestPki } from '../signing/certificate-authority.ts';

let made: Promise<TestPki> | undefined;

/** For banks on a socket: TLS takes no short keys, and new long ones take their time. */
export function tlsKeys(): Promise<TestPki> {
  made ??= embeddedPki().then(async ({ ca, tpp }) => ({ ca, tpp, server: await ca.issueServer() }));
  return made;
}
