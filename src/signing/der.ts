/** Bytes that are not the DER structure that was looked for. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

export interface DerNode {
  /** The identifier octet: 0x30 is a SEQUENCE, 0xa3 the constructed context tag 3. */
  readonly tag: number;
  readonly content: Buffer;
  /** The whole node, tag and length included. */
  readonly bytes: Buffer;
}

export const derTag = {
  boolean: 0x01,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The single node that the bytes hold; anything behind it is an error. */
export function readDer(bytes: Uint8Array): DerNode {
  const [node, ...rest] = readNodes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (node === undefined || rest.length > 0) throw new DerError('There is not exactly one DER value.');
  return node;
}

export function childrenOf(node: DerNode): readonly DerNode[] {
  return readNodes(node.content);
}

export function isConstructed(node: DerNode): boolean {
  return (node.tag & 0x20) !== 0;
}

/** Dotted decimal, per X.690 section 8.19. */
export function readObjectIdentifier(node: DerNode): string {
  if (node.tag !== derTag.objectIdentifier || node.content.length === 0) {
    throw new DerError('An object identifier was expected.');
  }
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of node.content) {
    arc = arc * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    if (arcs.length === 0) {
      const first = Math.min(Math.floor(arc / 40), 2);
      arcs.push(first, arc - first * 40);
    } else {
      arcs.push(arc);
    }
    arc = 0;
  }
  return arcs.join('.');
}

/** The text of any string type that a DirectoryString or its relatives may have (RFC 5280 section 4.1.2.4). */
export function readText(node: DerNode): string {
  switch (node.tag) {
    case derTag.utf8String:
      return decode('utf-8', node.content);
    case derTag.bmpString:
      return decode('utf-16be', node.content);
    case derTag.universalString:
      return decodeUtf32(node.content);
    case derTag.printableString:
    case derTag.numericString:
    case derTag.ia5String:
    case derTag.visibleString:
    // T.61 in theory, Latin-1 in every certificate that was ever issued with it.
    case derTag.teletexString:
      return node.content.toString('latin1');
    default:
      throw new DerError(`The tag 0x${node.tag.toString(16)} is not a string type.`);
  }
}

function readNodes(bytes: Buffer): readonly DerNode[] {
  const nodes: DerNode[] = [];
  for (let start = 0; start < bytes.length; ) {
    const tag = octet(bytes, start);
    if ((tag & 0x1f) === 0x1f) throw new DerError('A tag of several octets has no place in a certificate.');
    const { length, contentStart } = readLength(bytes, start + 1);
    const end = contentStart + length;
    if (end > bytes.length) throw new DerError('The DER is cut short.');
    nodes.push({ tag, content: bytes.subarray(contentStart, end), bytes: bytes.subarray(start, end) });
    start = end;
  }
  return nodes;
}

function readLength(bytes: Buffer, position: number): { length: number; contentStart: number } {
  const first = octet(bytes, position);
  if (first < 0x80) return { length: first, contentStart: position + 1 };
  const octets = first & 0x7f;
  if (octets === 0 || octets > 4) throw new DerError('The DER has a length of no definite form.');
  let length = 0;
  for (let index = 1; index <= octets; index += 1) length = length * 256 + octet(bytes, position + index);
  return { length, contentStart: position + 1 + octets };
}

function octet(bytes: Buffer, position: number): number {
  const value = bytes[position];
  if (value === undefined) throw new DerError('The DER is cut short.');
  return value;
}

function decode(encoding: 'utf-8' | 'utf-16be', bytes: Buffer): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DerError(`A string is not valid ${encoding}.`);
  }
}

function decodeUtf32(bytes: Buffer): string {
  if (bytes.length % 4 !== 0) throw new DerError('A UniversalString is cut short.');
  let text = '';
  for (let position = 0; position < bytes.length; position += 4) {
    const codePoint = bytes.readUInt32BE(position);
    if (codePoint > 0x10ffff) throw new DerError('A UniversalString holds a value that is no character.');
    text += String.fromCodePoint(codePoint);
  }
  return text;
}
