import { expect, it } from 'vitest';
import { isJsonMediaType } from './media-type.ts';

it.each([
  'application/json',
  'Application/JSON; charset=UTF-8',
  'application/json;charset="utf8"',
  'application/vnd.bank.payment.v1+json',
])('%s is JSON', (type) => {
  expect(isJsonMediaType(type)).toBe(true);
});

it.each([
  'text/xml',
  'application/json; charset=iso-8859-1',
  'application/json+patch',
  'application/json-seq',
  'application/+json',
  '',
])('"%s" is not', (type) => {
  expect(isJsonMediaType(type)).toBe(false);
});
