import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/certificates.json' with { type: 'json' };
import { encode, objectIdentifier, sequence, utf8String } from './asn1.ts';
import { readCertificate } from './certificate.ts';
import { type PspRole, psd2StatementOid, qcStatementsWith, readRoles } from './psp-roles.ts';

it.each(vectors)('are read from a certificate made with OpenSSL: $name', ({ certificatePem, roles }) => {
  expect(readCertificate(certificatePem).roles).toEqual(roles);
});

describe('readRoles', () => {
  it.each<{ roles: readonly PspRole[] }>([
    { roles: [] },
    { roles: ['PSP_AI'] },
    { roles: ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'] },
  ])('reads back $roles', ({ roles }) => {
    expect(readRoles(encode(qcStatementsWith(roles)))).toEqual(roles);
  });

  it('goes by names where an issuer left the OIDs out', () => {
    const statements = sequence(
      sequence(objectIdentifier(psd2StatementOid), sequence(sequence(sequence(utf8String('PSP_PI'))))),
    );
    expect(readRoles(encode(statements))).toEqual(['PSP_PI']);
  });

  it.each(['', '30', '3003020101', '0500', '300730050603'])(
    'finds none in the broken extension "%s"',
    (hex) => {
      expect(readRoles(Buffer.from(hex, 'hex'))).toEqual([]);
    },
  );
});
