import { createHash, timingSafeEqual } from 'node:crypto';
import { type Bank, createBank } from '../bank/bank.ts';
import { compliantDesign } from '../bank/compliant-design.ts';
import type { DesignChange } from '../bank/design/design-changes.ts';
import type { BankRequest, BankState, Route } from '../bank/design/route.ts';
import type { AnsweredRequest } from '../bank/http/dispatch.ts';
import { tppIdOf } from '../bank/sca/identify-psu.ts';
import { type Clock, systemClock } from '../bank/state/clock.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { Provocations } from './provocations.ts';
import type { FailedConnection, RecordedExchange } from './recording.ts';

/** Where the certification itself is spoken to, next to the interface. */
export const controlPaths = { progress: '/certification', finish: '/certification/finish' } as const;

export interface CertificationBankOptions {
  /** PEM certificates of the authorities that the TPP's certificate may come from. */
  readonly trustedAuthorities: readonly string[];
  /** Signs the bank's responses. */
  readonly signer: SigningIdentity;
  readonly clock?: Clock;
  readonly prefix?: string;
  readonly publicUrl?: string;
  readonly retryAfterSeconds?: number;
  /** Keeps an exchange; the answer is sent when it returns. `source` is the address that it came from. */
  readonly record: (exchange: RecordedExchange, source: string) => void;
  /** Is told every request of the TPP and its PSUs with its answer, kept or not. */
  readonly onAnswer?: (answered: AnsweredRequest, number: number) => void;
  readonly onFailedConnection?: (connection: FailedConnection) => void;
  /** What `GET /certification` says. */
  readonly progress?: () => object;
  /** The word that `POST /certification/finish?token=…` has to say; without it nobody can finish. */
  readonly finishToken?: string;
  /** It was called with that word. */
  readonly onFinish?: () => void;
}

/** The reference bank for a TPP to be certified at: it keeps everything, and provokes on request. */
export async function createCertificationBank(options: CertificationBankOptions): Promise<Bank> {
  const { trustedAuthorities, signer, clock = systemClock, prefix, publicUrl, record } = options;
  const provocations = new Provocations(options.retryAfterSeconds);
  let number = 0;
  const bank = await createBank({
    trustedAuthorities,
    signResponsesWith: signer,
    clock,
    design: withControls(options)(provocations.change(compliantDesign)),
    ...(prefix === undefined ? {} : { prefix }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    onAnswer: (answered) => {
      if (isControl(answered, prefix)) return;
      number += 1;
      const { request } = answered;
      const provocation = request && provocations.of(request);
      const psuId = request && psuIdOf(request, bank.state);
      record(
        {
          ...recordedOf(number, answered),
          ...(provocation === undefined ? {} : { provocation }),
          ...(psuId === undefined ? {} : { psuId }),
        },
        answered.raw.source ?? '',
      );
      options.onAnswer?.(answered, number);
    },
    onFailedConnection: (error, source) =>
      options.onFailedConnection?.({
        at: clock.now().toISOString(),
        code: 'code' in error && typeof error.code === 'string' ? error.code : '',
        message: error.message,
        ...(source === undefined ? {} : { source }),
      }),
  });
  return bank;
}

/**
 * They stand next to /v1 and are not signed: whoever runs the TPP may call them with a browser or curl. Anyone may look,
 * but only who has seen the printed address may finish.
 */
const withControls =
  ({ progress = () => ({}), onFinish, finishToken }: CertificationBankOptions): DesignChange =>
  (design) => ({
    ...design,
    adaptRoutes: (routes) => [
      ...design.adaptRoutes(routes),
      control('GET', controlPaths.progress, () => ({ status: 200, body: progress() })),
      control('POST', controlPaths.finish, ({ query }) => {
        if (finishToken === undefined || !isSame(query.get('token') ?? '', finishToken)) {
          return {
            status: 403,
            body: { error: 'Use the address that certify-tpp has printed, with its token.' },
          };
        }
        // The answer goes first.
        setImmediate(() => onFinish?.());
        return { status: 202, body: progress() };
      }),
    ],
  });

/** Takes the same time whatever the difference. */
const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(wanted).digest());

const control = (method: 'GET' | 'POST', path: string, handle: Route['handle']): Route => ({
  operation: 'page',
  method,
  path,
  rules: [],
  handle,
});

const isControl = ({ raw }: AnsweredRequest, prefix = ''): boolean =>
  Object.values(controlPaths).some((path) => raw.url.split('?', 1)[0] === prefix + path);

/** An answered request in the form in which it is kept. */
export function recordedOf(
  number: number,
  { raw, request, response, refusedBy, text, receivedAt, durationMs }: AnsweredRequest,
): RecordedExchange {
  return {
    number,
    at: receivedAt.toISOString(),
    durationMs: Math.round(durationMs * 10) / 10,
    operation: request?.operation ?? 'unknown',
    ...(raw.tlsVersion === undefined ? {} : { tlsVersion: raw.tlsVersion }),
    ...(raw.source === undefined ? {} : { source: raw.source }),
    request: {
      method: raw.method,
      target: raw.url,
      headers: raw.headers,
      ...bodyOf(raw.body),
    },
    response: { status: response.status, headers: response.headers, ...bodyOf(response.body) },
    ...(refusedBy === undefined
      ? {}
      : { refusedBy: { requirement: refusedBy.requirement, rule: text ?? refusedBy.name } }),
  };
}

const bodyOf = (bytes: Uint8Array | undefined): { readonly body?: string } =>
  bytes === undefined || bytes.length === 0 ? {} : { body: Buffer.from(bytes).toString('base64') };

/** The PSU-ID as it was given out, of the PSU whom the request names. */
function psuIdOf(request: BankRequest, { psuIds }: BankState): string | undefined {
  const named = request.header('psu-id');
  if (named === undefined || request.operation === 'page') return undefined;
  const tppId = tppIdOf(request);
  const customerNumber = psuIds.customerNumberOf(tppId, named);
  return customerNumber === undefined ? undefined : psuIds.idFor(tppId, customerNumber);
}
