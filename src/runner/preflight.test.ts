import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { createTarget, type TargetParts } from '../target/target.ts';
import { fakeTransport, headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import { type Transport, TransportError, type WireRequest, type WireResponse } from '../tpp/transport.ts';
import { learnTheClock, preflight } from './preflight.ts';
import { createRunContext } from './run-context.ts';

let identity: SigningIdentity;
beforeAll(async () => {
  identity = (await createTestPki({ modulusLength: 512 })).tpp;
});

const runContextOver = (transport: Transport, parts: Partial<TargetParts> = {}) =>
  createRunContext({
    target: createTarget({
      baseUrl: 'https://bank.example/psd2',
      environment: 'sandbox',
      identity,
      accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
      pace: { concurrency: 4, timeoutMs: 1000, retries: 1, outageSeconds: 20 },
      ...parts,
    }),
    seed: 7,
    runs: 1,
    transport,
    patienceMs: 1,
  });

const clientOver = (transport: Transport) => runContextOver(transport).client;

const isPayment = ({ target }: WireRequest): boolean => target.includes('/payments/');
const isSigned = (request: WireRequest): boolean => headerOf(request, 'Signature') !== undefined;
const created = () => responseOf(201, { paymentId: 'p-1', transactionStatus: 'RCVD' });
const refusal = () => responseOf(400, { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] });
const page = (status: number) => responseOf(status, '<html><body>Welcome</body></html>');

/** What is found of a bank that answers so. */
const foundOf = (answer: (request: WireRequest) => WireResponse, parts: Partial<TargetParts> = {}) =>
  preflight(runContextOver(fakeTransport(answer), parts), 7);

describe('before the run', () => {
  it.each<[string, (request: WireRequest) => WireResponse]>([
    ['redirects each payment', (request) => (isPayment(request) ? responseOf(302) : responseOf(200, []))],
    ['breaks down at each payment', (request) => responseOf(isPayment(request) ? 500 : 200, [])],
    ['turns each payment away with 503', (request) => responseOf(isPayment(request) ? 503 : 200, [])],
    ['answers each payment with a page', (request) => (isPayment(request) ? page(200) : responseOf(200, []))],
    ['answers all that is signed with a page', (request) => (isSigned(request) ? page(200) : refusal())],
    ['breaks down at all that is signed', (request) => (isSigned(request) ? responseOf(500) : refusal())],
    ['redirects all that is signed', (request) => (isSigned(request) ? responseOf(302) : refusal())],
    [
      'lists customers without end and refuses payments',
      (request) =>
        isPayment(request)
          ? refusal()
          : { ...responseOf(200, '['), cut: 'its body is longer than 4194304 bytes' },
    ],
    [
      'refuses all that lacks a header which may be signed',
      (request) =>
        ['Digest', 'PSU-ID', 'PSU-Corporate-ID', 'TPP-Redirect-URI'].every((name) => headerOf(request, name))
          ? responseOf(200, [])
          : refusal(),
    ],
    ['refuses payments', (request) => (isPayment(request) ? refusal() : responseOf(200, []))],
  ])('a bank that %s is judged', async (_, answer) => {
    const { blocker, remarks } = await foundOf(answer);
    expect(blocker).toBeUndefined();
    expect(remarks.length).toBeGreaterThan(0);
  });

  it('a payment whose answer was lost, and that is a duplicate then, is not the one that tells', async () => {
    const seen = new Set<string>();
    const bank = (request: WireRequest): WireResponse => {
      if (!isPayment(request)) return responseOf(200, []);
      const body = String(request.body);
      if (seen.has(body)) return responseOf(409);
      seen.add(body);
      if (seen.size === 1) throw new TransportError('reset', 'the answer is lost');
      return created();
    };
    const { remarks, refusesPayments, paid } = await foundOf(bank);
    expect({ remarks, refusesPayments }).toEqual({ remarks: [], refusesPayments: false });
    expect(paid).toHaveLength(2);
  });

  it('a bank that objects to the account is told from one that objects to anything else', async () => {
    const objecting = (path: string) => (request: WireRequest) =>
      isPayment(request)
        ? responseOf(403, { tppMessages: [{ category: 'ERROR', code: 'FORBIDDEN', path }] })
        : responseOf(200, []);
    const [told] = (await foundOf(objecting('debtorAccount'))).remarks;
    expect(told).toContain('accounts.debtor');
    const [other] = (await foundOf(objecting('creditorName'))).remarks;
    expect(other).not.toContain('accounts.debtor');
  });

  it('a bank that misses the PSU, and gives no link to SCA, is judged where SCA was left to the run', async () => {
    const missing = (request: WireRequest) =>
      isSigned(request)
        ? responseOf(401, { tppMessages: [{ category: 'ERROR', code: 'CONSENT_UNKNOWN' }] })
        : refusal();
    const psu = { sca: 'form', nationalId: '01819010001' } as const;
    expect((await foundOf(missing, { psu })).blocker).toBeUndefined();
    expect((await foundOf(missing)).blocker).toContain('psu (id and session)');
    expect((await foundOf(refusal, { psu })).blocker).toContain('signing.certificate');
  });

  it('a bank that refuses all once SCA was passed is judged: it has let the PSU through', async () => {
    const context = runContextOver(fakeTransport(refusal));
    expect((await preflight(context, 7, { hasPassedSca: true })).blocker).toBeUndefined();
    expect((await preflight(context, 7)).blocker).toContain('No correct request goes through');
  });

  it('a bank that takes only SHA-512 is judged, even where nothing but payments is sent', async () => {
    const { blocker, digest } = await foundOf(
      (request) => (/^sha-512=/i.test(headerOf(request, 'Digest') ?? '') ? created() : refusal()),
      { environment: 'production', allowProductionPayments: true },
    );
    expect(blocker).toBeUndefined();
    expect(digest?.(Buffer.from(''))).toMatch(/^SHA-512=/);
  });

  it('a payment to an account that nobody has named tells what to name when it is refused', async () => {
    const { remarks } = await foundOf((request) => (isPayment(request) ? refusal() : responseOf(200, [])));
    expect(remarks.join()).toMatch(/made up.*accounts\.creditor/);
  });

  it.each<[string, (request: WireRequest) => WireResponse, RegExp]>([
    ['refuses all', refusal, /No correct request goes through.*sandbox customers: 400/s],
    ['breaks down at all, signed or not', () => responseOf(500), /No correct request goes through/],
    ['answers all with pages', () => page(200), /not the interface/],
    [
      'redirects all',
      () => responseOf(302),
      /No correct request goes through.*put that address into baseUrl/s,
    ],
    ['is behind a gateway that is down', () => responseOf(503), /cannot be reached/],
  ])('a server that %s is no bank to judge', async (_, answer, told) => {
    expect((await foundOf(answer)).blocker).toMatch(told);
  });

  it.each([
    ["Hostname/IP does not match certificate's altnames", 'for another name'],
    ['certificate has expired', 'the bank has to renew it'],
    ['self-signed certificate in certificate chain', 'tls.ca'],
    ['unable to get issuer certificate', 'Add those above it to the file'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'Give the authority of the bank'],
    ['unable to verify the first certificate', 'the bank leaves out what is between'],
  ])('a server certificate that is not trusted is told with its own remedy: %s', async (said, remedy) => {
    const found = foundOf(() => {
      throw new TransportError('tls', said);
    });
    expect((await found).blocker).toContain(remedy);
  });

  it('knows a request that went through, for whoever has to tell whether the bank is there', async () => {
    const { control } = await foundOf((request) => (isPayment(request) ? refusal() : responseOf(200, [])));
    expect(control).toEqual({ operation: 'listSandboxCustomers' });
  });

  it('sends nothing for a PSU who has not passed SCA', async () => {
    const transport = fakeTransport(() => responseOf(200, []));
    const found = await preflight({ ...runContextOver(transport), withoutPsu: 'SCA failed.' }, 7);
    expect(found.blocker).toBeUndefined();
    expect(transport.requests.map(({ target }) => target)).toEqual(['/psd2/v1/sandbox/customers']);
  });
});

