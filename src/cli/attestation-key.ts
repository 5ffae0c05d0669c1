import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { AttestationKeyError, readAttestationKey, writeAttestation } from '../report/attestation.ts';
import { isSigned } from '../report/verify-attestation.ts';
import { requirements } from '../spec/catalogue.ts';
import { CommandError } from './exit-codes.ts';

/** The key of `--attest-key`. Read before a run begins, because a wrong one should not cost it. */
export function attestationKey(file: string | undefined): KeyObject | undefined {
  if (file === undefined) return undefined;
  try {
    return readAttestationKey(resolve(file));
  } catch (error) {
    if (error instanceof AttestationKeyError) throw new CommandError(error.message);
    throw error;
  }
}

/** Attests the reports of a run, after the last of them was written. */
export function attestRun(dir: string, keyFile: string | undefined): void {
  writeAttestation(dir, requirements, attestationKey(keyFile));
}

/** Reports that are built again are other files. Without the key, only an attestation without a signature can follow. */
export function renewAttestation(dir: string, keyFile: string | undefined): string | undefined {
  if (!canBeAttested(dir, keyFile)) {
    return 'The run was attested with a signature, which stands for the reports as they were before. Sign it anew with --attest-key.';
  }
  attestRun(dir, keyFile);
  return undefined;
}

/** A signature is replaced by another, not by none. */
export const canBeAttested = (dir: string, keyFile: string | undefined): boolean =>
  keyFile !== undefined || !isSigned(dir);
