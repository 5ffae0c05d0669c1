/** What the checks on a TPP are written with. */
export { isReportableAmount } from './journey-evidence.ts';
export { exampleKids } from './journeys.ts';
export type { FailedConnection } from './recording.ts';
export { asksTheSame, attemptsTheSame, isUnchanged, type SeenExchange } from './seen-exchange.ts';
export { compareSeenKeyId, type SeenSignature, signatureParts } from './seen-signature.ts';
export type { Return, ScaLink, Session } from './session.ts';
export { each, type Fault, type Finding, findingOf, type TppCheck, tppCheck } from './tpp-check.ts';
