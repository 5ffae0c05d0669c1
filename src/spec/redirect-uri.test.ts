import { describe, expect, it } from 'vitest';
import { isRedirectUri } from './redirect-uri.ts';

describe('the redirect address', () => {
  it.each([
    'https://tpp.example/back',
    'http://127.0.0.1:3000/',
    'myapp://callback',
    'https://tpp.example?x=1#y',
  ])('takes %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    '',
    '/back',
    'tpp.example/back',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' data:text/html,x',
    'file:///etc/passwd',
  ])('refuses "%s"', (uri) => expect(isRedirectUri(uri)).toBe(false));
});
