import { section } from './json-schema.ts';
import { value } from './values.ts';

export const tlsSchema = section(
  'How the connection is secured',
  {
    ca: value.file(
      'authorities that may have issued the bank’s server certificate, where the system does not know them',
      'ca.pem',
    ),
    clientCertificate: value.file('certificate for mutual TLS (QWAC)', 'qwac.pem'),
    clientKey: value.file('private key of clientCertificate', 'qwac.key'),
    passphrase: value.passphrase,
    passphraseEnv: value.passphraseEnv,
    insecure: {
      description: 'true accepts any server certificate: for a first look at a sandbox, never for a verdict',
      type: 'boolean',
      default: false,
    },
  },
  {
    examples: [{ ca: 'ca.pem', clientCertificate: 'qwac.pem', clientKey: 'qwac.key' }],
  },
);
