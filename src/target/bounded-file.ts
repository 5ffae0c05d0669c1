import { closeSync, openSync, readSync } from 'node:fs';

/** Certificates, keys and requests are small; what goes on after so much is none, and may have no end. */
const mostBytes = 16 * 1024 * 1024;

/** Reads a file that somebody has named, which may be a pipe, or a device that never ends. 0 is standard input. */
export function readBounded(file: string | 0): Buffer {
  const descriptor = file === 0 ? 0 : openSync(file, 'r');
  try {
    const parts: Buffer[] = [];
    for (let length = 0; ; ) {
      const part = Buffer.alloc(64 * 1024);
      const read = readSync(descriptor, part);
      if (read === 0) return Buffer.concat(parts);
      length += read;
      if (length > mostBytes) throw new Error('it has more than 16 MB');
      parts.push(part.subarray(0, read));
    }
  } finally {
    if (descriptor !== 0) closeSync(descriptor);
  }
}
