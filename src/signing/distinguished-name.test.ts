import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/distinguished-names.json' with { type: 'json' };
import { readCertificate, readCertificateFields } from './certificate.ts';
import {
  DistinguishedNameError,
  formatDistinguishedName,
  formatDistinguishedNameHexEscaped,
  parseDistinguishedName,
  type Rdn,
  sameDistinguishedName,
} from './distinguished-name.ts';

const name = (...attributes: readonly [type: string, value: string][]): readonly Rdn[] =>
  attributes.map(([type, value]) => [{ type, value }]);

describe.each(vectors)('$name', (vector) => {
  const { issuer } = readCertificateFields(readCertificate(vector.certificatePem).x509.raw);

  it('is printed as OpenSSL prints it', () => {
    expect(formatDistinguishedNameHexEscaped(issuer)).toBe(vector.hexEscaped);
  });

  it('is the same name in every form', () => {
    const ours = formatDistinguishedName(issuer);
    expect(sameDistinguishedName(ours, vector.raw)).toBe(true);
    expect(sameDistinguishedName(ours, vector.hexEscaped)).toBe(true);
    expect(sameDistinguishedName(vector.raw, vector.hexEscaped)).toBe(true);
  });

  it('survives being printed and read', () => {
    expect(parseDistinguishedName(formatDistinguishedName(issuer))).toEqual(issuer);
  });
});

it('prints what OpenSSL prints raw wherever RFC 2253 has a short name', () => {
  const comparable = vectors.filter(
    ({ raw }) => !/(^|[,+])(street|organizationIdentifier|serialNumber)=|\+/.test(raw.replaceAll('\\+', '')),
  );
  expect(comparable.length).toBeGreaterThan(10);
  for (const { certificatePem, raw } of comparable) expect(readCertificate(certificatePem).issuer).toBe(raw);
});

it('differs from the name of every other vector', () => {
  const different = new Set(vectors.map(({ raw }) => raw));
  for (const a of different) {
    for (const b of different) expect(sameDistinguishedName(a, b)).toBe(a === b);
  }
});

describe('formatDistinguishedName', () => {
  it('puts the most specific name first', () => {
    expect(formatDistinguishedName(name(['C', 'NO'], ['O', 'Bank'], ['CN', 'CA']))).toBe('CN=CA,O=Bank,C=NO');
  });

  it('writes the organizationIdentifier by its OID', () => {
    expect(formatDistinguishedName(name(['organizationIdentifier', 'PSDNO-FSA-1']))).toBe(
      '2.5.4.97=PSDNO-FSA-1',
    );
  });

  it('escapes what RFC 2253 section 2.4 lists', () => {
    expect(formatDistinguishedName(name(['O', '# a,b+c"d\\e<f>g;h ']))).toBe(
      'O=\\# a\\,b\\+c\\"d\\\\e\\<f\\>g\\;h\\ ',
    );
    expect(formatDistinguishedName(name(['O', ' ']))).toBe('O=\\ ');
    expect(formatDistinguishedName(name(['O', 'a\nb']))).toBe('O=a\\0Ab');
  });
});

describe('parseDistinguishedName', () => {
  it.each([
    ['raw characters', 'O=Ås'],
    ['hexadecimal pairs', 'O=\\C3\\85s'],
    ['hexadecimal pairs in lower case', 'O=\\c3\\85s'],
    ['a quoted value', 'O="Ås"'],
    ['spaces around the separators', ' O = Ås '],
    ['a long type name', 'organizationName=Ås'],
    ['an OID', '2.5.4.10=Ås'],
    ['an OID with its old prefix', 'oid.2.5.4.10=Ås'],
    ['an encoded value', 'O=#0c03c38573'],
  ])('takes %s', (_, text) => {
    expect(parseDistinguishedName(text)).toEqual(name(['O', 'Ås']));
  });

  it('takes the aliases that are seen in the wild', () => {
    expect(parseDistinguishedName('S=Viken')).toEqual(name(['ST', 'Viken']));
    expect(parseDistinguishedName('organizationIdentifier=x')).toEqual(name(['2.5.4.97', 'x']));
    expect(parseDistinguishedName('OID.2.5.4.97=x')).toEqual(name(['2.5.4.97', 'x']));
  });

  it('takes semicolons, quoted separators and an empty value', () => {
    expect(parseDistinguishedName('CN="a, \\"b\\" + c" ; O=;C=NO')).toEqual(
      name(['C', 'NO'], ['O', ''], ['CN', 'a, "b" + c']),
    );
  });

  it('keeps a trailing space only when it is escaped', () => {
    expect(parseDistinguishedName('O=a\\   ,C=NO')).toEqual(name(['C', 'NO'], ['O', 'a ']));
    expect(parseDistinguishedName('O=a\\\\  ,C=NO')).toEqual(name(['C', 'NO'], ['O', 'a\\']));
  });

  it('reads a multi-valued name', () => {
    expect(parseDistinguishedName('OU=a + CN=b,C=NO')).toEqual([
      [{ type: 'C', value: 'NO' }],
      [
        { type: 'OU', value: 'a' },
        { type: 'CN', value: 'b' },
      ],
    ]);
  });

  it('reads the empty name', () => {
    expect(parseDistinguishedName('')).toEqual([]);
  });

  it.each([
    'Test CA',
    'CN=a,',
    'CN=a,,O=b',
    '=a',
    'CN=a\\',
    'CN=a\\x',
    'CN="a',
    'CN="a"b',
    'CN=a"b',
    'CN=#xyz',
    'CN=\\C3',
    'CN=#0500',
  ])('refuses "%s"', (text) => {
    expect(() => parseDistinguishedName(text)).toThrow(DistinguishedNameError);
    expect(sameDistinguishedName(text, text)).toBe(false);
  });
});

describe('sameDistinguishedName', () => {
  it('ignores how types, escapes and separators are written', () => {
    expect(
      sameDistinguishedName(
        'CN=Ås, o=Bank\\, AS,2.5.4.97=x',
        'cn=\\C3\\85s,O="Bank, AS",organizationIdentifier=x',
      ),
    ).toBe(true);
  });

  it('ignores the order inside a multi-valued name', () => {
    expect(sameDistinguishedName('OU=a+CN=b', 'CN=b+OU=a')).toBe(true);
  });

  it.each([
    ['another order', 'CN=a,C=NO', 'C=NO,CN=a'],
    ['another value', 'CN=a', 'CN=b'],
    ['another case of the value', 'CN=a', 'CN=A'],
    ['another type', 'CN=a', 'O=a'],
    ['a name that is missing', 'CN=a,C=NO', 'CN=a'],
    ['two names where the other has a multi-valued one', 'CN=a,OU=b', 'CN=a+OU=b'],
    ['a comma that separates where the other escapes it', 'CN=a,O=b', 'CN=a\\,O=b'],
  ])('tells %s apart', (_, a, b) => {
    expect(sameDistinguishedName(a, b)).toBe(false);
  });
});
