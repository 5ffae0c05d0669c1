import type { SecureVersion } from 'node:tls';
import type { DesignChange } from '../design-changes.ts';
import { type Deviation, deviation } from './deviation.ts';

/** OpenSSL talks older versions at security level 0 only. */
const anyLevel = 'DEFAULT@SECLEVEL=0';

const offering =
  (minVersion: SecureVersion, maxVersion?: SecureVersion): DesignChange =>
  (design) => ({
    ...design,
    tls: { minVersion, ciphers: anyLevel, ...(maxVersion === undefined ? {} : { maxVersion }) },
  });

const onSockets = (of: Deviation): Deviation => ({ ...of, needsTls: true });

export const tlsDeviations: readonly Deviation[] = [
  deviation('TLS-01/none-above-1.1', 'offers no TLS above 1.1', offering('TLSv1', 'TLSv1.1')),
  deviation('TLS-02/from-1.0', 'still offers TLS 1.0', offering('TLSv1')),
  deviation('TLS-02/from-1.1', 'still offers TLS 1.1', offering('TLSv1.1')),
].map(onSockets);
