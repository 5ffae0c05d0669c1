import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { RunContext } from '../../checks/context.ts';
import { Amounts } from '../../payloads/amounts.ts';
import { type Json, type JsonObject, removeAt, setAt } from '../../payloads/json.ts';
import { simplePaymentsOf } from '../../payloads/payments.ts';
import { digestHeader } from '../../signing/digest.ts';
import { signingString } from '../../signing/signing-string.ts';
import { daysBefore, isoDate } from '../../spec/days.ts';
import { type Product, products } from '../../spec/products.ts';
import type { Answer } from '../../tpp/answer.ts';
import type { Call, Variation } from '../../tpp/call.ts';
import type { PageRecorder, ScaPerson } from '../../tpp/sca/sca-walker.ts';
import { scaRedirectOf, startSca } from '../../tpp/sca/start-sca.ts';

/** A conversation with a bank in which everything comes up that dialects do in another way, unless it is over before. */
export async function talkWith(
  { client, walker, target, seed }: RunContext,
  isOver: () => boolean = () => false,
  record?: PageRecorder,
): Promise<void> {
  const send = async (purpose: string, call: Call, variation?: Variation): Promise<Answer | undefined> =>
    isOver() ? undefined : client.call(call, variation, purpose).catch(() => undefined);
  const { domestic, crossBorder } = products;
  const payment = (product: Product): JsonObject => {
    const facts = { ...target.accounts, now: client.clock.now(), letters: 'norwegian' as const };
    const [body = {}] = fc.sample(simplePaymentsOf(product, facts, new Amounts(seed, -3)), {
      seed,
      numRuns: 1,
    });
    return body;
  };
  const pay = async (
    purpose: string,
    product: Product,
    change: (body: JsonObject) => JsonObject = (body) => body,
    variation?: Variation,
    more: Partial<Call> = {},
  ): Promise<string> => {
    const body = change(payment(product));
    const answer = await send(purpose, { operation: product.creation, body, ...more }, variation);
    return answer?.text('paymentId') ?? '';
  };
  const setting =
    (path: readonly string[], value: Json) =>
    (body: JsonObject): JsonObject =>
      setAt(body, path, value);
  const header = (name: string, value: string): Variation => ({
    beforeSigning: ({ headers }) => headers.set(name, value),
  });
  const without = (name: string): Variation => ({ beforeSigning: ({ headers }) => headers.remove(name) });
  const status = (purpose: string, product: Product, paymentId: string) =>
    send(purpose, { operation: 'readPaymentStatus', params: { product: product.path, paymentId } });
  const basket = (purpose: string, paymentIds: readonly string[], variation?: Variation) =>
    send(purpose, { operation: 'createSigningBasket', body: { paymentIds } }, variation);

  // Reading
  await send('customers', { operation: 'listSandboxCustomers' });
  for (const details of ['true', 'false']) {
    const query = { withAccounts: details, withAgreements: details };
    await send(`details ${details}`, { operation: 'listSandboxCustomers', query });
  }
  for (const coding of ['gzip', 'deflate', 'br']) {
    await send(
      `packed by ${coding}`,
      { operation: 'listSandboxCustomers' },
      header('Accept-Encoding', coding),
    );
  }
  await send('a parameter of its own', { operation: 'listSandboxCustomers', query: { view: 'short' } });
  const second = await target.identities.second?.();
  if (second !== undefined)
    await send('as a second TPP', { operation: 'listSandboxCustomers' }, { signing: { identity: second } });
  const expired = await target.identities.expired?.();
  if (expired !== undefined)
    await send('out of date', { operation: 'listSandboxCustomers' }, { signing: { identity: expired } });
  const accounts = await send('accounts', { operation: 'listAccounts' });
  const accountId = /"resourceId":\s*"([^"]+)"/.exec(accounts?.bytes.toString('utf8') ?? '')?.[1] ?? '';
  const daysAgo = (days: number): string => isoDate(daysBefore(client.clock.now(), days));
  let oldest: string | undefined;
  for (const [purpose, variation] of [
    ['attended', {}],
    ['unattended', without('PSU-IP-Address')],
  ] as const) {
    await send(`balances ${purpose}`, { operation: 'readBalances', params: { accountId } }, variation);
    const query = { bookingStatus: 'booked', dateFrom: daysAgo(400) };
    const listed = await send(
      `transactions ${purpose}`,
      { operation: 'readTransactions', params: { accountId }, query },
      variation,
    );
    oldest ??= /.*"transactionId":\s*"([^"]+)"/s.exec(listed?.bytes.toString('utf8') ?? '')?.[1] ?? '';
    const params = { accountId, transactionId: oldest };
    await send(`details of an old one ${purpose}`, { operation: 'readTransaction', params }, variation);
  }
  const today = { bookingStatus: 'booked', dateFrom: daysAgo(0) };
  await send('those of today', { operation: 'readTransactions', params: { accountId }, query: today });
  const page = { bookingStatus: 'both', limit: '1' };
  await send('a short page', { operation: 'readTransactions', params: { accountId }, query: page });
  const next = { bookingStatus: 'booked', limit: '7', offset: '7' };
  await send('the next page', { operation: 'readTransactions', params: { accountId }, query: next });
  const none = { ...page, bookingStatus: 'booked', offset: '9999' };
  await send('a page behind the last', { operation: 'readTransactions', params: { accountId }, query: none });
  for (const operation of ['startUserFlow', 'createConsent', 'createBankOfferedConsent'] as const) {
    await send(operation, { operation, ...(operation === 'startUserFlow' ? {} : { body: {} }) });
  }
  const { corporate } = target.psu;
  const company = { ...client.psu, id: corporate?.id ?? '', sessionId: corporate?.sessionId ?? '' };
  await send('agreements', { operation: 'listAgreements', psu: company });

  // Payments and baskets
  const paid = await pay('a domestic payment', domestic);
  await pay('the like of it', domestic);
  const abroad = await pay('a cross-border payment', crossBorder);
  const abroadParams = { product: crossBorder.path, paymentId: abroad };
  await send('its details', { operation: 'readPayment', params: abroadParams });
  await status('its status', domestic, paid);
  const paidParams = { product: domestic.path, paymentId: paid };
  await send(
    'its status in no session',
    { operation: 'readPaymentStatus', params: paidParams },
    without('TPP-Session-ID'),
  );
  await basket('a basket', [paid]);
  await basket('a basket abroad', [abroad]);
  await basket('a payment twice in a basket', [abroad, abroad]);
  await basket('a payment of another session in a basket', [abroad], header('TPP-Session-ID', randomUUID()));
  const [lacking] = target.payments.unfunded;
  await basket('one that lacks funds in a basket', [lacking?.id ?? '']);
  await send('what became of it', {
    operation: 'readPaymentStatus',
    params: { product: lacking?.product ?? '', paymentId: lacking?.id ?? '' },
  });
  await basket('a rejected payment in a basket', [target.payments.rejected[0]?.id ?? '']);
  const many = await Promise.all(
    Array.from({ length: 11 }, (_, index) =>
      pay('one of eleven', domestic, setting(['instructedAmount', 'amount'], `${300 + index}.00`)),
    ),
  );
  await basket('eleven in a basket', many);
  const inAWeek = isoDate(daysBefore(client.clock.now(), -7));
  const dated = await pay('in a week', domestic, setting(['requestedExecutionDate'], inAWeek));
  await basket('of two days in a basket', [many[1] ?? '', dated]);
  const params = { product: domestic.path, paymentId: many[0] ?? '' };
  await send('deletion', { operation: 'deletePayment', params });

  // What a correct TPP may well send and some banks refuse, or the other way round
  const texts = 'remittanceInformationUnstructured';
  const single = 'remittanceInformationStructured';
  const array = 'remittanceInformationStructuredArray';
  const { [texts]: _, [single]: __, [array]: ___, ...plain } = payment(domestic);
  const nextYear = isoDate(daysBefore(client.clock.now(), -500));
  const saturday = new Date(client.clock.now());
  saturday.setUTCDate(saturday.getUTCDate() + 7 + ((6 - saturday.getUTCDay() + 7) % 7));
  const changes: readonly (readonly [string, readonly string[], Json])[] = [
    ['wrong check digits', ['creditorAccount', 'bban'], '86011117940'],
    ['an unknown member', ['ownNote'], 'x'],
    ['on a Saturday', ['requestedExecutionDate'], isoDate(saturday)],
    ['next year', ['requestedExecutionDate'], nextYear],
    ['nothing', ['instructedAmount', 'amount'], '0.00'],
    ['two millions', ['instructedAmount', 'amount'], '2000000.00'],
    ['fewer digits', ['instructedAmount', 'amount'], '123'],
    ['under sanctions', ['creditorAddress', 'country'], 'KP'],
    ['emoji', ['creditorName'], 'Kari 🎉'],
    ['letters of the Baltic', ['creditorName'], 'Kārlis'],
    ['70 letters', ['creditorName'], 'ø'.repeat(70)],
    ['two letters', ['creditorName'], 'Bo'],
    ['no vowel', ['creditorName'], 'Krst Brg'],
    ['a sign', ['creditorName'], 'Berg & Dal'],
    ['two spaces', ['creditorName'], 'Berg  Dal'],
    ['digits in the name', ['creditorName'], 'Berg 2 (Oslo)'],
    ['to itself', ['creditorAccount', 'bban'], target.accounts.debtor.bban ?? ''],
    ['in another city', ['creditorAddress'], { postalCode: '0152', city: 'Bergen', country: 'NO' }],
    ['an invoice', [array], [{ reference: '12345678903' }]],
    ['the same invoice', [array], [{ reference: '12345678903' }]],
    ['a KID by modulus 11', [array], [{ reference: '1234560' }]],
    ['a reference that is no KID', [array], [{ reference: '33523568' }]],
    ['a reference of words', [array], [{ reference: 'Faktura nr. seks' }]],
  ];
  for (const [purpose, path, value] of changes) {
    await pay(purpose, domestic, () => setAt(plain, path, value));
  }
  for (const currency of ['SEK', 'DKK', 'ISK']) {
    const creditorAccount = { ...target.accounts.creditor, currency };
    const { iban: ____, ...inCurrency } = creditorAccount;
    await pay(`to an account in ${currency}`, domestic, () => ({
      ...plain,
      creditorAgent: 'DNBANOKK',
      creditorAccount: inCurrency,
    }));
  }
  const inEuro = setting(['instructedAmount'], { amount: '150.00', currency: 'EUR' });
  await pay('in a currency of neither account', domestic, () => inEuro(plain));
  const reference = { reference: '2345676' };
  await pay('two kinds of references', domestic, () => ({
    ...plain,
    [single]: reference,
    [array]: [reference],
  }));
  await pay(
    'little abroad',
    crossBorder,
    setting(['instructedAmount'], { amount: '150.00', currency: 'NOK' }),
  );
  await pay('BBAN and IBAN', crossBorder, (body) =>
    setAt(body, ['debtorAccount'], { ...target.accounts.debtor }),
  );
  await pay('letters abroad', crossBorder, setting(['creditorName'], 'Kåre'));
  await pay('a bank of another country', crossBorder, setting(['creditorAgent'], 'NDEASESS'));
  await pay('to a payee elsewhere', crossBorder, setting(['creditorAddress'], { country: 'SE' }));
  await pay(
    'across the border to a payee in Norway',
    crossBorder,
    setting(['creditorAddress'], { country: 'NO' }),
  );
  await pay('to an account far away, whose bank is not named', crossBorder, (body) =>
    removeAt(setAt(body, ['creditorAccount', 'iban'], 'QA58DOHB00001234567890ABCDEFG'), ['creditorAgent']),
  );
  const brand = header('TPP-Brand-Logging-Information', 'Nordic Budget (beta)');
  await pay('for a brand with brackets', domestic, undefined, brand);
  const tomorrow = isoDate(daysBefore(client.clock.now(), -1));
  await pay('tomorrow abroad', crossBorder, setting(['requestedExecutionDate'], tomorrow));
  for (const time of ['once', 'twice']) {
    await pay(`not ${time} more`, domestic, undefined, {}, { query: { allowLogicalDuplicate: 'false' } });
  }
  const duplicates = { query: { allowLogicalDuplicate: 'true' } };
  for (const product of [domestic, crossBorder])
    await pay('allowed twice', product, undefined, {}, duplicates);
  const seen = header('X-Request-ID', randomUUID());
  const variations: readonly (readonly [string, Variation])[] = [
    ['an id', seen],
    ['the same id', seen],
    ['an id of words', header('X-Request-ID', `request of ${randomUUID()}`)],
    ['no User-Agent', without('User-Agent')],
    ['a header of its own', header('X-Own-Note', 'x')],
    ['a header twice', { beforeSigning: ({ headers }) => headers.add('Accept', 'application/json') }],
    ['large headers', header('PSU-User-Agent', 'x'.repeat(9_000))],
    ['no redirect', header('TPP-Redirect-Preferred', 'false')],
    ['no address', header('PSU-IP-Address', 'localhost')],
    ['an address of nobody', header('PSU-IP-Address', '192.0.2.10')],
    ['the request target signed', { signing: { covered: (names) => ['(request-target)', ...names] } }],
    ['IPv6', header('PSU-IP-Address', '2001:503:ba3e::2:30')],
    ['http', header('TPP-Redirect-URI', 'http://tpp.example/back')],
    ['a query', header('TPP-Redirect-URI', 'https://tpp.example/back?state=1')],
    ['another Accept', header('Accept', 'text/csv')],
    ['no Content-Type', without('Content-Type')],
    ['an unknown fix', header('x-accept-fix', 'amount-as-string,own-fix')],
    ['an odd session', header('TPP-Session-ID', 'session of Kåre, 1/2')],
    ['both identities', header('X-PSU-IDENTITY', target.psu.nationalId ?? '')],
    ['an odd method', header('PSU-HTTP-Method', 'BREW')],
    ['asctime', header('Date', asctime(client.clock.now()))],
    ['no Date', without('Date')],
    ['an old Date', header('Date', new Date(client.clock.now().getTime() - 3_600_000).toUTCString())],
    ['no certificate', header('TPP-Signature-Certificate', 'bm8gY2VydGlmaWNhdGU=')],
    ['a digest in lower case', { signing: { digest: (body) => lower(digestHeader(body)) } }],
    ['XML', header('Content-Type', 'application/xml')],
    ['no session', without('TPP-Session-ID')],
    ['nobody', without('PSU-ID')],
    ['somebody unknown', header('PSU-ID', randomUUID())],
    ['an unsigned date', { signing: { covered: (names) => names.filter((name) => name !== 'date') } }],
    ['another order', { signing: { parts: (parts) => ({ ...parts, algorithm: 'ecdsa-sha256' }) } }],
    [
      'listed and absent',
      {
        signing: {
          covered: (names) => [...names, 'psu-corporate-id'],
          text: (names, valueFor) =>
            signingString(
              names.filter((name) => valueFor(name) !== undefined),
              valueFor,
            ),
        },
      },
    ],
  ];
  for (const [purpose, variation] of variations)
    await pay(purpose, domestic, undefined, variation, duplicates);
  await pay('two faults', domestic, () => ({}), { signing: { format: () => 'signed' } });
  await pay('a fault', domestic, () => ({}));

  // Customers who come and go
  const name = { customerNumber: '13875010091', name: 'Conformance check', type: 'private' };
  await send('a new customer', { operation: 'createSandboxCustomer', body: name });
  const session = (): NonNullable<Call['psu']> => ({ ...client.psu, id: '', sessionId: randomUUID() });
  const earlier = session();
  const logIn = async (
    psu: NonNullable<Call['psu']>,
    nationalId = target.psu.other?.nationalId ?? '',
    identity?: typeof second,
    left: Pick<ScaPerson, 'deselects' | 'deselectsCards'> = {},
  ): Promise<string> => {
    const { id: _, ...unknown } = psu;
    const signed = identity === undefined ? {} : { signing: { identity } };
    const { link } = await startSca((call) => client.call(call, signed, 'start SCA'), unknown);
    if (link === undefined) return '';
    return (await walker.pass(link, { nationalId, context: 'PRIVATE', ...left }, record)).psuId ?? '';
  };
  const cancel = async (): Promise<void> => {
    const { id: _, ...unknown } = session();
    const { link } = await startSca((call) => client.call(call, {}, 'start SCA'), unknown);
    if (link === undefined) return;
    await walker.abort(link, undefined, record);
    // A bank may show its pages once only.
    await walker.abort(link, undefined, record).catch(() => undefined);
  };
  if (isOver()) return;
  const id = await logIn(earlier);
  const later = session();
  const known = { ...later, id: await logIn(later) };
  for (const { product, id: paymentId } of target.payments.approved)
    await send('of another PSU', {
      operation: 'readPaymentStatus',
      params: { product, paymentId },
      psu: known,
    });
  const idsOf = async (operation: 'listAccounts' | 'listCardAccounts'): Promise<readonly string[]> => {
    const listed = await send('what another PSU has granted', { operation, psu: known });
    const ids = (listed?.bytes.toString('utf8') ?? '').matchAll(/"resourceId":\s*"([^"]+)"/g);
    return [...ids].map(([, id = '']) => id);
  };
  const [deselects, deselectsCards] = [await idsOf('listAccounts'), await idsOf('listCardAccounts')];
  for (const [operation, left] of [
    ['listCardAccounts', { deselectsCards }],
    ['listAccounts', { deselects, deselectsCards }],
  ] as const) {
    const revoked = session();
    const revoker = { ...revoked, id: await logIn(revoked, undefined, undefined, left).catch(() => '') };
    await send('what the PSU has revoked', { operation, psu: revoker });
  }
  await Promise.allSettled([logIn(session()), logIn(session())]);
  await logIn(session(), name.customerNumber).catch(() => undefined);
  await cancel();
  if (second !== undefined) await logIn(session(), undefined, second).catch(() => undefined);
  await send('in an ended session', { operation: 'listAccounts', psu: { ...earlier, id } });
  const fresh = await send('in a new session', {
    operation: domestic.creation,
    body: payment(domestic),
    psu: { ...client.psu, sessionId: randomUUID() },
  });
  const approval = fresh && scaRedirectOf(fresh);
  // What the page says to a PSU whom the request has named.
  if (approval !== undefined) await walker.abort(approval, undefined, record).catch(() => undefined);
  const { id: ____, ...named } = client.psu;
  await send('named by number', {
    operation: domestic.creation,
    body: payment(domestic),
    psu: { ...named, nationalId: target.psu.nationalId ?? '' },
  });

  // Whom was paid before
  const toApprove = await send('to approve', { operation: domestic.creation, body: payment(domestic) });
  const link = toApprove && scaRedirectOf(toApprove);
  const self = { nationalId: target.psu.nationalId ?? '', context: 'PRIVATE' } as const;
  if (link !== undefined) await walker.pass(link, self, record).catch(() => undefined);
  const older = await send('to the same payee', { operation: domestic.creation, body: payment(domestic) });
  await send('to the same payee again', { operation: domestic.creation, body: payment(domestic) });
  // A link that a newer one has followed.
  const olderLink = older && scaRedirectOf(older);
  if (olderLink !== undefined) await walker.abort(olderLink, undefined, record).catch(() => undefined);
  const approved = { product: domestic.path, paymentId: toApprove?.text('paymentId') ?? '' };
  await send('delete an approved one', { operation: 'deletePayment', params: approved });

  // Now and then
  for (let round = 0; round < 110; round += 1) await send('again', { operation: 'listSandboxCustomers' });
}

const lower = (digest: string): string => digest.replace(/^SHA/, 'sha');

/** `Sun Nov  6 08:49:37 1994`, an obsolete form of RFC 7231. */
function asctime(date: Date): string {
  const [weekday, day, month, year, time] = date.toUTCString().split(/,? /);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}
