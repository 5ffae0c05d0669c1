import { describe, expect, it } from 'vitest';
import { curlCommand } from './curl-command.ts';
import { type HeaderLine, HeaderList } from './exchange.ts';

const draft = (headers: readonly HeaderLine[], body?: Buffer) => ({
  operation: 'other' as const,
  method: 'POST',
  target: '/psd2/v1/payments/x?allowLogicalDuplicate=true',
  headers: new HeaderList(headers),
  body,
});
const noFile = (): string => {
  throw new Error('no file is needed');
};
const origin = 'https://bank.example:8443';

describe('a curl command', () => {
  it('sends exactly the headers of the request', () => {
    const command = curlCommand(
      draft([
        ['Host', 'bank.example:8443'],
        ['Accept', 'application/json'],
        ['PSU-ID', ''],
        ['Signature', 'keyId="SN=1,CA=CN=Å",signature="x"'],
      ]),
      { origin, ca: 'my ca.pem', proxy: 'http://proxy.example:3128' },
      noFile,
    );
    expect(command).toContain("--header 'PSU-ID;'");
    expect(command).toContain(`--header 'Signature: keyId="SN=1,CA=CN=Å",signature="x"'`);
    expect(command).toContain('--header User-Agent:');
    expect(command).toContain("--cacert 'my ca.pem'");
    expect(command).toContain('--proxy http://proxy.example:3128');
    expect(command).not.toContain('Host');
    expect(command).not.toContain('--header Accept:\n');
    expect(command.endsWith(`'${origin}/psd2/v1/payments/x?allowLogicalDuplicate=true'`)).toBe(true);
  });

  it('quotes a body for the shell, and adds no content type of its own', () => {
    const command = curlCommand(draft([], Buffer.from(`{"name":"O'Hara $HOME"}`)), { origin }, noFile);
    expect(command).toContain(`--data-binary '{"name":"O'\\''Hara $HOME"}'`);
    expect(command).toContain('--header Content-Type:');
  });

  it('takes a body from a file that is no text, or that curl would take for the name of a file', () => {
    const files: Buffer[] = [];
    const bodyFile = (body: Buffer): string => {
      files.push(body);
      return 'body.bin';
    };
    for (const body of [Buffer.from([0xff, 0xfe]), Buffer.from('@x'), Buffer.from('a\0b')]) {
      expect(curlCommand(draft([], body), { origin }, bodyFile)).toContain('--data-binary @body.bin');
    }
    expect(files).toHaveLength(3);
  });
});
