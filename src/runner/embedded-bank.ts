import { randomUUID } from 'node:crypto';
import { type Bank, createBank } from '../bank/bank.ts';
import type { BankDesign } from '../bank/design.ts';
import {
  createCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
} from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { privateKeyPem } from '../signing/rsa-key.ts';
import { createTestPki, type TestPki } from '../signing/test-pki.ts';

/** The reference bank as a target: it runs in this process and describes itself as a target file would. */
export interface EmbeddedBank {
  readonly bank: Bank;
  readonly targetText: string;
  close(): Promise<void>;
}

export interface EmbeddedBankOptions {
  readonly design?: BankDesign;
  readonly latencyMs?: number;
}

const customers = { private: '01819010001', corporate: '05829210160' } as const;
const debtor = { bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' } as const;

export async function startEmbeddedBank({ design }: EmbeddedBankOptions = {}): Promise<EmbeddedBank> {
  const [pki, oddAuthority] = await Promise.all([
    createTestPki({ hostnames: ['localhost'] }),
    createCertificateAuthority({ subject: subjectWithCommaAndNorwegianLetters }),
  ]);
  const oddIssuer = await oddAuthority.issueTpp({ key: pki.tpp.privateKey });
  const sessionIds = { private: randomUUID(), corporate: randomUUID() };
  const { certificate } = pki.tpp;
  const bank = await createBank({
    trustedAuthorities: [pki.ca.certificatePem, oddAuthority.certificatePem],
    ...(design === undefined ? {} : { design }),
    sessions: [{ tpp: certificate, customerNumber: customers.private, sessionId: sessionIds.private }],
  });
  const { baseUrl } = await bank.listen({
    tls: { cert: pki.server.certificatePem, key: pki.server.privateKeyPem },
  });
  const psuId = bank.psuIdOf(certificate, customers.private);
  const targetText = JSON.stringify(describe(baseUrl, pki, oddIssuer, psuId, sessionIds));
  return { bank, targetText, close: () => bank.close() };
}

const pemPair = ({ certificate, privateKey }: SigningIdentity) => ({
  certificate: certificate.x509.toString(),
  privateKey: privateKeyPem(privateKey),
});

function describe(
  baseUrl: string,
  pki: TestPki,
  oddIssuer: SigningIdentity,
  psuId: string,
  sessionIds: { readonly private: string; readonly corporate: string },
) {
  return {
    name: 'Reference bank',
    baseUrl,
    environment: 'sandbox',
    tls: { ca: pki.ca.certificatePem },
    signing: {
      ...pemPair(pki.tpp),
      testCa: { certificate: pki.ca.certificatePem, privateKey: pki.ca.privateKeyPem },
      identities: { oddIssuer: pemPair(oddIssuer) },
    },
    psu: { sca: 'form', id: psuId, sessionId: sessionIds.private, nationalId: customers.private },
    accounts: { debtor },
    pace: { concurrency: 32, requestsPerSecond: 0 },
  };
}
