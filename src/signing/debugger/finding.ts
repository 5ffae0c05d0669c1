/** Something that is wrong, and what to do about it. */
export interface SignatureFinding {
  readonly id: string;
  /** The requirement by which a bank refuses it. */
  readonly requirement: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A finding about the Signature header itself. */
export const form = (
  requirement: string,
  id: string,
  problem: string,
  remedy?: string,
): SignatureFinding => ({
  id,
  requirement,
  problem,
  remedy:
    remedy ?? 'Write keyId="SN=…,CA=…",algorithm="rsa-sha256",headers="…",signature="…", in this order.',
});
