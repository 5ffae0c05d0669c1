import fc from 'fast-check';
import { Amounts } from '../../payloads/amounts.ts';
import type { JsonObject } from '../../payloads/json.ts';
import type { PaymentFacts } from '../../payloads/payment-parts.ts';
import { paymentsOf } from '../../payloads/payments.ts';
import { products } from '../../spec/products.ts';
import type { Call } from '../../tpp/call.ts';
import type { TppClient } from '../../tpp/client.ts';
import { HeaderList } from '../../tpp/exchange.ts';
import { type RequestDraft, signDraft } from '../../tpp/signing-plan.ts';
import type { BadRequest } from './bad-request.ts';

/** What the bank has told so far: bad requests that name something real get further. */
export interface KnownOfBank {
  readonly accountIds: string[];
  readonly paymentIds: string[];
  /** Paths of SCA pages. */
  readonly pages: string[];
}

/** More of them make no difference. */
const mostKnown = 200;

export function remember(known: string[], value: string): void {
  if (known.length < mostKnown) known.push(value);
  else known[Math.floor(Math.random() * mostKnown)] = value;
}

/** Makes the bytes of bad requests, each from a correct request of a TPP that the bank trusts. */
export function requestMaker(
  client: TppClient,
  facts: PaymentFacts,
  seed: number,
): (bad: BadRequest, known: KnownOfBank) => Promise<{ readonly bytes: Buffer; readonly isSound: boolean }> {
  const amounts = new Amounts(seed, 0);
  const bodiesOf = (product: (typeof products)[keyof typeof products]): readonly JsonObject[] =>
    fc.sample(paymentsOf(product, facts, amounts), { seed, numRuns: 100 });
  const bodies = { domestic: bodiesOf(products.domestic), crossBorder: bodiesOf(products.crossBorder) };
  const { identity } = client.options;
  return async (bad, known) => {
    const draft = await correctRequest(client, bad, bodies, known);
    const change = (): void => {
      for (const { apply } of bad.changes) apply(draft);
    };
    if (!bad.late) change();
    if (bad.isSigned) await signDraft(draft, identity, {});
    if (bad.late) change();
    const bytes = bytesOf(draft);
    return bad.wire === undefined
      ? { bytes, isSound: isSound(draft) }
      : { bytes: bad.wire.apply(bytes), isSound: false };
  };
}

type Bodies = Readonly<Record<'domestic' | 'crossBorder', readonly JsonObject[]>>;

/** An unsigned request with nothing wrong about it. */
async function correctRequest(
  client: TppClient,
  { template, choice }: BadRequest,
  bodies: Bodies,
  known: KnownOfBank,
): Promise<RequestDraft> {
  if (template === 'form') return formRequest(choice, pick(known.pages, choice) ?? '/sca/none');
  if (template === 'nothing') {
    return { operation: 'other', method: 'GET', target: '/v1/', headers: new HeaderList(), body: undefined };
  }
  if (template === 'sandbox' && choice % 2 === 1) {
    const [path, body] = pick(sandboxData, choice >> 1) ?? ['', {}];
    const draft = await client.prepare({ operation: 'createSandboxCustomer', body }, unsigned);
    draft.target = path.replace('{accountId}', pick(known.accountIds, choice) ?? 'none');
    return draft;
  }
  return client.prepare(callOf(template, choice, bodies, known), unsigned);
}

const unsigned = {
  signing: { digest: () => undefined, format: () => undefined, sign: async () => '' },
} as const;

