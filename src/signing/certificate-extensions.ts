import { createHash, type KeyObject } from 'node:crypto';
import forge from 'node-forge';
import {
  type Asn1Value,
  bitString,
  boolean,
  encode,
  implicitTag,
  objectIdentifier,
  octetString,
  sequence,
} from './asn1-values.ts';
import { childrenOf, readDer } from './der.ts';
import { type PspRole, qcStatementsOid } from './psp-roles.ts';
import { qcStatementsWith } from './qc-statement.ts';

declare module 'node-forge' {
  namespace util {
    // Missing from the published types. Null when the text is not an IPv4 or IPv6 address.
    function bytesFromIP(text: string): string | null;
  }
}

/** The extensions of RFC 5280 section 4.2 that test certificates carry, each as one `Extension` value. */

export const subjectKeyIdentifierOid = '2.5.29.14';

// Bits of KeyUsage with the number of unused bits behind the last one set (RFC 5280 section 4.2.1.3).
const keyUsages = {
  issueCertificates: { bits: 0b0000_0110, unused: 1 },
  sign: { bits: 0b1100_0000, unused: 6 },
  serveTls: { bits: 0b1010_0000, unused: 5 },
} as const;

export function keyUsage(purpose: keyof typeof keyUsages): Asn1Value {
  const { bits, unused } = keyUsages[purpose];
  return extension('2.5.29.15', 'critical', bitString(Uint8Array.of(bits), unused));
}

export function basicConstraints(isAuthority: boolean): Asn1Value {
  return extension('2.5.29.19', 'critical', isAuthority ? sequence(boolean(true)) : sequence());
}

export function serverAuthentication(): Asn1Value {
  return extension('2.5.29.37', 'optional', sequence(objectIdentifier('1.3.6.1.5.5.7.3.1')));
}

export function subjectKeyIdentifier(identifier: Uint8Array): Asn1Value {
  return extension(subjectKeyIdentifierOid, 'optional', octetString(identifier));
}

export function authorityKeyIdentifier(identifier: Uint8Array): Asn1Value {
  return extension('2.5.29.35', 'optional', sequence(implicitTag(0, identifier)));
}

/** DNS names, and addresses where a host is written as one: TLS clients look for those in their own form. */
export function subjectAlternativeNames(hosts: readonly string[]): Asn1Value {
  return extension('2.5.29.17', 'optional', sequence(...hosts.map(generalName)));
}

export function qcStatements(roles: readonly PspRole[]): Asn1Value {
  return extension(qcStatementsOid, 'optional', qcStatementsWith(roles));
}

/** The usual identifier of a key: SHA-1 of its bits (RFC 5280 section 4.2.1.2, method 1). */
export function keyIdentifierOf(publicKey: KeyObject): Buffer {
  const [, bits] = childrenOf(readDer(publicKey.export({ type: 'spki', format: 'der' })));
  if (bits === undefined) throw new TypeError('The public key has no bits.');
  const unusedBitsOctet = 1;
  return createHash('sha1').update(bits.content.subarray(unusedBitsOctet)).digest();
}

function generalName(host: string): Asn1Value {
  const address = forge.util.bytesFromIP(host);
  return address === null
    ? implicitTag(2, Buffer.from(host, 'latin1'))
    : implicitTag(7, Buffer.from(address, 'latin1'));
}

function extension(oid: string, weight: 'critical' | 'optional', value: Asn1Value): Asn1Value {
  const id = objectIdentifier(oid);
  const content = octetString(encode(value));
  return weight === 'critical' ? sequence(id, boolean(true), content) : sequence(id, content);
}
