import { accountLimitDeviations } from './account-limits.ts';
import { accountDeviations } from './accounts.ts';
import { allowedReadings } from './allowed-readings.ts';
import { amountDeviations, doubtfulDeviations, regulatoryDeviations } from './amounts.ts';
import { basketDeviations } from './baskets.ts';
import { certificateDeviations, clockDeviations } from './certificates.ts';
import { conditionalOnes } from './conditional.ts';
import type { Deviation } from './deviation.ts';
import { digestDeviations } from './digest.ts';
import { droppedRules, serverErrors } from './dropped-rules.ts';
import { executionDateDeviations } from './execution-dates.ts';
import { fieldTableDeviations } from './field-tables.ts';
import { headerTableDeviations } from './header-table.ts';
import { identityDeviations } from './identities.ts';
import { ownershipDeviations } from './ownership.ts';
import { paymentDeviations } from './payments.ts';
import { lifecycleDeviations, redirectDeviations } from './redirects.ts';
import { responseTableDeviations } from './response-tables.ts';
import { sandboxDeviations } from './sandbox.ts';
import { scaDeviations } from './sca.ts';
import { signingDeviations } from './signing.ts';
import { statusDeviations } from './statuses.ts';
import { tppFormDeviations } from './tpp-forms.ts';
import { tlsDeviations, transportDeviations } from './transport.ts';

export type { Deviation } from './deviation.ts';

const everyWay: readonly Deviation[] = [
  ...droppedRules,
  ...serverErrors,
  ...fieldTableDeviations,
  ...headerTableDeviations,
  ...responseTableDeviations,
  ...statusDeviations,
  ...signingDeviations,
  ...digestDeviations,
  ...certificateDeviations,
  ...clockDeviations,
  ...amountDeviations,
  ...doubtfulDeviations,
  ...regulatoryDeviations,
  ...paymentDeviations,
  ...executionDateDeviations,
  ...basketDeviations,
  ...ownershipDeviations,
  ...transportDeviations,
  ...tppFormDeviations,
  ...sandboxDeviations,
  ...redirectDeviations,
  ...scaDeviations,
  ...identityDeviations,
  ...accountDeviations,
  ...accountLimitDeviations,
  ...lifecycleDeviations,
  ...tlsDeviations,
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

export const deviationById: ReadonlyMap<string, Deviation> = new Map(
  deviations.map((deviation) => [deviation.id, deviation]),
);
