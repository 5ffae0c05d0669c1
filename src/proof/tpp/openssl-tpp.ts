import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyPem } from '../../signing/signature.ts';
import { type ListeningBank, withListeningBank } from './certify.ts';
import type { Certified } from './deviation.ts';

/*
 * A TPP that shares no code with the suite's own client: what is right with both is not right by a common mistake.
 */

interface Reply {
  readonly status: number;
  readonly location: string | undefined;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Goes through the first journeys with node:https, and has everything hashed and signed by OpenSSL. */
export function opensslSession(): Promise<Certified> {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
  } catch {
    return Promise.resolve({ skipped: 'OpenSSL is not installed.' });
  }
  return withListeningBank(async (listening) => {
    const dir = mkdtempSync(join(tmpdir(), 'openssl-tpp-'));
    try {
      await goThrough(listening, dir);
      return listening.session;
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
}

async function goThrough({ baseUrl, pki }: ListeningBank, dir: string): Promise<void> {
  const file = (name: string, content: string): string => {
    writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
  const ca = pki.ca.certificatePem;
  const certificate = file('tpp.pem', pki.tpp.certificate.x509.toString());
  const key = file('tpp.key', privateKeyPem(pki.tpp.privateKey));
  const openssl = (args: readonly string[], input?: string): Buffer =>
    execFileSync('openssl', [...args], input === undefined ? {} : { input });
  const shown = openssl([
    'x509',
    '-in',
    certificate,
    '-noout',
    '-serial',
    '-issuer',
    '-nameopt',
    'RFC2253',
  ]).toString();
  const serial = /serial=(\S+)/.exec(shown)?.[1] ?? '';
  const issuer = /issuer=\s*(.+)/.exec(shown)?.[1]?.trim() ?? '';
  const der = openssl(['x509', '-in', certificate, '-outform', 'DER']).toString('base64');
  const session = randomUUID();
  let psuId: string | undefined;

  const call = (method: string, path: string, body?: string): Promise<Reply> => {
    const headers: Record<string, string> = {
      date: new Date().toUTCString(),
      ...(body === undefined
        ? {}
        : { digest: `SHA-256=${openssl(['dgst', '-sha256', '-binary'], body).toString('base64')}` }),
      'x-request-id': randomUUID(),
      ...(psuId === undefined ? {} : { 'psu-id': psuId }),
      'tpp-redirect-uri': 'https://other-tpp.example/back?from=bank',
    };
    const text = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
    const signature = openssl(['dgst', '-sha256', '-sign', key, '-binary'], text).toString('base64');
    return send(baseUrl + path, ca, method, body, {
      ...headers,
      'tpp-session-id': session,
      'psu-ip-address': '198.51.100.4',
      ...(body === undefined
        ? {}
        : { 'x-accept-fix': 'amount-as-string', 'content-type': 'application/json' }),
      'tpp-signature-certificate': der,
      signature: `keyId="SN=${serial},CA=${issuer}",algorithm="rsa-sha256",headers="${Object.keys(headers).join(' ')}",signature="${signature}"`,
    });
  };

  const passSca = async ({ json }: Reply): Promise<void> => {
    const page = linkIn(json);
    await send(page, ca, 'GET', undefined, {});
    const form = 'nationalId=01819010001&context=PRIVATE&accounts=all';
    const back = await send(page, ca, 'POST', form, { 'content-type': 'application/x-www-form-urlencoded' });
    psuId = new URL(back.location ?? 'about:blank').searchParams.get('psu-id') ?? psuId;
  };

  await passSca(await call('GET', '/v1/user'));
  const order = JSON.stringify({
    instructedAmount: { amount: '245.50', currency: 'NOK' },
    creditorName: 'Blomsterbutikken Ås',
    creditorAccount: { bban: '86011117947', currency: 'NOK' },
    creditorAddress: { country: 'NO' },
    debtorAccount: { bban: '95360573002', currency: 'NOK' },
    remittanceInformationUnstructured: 'Tulipaner',
  });
  const path = '/v1/payments/norwegian-domestic-credit-transfers';
  const created = await call('POST', path, order);
  await passSca(created);
  await call('GET', `${path}/${String(created.json.paymentId)}/status`);
  await call('GET', '/v1/sandbox/customers');
}

function linkIn(json: Reply['json']): string {
  const links = json._links as { readonly scaRedirect?: { readonly href?: string } } | undefined;
  return links?.scaRedirect?.href ?? 'about:blank';
}

function send(
  url: string,
  ca: string,
  method: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, ca, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
        const json: unknown = isJson ? JSON.parse(text) : {};
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          json: Array.isArray(json) ? {} : (json as Reply['json']),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
