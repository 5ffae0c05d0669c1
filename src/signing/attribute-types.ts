interface AttributeType {
  readonly oid: string;
  /** The key of RFC 2253 section 2.3; types without one are written as their OID. */
  readonly rfc2253?: string;
  /** What OpenSSL prints. */
  readonly openssl: string;
  readonly aliases?: readonly string[];
}

const attributeTypes: readonly AttributeType[] = [
  { oid: '2.5.4.3', rfc2253: 'CN', openssl: 'CN', aliases: ['commonName'] },
  { oid: '2.5.4.7', rfc2253: 'L', openssl: 'L', aliases: ['localityName'] },
  // Microsoft tools, and clients of this interface, write S for stateOrProvinceName.
  { oid: '2.5.4.8', rfc2253: 'ST', openssl: 'ST', aliases: ['S', 'stateOrProvinceName'] },
  { oid: '2.5.4.10', rfc2253: 'O', openssl: 'O', aliases: ['organizationName'] },
  { oid: '2.5.4.11', rfc2253: 'OU', openssl: 'OU', aliases: ['organizationalUnitName'] },
  { oid: '2.5.4.6', rfc2253: 'C', openssl: 'C', aliases: ['countryName'] },
  { oid: '2.5.4.9', rfc2253: 'STREET', openssl: 'street', aliases: ['streetAddress'] },
  { oid: '0.9.2342.19200300.100.1.25', rfc2253: 'DC', openssl: 'DC', aliases: ['domainComponent'] },
  { oid: '0.9.2342.19200300.100.1.1', rfc2253: 'UID', openssl: 'UID', aliases: ['userId'] },
  // ETSI TS 119 495: carries the PSP's authorisation number.
  { oid: '2.5.4.97', openssl: 'organizationIdentifier', aliases: ['organisationIdentifier'] },
  { oid: '2.5.4.5', openssl: 'serialNumber' },
  { oid: '2.5.4.4', openssl: 'SN', aliases: ['surname'] },
  { oid: '2.5.4.42', openssl: 'GN', aliases: ['givenName'] },
  { oid: '2.5.4.12', openssl: 'title', aliases: ['T'] },
  { oid: '2.5.4.15', openssl: 'businessCategory' },
  { oid: '2.5.4.17', openssl: 'postalCode' },
  { oid: '2.5.4.65', openssl: 'pseudonym' },
  { oid: '1.2.840.113549.1.9.1', openssl: 'emailAddress', aliases: ['E', 'EMAIL'] },
];

const byName = new Map(
  attributeTypes.flatMap((type) =>
    [
      type.oid,
      type.openssl,
      ...(type.rfc2253 === undefined ? [] : [type.rfc2253]),
      ...(type.aliases ?? []),
    ].map((name) => [name.toLowerCase(), type] as const),
  ),
);

/** The short name of RFC 2253, or the OID where RFC 2253 has none; an unknown name comes back as written. */
export function rfc2253TypeName(name: string): string {
  const type = find(name);
  return type === undefined ? withoutOidPrefix(name) : (type.rfc2253 ?? type.oid);
}

export function opensslTypeName(name: string): string {
  return find(name)?.openssl ?? withoutOidPrefix(name);
}

/** One spelling per type, whatever the case or alias that was used. */
export function canonicalTypeName(name: string): string {
  return find(name)?.oid ?? withoutOidPrefix(name).toLowerCase();
}

export function attributeTypeOid(name: string): string | undefined {
  const oid = canonicalTypeName(name);
  return /^\d+(?:\.\d+)+$/.test(oid) ? oid : undefined;
}

function find(name: string): AttributeType | undefined {
  return byName.get(withoutOidPrefix(name).toLowerCase());
}

// RFC 2253 section 4 asks readers to take the "OID." prefix of RFC 1779.
function withoutOidPrefix(name: string): string {
  return name.replace(/^oid\./i, '');
}
