import { bodies } from '../spec/bodies/index.ts';
import { minorUnits } from '../spec/currencies.ts';
import { unicodeLength } from '../spec/facets.ts';
import { isFalse } from '../spec/formats.ts';
import { headerRows } from '../spec/headers.ts';
import { limits } from '../spec/limits.ts';
import { type BankDesign, compliantAnswers, compliantPayments } from './design/design.ts';
import { refusalKinds } from './design/refusal-kinds.ts';
import { compliantSigning, judgeDigest } from './design/signing-design.ts';
import { neededRoles } from './rules/certificate-rules.ts';
import { isValidKid, looksLikeKid } from './rules/kid-rules.ts';
import { isProcessableText } from './rules/payload-rules.ts';

/** Compliant to the letter of the specification. */
export const compliantDesign: BankDesign = {
  bodies,
  headerRows,
  limits: {
    clockDeviationBehindSeconds: limits.clockDeviationSeconds,
    clockDeviationAheadSeconds: limits.clockDeviationSeconds,
    basketPayments: limits.basketPayments,
    amountPrecision: limits.amountPrecision,
    amountScale: limits.amountScale,
    regulatoryReportingFromOere: limits.regulatoryReportingFromOere,
  },
  minorUnits,
  refusals: refusalKinds,
  signing: compliantSigning,
  judgeDigest,
  lengthOf: unicodeLength,
  isProcessable: isProcessableText,
  isValidKid,
  isTakenForKid: looksLikeKid,
  roles: neededRoles,
  refusesDuplicates: ({ query }) => isFalse(query.get('allowLogicalDuplicate')),
  basketTakes: 'awaiting-approval',
  clockOffsetSeconds: 0,
  tls: { minVersion: 'TLSv1.2' },
  payments: compliantPayments,
  answers: compliantAnswers,
  adaptRules: (_, rules) => rules,
  adaptRoutes: (routes) => routes,
  adaptState: (state) => state,
};
