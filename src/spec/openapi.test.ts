import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { generateSource } from 'oazapfts';
import { transformWithEsbuild } from 'vite';
import { describe, expect, it } from 'vitest';
import { bodies } from './bodies/index.ts';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';

const document = openApiDocument();

/** Functions that a public generator makes of the document, one for each operation, loaded as a program would. */
async function generatedClient(): Promise<
  Readonly<Record<string, (...values: unknown[]) => Promise<unknown>>>
> {
  // Where what the generated code imports is found.
  const cache = join(import.meta.dirname, '../../node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'generated-client-'));
  try {
    const specification = join(folder, 'openapi.json');
    await writeFile(specification, JSON.stringify(document));
    const { code } = await transformWithEsbuild(
      await generateSource(specification, { argumentStyle: 'object' }),
      'client.ts',
    );
    const file = join(folder, 'client.mjs');
    await writeFile(file, code);
    return await import(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the OpenAPI document', () => {
  it('is valid for a public validator', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(result).toMatchObject({ valid: true });
  });

  it('becomes a client whose requests are those of the interface', async () => {
    const client = await generatedClient();
    expect(Object.keys(client)).toEqual(expect.arrayContaining(Object.keys(operations)));
    const sent: { url: string; init: RequestInit }[] = [];
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      sent.push({ url, init });
      return Response.json({ paymentId: 'p1', transactionStatus: 'RCVD' }, { status: 201 });
    };
    const answer = await client.createDomesticPayment?.(
      {
        xRequestId: 'r1',
        psuContext: 'PRIVATE',
        allowLogicalDuplicate: true,
        domesticPayment: bodies.domesticPayment.example,
      },
      { baseUrl: 'https://bank.example', fetch },
    );
    expect(answer).toMatchObject({ status: 201, data: { paymentId: 'p1' } });
    const [request] = sent;
    expect(request?.url).toBe(
      'https://bank.example/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true',
    );
    expect(request?.init.method).toBe('POST');
    expect(JSON.parse(String(request?.init.body))).toEqual(bodies.domesticPayment.example);
    const headers = new Headers(request?.init.headers);
    expect(headers.get('X-Request-ID')).toBe('r1');
    expect(headers.get('PSU-Context')).toBe('PRIVATE');
  });
});