function callOf(
  template: 'domestic' | 'crossBorder' | 'basket' | 'payment' | 'account' | 'sandbox' | 'consent',
  choice: number,
  bodies: Bodies,
  { paymentIds, accountIds }: KnownOfBank,
): Call {
  const product = choice % 2 === 0 ? products.domestic : products.crossBorder;
  const paymentId = pick(paymentIds, choice) ?? 'none';
  const accountId = pick(accountIds, choice) ?? 'none';
  const calls: Readonly<Record<typeof template, readonly Call[]>> = {
    domestic: [{ operation: products.domestic.creation, body: pick(bodies.domestic, choice) }],
    crossBorder: [{ operation: products.crossBorder.creation, body: pick(bodies.crossBorder, choice) }],
    basket: [
      {
        operation: 'createSigningBasket',
        body: { paymentIds: [paymentId, pick(paymentIds, choice + 1) ?? 'x'] },
      },
      { operation: 'readSigningBasket', params: { basketId: paymentId } },
      { operation: 'deleteSigningBasket', params: { basketId: paymentId } },
    ],
    payment: (['readPaymentStatus', 'readPayment', 'deletePayment'] as const).map((operation) => ({
      operation,
      params: { product: product.path, paymentId },
    })),
    account: [
      { operation: 'listAccounts', query: { withBalance: 'true' } },
      { operation: 'readBalances', params: { accountId } },
      { operation: 'readTransactions', params: { accountId }, query: { bookingStatus: 'both', limit: '3' } },
      { operation: 'listCardAccounts' },
      { operation: 'listAgreements' },
    ],
    sandbox: [
      { operation: 'listSandboxCustomers', query: { withAccounts: 'false', withAgreements: 'false' } },
      { operation: 'deleteSandboxCustomer', params: { customerId: accountId } },
      {
        operation: 'createSandboxCustomer',
        body: { customerNumber: '01819010192', name: 'A', type: 'private' },
      },
    ],
    consent: [{ operation: 'createBankOfferedConsent', body: {} }, { operation: 'startUserFlow' }],
  };
  return pick(calls[template], choice >> 1) ?? { operation: 'listAccounts' };
}

const sandboxData: readonly (readonly [path: string, body: JsonObject])[] = [
  [
    '/v1/sandbox/accounts',
    {
      ...{ customerNumber: '01819010001', accountName: 'New', bban: '86011117947', iban: 'NO9386011117947' },
      ...{ currency: 'NOK', product: 'x', cashAccountType: 'CACC', creditLine: 0 },
      balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: 1, currency: 'NOK' } }],
    },
  ],
  [
    '/v1/sandbox/card-accounts',
    {
      customerNumber: '01819010001',
      maskedPan: '1234********5678',
      currency: 'NOK',
      creditLimit: 1,
      balances: [],
    },
  ],
  [
    '/v1/sandbox/agreements',
    {
      owner: '05829210160',
      name: 'New',
      engagements: [{ customer: '01819010001', account: { iban: 'NO9386011117947' }, roles: ['VIEW'] }],
    },
  ],
  [
    '/v1/sandbox/accounts/{accountId}/transactions',
    { amount: { amount: '1.00', currency: 'NOK' }, bookingDate: '2026-01-02', text: 'New' },
  ],
  ['/v1/tpp/contact', { emailAddress: 'tpp@tpp.example' }],
];

const formSteps: readonly string[] = [
  'step=identify&nationalId=01819010001&context=PRIVATE&action=continue',
  'step=consent&accounts=1&action=continue',
  'step=approve&action=continue',
  'action=cancel',
  '',
];

const formRequest = (choice: number, target: string): RequestDraft => ({
  operation: 'other',
  method: choice % 4 === 0 ? 'GET' : 'POST',
  target,
  headers: new HeaderList([
    ['Host', 'localhost'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
  ]),
  body: choice % 4 === 0 ? undefined : Buffer.from(pick(formSteps, choice >> 2) ?? ''),
});

const pick = <T>(values: readonly T[], choice: number): T | undefined => values[choice % values.length];

/** As it stands, with a length that is right unless the request brings its own. */
function bytesOf({ method, target, headers, body }: RequestDraft): Buffer {
  const lines = headers.lines().map(([name, value]) => `${name}: ${value}\r\n`);
  const length = headers.has('Content-Length') ? '' : `Content-Length: ${body?.length ?? 0}\r\n`;
  const host = headers.has('Host') ? '' : 'Host: localhost\r\n';
  const head = `${method} ${target} HTTP/1.1\r\n${host}${lines.join('')}${length}\r\n`;
  return Buffer.concat([Buffer.from(head, 'utf8'), body ?? Buffer.alloc(0)]);
}

const framing = ['content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade', 'te', 'host'];

/** Whether exactly one answer is sure to come, and the connection to stand after it. */
function isSound({ method, target, headers }: RequestDraft): boolean {
  const isPlain = (text: string): boolean => /^[\t\x20-\x7e]*$/.test(text);
  return (
    /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method) &&
    /^\/[\x21-\x7e]*$/.test(target) &&
    headers
      .lines()
      .every(
        ([name, value]) =>
          /^[\w-]+$/.test(name) &&
          isPlain(value) &&
          (!framing.includes(name.toLowerCase()) || name.toLowerCase() === 'host'),
      ) &&
    headers.lines().filter(([name]) => name.toLowerCase() === 'host').length <= 1
  );
}
