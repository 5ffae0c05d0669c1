import { expect, it } from 'vitest';
import type { Exchange } from '../tpp/exchange.ts';
import { freshPaymentPurpose } from './context.ts';
import { nothingAwaitsSca } from './subject.ts';

const link = '{"_links":{"scaRedirect":{"href":"/sca/1","verbs":["GET"]}}}';

const creation = (status: number, body: string): Exchange =>
  ({ purpose: freshPaymentPurpose, response: { status, headers: [], body } }) as unknown as Exchange;

it.each([
  ['one that is executed at once', [creation(201, '{}')], true],
  ['one that is executed once SCA was passed for it', [creation(401, link), creation(201, '{}')], true],
  ['one that is to be approved', [creation(401, link), creation(201, link)], false],
])('awaits SCA or not: %s', (_, exchanges, isNothing) => {
  expect(nothingAwaitsSca(exchanges)).toBe(isNothing);
});
