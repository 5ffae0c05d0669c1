import { createHash } from 'node:crypto';
import type { Target } from '../target/target.ts';

/**
 * Shards that run side by side pass SCA as the same customers. In sessions of their own each would end those of the
 * others, in the same session none does (Limits): where the target file gives none, all shards of a run make up the same.
 */
export function withSessionsOfAllShards(target: Target, seed: number): Target {
  const { psu, baseUrl, identities } = target;
  const { corporate } = psu;
  const sharedBy = ({
    sessionId,
    isSessionMadeUp,
    nationalId,
  }: Target['psu'] | NonNullable<typeof corporate>) =>
    isSessionMadeUp === true
      ? uuidOf([seed, baseUrl, identities.main.certificate.fingerprint256, nationalId])
      : sessionId;
  const sessionId = sharedBy(psu);
  if (corporate === undefined) return { ...target, psu: { ...psu, sessionId } };
  const ofCompany = corporate.sessionId === psu.sessionId ? sessionId : sharedBy(corporate);
  return { ...target, psu: { ...psu, sessionId, corporate: { ...corporate, sessionId: ofCompany } } };
}

/** The same for the same facts; as a UUID of version 8 (RFC 9562), which may be made in any way. */
function uuidOf(facts: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
