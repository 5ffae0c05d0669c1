import { sign } from 'node:crypto';
import type { KeyIdentity } from '../signing/identity.ts';

/** Signing has to be right here, not safe: short keys make it cost next to nothing. SHA-512 fits into no shorter one. */
export const modulusLength = 768;

/** The shortest that there is, a third of the work of the other: where nothing is signed with SHA-512. */
export const shortestModulusLength = 512;

/** With short keys, handing the text to a thread and back would cost more than signing it. */
export const signingAtOnce = (identity: KeyIdentity): KeyIdentity => ({
  ...identity,
  sign: async (data, hash) => sign(hash, data, identity.privateKey),
});
