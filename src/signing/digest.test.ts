import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/digests.json' with { type: 'json' };
import { type DigestAlgorithm, decodeBase64, digestHeader, verifyDigest } from './digest.ts';

const algorithms: readonly DigestAlgorithm[] = ['SHA-256', 'SHA-512'];
const body = Buffer.from('{"a":1}');

describe.each(vectors)('digest of $name', (vector) => {
  const bytes = Buffer.from(vector.bodyBase64, 'base64');

  it.each(algorithms)('%s is what OpenSSL computes', (algorithm) => {
    expect(digestHeader(bytes, algorithm)).toBe(vector[algorithm]);
  });

  it.each(algorithms)('%s of OpenSSL is accepted', (algorithm) => {
    expect(verifyDigest(vector[algorithm], bytes)).toEqual({ ok: true, algorithm });
  });

  it.each(algorithms)('%s of OpenSSL is a mismatch for any other body', (algorithm) => {
    expect(verifyDigest(vector[algorithm], Buffer.concat([bytes, Buffer.from(' ')]))).toEqual({
      ok: false,
      reason: 'mismatch',
    });
  });
});

describe('verifyDigest', () => {
  it('takes the algorithm name in any case', () => {
    const header = digestHeader(body).replace('SHA-256', 'sha-256');
    expect(verifyDigest(header, body)).toEqual({ ok: true, algorithm: 'SHA-256' });
  });

  it('takes a list of digests that all match', () => {
    const header = `${digestHeader(body, 'SHA-512')}, ${digestHeader(body, 'SHA-256')}`;
    expect(verifyDigest(header, body)).toEqual({ ok: true, algorithm: 'SHA-512' });
  });

  it('wants every known digest of a list to match', () => {
    const header = `${digestHeader(body)},${digestHeader(Buffer.from('other'), 'SHA-512')}`;
    expect(verifyDigest(header, body)).toEqual({ ok: false, reason: 'mismatch' });
  });

  it('ignores an unknown algorithm next to a known one', () => {
    expect(verifyDigest(`unixsum=30637,${digestHeader(body)}`, body)).toEqual({
      ok: true,
      algorithm: 'SHA-256',
    });
  });

  it('tells an unknown algorithm on its own', () => {
    expect(verifyDigest('MD5=kAFQmDzST7DWlj99KOF/cg==', body)).toEqual({
      ok: false,
      reason: 'unknown-algorithm',
    });
  });

  it.each([
    '',
    ' , ',
    'SHA-256',
    '=abc',
    'SHA-256=not base64',
    `${digestHeader(body)}x`,
    digestHeader(body).slice(0, -1),
  ])('calls "%s" malformed', (header) => {
    expect(verifyDigest(header, body)).toEqual({ ok: false, reason: 'malformed' });
  });

  it('calls a digest of the wrong length a mismatch', () => {
    expect(verifyDigest('SHA-256=YWJj', body)).toEqual({ ok: false, reason: 'mismatch' });
  });
});

it('decodes what an encoder writes', () => {
  expect(decodeBase64('w4Vz')?.toString('utf8')).toBe('Ås');
  expect(decodeBase64('')?.length).toBe(0);
});

it.each(['YQ', 'YQ=', 'YQ==\n', ' YQ==', 'YR==', 'Y Q==', '-_8=', 'YQ==YQ=='])('refuses "%s"', (text) => {
  expect(decodeBase64(text)).toBeUndefined();
});
