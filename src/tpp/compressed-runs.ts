import { gunzipSync, inflateSync, constants as zlib } from 'node:zlib';

/** What unpacks to more is left alone: it would let a stranger keep us busy. */
const mostBytes = 16 * 1024;

/** What was cut off is unpacked as far as it goes. */
const options = { maxOutputLength: mostBytes, finishFlush: zlib.Z_SYNC_FLUSH };

/** RFC 1952, section 2.3.1: both first bytes, and deflate. */
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

/** RFC 1950, section 2.2: deflate with the usual window, and one of its four levels. */
const isZlib = ([first, second = 0]: Buffer): boolean =>
  first === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(second);

/** Of one text so many runs are unpacked and no more, those in others included. What only looks packed costs as much. */
const mostOfAText = 4;

export class PackedRuns {
  #left = mostOfAText;

  /** What was packed into these bytes; undefined where they are no packed ones. */
  unpacked(bytes: Buffer): Buffer | undefined {
    const unpack = isGzip(bytes) ? gunzipSync : isZlib(bytes) ? inflateSync : undefined;
    if (unpack === undefined || this.#left === 0) return undefined;
    this.#left -= 1;
    try {
      return unpack(bytes, options);
    } catch {
      return undefined;
    }
  }
}
