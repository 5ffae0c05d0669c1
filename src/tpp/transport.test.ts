import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { limits } from './limits.ts';
import { BodyReader } from './transport.ts';

function readBody(chunks: Iterable<Buffer>, encoding: string | undefined) {
  const reader = new BodyReader();
  for (const chunk of chunks) {
    reader.add(chunk);
    if (reader.isFull) break;
  }
  return reader.end(encoding);
}

const text = Buffer.from('{"paymentId":"p1"}');

describe('a body', () => {
  it('is what its chunks are together', async () => {
    expect((await readBody([text.subarray(0, 3), text.subarray(3)], undefined)).body).toEqual(text);
  });

  it('keeps nothing else in memory, and none of the pieces that it came in', async () => {
    const piece = Buffer.alloc(1);
    function* byteByByte(): Generator<Buffer> {
      for (const byte of text) {
        // Each is part of all that came over the wire with it, which would be kept along with it.
        piece[0] = byte;
        yield piece;
      }
    }
    const { body } = await readBody(byteByByte(), undefined);
    expect(body).toEqual(text);
    expect(body.buffer.byteLength).toBe(text.length);
  });

  it.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
  ])('is unpacked: %s', async (encoding, packed) => {
    expect(await readBody([packed], encoding)).toEqual({ body: text, packed });
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'nonsense'])(
    'is left alone where it is not packed so: %s',
    async (encoding) => {
      expect((await readBody([text], encoding)).body).toEqual(text);
    },
  );

  it('is not unpacked beyond the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(limits.bodyBytes * 10));
    const { body, cut } = await readBody([bomb], 'gzip');
    expect(body.length).toBeLessThanOrEqual(limits.bodyBytes);
    expect(cut).toContain('longer than');
  });

  it('is not read beyond the limit', async () => {
    let sent = 0;
    function* endless(): Generator<Buffer> {
      for (;;) {
        sent += 1;
        yield Buffer.alloc(1024 * 1024);
      }
    }
    const { body, cut } = await readBody(endless(), undefined);
    expect(body).toHaveLength(limits.bodyBytes);
    expect(cut).toContain('longer than');
    expect(sent).toBeLessThan(7);
  });
});
