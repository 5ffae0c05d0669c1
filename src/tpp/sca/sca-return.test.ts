import { describe, expect, it } from 'vitest';
import { encodedParameter, isReturnTo, looksLikeReturn, readScaReturn, tellsOutcome } from './sca-return.ts';

describe('the return of the PSU', () => {
  it('carries no id where its parameter is empty', () => {
    const address = 'https://tpp.example/back?psu-id=7c1f&psu-corporate-id=&tpp-session-id=a&context=PRIVATE';
    expect(readScaReturn(address)).toEqual({ address, psuId: '7c1f', sessionId: 'a', context: 'PRIVATE' });
    const failed = 'https://tpp.example/back?psu-id=&system=&status=401&code=SCA_INVALID&message=';
    expect(readScaReturn(failed)).not.toHaveProperty('psuId');
    expect(readScaReturn(failed)).toMatchObject({ system: '', message: '' });
  });

  it('is read with the parameters of a success', () => {
    const address =
      'https://tpp.example/back?state=1&psu-id=7c1f&psu-corporate-id=9a&tpp-session-id=a%20b&context=CORPORATE';
    expect(readScaReturn(address)).toEqual({
      address,
      psuId: '7c1f',
      psuCorporateId: '9a',
      sessionId: 'a b',
      context: 'CORPORATE',
    });
  });

  it('is read with the parameters of a failure', () => {
    const address =
      'https://tpp.example/back?system=SCA&status=401&code=SCA_INVALID&message=The+PSU%20left#top';
    expect(readScaReturn(address)).toEqual({
      address,
      system: 'SCA',
      status: '401',
      code: 'SCA_INVALID',
      message: 'The PSU left',
    });
  });

  it('gives nothing to send that no header can hold', () => {
    const { psuId, psuCorporateId, message } = readScaReturn(
      'https://tpp.example/?psu-id=a%1B%0D%0Ab&psu-corporate-id=%E2%82%AC&message=%E2%82%AC%0A',
    );
    expect([psuId, psuCorporateId, message]).toEqual(['a%1B%0D%0Ab', '%E2%82%AC', '€\n']);
  });

  it('shows a parameter as it was written', () => {
    expect(encodedParameter('https://tpp.example/?a=1&message=x%3Dy=z#message=no', 'message')).toBe(
      'x%3Dy=z',
    );
    expect(encodedParameter('https://tpp.example/?%6Dessag%65=%41', 'message')).toBe('%41');
    expect(encodedParameter('https://tpp.example/', 'message')).toBeUndefined();
  });
});

describe('TPP-Redirect-URI', () => {
  it.each([
    ['https://tpp.example/back', 'https://tpp.example/back?psu-id=1', true],
    ['https://tpp.example', 'https://tpp.example/?psu-id=1', true],
    ['https://tpp.example/back?state=7', 'https://tpp.example/back?state=7&psu-id=1', true],
    ['https://tpp.example/back?state=7', 'https://tpp.example/back?psu-id=1', false],
    ['https://tpp.example/back', 'https://tpp.example/backwards?psu-id=1', false],
    ['https://tpp.example/back', 'https://tpp.example.evil/back?psu-id=1', false],
    ['https://tpp.example/back', 'http://tpp.example/back', false],
    ['https://tpp.example/back', '/back', false],
  ])('%s is reached with %s: %s', (redirectUri, address, reached) => {
    expect(isReturnTo(redirectUri, address)).toBe(reached);
  });

  it.each([
    ['?psu-id=1', true],
    ['?status=401&code=SCA_INVALID&message=no', true],
    ['login?code=4711&state=1', false],
    ['back&psu-id=1&tpp-session-id=2&context=PRIVATE', true],
    ['backpsu-id=1&tpp-session-id=2&context=PRIVATE', true],
    ['back&state=1', false],
    ['?tpp-session-id=2&context=PRIVATE', true],
  ])('is told from an address of the bank by its parameters: %s is one: %s', (parameters, isReturn) => {
    expect(looksLikeReturn(`https://x.example/${parameters}`)).toBe(isReturn);
  });

  it('tells no outcome where it names nobody', () => {
    expect(tellsOutcome('https://x.example/?tpp-session-id=2&context=PRIVATE')).toBe(false);
  });
});
