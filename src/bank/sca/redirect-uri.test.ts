import { describe, expect, it } from 'vitest';
import { isRedirectUri, withParameters } from './redirect-uri.ts';

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

  it('keeps query and fragment of the TPP as they were', () => {
    const parameters = { code: 'a b&c', status: '1' };
    expect(withParameters('https://t.example/back', parameters)).toBe(
      'https://t.example/back?code=a%20b%26c&status=1',
    );
    expect(withParameters('https://t.example/back?state=x%20y+z', parameters)).toBe(
      'https://t.example/back?state=x%20y+z&code=a%20b%26c&status=1',
    );
    expect(withParameters('https://t.example/?#part', parameters)).toBe(
      'https://t.example/?code=a%20b%26c&status=1#part',
    );
  });
});
