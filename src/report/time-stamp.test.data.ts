import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Why nothing can be stamped here; undefined where it can. */
export const whyNoAuthority =
  spawnSync('openssl', ['ts', '-help']).status === 0 ? undefined : 'there is no openssl that stamps times';

export interface TimeAuthority {
  readonly url: string;
  readonly caFile: string;
  /** What becomes of the next requests and answers; as they are again with nothing. */
  disturb(by?: { query?(query: Buffer): Buffer; answer?(answer: Buffer): Buffer; status?: number }): void;
  close(): void;
}

/** An authority of time stamps made of OpenSSL, on this machine. */
export async function startTimeAuthority(dir: string): Promise<TimeAuthority> {
  mkdirSync(dir);
  const at = (name: string): string => join(dir, name);
  const openssl = (...args: readonly string[]): Buffer =>
    execFileSync('openssl', args, { cwd: dir, stdio: ['ignore', 'pipe', 'ignore'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Time CA');
  openssl('req', ...newKey, '-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Time authority');
  writeFileSync(at('ext'), 'extendedKeyUsage=critical,timeStamping');
  const issue = ['-req', '-in', 'tsa.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl('x509', ...issue, '-out', 'tsa.pem', '-extfile', 'ext');
  writeFileSync(
    at('tsa.cnf'),
    `[tsa]
default_tsa = authority
[authority]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha384
default_policy = 1.2.3.4
digests = sha256
`,
  );
  let disturbance: Parameters<TimeAuthority['disturb']>[0] = {};
  const server = createServer(async (request, response) => {
    const { query, answer, status = 200 } = disturbance ?? {};
    const isQuery = request.headers['content-type'] === 'application/timestamp-query';
    const asked = Buffer.concat(await request.toArray());
    writeFileSync(at('query'), query?.(asked) ?? asked);
    openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query', '-out', 'answer');
    response.writeHead(isQuery ? status : 415, { 'Content-Type': 'application/timestamp-reply' });
    const answered = readFileSync(at('answer'));
    response.end(answer?.(answered) ?? answered);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    caFile: at('ca.pem'),
    disturb: (by) => {
      disturbance = by;
    },
    close: () => void server.close(),
  };
}
