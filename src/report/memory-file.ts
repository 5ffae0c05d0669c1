import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { AllureReport } from '@allurereport/core';

/** A result file as Allure reads it. */
export type ResultFile = Parameters<AllureReport['readResult']>[0];

/** A result file that never was on the disk: reading thousands of small files back takes longer than all the rest. */
export function memoryFile(name: string, text: string): ResultFile {
  const content = Buffer.from(text, 'utf8');
  return {
    getOriginalFileName: () => name,
    getExtension: () => extname(name),
    getContentType: () => (name.endsWith('.json') ? 'application/json' : 'text/plain'),
    getContentLength: () => content.length,
    asJson: async () => JSON.parse(text),
    asUtf8String: async () => text,
    asBuffer: async () => content,
    readContent: (transform) => transform(Readable.from(content)),
    writeTo: (path) => writeFile(path, content),
  };
}
