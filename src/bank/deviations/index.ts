import { byUniqueId } from '../../spec/by-unique-id.ts';
import type { Readings } from '../../spec/interpretations.ts';
import { accountDeviations, transactionPageDeviations } from './accounts.ts';
import { addressDeviations } from './addresses.ts';
import { amountDeviations, doubtfulDeviations, regulatoryDeviations } from './amounts.ts';
import { basketDeviations, lifecycleDeviations } from './baskets.ts';
import { breakdownDeviations } from './breakdowns.ts';
import { certificateDeviations, clockDeviations } from './certificates.ts';
import { beginningDeviations, companyDeviations } from './companies.ts';
import { conditionalOnes } from './conditional.ts';
import type { Deviation } from './deviation.ts';
import { droppedRules, serverErrors } from './dropped-rules.ts';
import { identityDeviations, ownershipDeviations } from './identities.ts';
import { digestDeviations, looseSigningDeviations } from './loose-signing.ts';
import { paymentValueDeviations } from './payment-values.ts';
import { paymentDeviations } from './payments.ts';
import { redirectDeviations } from './redirects.ts';
import { sandboxDeviations } from './sandbox.ts';
import { scaDeviations } from './sca.ts';
import { signingDeviations } from './signing.ts';
import { singleScaDeviations } from './single-sca.ts';
import { statusDeviations } from './statuses.ts';
import { tableDeviations } from './tables.ts';
import { transportDeviations } from './transport.ts';

/**
 * Deviations that are exactly what another allowed value of a reading says: a target file that chooses it, or learns it
 * of the bank, makes them right. Of no other deviation may learning do so, which the proof holds.
 */
export const allowedReadings: Readonly<Record<string, Partial<Readings>>> = {
  ...Object.fromEntries(
    [
      ...['AMT-03/unchecked', 'AMT-03/unchecked-at-domestic', 'AMT-03/unchecked-at-cross-border'],
      ...['AMT-03/whole-amounts', 'AMT-03/whole-dinars', 'AMT-03/one-fewer'],
      ...['NDC-05', 'NCB-05'].map(
        (id) => `${id}/unchecked-instructedamount-amount-has-no-fewer-fraction-digits-than-its-currency`,
      ),
    ].map((id) => [id, { amountFractionDigits: 'at-most' }]),
  ),
  'NDC-11/in-bytes': { lengthUnit: 'ascii-only' },
  'BSK-12/ten': { basketLimit: '10' },
  'BSK-12/ten-without-links': { basketLimit: '10' },
  // Companies keep to the other of the two limits that the specification states, which no reading forbids.
  'BSK-12/ten-of-people': { basketLimit: '10' },
};

export type { Deviation } from './deviation.ts';

const everyWay: readonly Deviation[] = [
  ...droppedRules,
  ...serverErrors,
  ...tableDeviations,
  ...statusDeviations,
  ...breakdownDeviations,
  ...signingDeviations,
  ...looseSigningDeviations,
  ...digestDeviations,
  ...certificateDeviations,
  ...clockDeviations,
  ...amountDeviations,
  ...doubtfulDeviations,
  ...regulatoryDeviations,
  ...paymentDeviations,
  ...paymentValueDeviations,
  ...basketDeviations,
  ...ownershipDeviations,
  ...transportDeviations,
  ...sandboxDeviations,
  ...redirectDeviations,
  ...addressDeviations,
  ...scaDeviations,
  ...identityDeviations,
  ...singleScaDeviations,
  ...companyDeviations,
  ...accountDeviations,
  ...beginningDeviations,
  ...transactionPageDeviations,
  ...lifecycleDeviations,
];

/** Every way in which the bank can break a requirement. */
export const deviations: readonly Deviation[] = everyWay.map((way) => {
  const allowedUnder = allowedReadings[way.id];
  return allowedUnder === undefined ? way : { ...way, allowedUnder };
});

let conditional: readonly Deviation[] | undefined;

/** The same under the conditions that a plausible bug has; made when they are first wanted, for they are thousands. */
export function conditionalDeviations(): readonly Deviation[] {
  conditional ??= conditionalOnes(deviations);
  return conditional;
}

export const deviationById = byUniqueId('deviation', deviations, ({ title }) => title);
