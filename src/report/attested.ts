/**
 * What a page can say about the attestation of its run. The attestation holds the hash of every page, so that no page can
 * hold the hash of the attestation; what the attestation states about the run has a hash of its own, and that is told.
 */
export interface Attested {
  /** SHA-256 of what is stated: subject, verdicts, readings and exchanges. `verify` tells the same. */
  readonly statement: string;
  /** SHA-256 of the signer's public key in DER; absent where nobody signs. */
  readonly keyFingerprint?: string;
}

/** One sentence for people. */
export function attestedText(attested: Attested | undefined): string {
  if (attested === undefined)
    return 'This page is not attested: whoever has it may have changed it. run and report attest what they write.';
  const { statement, keyFingerprint } = attested;
  const signer =
    keyFingerprint === undefined
      ? 'attested without a signature'
      : `attested and signed with the key SHA-256 ${keyFingerprint}`;
  return `This run is ${signer}; statement SHA-256 ${statement}. The command verify checks both.`;
}
