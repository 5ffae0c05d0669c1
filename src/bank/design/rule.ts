import type { MessageCode } from '../../spec/code-lists.ts';
import type { BankRequest, BankState, Refusal, Rule } from './route.ts';

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
  corporate: { status: 400, code: 'HTTP_HEADER_REQUIRED', fixedBy: 'COR-01' },
  sca: { status: 401, code: 'PSU_CREDENTIALS_INVALID', fixedBy: 'ERR-03' },
  scaExpired: { status: 401, code: 'SCA_EXPIRED', fixedBy: 'ERR-03' },
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

/** What is wrong, and where. Status and code come from the kind of the refusal. */
export type Fault = Pick<Refusal, 'text' | 'path' | 'links'>;

export interface RuleExtras {
  readonly also?: readonly string[];
  readonly ownChoice?: true;
}

export type MakeRule = (
  requirement: string,
  name: string,
  kind: RefusalKind,
  faultIn: (request: BankRequest, state: BankState) => Fault | undefined,
  extras?: RuleExtras,
) => Rule;

/** Makes rules whose refusals are answered as the table says. */
export const ruleMaker =
  (refusals: RefusalAnswers): MakeRule =>
  (requirement, name, kind, faultIn, extras = {}) => ({
    requirement,
    name,
    ...extras,
    refuses(request, state) {
      const fault = faultIn(request, state);
      return fault === undefined ? undefined : { ...refusals[kind], ...fault };
    },
  });

/** Several rules look at different sides of one finding; it is made once for each request. */
export function oncePerRequest<Finding>(
  find: (request: BankRequest) => Finding,
): (request: BankRequest) => Finding {
  const findings = new WeakMap<BankRequest, { readonly finding: Finding }>();
  return (request) => {
    const known = findings.get(request);
    if (known !== undefined) return known.finding;
    const finding = find(request);
    findings.set(request, { finding });
    return finding;
  };
}
