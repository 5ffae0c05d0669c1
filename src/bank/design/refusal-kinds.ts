import type { MessageCode } from '../../spec/code-lists.ts';

/** How a kind of refusal is answered. */
export interface RefusalAnswer {
  readonly status: number;
  readonly code: MessageCode;
  /** The requirement that fixes the status (Errors). Where there is none, it is this bank's choice among the 4xx. */
  readonly fixedBy?: string;
}

/** Status and code of every kind of refusal. */
export const refusalKinds = {
  signatureMissing: { status: 400, code: 'HTTP_HEADER_REQUIRED', fixedBy: 'SIG-01' },
  signature: { status: 400, code: 'BAD_REQUEST', fixedBy: 'SIG-02' },
  certificateUnreadable: { status: 400, code: 'FORMAT_ERROR' },
  certificate: { status: 403, code: 'FORBIDDEN' },
  role: { status: 403, code: 'FORBIDDEN' },
  clock: { status: 400, code: 'BAD_REQUEST' },
  digest: { status: 400, code: 'BAD_REQUEST' },
  headerMissing: { status: 400, code: 'HTTP_HEADER_REQUIRED' },
  headerForm: { status: 400, code: 'FORMAT_ERROR' },
  headerRepeated: { status: 400, code: 'FORMAT_ERROR' },
  query: { status: 400, code: 'FORMAT_ERROR' },
  contentType: { status: 415, code: 'FORMAT_ERROR' },
  json: { status: 400, code: 'FORMAT_ERROR' },
  character: { status: 400, code: 'FORMAT_ERROR', fixedBy: 'TRN-06' },
  field: { status: 400, code: 'FORMAT_ERROR' },
  amount: { status: 400, code: 'FORMAT_ERROR' },
  fieldCombination: { status: 400, code: 'FORMAT_ERROR' },
  kid: { status: 400, code: 'KID_INVALID', fixedBy: 'ERR-02' },
  kidMissing: { status: 400, code: 'KID_MISSING', fixedBy: 'ERR-02' },
  corporate: { status: 400, code: 'HTTP_HEADER_REQUIRED', fixedBy: 'COR-01' },
  agreement: { status: 403, code: 'FORBIDDEN' },
  sca: { status: 401, code: 'PSU_CREDENTIALS_INVALID', fixedBy: 'ERR-03' },
  scaExpired: { status: 401, code: 'SCA_EXPIRED', fixedBy: 'ERR-03' },
  sessionUnknown: { status: 401, code: 'SCA_NOT_FOUND', fixedBy: 'ERR-03' },
  consentUnknown: { status: 401, code: 'CONSENT_UNKNOWN', fixedBy: 'ERR-03' },
  consentInvalid: { status: 401, code: 'CONSENT_INVALID', fixedBy: 'ERR-03' },
  consentExpired: { status: 401, code: 'CONSENT_EXPIRED', fixedBy: 'ERR-03' },
  accountUnknown: { status: 404, code: 'RESOURCE_UNKNOWN' },
  transactionUnknown: { status: 404, code: 'RESOURCE_UNKNOWN' },
  unattendedCalls: { status: 429, code: 'ACCESS_EXCEEDED' },
  contactUnknown: { status: 404, code: 'NOT_FOUND' },
  sandboxConflict: { status: 409, code: 'CONFLICT' },
  sandboxUnknown: { status: 404, code: 'RESOURCE_UNKNOWN' },
  executionDate: { status: 400, code: 'EXECUTION_DATE_INVALID' },
  duplicate: { status: 409, code: 'CONFLICT' },
  account: { status: 400, code: 'RESOURCE_UNKNOWN' },
  product: { status: 404, code: 'PRODUCT_UNKNOWN' },
  paymentUnknown: { status: 404, code: 'RESOURCE_UNKNOWN' },
  paymentUnreadable: { status: 403, code: 'FORBIDDEN' },
  paymentState: { status: 409, code: 'CONFLICT' },
  basketSize: { status: 400, code: 'BAD_REQUEST' },
  basketContents: { status: 400, code: 'RESOURCE_UNKNOWN' },
  referenceMix: { status: 400, code: 'REFERENCE_MIX_INVALID', fixedBy: 'BSK-17' },
  basketUnknown: { status: 404, code: 'RESOURCE_UNKNOWN' },
  pathUnknown: { status: 404, code: 'NOT_FOUND' },
  methodUnknown: { status: 405, code: 'BAD_REQUEST' },
  bodyTooLarge: { status: 413, code: 'BAD_REQUEST' },
  unreadableRequest: { status: 400, code: 'BAD_REQUEST' },
} as const satisfies Record<string, RefusalAnswer>;

export type RefusalKind = keyof typeof refusalKinds;
export type RefusalAnswers = Readonly<Record<RefusalKind, RefusalAnswer>>;
