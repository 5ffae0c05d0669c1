/** What the checks on a TPP are written with. */

export { isRedirectUri } from '../bank/sca/redirect-uri.ts';
export { parseHttpDate } from '../bank/state/http-date.ts';
export { exampleKids } from './journeys.ts';
export { isReportableAmount } from './reportable-amount.ts';
export { asksTheSame, isUnchanged } from './same-request.ts';
export type { SeenExchange } from './seen-exchange.ts';
export { compareSeenKeyId } from './seen-key-id.ts';
export { type SeenSignature, signatureParts } from './seen-signature.ts';
export type { Return, ScaLink, Session } from './session.ts';
export { each, type Fault, type Finding, findingOf, type TppCheck, tppCheck } from './tpp-check.ts';
