import { describe, expect, it } from 'vitest';
import { isBban, isIban } from '../spec/check-digits.ts';
import { isRedirectUri, isUuid } from '../spec/formats.ts';
import {
  anotherThan,
  appearanceOf,
  foreignCreditorOf,
  inOrder,
  ipv6Of,
  norwegianCreditor,
  psuHeaders,
} from './appearance.ts';

const seeds = Array.from({ length: 200 }, (_, index) => 7 * index);
const drawn = seeds.map(appearanceOf);

describe('what a run looks like', () => {
  it('is the same with the same seed, and seldom with another', () => {
    expect(seeds.map(appearanceOf)).toEqual(drawn);
    for (const [part, least] of [
      ['userAgent', 10],
      ['browser', 5],
      ['ipAddress', 190],
      ['redirectUri', 30],
    ] as const)
      expect(new Set(drawn.map((each) => each[part])).size, part).toBeGreaterThanOrEqual(least);
    expect(new Set(seeds.map((seed) => norwegianCreditor(seed, '95360573002'))).size).toBeGreaterThan(190);
    expect(new Set(seeds.map((seed) => foreignCreditorOf(seed).iban)).size).toBeGreaterThan(20);
  });

  it('is such as a strict bank takes: public addresses, plain pages, right check digits, another bank', () => {
    for (const { ipAddress, redirectUri, userAgent } of drawn) {
      expect(ipAddress).toMatch(/^(?!10|127|192|172|169)\d+(?:\.(?:[1-9]\d?|0|1\d\d|2[0-4]\d|25[0-4])){3}$/);
      expect(ipv6Of(ipAddress)).toMatch(/^2[0a]0[12](?::[0-9a-f]{1,4}){3}::[0-9a-f]+$/);
      expect(isRedirectUri(redirectUri) && !/[?#]/.test(redirectUri)).toBe(true);
      expect(isUuid(psuHeaders(userAgent, ipAddress)['PSU-Device-ID'] ?? '')).toBe(true);
    }
    for (const seed of seeds) {
      expect(isBban(norwegianCreditor(seed, '60050000000'))).toBe(true);
      expect(norwegianCreditor(seed, '60050000000')).not.toMatch(/^6005/);
      expect(isIban(foreignCreditorOf(seed).iban)).toBe(true);
    }
  });

  it('is like another TPP in nothing, the order of headers included', () => {
    const lines = ['Host', 'Accept', 'User-Agent', 'X-Request-ID', 'Date', 'PSU-ID', 'Digest', 'Digest'].map(
      (name, index) => [name, String(index)] as const,
    );
    for (const usual of drawn) {
      const other = anotherThan(usual);
      for (const part of ['userAgent', 'ipAddress', 'redirectUri'] as const)
        expect(other[part]).not.toBe(usual[part]);
      const orders = [usual, other].map(({ userAgent }) => inOrder(lines, userAgent));
      expect(orders[0]).not.toEqual(orders[1]);
      for (const order of orders) {
        expect(order).toHaveLength(lines.length);
        // Which of two comes first tells what a header is.
        expect(order.filter(([name]) => name === 'Digest').map(([, value]) => value)).toEqual(['6', '7']);
      }
    }
  });
});
