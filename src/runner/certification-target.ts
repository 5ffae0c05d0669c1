import { privateKeyPem } from '../signing/signature.ts';
import type { SandboxPki } from './sandbox-pki.ts';

/** The accounts and customers of the sandbox that a TPP can use for every journey. */
export const certificationCustomers = {
  private: '01819010001',
  corporate: '05829210160',
  debtor: { bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' },
  corporateDebtor: { bban: '95360576346', currency: 'NOK' },
  card: { identification: '95379010017', currency: 'NOK' },
} as const;

/** What stands in for an identity that the TPP brings along. */
const ownIdentity = { certificate: '/path/to/your-tpp.pem', privateKey: '/path/to/your-tpp.key' } as const;

/**
 * A target file for the TPP that is certified. Nobody has passed SCA yet: that is the TPP's business. Where the TPP brings
 * its own identity, there is only the file with the bank's authority.
 */
export const describeCertification = (baseUrl: string, keys: SandboxPki | string) => ({
  name: 'Reference bank, certification',
  baseUrl,
  environment: 'sandbox',
  tls: { ca: typeof keys === 'string' ? keys : keys.ca.certificatePem },
  signing:
    typeof keys === 'string'
      ? ownIdentity
      : {
          certificate: keys.tpp.certificate.x509.toString(),
          privateKey: privateKeyPem(keys.tpp.privateKey),
        },
  psu: {
    sca: 'form',
    nationalId: certificationCustomers.private,
    corporate: { nationalId: certificationCustomers.corporate },
  },
  accounts: { debtor: certificationCustomers.debtor, card: certificationCustomers.card },
});
