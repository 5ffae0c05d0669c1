import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SignedRequest } from './signed-payments.ts';

/** Fetched when the benchmark runs, never installed with the package. */
const version = '6.2.1';

/** What newman makes of requests that are signed already: it cannot sign by itself. */
export type NewmanMeasurement =
  | { readonly requests: number; readonly durationMs: number; readonly errors: number }
  | { readonly unavailable: string };

/** Sends the requests one after the other, as newman does, and takes the time by its own clock. */
export async function measureNewman(
  folder: string,
  requests: readonly SignedRequest[],
  ca: string,
): Promise<NewmanMeasurement> {
  const files = { collection: 'collection.json', ca: 'ca.pem', result: 'newman.json' };
  writeFileSync(join(folder, files.collection), JSON.stringify(collectionOf(requests)));
  writeFileSync(join(folder, files.ca), ca);
  const args = [
    ...['--yes', `newman@${version}`, 'run', files.collection, '--ssl-extra-ca-certs', files.ca],
    ...['--reporters', 'json', '--reporter-json-export', files.result],
  ];
  try {
    await promisify(execFile)('npx', args, { cwd: folder, timeout: 300_000, maxBuffer: 64 * 1024 * 1024 });
    const { run } = JSON.parse(readFileSync(join(folder, files.result), 'utf8')) as NewmanResult;
    return {
      requests: run.stats.requests.total,
      durationMs: run.timings.completed - run.timings.started,
      errors: run.executions.filter(({ response }) => response?.code !== 201).length,
    };
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { unavailable: line.slice(0, 120) };
  }
}

interface NewmanResult {
  readonly run: {
    readonly stats: { readonly requests: { readonly total: number } };
    readonly timings: { readonly started: number; readonly completed: number };
    readonly executions: readonly { readonly response?: { readonly code: number } }[];
  };
}

/** A collection of Postman, format 2.1. */
const collectionOf = (requests: readonly SignedRequest[]): object => ({
  info: {
    name: 'signed payments',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: requests.map(({ method, url, headers, body }, index) => ({
    name: `payment ${index + 1}`,
    request: {
      method,
      url,
      header: headers.map(([key, value]) => ({ key, value })),
      body: { mode: 'raw', raw: body },
    },
  })),
});
