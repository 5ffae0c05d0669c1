import { describe, expect, it } from 'vitest';
import { headerOf, ReceivedRequestError, readReceivedRequest, visibleText } from './received-request.ts';

const read = (text: string) => readReceivedRequest(Buffer.from(text));

describe('readReceivedRequest', () => {
  it('reads a raw request, byte for byte', () => {
    const request = read('POST /v1/x?a=b HTTP/1.1\r\nHost: bank\r\nDate:  two  \r\n\r\n{"a": "å"}\n');
    expect(request).toMatchObject({ method: 'POST', target: '/v1/x?a=b', remarks: [] });
    expect(request.headers).toEqual([
      ['Host', 'bank'],
      ['Date', ' two  '],
    ]);
    expect(headerOf(request, 'date')).toBe('two');
    expect(request.body?.toString()).toBe('{"a": "å"}\n');
  });

  it('takes Content-Length for the end of the body, and tells what is missing', () => {
    expect(read('POST /x HTTP/1.1\nContent-Length: 2\n\n{}\n').body?.toString()).toBe('{}');
    expect(read('POST /x HTTP/1.1\nContent-Length: 9\n\n{}').remarks).toHaveLength(1);
  });

  it('reads curl -v, of which the body is not known', () => {
    const trace = [
      '* Connected to localhost',
      '> GET /v1/first HTTP/1.1',
      '> Host: a',
      '>',
      '< HTTP/1.1 302 Found',
      '> POST /v1/x HTTP/2',
      '> host: localhost',
      '> digest: SHA-256=abc',
      '> ',
      '} [12 bytes data]',
      '< HTTP/2 400',
    ].join('\r\n');
    const request = read(trace);
    expect(request).toMatchObject({ method: 'POST', target: '/v1/x', body: undefined });
    expect(headerOf(request, 'Digest')).toBe('SHA-256=abc');
    expect(request.remarks[0]).toContain('--body');
  });

  it('reads curl --trace, exactly', () => {
    const bytes = Buffer.from('POST /v1/x HTTP/1.1\r\nHost: b\r\n\r\n');
    const body = Buffer.from('{"creditorName":"Blåbær\nAS"}');
    const dump = (data: Buffer): string =>
      Array.from({ length: Math.ceil(data.length / 16) }, (_, line) => {
        const part = data.subarray(line * 16, line * 16 + 16);
        const hex = [...part].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
        return `${(line * 16).toString(16).padStart(4, '0')}: ${hex.padEnd(48)} ${part.toString('latin1').replace(/[^ -~]/g, '.')}`;
      }).join('\n');
    const trace = `== Info: x\n=> Send header, ${bytes.length} bytes (0x1)\n${dump(bytes)}\n=> Send data, ${body.length} bytes (0x1)\n${dump(body)}\n<= Recv header, 3 bytes\n0000: 41 42 43   ABC\n`;
    const request = read(trace);
    expect(request).toMatchObject({ method: 'POST', target: '/v1/x', headers: [['Host', 'b']], remarks: [] });
    expect(request.body?.equals(body)).toBe(true);
  });

  it('reads curl --trace-ascii, with the line breaks that it leaves out', () => {
    const trace = [
      '=> Send header, 40 bytes (0x28)',
      '0000: POST /v1/x HTTP/1.1',
      '0015: Host: bank.example',
      '0029: ',
      '=> Send data, 70 bytes (0x46)',
      `0000: ${'a'.repeat(64)}`,
      '0040: bbbb',
      '0046: ',
    ].join('\n');
    const request = read(trace);
    expect(request.headers).toEqual([['Host', 'bank.example']]);
    expect(request.body?.toString()).toBe(`${'a'.repeat(64)}bbbb\r\n`);
    expect(request.remarks[0]).toContain('--trace-ascii');
  });

  it('refuses what is no request, and what is too much of one', () => {
    const hostile = [
      '',
      '\0\0\0',
      '{"a":1}',
      'POST /x HTTP/1.1\nno colon here\n\n',
      `GET /x HTTP/1.1\n${'a: b\n'.repeat(300)}\n`,
      `GET /${'x'.repeat(9000)} HTTP/1.1\n\n`,
      '=> Send data, 3 bytes\n0000: abc',
    ];
    for (const text of hostile) expect(() => read(text), text.slice(0, 30)).toThrow(ReceivedRequestError);
    expect(() => readReceivedRequest(Buffer.alloc(5 * 1024 * 1024))).toThrow(ReceivedRequestError);
  });
});

it('shows what nobody sees, and leaves the rest as it is', () => {
  expect(visibleText(' a  b c \r\n')).toBe('·a··b c ‹CR›↵');
  expect(visibleText('date: x\t\u00a0\u200b\u202e\u0007\u001b[31m blå')).toBe(
    'date: x⇥\\u{a0}\\u{200b}\\u{202e}\\x07\\x1b[31m blå',
  );
  expect(visibleText('value ')).toBe('value·');
});
