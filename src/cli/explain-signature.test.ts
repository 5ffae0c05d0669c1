import { sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki, type TestPki } from '../signing/certificate-authority.ts';
import { mistakes, rawTextOf, requestOf } from '../signing/debugger/mistakes.test.data.ts';
import { digestHeader } from '../signing/digest.ts';
import { formatKeyId } from '../signing/signature-header.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { tell } from './run-program.test.data.ts';

describe('explain-signature', () => {
  const dir = testFolder('all tests');
  let pki: TestPki;
  beforeAll(async () => {
    pki = await createTestPki({ modulusLength: 1024 });
  });

  const body = '{"creditorName": "\u001b[31m##vso[task]"}';
  const rawRequest = (join_: string): string => {
    const lines = ['date: Sun, 08 Nov 2026 08:49:37 GMT', `digest: ${digestHeader(Buffer.from(body))}`];
    const signature = sign('sha256', Buffer.from(lines.join(join_)), pki.tpp.privateKey).toString('base64');
    const { certificate } = pki.tpp;
    return [
      'POST /v1/payments/norwegian-domestic-credit-transfers HTTP/1.1',
      ...lines,
      `TPP-Signature-Certificate: ${certificate.base64}`,
      `Signature: keyId="${formatKeyId(certificate)}",algorithm="rsa-sha256",headers="date digest",signature="${signature}"`,
      '',
      body,
    ].join('\r\n');
  };
  const file = (name: string, text: string): string => {
    const path = join(dir, name);
    writeFileSync(path, text);
    return path;
  };

  it('ends with 0 for a right signature', async () => {
    const { exitCode, out } = await tell('explain-signature', file('right', rawRequest('\n')));
    expect(out).toContain('VERIFIED');
    expect(exitCode).toBe(0);
  });

  it('names the mistake, shows both signing strings, and lets nothing command the terminal', async () => {
    const { exitCode, out } = await tell('explain-signature', file('crlf', rawRequest('\r\n')));
    expect(exitCode).toBe(1);
    expect(out).toContain('The signature fits if the lines are joined with CRLF.');
    expect(out).toContain('GMT‹CR›↵');
    expect(out).toContain(`SN=${pki.tpp.certificate.serialNumber}`);
    expect(out).not.toContain('\u001b[31m');
  });

  it('names every usual mistake, without a server', async () => {
    const wrong: string[] = [];
    for (const [what, changes, , said] of mistakes) {
      const path = join(dir, 'request');
      writeFileSync(path, rawTextOf(requestOf(pki, changes)));
      const { exitCode, out } = await tell('explain-signature', path);
      if (exitCode !== 1 || !said.test(out.replace(/\s+/g, ' '))) wrong.push(`${what}: ${out.slice(0, 200)}`);
    }
    expect(mistakes.length).toBeGreaterThanOrEqual(12);
    expect(wrong).toEqual([]);
  });

  it('says the same as JSON', async () => {
    const { out } = await tell('explain-signature', '--json', file('json', rawRequest('\r\n')));
    expect(JSON.parse(out)).toMatchObject({ verdict: 'refused', findings: [{ id: 'crlf' }] });
  });

  it('tells what it cannot read', async () => {
    for (const args of [
      [file('no', 'nothing')],
      [join(dir, 'absent')],
      [file('r', rawRequest('\n')), '--body', join(dir, 'absent')],
    ]) {
      const { exitCode, err } = await tell('explain-signature', ...args);
      expect(exitCode).toBe(2);
      expect(err).toContain('cannot be read');
    }
  });
});
