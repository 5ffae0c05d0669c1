import type { Twist } from '../../src/checks/trial.ts';
import type { TppCertificate } from '../../src/signing/certificate.ts';

/** Another keyId than that of the certificate. */
export const keyed = (
  label: string,
  keyIdOf: (certificate: Pick<TppCertificate, 'serialNumber' | 'issuer' | 'subject'>) => string,
): Twist => ({
  label,
  points: 'Signature',
  request: ({ target }) => {
    const keyId = keyIdOf(target.identities.main.certificate);
    return { signing: { parts: (parts) => ({ ...parts, keyId }) } };
  },
});

/** A keyId in another form than SN=<serial>,CA=<issuer>: one context will do. */
export const misshapen = (...[label, keyIdOf]: Parameters<typeof keyed>): Twist => ({
  ...keyed(label, keyIdOf),
  isOneOfMany: true,
});

/** The relative names of a distinguished name: it is split at every comma that is not escaped. */
export const partsOf = (name: string): readonly string[] => name.split(/(?<!\\),/);
