import { describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { clearlyBelowQuadratic, growthOf } from './growth.test.data.ts';
import { redactExchange, redactText } from './redaction.ts';

const secrets = {
  psu: { nationalId: '01819010001', corporate: { nationalId: '05829210160' } },
  customHeaders: { 'X-API-Key': 'the-key-of-the-sandbox', 'X-Tenant': '7' },
};
const pem = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----';

const exchange: Exchange = {
  id: 'x00001',
  purpose: 'control',
  operation: 'createDomesticPayment',
  attempt: 1,
  startedAt: '2026-03-02T10:00:00.000Z',
  durationMs: 12,
  request: {
    method: 'POST',
    url: 'https://bank.example/v1/payments?psu=01819010001',
    headers: [
      ['Date', 'Mon, 02 Mar 2026 10:00:00 GMT'],
      ['X-PSU-IDENTITY', '01819010001'],
      ['tpp-signature-certificate', 'MIICERTIFICATE'],
      ['x-api-key', 'the-key-of-the-sandbox'],
      ['X-Tenant', '7'],
      ['Cookie', 'session=1'],
      ['Authorization', 'Bearer t0ken'],
    ],
    body: `{"creditorName":"01819010001","key":"${pem}"}`,
  },
  response: {
    status: 400,
    headers: [
      ['Set-Cookie', 'session=2'],
      ['X-Echo', 'the-key-of-the-sandbox for 05829210160'],
    ],
    body: `unknown: 05829210160 with the-key-of-the-sandbox, 7 times\n${pem} ${pem}`,
  },
};

const shown = JSON.stringify(redactExchange(exchange, secrets));

describe('an exchange that is shown', () => {
  it.each([
    ['national identity numbers', '01819010001'],
    ['national identity numbers of corporate users', '05829210160'],
    ['certificates', 'MIICERTIFICATE'],
    ['values of custom headers, repeated by the bank as well', 'the-key-of-the-sandbox'],
    ['cookies of requests', 'session=1'],
    ['cookies of responses', 'session=2'],
    ['tokens', 't0ken'],
    ['keys', 'MIIB'],
  ])('has no %s', (_, secret) => {
    expect(JSON.stringify(exchange)).toContain(secret);
    expect(shown).not.toContain(secret);
  });

  it('keeps everything else', () => {
    const redacted = redactExchange(exchange, secrets);
    expect(redacted).toMatchObject({ id: 'x00001', response: { status: 400 } });
    expect(redacted.request.headers.map(([name]) => name)).toEqual(
      exchange.request.headers.map(([name]) => name),
    );
    expect(redacted.request.headers[0]).toEqual(['Date', 'Mon, 02 Mar 2026 10:00:00 GMT']);
    expect(redacted.response?.body).toBe(
      'unknown: [redacted] with [redacted], 7 times\n[redacted] [redacted]',
    );
  });

  it('says how long a certificate was', () => {
    expect(shown).toContain('[certificate of 14 characters, redacted]');
  });

  it('leaves the recorded exchange as it was', () => {
    redactExchange(exchange, secrets);
    expect(exchange.request.headers[1]).toEqual(['X-PSU-IDENTITY', '01819010001']);
  });

  it('hides secrets in the words of the transport', () => {
    const { response: _, ...unanswered } = exchange;
    const redacted = redactExchange(
      { ...unanswered, trouble: { kind: 'reset', message: 'lost /psu/01819010001' } },
      secrets,
    );
    expect(redacted.trouble?.message).toBe('lost /psu/[redacted]');
    expect(redacted).not.toHaveProperty('response');
  });
});

describe('text that is shown', () => {
  it('is itself where there are no secrets', () => {
    expect(redactText('nothing to hide', { psu: {}, customHeaders: {} })).toBe('nothing to hide');
  });

  it.each([
    ['two blocks', `a ${pem} b ${pem} c`, 'a [redacted] b [redacted] c'],
    ['a block that was cut', `a ${pem.slice(0, 40)}`, 'a [redacted]'],
    ['a beginning inside a block', `a -----BEGIN X-----\n${pem} c`, 'a [redacted] c'],
    ['an end without a beginning', 'a -----END PRIVATE KEY----- b', 'a -----END PRIVATE KEY----- b'],
  ])('hides keys: %s', (_, text, expected) => {
    expect(redactText(text, { psu: {}, customHeaders: {} })).toBe(expected);
  });

  it.each(['-----BEGIN A-----', '-----BEGIN ', '-----BEGIN A-----x-----END ', '-----END A-----', '-'])(
    'takes work that grows as the text does, made of %j',
    (part) => {
      const redact = (size: number) => redactText(part.repeat(size), { psu: {}, customHeaders: {} });
      expect(growthOf(redact, 2_000)).toBeLessThan(clearlyBelowQuadratic);
    },
  );
});
