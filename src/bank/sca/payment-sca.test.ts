import { beforeEach, describe, expect, it } from 'vitest';
import { type CallOptions, company, domesticPath, domesticPayment } from '../bank-under-test.test.data.ts';
import { fjordOgFjell, kari, ola, type TppOfBank, tppOfBank } from './tpp-of-bank.test.data.ts';

let tpp: TppOfBank;
beforeEach(async () => {
  tpp = await tppOfBank();
});

const pay = (headers: NonNullable<CallOptions['headers']>) =>
  tpp.call(domesticPath, { headers, body: domesticPayment() });

describe('SCA of a payment', () => {
  it('is needed although the session holds, shows amount and payee, and approves the payment', async () => {
    const psu = await tpp.consent(kari);
    const created = await pay(psu);
    expect(created.status).toBe(201);
    const href = tpp.scaRedirectOf(created);
    const page = (await tpp.page(href)).body.toString();
    expect(page).toContain('125.50 NOK');
    expect(page).toContain('Blåbær &amp; Bjørk AS');
    const { parameters } = await tpp.finish(href, { nationalId: kari });
    expect(parameters).toEqual({
      'psu-id': psu['PSU-ID'],
      'tpp-session-id': 'session-1',
      context: 'PRIVATE',
    });
    expect(tpp.bank.state.payments.get(String(created.body.paymentId))?.approvedAt).toBeDefined();
  });

  it('leaves the payment unapproved when it is cancelled or another person tries', async () => {
    const psu = await tpp.consent(kari);
    const created = await pay(psu);
    const href = tpp.scaRedirectOf(created);
    expect((await tpp.page(href, { nationalId: ola })).body.toString()).toContain('role="alert"');
    expect((await tpp.finish(href, { action: 'cancel' })).parameters.code).toBe('SCA_INVALID');
    expect(tpp.bank.state.payments.get(String(created.body.paymentId))?.approvedAt).toBeUndefined();
  });

  it('identifies the PSU and approves in one go with PSU-Context', async () => {
    const created = await pay({ 'PSU-ID': undefined, 'X-PSU-IDENTITY': kari, 'PSU-Context': 'PRIVATE' });
    expect(created.status).toBe(201);
    const { parameters } = await tpp.finish(tpp.scaRedirectOf(created), { nationalId: kari });
    expect(parameters).toMatchObject({ 'psu-id': expect.any(String), context: 'PRIVATE' });
    expect((await tpp.get('/v1/user', { 'PSU-ID': parameters['psu-id'] })).status).toBe(200);
  });

  it('lets the PSU choose the agreement with PSU-Context CORPORATE', async () => {
    const created = await pay({ 'PSU-ID': undefined, 'X-PSU-IDENTITY': kari, 'PSU-Context': 'CORPORATE' });
    const [agreement] = tpp.bank.state.customers.agreementsOf(kari);
    const { parameters } = await tpp.finish(tpp.scaRedirectOf(created), {
      nationalId: kari,
      agreement: agreement?.id ?? '',
    });
    expect(parameters).toMatchObject({ 'psu-corporate-id': agreement?.id, context: 'CORPORATE' });
  });

  it('can be passed by a representative who is named without a context', async () => {
    const created = await tpp.call(domesticPath, {
      headers: { 'PSU-ID': undefined, 'X-PSU-IDENTITY': fjordOgFjell },
      body: domesticPayment({ debtorAccount: company.debtorAccount }),
    });
    const href = tpp.scaRedirectOf(created);
    expect((await tpp.page(href)).body.toString()).toContain('On whose behalf do you act?');
    const { parameters } = await tpp.finish(href, { nationalId: fjordOgFjell, context: 'CORPORATE' });
    expect(parameters).toMatchObject({ 'psu-corporate-id': company.agreementId, context: 'CORPORATE' });
    expect(tpp.bank.state.payments.get(String(created.body.paymentId))?.approvedAt).toBeDefined();
  });
});
