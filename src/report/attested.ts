/**
 * What a page can say about the attestation of its run. The attestation holds the hash of every page, so that no page can
 * hold the hash of the attestation; what the attestation states about the run has a hash of its own, and that is told.
 */
export interface Attested {
  /** SHA-256 of what is stated: subject, verdicts, readings and exchanges. `verify` tells the same. */
  readonly statement: string;
  /** SHA-256 of what was deployed, by its name, as whoever attests says. */
  readonly deployed?: Readonly<Record<string, string>>;
  /** SHA-256 of the signer's public key in DER; absent where nobody signs. */
  readonly keyFingerprint?: string;
}

/** What is told about it, for people. */
export interface AttestedWords {
  readonly notAttested: string;
  readonly unsigned: (statement: string) => string;
  readonly signed: (statement: string, keyFingerprint: string) => string;
}

export const englishAttested: AttestedWords = {
  notAttested:
    'This page is not attested: whoever has it may have changed it. run and report attest what they write.',
  unsigned: (statement) =>
    `This run is attested without a signature; statement SHA-256 ${statement}. The command verify checks it.`,
  signed: (statement, keyFingerprint) =>
    `This run is attested and signed with the key SHA-256 ${keyFingerprint}; statement SHA-256 ${statement}. The command verify checks both.`,
};

export function attestedText(attested: Attested | undefined, words = englishAttested): string {
  if (attested === undefined) return words.notAttested;
  const { statement, keyFingerprint } = attested;
  return keyFingerprint === undefined ? words.unsigned(statement) : words.signed(statement, keyFingerprint);
}