describe('the clock of the bank', () => {
  it('is known before the first check, even when the request for it is refused', async () => {
    const twoMinutesAhead = () => new Date(Date.now() + 120_000).toUTCString();
    const transport = fakeTransport(() => ({ ...responseOf(400), headers: [['Date', twoMinutesAhead()]] }));
    const client = clientOver(transport);
    await learnTheClock(client);
    await Promise.all([1, 2, 3].map(() => client.call({ operation: 'listAccounts' })));
    for (const request of transport.requests.slice(-3)) {
      const ahead = Date.parse(headerOf(request, 'Date') ?? '') - Date.now();
      expect(Math.abs(ahead - 120_000)).toBeLessThan(3000);
    }
  });

  it('is asked for once', async () => {
    const transport = fakeTransport(() => responseOf(200));
    const client = clientOver(transport);
    await learnTheClock(client);
    await learnTheClock(client);
    expect(transport.requests.map(({ target }) => target)).toEqual(['/psd2/v1/accounts']);
  });

  it('is ours when the bank takes our date and not the one that it writes', async () => {
    const isNow = (date: string | undefined) => Math.abs(Date.parse(date ?? '') - Date.now()) < 60_000;
    const transport = fakeTransport((request) => ({
      ...responseOf(isNow(headerOf(request, 'Date')) ? 200 : 400),
      headers: [['Date', new Date(Date.now() + 7_200_000).toUTCString()]],
    }));
    const client = clientOver(transport);
    await learnTheClock(client);
    expect((await client.call({ operation: 'listAccounts' })).status).toBe(200);
  });

  it('may stay unknown: the checks tell of the trouble', async () => {
    const transport = fakeTransport(() => {
      throw new TransportError('refused', 'nobody there');
    });
    await expect(learnTheClock(clientOver(transport))).resolves.toBeUndefined();
  });
});
