import { createHash, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki, type TestPki } from '../certificate-authority.ts';
import { digestHeader } from '../digest.ts';
import { explainSignature } from './explain-signature.ts';
import { type Changes, json, mistakes, names, requestOf } from './mistakes.test.data.ts';

let pki: TestPki;
let stranger: TestPki;
beforeAll(async () => {
  [pki, stranger] = await Promise.all([createTestPki(), createTestPki()]);
});
const request = (changes: Changes = {}) => requestOf(pki, changes);

describe('explainSignature', () => {
  it('finds nothing wrong with a right signature', () => {
    const explained = explainSignature(request());
    expect(explained).toMatchObject({
      verdict: 'verified',
      findings: [],
      digest: { headerIs: 'the body as it was received' },
    });
    expect(explained.signingString.map(([name]) => name)).toEqual(names);
  });

  it('takes a right signature over (request-target)', () => {
    expect(explainSignature(request({ names: ['(request-target)', ...names] })).findings).toEqual([]);
  });

  it('names each usual mistake, and what to do about it', () => {
    const wrong = mistakes.flatMap(([what, changes, ids, said]) => {
      const explained = explainSignature(request(changes));
      const found = explained.signed?.mistakes.map(({ id }) => id) ?? explained.findings.map(({ id }) => id);
      const isRight =
        explained.verdict === 'refused' &&
        found.join() === ids.join() &&
        said.test(explained.summary) &&
        explained.findings.every(({ remedy }) => remedy !== '');
      return isRight ? [] : [`${what}: ${found.join()} – ${explained.summary}`];
    });
    expect(wrong).toEqual([]);
  });

  it('tells of a signature with another key', () => {
    const explained = explainSignature(
      request({ sign: (data) => sign('sha256', data, stranger.tpp.privateKey) }),
    );
    expect(explained.findings.map(({ id }) => id)).toEqual(['other-key']);
  });

  it('says how a Digest of re-serialised JSON came about', () => {
    const digest = digestHeader(Buffer.from(JSON.stringify(json)));
    const explained = explainSignature(request({ sent: { digest }, signed: { digest } }));
    expect(explained.findings).toMatchObject([{ id: 'digest-of-json-compact', requirement: 'DIG-05' }]);
    expect(explained.digest.headerIs).toBe('the SHA-256 of the compact JSON');
  });

  it('gives both hashes where it finds no mistake', () => {
    const explained = explainSignature(request({ text: () => 'something else' }));
    expect(explained.findings.map(({ id }) => id)).toEqual(['other-text']);
    expect(explained.hashes?.signed).toBe(
      `sha256: ${createHash('sha256').update('something else').digest('hex')}`,
    );
  });

  const keyIds: readonly (readonly [string, (keyId: string) => string, string, RegExp])[] = [
    [
      'lower case',
      (keyId) => keyId.replace(/SN=[^,]+/, (found) => `SN=${found.slice(3).toLowerCase()}`),
      'key-id-serial',
      /upper-case/,
    ],
    [
      'decimal',
      (keyId) => keyId.replace(/SN=([^,]+)/, (_, hex: string) => `SN=${BigInt(`0x${hex}`)}`),
      'key-id-serial',
      /decimal/,
    ],
    [
      'another serial',
      (keyId) => keyId.replace(/SN=[^,]+/, 'SN=1234'),
      'key-id-serial',
      /another certificate/,
    ],
    ['another issuer', (keyId) => keyId.replace(/CA=.*/, 'CA=CN=Nobody'), 'key-id-issuer', /not the issuer/],
    [
      'reversed issuer',
      (keyId) =>
        keyId.replace(/CA=(.*)/, (_, name: string) => `CA=${name.split(',').toReversed().join(',')}`),
      'key-id-issuer',
      /most specific/,
    ],
  ];

  it('compares the keyId with the certificate', () => {
    const wrong = keyIds.flatMap(([what, change, id, said]) => {
      const { findings } = explainSignature(
        request({
          signature: (value) =>
            value.replace(/keyId="([^"]*)"/, (_, keyId: string) => `keyId="${change(keyId)}"`),
        }),
      );
      const isRight = findings.length === 1 && findings[0]?.id === id && said.test(findings[0].problem);
      return isRight ? [] : [`${what}: ${JSON.stringify(findings)}`];
    });
    expect(wrong).toEqual([]);
  });

  it('shows serial number and issuer in the notations of common tools', () => {
    const { certificate } = explainSignature(request());
    expect(certificate?.serialDecimal).toBe(BigInt(`0x${certificate?.serialHex}`).toString());
    expect(certificate?.issuer.java).toBe(certificate?.issuer.rfc2253.replaceAll(',', ', '));
  });

  it('keeps within bounds, whatever is sent', () => {
    const hostile: readonly string[] = [
      `keyId="${'a'.repeat(100_000)}"`,
      `headers="${'x '.repeat(5000)}"`,
      'keyId=,,,,"""\\\\',
      `=?utf-8?B?${'A'.repeat(9000)}?=`,
      `keyId="SN=1,CA=${','.repeat(5000)}",algorithm="a",headers="date",signature="AA=="`,
    ];
    for (const value of hostile) {
      const explained = explainSignature(request({ signature: () => value }));
      expect(explained.verdict).toBe('refused');
    }
    const deep = Buffer.from('['.repeat(200_000));
    expect(explainSignature({ ...request(), body: deep }).verdict).toBe('refused');
  });
});
